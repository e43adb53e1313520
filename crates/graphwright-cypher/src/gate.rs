//! The gate: decides which text from people and models may run.
//!
//! [`Gate::check`] takes text and returns a [`Checked`] statement with bounds on its result, or a
//! [`Refusal`] with the reason and its place.
//!
//! Whatever is not known to be harmless is denied: only clauses, functions and procedures on the
//! lists pass, at any depth of subqueries. The store refuses writes on a read by itself, so the
//! gate is the first of two locks, and the one that can explain.

mod bounds;
mod check;
mod names;
mod repeatable;
#[cfg(test)]
mod tests;
mod work;

use std::sync::Arc;

pub use self::work::LONG_RANGE;
use graphwright_core::{GraphSchema, Properties, Span, Statement};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    edit::{Edits, OffsetMap},
    lexer::Token,
    syntax::{parse_with_tokens, tree::Query},
};

/// The rules for what may pass and how far it may reach.
///
/// ```
/// use graphwright_cypher::{Bound, Gate};
///
/// let checked = Gate::default().check("MATCH p = (:Service)-[:DEPENDS_ON*]->(l) RETURN p")?;
/// assert_eq!(
///     checked.statement.text(),
///     "MATCH p = (:Service)-[:DEPENDS_ON*..8]->(l) RETURN p LIMIT 101"
/// );
/// assert_eq!(checked.bounds[0], Bound::Hops { limit: 8, start: 33, end: 34 });
/// # Ok::<_, graphwright_cypher::Refusal>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// The changes of the graph that may pass. The user must have allowed them. Default:
    /// [`Writes::None`].
    pub writes: Writes,
    /// The labels and relationship types that may be written, with the number of elements of each
    /// for the estimate of work. With `None`, the default, any name may be written, and a pattern
    /// is assumed to match 1,000 times.
    pub schema: Option<Arc<GraphSchema>>,
    /// The procedures that may be called besides those on the list. The user vouches that they only
    /// read the graph.
    pub procedures: Vec<String>,
    /// The functions that may be called besides those on the list. The user vouches that they only
    /// compute.
    pub functions: Vec<String>,
    /// The most rows of a result; `None` for no limit. Default: 100.
    pub row_limit: Option<usize>,
    /// The most relationships of a path for which the text sets no bound; `None` adds no bound.
    /// Default: 8.
    pub max_hops: Option<usize>,
    /// The most rows or list elements that a text may need on its way to the answer, as far as the
    /// text alone shows it. A pattern that nothing narrows down counts as 1,000 rows. `None` lets
    /// any amount pass. Default: 2²⁰.
    pub max_work: Option<u64>,
}

impl Default for Gate {
    /// Returns a gate that only reads, with at most 100 rows, 8 hops and about a million steps of
    /// work, which Neo4j does in about a second.
    fn default() -> Self {
        Self {
            writes: Writes::None,
            schema: None,
            procedures: Vec::new(),
            functions: Vec::new(),
            row_limit: Some(100),
            max_hops: Some(8),
            max_work: Some(1 << 20),
        }
    }
}

/// The changes of the graph that may pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Writes {
    /// No changes.
    #[default]
    None,
    /// The changes by `CREATE`, `MERGE`, `SET`, `REMOVE` and `DELETE`, in a statement without
    /// procedures.
    Plain,
    /// The changes by any clause, for a script that the user wrote.
    Script,
}

/// A text that passed the gate.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// The statement to run. Its parameters are still to be set.
    pub statement: Statement,
    /// Whether the statement changes the graph and so belongs to
    /// [`write`](graphwright_core::GraphStore::write).
    pub writes: bool,
    /// Whether the result stays the same as long as the graph does: the statement calls no
    /// procedure and no function of the clock or of chance.
    pub repeatable: bool,
    /// The bounds that the gate added. Whatever lies beyond them is missing from the result.
    pub bounds: Vec<Bound>,
    offsets: OffsetMap,
}

impl Checked {
    /// Returns the byte of the original text from which byte `offset` of the statement's text
    /// comes. Used to place errors of the store.
    pub fn origin(&self, offset: usize) -> usize {
        self.offsets.origin(offset)
    }
}

/// A bound that the gate added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Bound {
    /// A bound on the number of rows. The statement asks for one row more, so that the store, given
    /// the same [`row_limit`](graphwright_core::store::QueryOptions::row_limit), knows whether rows
    /// are missing.
    Rows {
        /// The most rows.
        limit: usize,
    },
    /// A bound on the length of paths of this part of the pattern. Longer paths are missing.
    Hops {
        /// The most relationships.
        limit: usize,
        /// The first byte of the part, in the original text.
        start: usize,
        /// One past the last byte of the part.
        end: usize,
    },
}

/// The reason why a text may not run.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct Refusal {
    /// The kind of reason.
    pub code: RefusalCode,
    /// The message: what was found.
    pub message: String,
    /// The first byte of what was found.
    pub start: usize,
    /// One past the last byte of what was found.
    pub end: usize,
    /// The advice: what to do instead.
    pub help: String,
}

/// The kinds of reasons for a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RefusalCode {
    /// The text is not Cypher.
    Syntax,
    /// The text changes the graph, and only reading is allowed.
    Write,
    /// The text is a schema or administration command.
    Command,
    /// The text reads files or addresses (`LOAD CSV`).
    LoadCsv,
    /// The text chooses another database (`USE`).
    UseDatabase,
    /// The text commits by itself (`IN TRANSACTIONS`).
    Transactions,
    /// The text has more than one statement.
    SeveralStatements,
    /// The text calls a procedure that is not on the list.
    Procedure,
    /// The text calls a function that is not on the list.
    Function,
    /// The text makes the name of a label, a type or a changed property from an expression.
    DynamicName,
    /// The text would create a label or type that is not in the schema.
    UnknownName,
    /// The text writes a character by its code where that could change the meaning of the text.
    Escape,
    /// The text needs a bound on the length of a path, and adding one would make its answer wrong.
    UnboundedPath,
    /// The text asks for more work than a query may, as far as the text shows.
    Work,
    /// The text is a write that, with its parameters, exceeds the allowed number of bytes.
    Size,
}

impl RefusalCode {
    /// Returns a stable name for programs, as `unbounded_path`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Write => "write",
            Self::Command => "command",
            Self::LoadCsv => "load_csv",
            Self::UseDatabase => "use_database",
            Self::Transactions => "transactions",
            Self::SeveralStatements => "several_statements",
            Self::Procedure => "procedure",
            Self::Function => "function",
            Self::DynamicName => "dynamic_name",
            Self::UnknownName => "unknown_name",
            Self::Escape => "escape",
            Self::UnboundedPath => "unbounded_path",
            Self::Work => "work",
            Self::Size => "size",
        }
    }
}

impl Refusal {
    fn new(code: RefusalCode, span: Span, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { code, message: message.into(), start: span.start, end: span.end, help: help.into() }
    }
}

impl Gate {
    /// Checks a text and bounds its result.
    ///
    /// For the estimate of work each parameter counts as a number or a short text.
    ///
    /// # Errors
    /// Returns the first reason against the text, with its place.
    pub fn check(&self, text: &str) -> Result<Checked, Refusal> {
        self.check_with(text, &Properties::new())
    }

    /// Checks a text as [`check`](Self::check) does, where each parameter counts as large as it is.
    ///
    /// # Errors
    /// Returns the first reason against the text, with its place.
    pub fn check_with(&self, text: &str, parameters: &Properties) -> Result<Checked, Refusal> {
        let (parsed, tokens) = parse_with_tokens(text);
        let query = check::check(self, text, &parsed, &tokens)?;
        let open_ranges =
            self.max_work.map_or(Ok(Vec::new()), |most| work::check(self, query, parameters, most))?;
        // The bounds are edits of the original text, so that places in errors can be traced back.
        let mut edits = Edits::default();
        blank(text, &tokens, &parsed.comments, &mut edits);
        // Before the bounds: a name for a column comes before a `LIMIT` at the same place.
        for range in &open_ranges {
            work::guard(range, text, &mut edits);
        }
        let bounds = bounds::add(self, query, &mut edits)?;
        let (text, offsets) = edits.apply(text);
        Ok(Checked {
            statement: Statement::from_checked_text(text),
            writes: check::writes(query),
            repeatable: repeatable::is_repeatable(query),
            bounds,
            offsets,
        })
    }
}

/// Replaces comments, and white space that servers may read in another way, with plain spaces.
fn blank(text: &str, tokens: &[Token], comments: &[Span], edits: &mut Edits) {
    let mut written: Vec<Span> =
        tokens.iter().map(|token| token.span).chain(comments.iter().copied()).collect();
    written.sort_unstable_by_key(|span| span.start);
    let mut end = 0;
    for span in written.into_iter().chain([Span::new(text.len(), text.len())]) {
        for (at, character) in text.get(end..span.start).unwrap_or_default().char_indices() {
            if !matches!(character, ' ' | '\n' | '\r' | '\t') {
                edits.replace(Span::new(end + at, end + at + character.len_utf8()), " ");
            }
        }
        end = span.end;
    }
    for &comment in comments {
        edits.replace(comment, " ");
    }
}

/// Returns whether any clause of a query changes the graph.
pub(crate) fn writes(query: &Query) -> bool {
    check::writes(query)
}
