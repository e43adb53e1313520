//! What stands between Cypher as people write it and an engine that runs a part of it.
//!
//! [`for_embedded`] changes the text of a statement so that the embedded engine gives the answer that Cypher defines.
//! Each pass handles one construct and looks at the text anew. What cannot be rewritten is refused by name.
//!
//! Where only the values show that the engine differs, `guards` puts an expression around it that gives Cypher's
//! answer, or an error that names the construct.

#![expect(clippy::unnecessary_wraps, reason = "all passes have one type")]

mod aggregates;
mod clean;
mod columns;
mod comparisons;
mod expression;
mod filters;
mod functions;
mod grouping;
mod guards;
mod hops;
mod kinds;
mod merge;
mod names;
mod pattern;
mod predicates;
mod procedures;
pub mod reserved;
mod scope;
mod subqueries;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use graphwright_core::{Properties, Span, Statement};
use thiserror::Error;

use crate::{
    edit::{Edits, OffsetMap},
    lexer::LexError,
    source::{Block, Source},
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
    offsets: Vec<OffsetMap>,
}

impl Rewritten {
    /// The byte of the statement's text that a byte of the engine's text comes from, for errors of the engine.
    pub fn origin(&self, offset: usize) -> usize {
        self.offsets.iter().rev().fold(offset, |offset, map| map.origin(offset))
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

    fn span_mut(&mut self) -> &mut Span {
        match self {
            Self::Syntax { span, .. } | Self::Unsupported { span, .. } | Self::Evaluation { span, .. } => {
                span
            }
        }
    }
}

impl From<LexError> for RewriteError {
    fn from(error: LexError) -> Self {
        Self::Syntax { message: error.message, span: error.span }
    }
}

type Result<T> = std::result::Result<T, RewriteError>;

/// What a pass looks at, and what it leaves for later.
struct Pass<'a> {
    source: &'a Source<'a>,
    blocks: &'a [Block],
    rewritten: &'a mut Rewritten,
    added: &'a mut usize,
}

impl Pass<'_> {
    /// A variable or parameter name that the text does not have.
    fn fresh(&mut self) -> String {
        *self.added += 1;
        format!("{ADDED}{}", self.added)
    }
}

type Step = fn(&mut Pass<'_>) -> Result<Edits>;

/// The passes in order. A pass that returns edits runs again when it is marked so, until it has none.
const STEPS: [(Step, bool); 19] = [
    (clean::run, false),
    (columns::run, false),
    (names::run, false),
    (procedures::run, false),
    (subqueries::writes, true),
    (filters::shortest_paths, true),
    (filters::take_out, true),
    (predicates::run, false),
    (filters::take_out, true),
    (subqueries::hoist, true),
    (merge::run, true),
    (filters::run, false),
    (filters::declare, false),
    (hops::run, false),
    (comparisons::run, true),
    (guards::run, false),
    (functions::run, true),
    (aggregates::run, true),
    (predicates::count_first, false),
];

/// How often a pass may run again; a text that needs more is too deep.
const ROUNDS: usize = 200;

/// By how many bytes a text may grow; arguments that are written twice at every level grow without end.
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
///     "MATCH (n:A) WHERE (0 < COUNT { (n)-->()-->(:B) }) RETURN n.name_ AS `n.name`"
/// );
/// # Ok::<_, graphwright_cypher::rewrite::RewriteError>(())
/// ```
pub fn for_embedded(statement: &Statement) -> Result<Rewritten> {
    let mut rewritten = Rewritten {
        text: statement.text().to_owned(),
        parameters: statement.parameters().clone(),
        ..Rewritten::default()
    };
    let mut added = 0;
    for (step, repeat) in STEPS {
        let mut rounds = 0;
        while run_step(step, &mut rewritten, &mut added)? && repeat {
            rounds += 1;
            if rounds > ROUNDS || rewritten.text.len() > statement.text().len() + GROWTH {
                let span = Span::new(0, statement.text().len());
                return Err(RewriteError::unsupported("so deep a query", "split it with WITH", span));
            }
        }
    }
    Ok(rewritten)
}

/// Runs one pass; whether it changed the text.
fn run_step(step: Step, rewritten: &mut Rewritten, added: &mut usize) -> Result<bool> {
    let text = std::mem::take(&mut rewritten.text);
    let result = Source::parse(&text).map_err(RewriteError::from).and_then(|source| {
        let blocks = source.blocks();
        step(&mut Pass { source: &source, blocks: &blocks, rewritten, added })
    });
    match result {
        Ok(edits) => {
            let (changed, offsets) = edits.apply(&text);
            let is_changed = changed != text;
            rewritten.text = changed;
            if is_changed {
                rewritten.offsets.push(offsets);
            }
            Ok(is_changed)
        }
        Err(mut error) => {
            let span = error.span_mut();
            *span = Span::new(rewritten.origin(span.start), rewritten.origin(span.end));
            Err(error)
        }
    }
}
