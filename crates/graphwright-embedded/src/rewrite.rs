//! Rewrites Cypher into the part of it that the engine runs.
//!
//! [`for_engine`] reads a statement and changes its tree so that the engine gives the answer that
//! Cypher defines. Then it writes the tree as the engine reads it (`dialect`). Each pass over the
//! tree handles one construct. A construct that cannot be rewritten is refused by name, and a text
//! that is not valid Cypher with its first fault.
//!
//! In some places only the values show that the engine differs. There, `guards` puts an expression
//! around the construct, which gives Cypher's answer, or an error that names the construct.

mod aggregates;
mod commands;
mod comparisons;
mod declares;
mod dialect;
mod filters;
mod functions;
mod guards;
mod hops;
mod kinds;
mod labels;
mod lacks;
mod made_paths;
mod make;
mod merge;
mod moments;
mod names;
mod optional;
mod optional_matches;
mod points;
mod predicates;
mod procedures;
mod quantified;
pub(crate) mod reserved;
mod results;
mod scope;
mod selectors;
mod shortest;
mod spellings;
mod subqueries;
mod template;
#[cfg(test)]
mod tests;
mod trims;
mod variables;
mod writes;

use std::borrow::Cow;

use graphwright_core::{Properties, Span, Statement, Value};
use graphwright_cypher::syntax::{
    Parsed, check, parse,
    print::{Origins, print_with},
    tree::{Expression, Name, Query, StatementBody, Tree},
    visit::{Visit, walk_expression},
};
use thiserror::Error;

use self::{
    dialect::Engine,
    guards::{fails, refuses},
};

/// The prefix of variables that a rewrite adds. A column with this prefix (of `RETURN *`) is not
/// the user's. Two leading underscores would not do: the engine drops such names in `WITH *`.
pub(crate) const ADDED: &str = "_gw_";

/// The prefix of a string in the engine's error if the values need what the engine cannot do. The
/// construct follows.
pub(crate) const REFUSES: &str = "graphwright refuses: ";

/// The prefix of a string in the engine's error if Cypher fails on the values. The reason follows.
pub(crate) const FAILS: &str = "graphwright fails: ";

/// A statement in the dialect of the engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rewritten {
    /// The text for the engine.
    pub(crate) text: String,
    /// The parameters, including those that the rewrite added. Keys of maps are the user's;
    /// [`reserved`] says what the engine calls them.
    pub(crate) parameters: Properties,
    /// The names of the columns as Cypher defines them. `None` if only the engine knows them
    /// (`RETURN *`, procedures).
    pub(crate) columns: Option<Vec<String>>,
    /// The positions of the columns that together identify a row (`DISTINCT`, `UNION`, groups);
    /// empty if there are none. They matter because the engine keeps `1` and `1.0` apart.
    pub(crate) keys: Vec<usize>,
    /// Properties in patterns of `CREATE` and `MERGE`, by label, as the engine calls them. The
    /// engine must know them before it runs the text.
    pub(crate) declares: Vec<(String, String)>,
    /// Where the parts of the text stood in the statement's text.
    origins: Origins,
}

impl Rewritten {
    /// Returns the byte of the statement's text from which a byte of the engine's text comes, for
    /// errors of the engine. It is the start of the innermost part of the tree that is written
    /// there.
    pub(crate) fn origin(&self, offset: usize) -> usize {
        self.origins.of(offset)
    }
}

/// Why a statement cannot be rewritten.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum RewriteError {
    /// The text is not Cypher.
    #[error("{message}")]
    Syntax {
        /// What is wrong.
        message: String,
        /// Where, in the statement's text.
        span: Span,
    },
    /// Valid Cypher that the engine does not run, and that has no equivalent which it runs.
    #[error("{construct} is not supported")]
    Unsupported {
        /// The construct by its Cypher name.
        construct: Cow<'static, str>,
        /// What to write instead.
        hint: &'static str,
        /// Where, in the statement's text.
        span: Span,
    },
    /// Valid Cypher that fails on these values.
    #[error("{message}")]
    Evaluation {
        /// What fails.
        message: String,
        /// Where, in the statement's text.
        span: Span,
    },
}

impl RewriteError {
    fn unsupported(construct: impl Into<Cow<'static, str>>, hint: &'static str, span: Span) -> Self {
        Self::Unsupported { construct: construct.into(), hint, span }
    }

    fn syntax(message: impl Into<String>, span: Span) -> Self {
        Self::Syntax { message: message.into(), span }
    }
}

type Result<T> = std::result::Result<T, RewriteError>;

/// The state that the passes over the tree share.
struct Context<'t> {
    /// The statement's text.
    text: &'t str,
    /// The result of the rewrite, without its text.
    rewritten: Rewritten,
    /// How many names have been added.
    added: usize,
    /// How many parts have been written a second time.
    grown: usize,
    /// The first thing that cannot be rewritten.
    problem: Option<RewriteError>,
}

impl Context<'_> {
    /// Creates a variable that the text does not have.
    fn fresh(&mut self) -> Name {
        self.added += 1;
        Name::new(format!("{ADDED}{}", self.added))
    }

    /// Renames a parameter to a name that the text does not have, and sets its value.
    fn pass(&mut self, parameter: &mut Name, value: Option<Value>) {
        parameter.text = self.fresh().text;
        if let Some(value) = value {
            self.rewritten.parameters.insert(parameter.text.to_string(), value);
        }
    }

    fn refuse(&mut self, problem: RewriteError) {
        self.problem.get_or_insert(problem);
    }

    /// Tells whether the parts of an expression may be written a second time. Without a limit,
    /// parts that are written twice at every level would grow exponentially.
    fn may_grow(&mut self, expression: &Expression) -> bool {
        let mut size = Size(0);
        size.visit_expression(expression);
        self.grown += size.0;
        if self.grown > GROWTH {
            self.refuse(RewriteError::unsupported("so deep a query", "split it with WITH", expression.span));
        }
        self.grown <= GROWTH
    }
}

/// The passes over the tree, in order.
const PASSES: [fn(&mut Query, &mut Context<'_>); 23] = [
    lacks::run,
    // Before the tree changes: columns are named after the text as it was written.
    results::run,
    spellings::run,
    // Makes an `OPTIONAL CALL`, which the next pass rewrites.
    optional_matches::run,
    optional::run,
    selectors::run,
    quantified::run,
    names::run,
    // After `names`: the searches that replace procedures are in the engine's own names.
    procedures::run,
    writes::run,
    made_paths::run,
    shortest::run,
    // Makes `COUNT { }` of `EXISTS { }`, which `subqueries` moves.
    predicates::run,
    merge::run,
    labels::run,
    filters::run,
    subqueries::run,
    declares::run,
    hops::run,
    // Makes the single comparisons that `guards` looks at.
    comparisons::run,
    guards::run,
    functions::run,
    // Last: `functions` puts aggregates into expressions.
    aggregates::run,
];

/// A counter of the parts of an expression.
struct Size(usize);

impl Visit for Size {
    fn visit_expression(&mut self, expression: &Expression) {
        self.0 += 1;
        walk_expression(self, expression);
    }
}

/// The most parts that may be written a second time in one statement.
const GROWTH: usize = 100_000;

/// Rewrites a statement for kglite 0.21.5. Offsets of errors count in the statement's text.
pub(crate) fn for_engine(statement: &Statement) -> Result<Rewritten> {
    let text = statement.text();
    let mut tree = checked(text)?;
    let parameters = statement.parameters().clone();
    let mut context = Context {
        text,
        rewritten: Rewritten { parameters, ..Rewritten::default() },
        added: 0,
        grown: 0,
        problem: None,
    };
    for statement in &mut tree.statements {
        match &mut statement.body {
            StatementBody::Query(query) => {
                for pass in PASSES {
                    pass(query, &mut context);
                    if let Some(problem) = context.problem.take() {
                        return Err(problem);
                    }
                }
            }
            StatementBody::Command(command) => commands::run(command),
        }
    }
    let (text, origins) = print_with(&tree, &Engine);
    Ok(Rewritten { text, origins, ..context.rewritten })
}

/// Parses a text into a tree without faults. Fails with the first fault, or if there are several
/// statements.
fn checked(text: &str) -> Result<Tree> {
    let Parsed { tree, diagnostics, .. } = parse(text);
    let fault = diagnostics.into_iter().next().or_else(|| check(&tree, text).into_iter().next());
    match (fault, tree.statements.get(1)) {
        (Some(fault), _) => Err(RewriteError::syntax(fault.message, fault.span)),
        (None, Some(second)) => Err(RewriteError::syntax("only one statement at a time", second.span)),
        (None, None) => Ok(tree),
    }
}
