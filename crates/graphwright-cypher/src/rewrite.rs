//! What stands between Cypher as people write it and an engine that runs a part of it.
//!
//! [`for_embedded`] reads a statement, changes its tree so that the embedded engine gives the answer that Cypher defines,
//! and writes it for the engine. Each pass over the tree handles one construct. What cannot be rewritten is refused by
//! name, and what is no valid Cypher with its first fault.
//!
//! Where only the values show that the engine differs, `guards` puts an expression around it that gives Cypher's
//! answer, or an error that names the construct.

mod aggregates;
mod commands;
mod comparisons;
mod declares;
mod filters;
mod functions;
mod guards;
mod hops;
mod kinds;
mod labels;
mod lacks;
mod made_paths;
#[path = "../../graphwright-embedded/src/rewrite/make.rs"]
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
pub mod reserved;
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
use thiserror::Error;

use self::guards::{fails, refuses};
use crate::syntax::{
    Parsed, check, parse,
    print::print_for_embedded,
    tree::{Expression, Name, Query, StatementBody, Tree},
    visit::{Visit, walk_expression},
};

/// How the names of variables begin that a rewrite adds. A column with such a name (of `RETURN *`) is not the user's.
/// The engine drops names that begin with two underscores in `WITH *`.
pub const ADDED: &str = "_gw_";

/// How a string in the engine's error begins when the values need what the engine does not do; the construct follows.
pub const REFUSES: &str = "graphwright refuses: ";

/// How a string in the engine's error begins when Cypher fails on the values; the reason follows.
pub const FAILS: &str = "graphwright fails: ";

/// A statement in the dialect of an engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rewritten {
    /// The text for the engine.
    pub text: String,
    /// The parameters, those that the rewrite added among them. Keys of maps are the user's:
    /// [`reserved`] says what the engine calls them.
    pub parameters: Properties,
    /// The names of the columns as Cypher defines them; `None` where only the engine knows (`RETURN *`, procedures).
    pub columns: Option<Vec<String>>,
    /// The places of the columns that no two rows have equal (`DISTINCT`, `UNION`, groups); empty where there are none.
    /// The engine keeps `1` and `1.0` apart.
    pub keys: Vec<usize>,
    /// Properties in patterns of `CREATE` and `MERGE`, by label, as the engine calls them: the engine wants to know them
    /// before it runs the text.
    pub declares: Vec<(String, String)>,
    /// Where parts of the text begin, in order, with where they stood in the statement's text.
    origins: Vec<(usize, usize)>,
}

impl Rewritten {
    /// The byte of the statement's text that a byte of the engine's text comes from, for errors of the engine: where the
    /// innermost part of the tree that is written there began.
    pub fn origin(&self, offset: usize) -> usize {
        let after = self.origins.partition_point(|(start, _)| *start <= offset);
        after.checked_sub(1).and_then(|last| self.origins.get(last)).map_or(offset, |(_, origin)| *origin)
    }
}

/// Why a statement cannot be rewritten.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RewriteError {
    /// The text is not Cypher.
    #[error("{message}")]
    Syntax {
        /// What is wrong.
        message: String,
        /// Where, in the statement's text.
        span: Span,
    },
    /// Valid Cypher that the engine does not run and that has no equal form.
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

/// What the passes over the tree share.
struct Context<'t> {
    /// The statement's text.
    text: &'t str,
    /// What comes of the statement, without its text.
    rewritten: Rewritten,
    /// How many names have been added.
    added: usize,
    /// How many parts have been written a second time.
    grown: usize,
    /// The first thing that cannot be rewritten.
    problem: Option<RewriteError>,
}

impl Context<'_> {
    /// A variable that the text does not have.
    fn fresh(&mut self) -> Name {
        self.added += 1;
        Name::new(format!("{ADDED}{}", self.added))
    }

    /// Gives a parameter a name that the text does not have, and a value.
    fn pass(&mut self, parameter: &mut Name, value: Option<Value>) {
        parameter.text = self.fresh().text;
        if let Some(value) = value {
            self.rewritten.parameters.insert(parameter.text.to_string(), value);
        }
    }

    fn refuse(&mut self, problem: RewriteError) {
        self.problem.get_or_insert(problem);
    }

    /// Whether parts of an expression may be written a second time; what is written twice at every level grows without end.
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

/// The passes over the tree in order.
const PASSES: [fn(&mut Query, &mut Context<'_>); 23] = [
    lacks::run,
    results::run,
    spellings::run,
    optional_matches::run,
    optional::run,
    selectors::run,
    quantified::run,
    names::run,
    procedures::run,
    writes::run,
    made_paths::run,
    shortest::run,
    predicates::run,
    merge::run,
    labels::run,
    filters::run,
    subqueries::run,
    declares::run,
    hops::run,
    comparisons::run,
    guards::run,
    functions::run,
    aggregates::run,
];

/// Counts the parts of an expression.
struct Size(usize);

impl Visit for Size {
    fn visit_expression(&mut self, expression: &Expression) {
        self.0 += 1;
        walk_expression(self, expression);
    }
}

/// How many parts may be written a second time in one statement.
const GROWTH: usize = 100_000;

/// Rewrites a statement for kglite 0.21.5. Offsets of errors count in the statement's text.
///
/// ```
/// use graphwright_core::Statement;
/// use graphwright_cypher::rewrite::for_embedded;
///
/// let statement = Statement::fixed("MATCH (n:A) WHERE EXISTS { (n)-->()-->(:B) } RETURN n.name");
/// let rewritten = for_embedded(&statement)?;
/// assert_eq!(
///     rewritten.text,
///     "MATCH (n:A) WHERE 0 < COUNT { (n)-->()-->(:B) }\nRETURN n.name_ AS `n.name`"
/// );
/// # Ok::<_, graphwright_cypher::rewrite::RewriteError>(())
/// ```
pub fn for_embedded(statement: &Statement) -> Result<Rewritten> {
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
    let (text, origins) = print_for_embedded(&tree);
    Ok(Rewritten { text, origins, ..context.rewritten })
}

/// The tree of a statement that nothing is known to be wrong with.
fn checked(text: &str) -> Result<Tree> {
    let Parsed { tree, diagnostics, .. } = parse(text);
    let fault = diagnostics.into_iter().next().or_else(|| check(&tree, text).into_iter().next());
    match (fault, tree.statements.get(1)) {
        (Some(fault), _) => Err(RewriteError::syntax(fault.message, fault.span)),
        (None, Some(second)) => Err(RewriteError::syntax("only one statement at a time", second.span)),
        (None, None) => Ok(tree),
    }
}
