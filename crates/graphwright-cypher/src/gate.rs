//! Which text from people and models may run.
//!
//! Denied is everything that is not known to be harmless: only clauses, functions and procedures on the lists pass, at any
//! depth of subqueries. The store refuses writes on a read by itself; the gate is the first of the two locks, and the
//! one that can explain.

mod bounds;
mod check;
mod names;
mod repeatable;
#[cfg(test)]
mod tests;
mod work;

use std::sync::Arc;

use graphwright_core::{GraphSchema, Span, Statement};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    edit::{Edits, OffsetMap},
    lexer::Token,
    syntax::{parse_with_tokens, tree::Query},
};

/// What may pass, and how far it may reach.
///
/// ```
/// use graphwright_cypher::{Bound, Gate};
///
/// let checked = Gate::default().check("MATCH p = (:Service)-[:DEPENDS_ON*]->(l) RETURN p")?;
/// assert_eq!(checked.statement.text(), "MATCH p = (:Service)-[:DEPENDS_ON*..8]->(l) RETURN p LIMIT 101");
/// assert_eq!(checked.bounds[0], Bound::Hops { limit: 8, start: 33, end: 34 });
/// # Ok::<_, graphwright_cypher::Refusal>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// Which changes of the graph may pass; the user must have opened this.
    pub writes: Writes,
    /// The labels and relationship types that may be written, and how many elements have them, for the estimate of work. Without
    /// it any name may be written, and a pattern is taken to match a thousand times.
    pub schema: Option<Arc<GraphSchema>>,
    /// Procedures that may be called beside those on the list; the user knows that they only read the graph.
    pub procedures: Vec<String>,
    /// Functions that may be called beside those on the list; the user knows that they only compute.
    pub functions: Vec<String>,
    /// How many rows a result may have at most.
    pub row_limit: Option<usize>,
    /// How long a path may be where the text sets no bound; `None` adds no bound.
    pub max_hops: Option<usize>,
    /// How many rows or list elements a text may ask for on its way to the answer, as far as the text alone shows it;
    /// a pattern that nothing narrows down counts as a thousand rows. `None` lets any amount pass.
    pub max_work: Option<u64>,
}

impl Default for Gate {
    /// Reads only, 100 rows, 8 hops, about a million steps of work: what Neo4j does in about a second.
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

/// Which changes of the graph may pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Writes {
    /// None.
    #[default]
    None,
    /// Those of `CREATE`, `MERGE`, `SET`, `REMOVE` and `DELETE`, in a statement without procedures.
    Plain,
    /// Those of any clause, as a script that the user wrote may hold them.
    Script,
}

/// Text that passed.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// What may run; its parameters are still to be set.
    pub statement: Statement,
    /// Whether it changes the graph, so that it goes to [`write`](graphwright_core::GraphStore::write).
    pub writes: bool,
    /// Whether it gives the same as long as the graph holds the same: it calls no procedure, and no function of the clock or of chance.
    pub repeatable: bool,
    /// The bounds that the gate added: what lies beyond them is missing from the result.
    pub bounds: Vec<Bound>,
    offsets: OffsetMap,
}

impl Checked {
    /// The byte of the text as it was written that a byte of the statement's text comes from, for errors of the store.
    pub fn origin(&self, offset: usize) -> usize {
        self.offsets.origin(offset)
    }
}

/// A bound that the gate added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Bound {
    /// At most this many rows are wanted. The statement asks for one more, so that the store, given the same
    /// [`row_limit`](graphwright_core::store::QueryOptions::row_limit), knows whether rows are missing.
    Rows {
        /// The number of rows.
        limit: usize,
    },
    /// Paths of this part of the pattern end after so many relationships; longer ones are missing.
    Hops {
        /// The number of relationships.
        limit: usize,
        /// First byte of the part, in the text as it was written.
        start: usize,
        /// One past its last byte.
        end: usize,
    },
}

/// Why text may not run.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct Refusal {
    /// The kind of reason.
    pub code: RefusalCode,
    /// What was found.
    pub message: String,
    /// First byte of what was found.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// What to do.
    pub help: String,
}

/// The kinds of reasons for a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RefusalCode {
    /// It is not Cypher.
    Syntax,
    /// It changes the graph, and only reading is allowed.
    Write,
    /// It is a schema or administration command.
    Command,
    /// It reads files or addresses (`LOAD CSV`).
    LoadCsv,
    /// It chooses another database (`USE`).
    UseDatabase,
    /// It commits by itself (`IN TRANSACTIONS`).
    Transactions,
    /// It holds more than one statement.
    SeveralStatements,
    /// It calls a procedure that is not on the list.
    Procedure,
    /// It calls a function that is not on the list.
    Function,
    /// It makes the name of a label, a type or a changed property from an expression.
    DynamicName,
    /// It would make a label or type that is not in the schema.
    UnknownName,
    /// It writes a character by its code where that could change the meaning of the text.
    Escape,
    /// It needs a bound on the length of a path, and adding one would make its answer wrong.
    UnboundedPath,
    /// It asks for more work than a query may, as far as the text shows.
    Work,
    /// It is a write whose text and parameters take more bytes than they may.
    Size,
}

impl RefusalCode {
    /// A stable name for programs, as `unbounded_path`.
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
    /// Checks text and bounds what it may return.
    ///
    /// # Errors
    /// The first reason against the text, with its place.
    pub fn check(&self, text: &str) -> Result<Checked, Refusal> {
        let (parsed, tokens) = parse_with_tokens(text);
        let query = check::check(self, text, &parsed, &tokens)?;
        if let Some(most) = self.max_work {
            work::check(query, self.schema.as_deref(), self.row_limit, most)?;
        }
        let mut edits = Edits::default();
        blank(text, &tokens, &parsed.comments, &mut edits);
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

/// Puts plain spaces in place of comments and of white space that servers may read in another way.
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

/// Whether any clause of a query changes the graph.
pub(crate) fn writes(query: &Query) -> bool {
    check::writes(query)
}

/// Whether a function aggregates rows.
pub(crate) fn is_aggregate(name: &str) -> bool {
    names::is_aggregate(name)
}

/// Whether Cypher has a function of that name, or one of the libraries that the gate lets pass, in any case.
///
/// ```
/// use graphwright_cypher::syntax::is_function;
///
/// assert!(is_function("toUpper") && is_function("date.truncate") && !is_function("toCapitals"));
/// ```
pub fn is_function(name: &str) -> bool {
    names::is_function(name)
}
