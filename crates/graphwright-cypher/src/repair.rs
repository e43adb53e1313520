//! From what a model wrote to a query that runs, without a model.
//!
//! A repair takes the query out of the text around it and then mends one fault after another: each step must leave fewer
//! faults, and no step may leave fewer conditions, pattern elements or columns than there were. A query without faults
//! stays as it is. What cannot be mended without guessing stays too, with what is wrong; where that is because the query
//! says too little, [`Repaired::refused`] tells why.

mod aggregates;
mod aliases;
mod brackets;
mod clauses;
mod columns;
mod date_differences;
mod draft;
mod extract;
mod functions;
mod groups;
mod inventory;
mod map_conditions;
mod names;
mod operators;
mod patterns;
mod placeholders;
mod places;
#[cfg(test)]
mod properties;
mod regions;
mod scope;
mod step;
mod subqueries;
#[cfg(test)]
mod tests;

use graphwright_core::Span;
use serde::{Deserialize, Serialize};

use self::{draft::Draft, step::Outcome};
use crate::{
    diagnostic::{Diagnostic, Severity},
    lint::Lint,
};

/// More changes than this are not worth trying: a text that needs them is no query.
const MAX_TRIES: usize = 300;

/// Longer texts, in bytes, are only looked at.
const MAX_LENGTH: usize = 1 << 16;

/// Mends queries.
///
/// ```
/// use graphwright_cypher::repair::Repair;
///
/// let text = "Here is the query:\n```cypher\nMATCH (p:Person)-[:WROTE]->(b:Book {year > 1990}) WITH DISTINCT p RETURN p.name, b.title\n```";
/// let repaired = Repair::default().repair(text);
/// assert_eq!(
///     repaired.text,
///     "MATCH (p:Person)-[:WROTE]->(b:Book WHERE b.year > 1990) WITH DISTINCT p, b RETURN p.name, b.title"
/// );
/// assert!(repaired.diagnostics.is_empty());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Repair<'l> {
    lint: Option<&'l Lint>,
}

/// What became of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repaired {
    /// The query. Where nothing could be mended, it is the text, or what stands in it where a query was expected.
    pub text: String,
    /// What was changed, in order; nothing where the text was right.
    pub changes: Vec<Change>,
    /// What is left to say about [`Self::text`].
    pub diagnostics: Vec<Diagnostic>,
    /// Why the query says too little to be mended.
    pub refused: Option<Reason>,
}

impl Repaired {
    /// Whether the query has no fault left.
    pub fn is_clean(&self) -> bool {
        self.refused.is_none() && self.diagnostics.iter().all(|found| found.severity != Severity::Error)
    }
}

/// A change of the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The kind of change.
    pub code: ChangeCode,
    /// What was changed, for people.
    pub message: String,
}

/// The kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ChangeCode {
    /// Text around the query was left out.
    Extracted,
    /// Characters that stand for others were replaced: HTML entities, typographic quotes, escapes.
    Characters,
    /// A fix that comes with a diagnostic was applied.
    Fix,
    /// An operator or clause of another language was written as Cypher has it.
    ForeignSyntax,
    /// A function of another language was written as Cypher has it.
    ForeignFunction,
    /// A condition was moved to a place where it can stand.
    ConditionMoved,
    /// An aggregate was moved to a place where it can stand.
    AggregateMoved,
    /// A variable is carried through a clause that dropped it.
    VariableCarried,
    /// A column was named.
    ColumnNamed,
    /// A name was replaced by the one that was meant, or put in quotes.
    NameMended,
    /// A bracket or quote was added.
    BracketAdded,
    /// What stands in the query twice was left out once.
    RepetitionRemoved,
}

/// Why a query cannot be mended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// The kind of reason.
    pub code: ReasonCode,
    /// Where it shows, in bytes of [`Repaired::text`].
    #[serde(flatten)]
    pub span: Span,
    /// What is missing, for people.
    pub message: String,
}

/// The kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReasonCode {
    /// The text holds no query.
    NoQuery,
    /// A placeholder stands where a value is needed.
    MissingValue,
    /// The text ends before the query does.
    Truncated,
    /// The query is written in another language as a whole.
    OtherLanguage,
}

impl<'l> Repair<'l> {
    /// Repairs for a graph whose schema the lint knows, or for any graph.
    pub fn new(lint: Option<&'l Lint>) -> Self {
        Self { lint }
    }

    /// Mends a text.
    pub fn repair(&self, text: &str) -> Repaired {
        let whole = Draft::read(text.to_owned(), self.lint);
        if whole.is_settled() || text.len() > MAX_LENGTH {
            return whole.into_repaired(Vec::new());
        }
        if whole.parses() {
            return mend(whole, Vec::new());
        }
        match extract::extract(text) {
            Ok(extracted) if extracted.changes.is_empty() => mend(whole, Vec::new()),
            Ok(extracted) => mend(Draft::read(extracted.text, self.lint), extracted.changes),
            Err(reason) => Repaired { refused: Some(reason), ..whole.into_repaired(Vec::new()) },
        }
    }
}

/// Takes steps as long as one helps.
fn mend(extracted: Draft<'_>, extraction: Vec<Change>) -> Repaired {
    let mut changes = extraction.clone();
    let mut draft = extracted.clone();
    let mut tries = MAX_TRIES;
    loop {
        match next_step(&draft, &mut tries) {
            Some(Next::Better(better, change)) => {
                draft = *better;
                changes.push(change);
            }
            Some(Next::Refused(reason)) => {
                let kept = extracted.into_repaired(extraction);
                // Steps before may have moved the place that the reason points at.
                let span = kept.diagnostics.first().map_or(reason.span, |first| first.span);
                let span = if changes.len() == kept.changes.len() { reason.span } else { span };
                return Repaired { refused: Some(Reason { span, ..reason }), ..kept };
            }
            None => break,
        }
    }
    draft.into_repaired(changes)
}

enum Next<'l> {
    Better(Box<Draft<'l>>, Change),
    Refused(Reason),
}

/// The first step that leaves the query better, of as many as may be tried; where there is none, the first reason against any.
fn next_step<'l>(draft: &Draft<'l>, tries: &mut usize) -> Option<Next<'l>> {
    let mut refused = None;
    for fault in &draft.faults {
        for outcome in step::outcomes(draft, fault) {
            match outcome {
                Outcome::Refuse(reason) => {
                    refused.get_or_insert(reason);
                }
                Outcome::Step(step) => {
                    *tries = tries.checked_sub(1)?;
                    if let Some(better) = draft.after(&step) {
                        return Some(Next::Better(Box::new(better), step.change));
                    }
                }
            }
        }
    }
    refused.map(Next::Refused)
}
