//! Repair: turns what a model wrote into a query that runs, without a model.
//!
//! [`Repair::repair`] takes the query out of the text around it and then mends one fault after
//! another. Each step must leave fewer faults, and no step may leave fewer conditions, pattern
//! elements or columns than before. A query without faults stays as it is.
//!
//! A fault that cannot be mended without guessing stays, with its diagnostic. If the query says too
//! little to be mended, [`Repaired::refused`] gives the reason.

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
mod rules;
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

/// The most steps that are tried for one text. A text that needs more is no query.
const MAX_TRIES: usize = 300;

/// The length in bytes above which a text is only diagnosed.
const MAX_LENGTH: usize = 1 << 16;

/// A repair of queries.
///
/// ```
/// use graphwright_cypher::repair::Repair;
///
/// let text = "Here is the query:\n```cypher\n\
///     MATCH (p:Person)-[:WROTE]->(b:Book {year > 1990}) \
///     WITH DISTINCT p RETURN p.name, b.title\n```";
/// let repaired = Repair::default().repair(text);
/// assert_eq!(
///     repaired.text,
///     "MATCH (p:Person)-[:WROTE]->(b:Book WHERE b.year > 1990) \
///      WITH DISTINCT p, b RETURN p.name, b.title"
/// );
/// assert!(repaired.diagnostics.is_empty());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Repair<'l> {
    lint: Option<&'l Lint>,
}

/// The result of a repair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repaired {
    /// The query. If nothing could be mended, this is the text, or the part of it where a query was
    /// expected.
    pub text: String,
    /// The changes, in order; empty if the text was right.
    pub changes: Vec<Change>,
    /// The diagnostics that remain for [`Self::text`].
    pub diagnostics: Vec<Diagnostic>,
    /// The reason, if the query says too little to be mended.
    pub refused: Option<Reason>,
}

impl Repaired {
    /// Returns whether the query was not refused and has no error left.
    pub fn is_clean(&self) -> bool {
        self.refused.is_none() && self.diagnostics.iter().all(|found| found.severity != Severity::Error)
    }
}

/// A change of the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The kind of change.
    pub code: ChangeCode,
    /// The message for people: what was changed.
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
    /// An operator or clause of another language was replaced with its form in Cypher.
    ForeignSyntax,
    /// A function of another language was replaced with its form in Cypher.
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
    /// A part that stood in the query twice was left out once.
    RepetitionRemoved,
}

/// The reason why a query cannot be mended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// The kind of reason.
    pub code: ReasonCode,
    /// The place where it shows, in bytes of [`Repaired::text`].
    #[serde(flatten)]
    pub span: Span,
    /// The message for people: what is missing.
    pub message: String,
}

/// The kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReasonCode {
    /// The text contains no query.
    NoQuery,
    /// A placeholder stands where a value is needed.
    MissingValue,
    /// The text ends before the query does.
    Truncated,
    /// The query is written in another language as a whole.
    OtherLanguage,
}

impl<'l> Repair<'l> {
    /// Creates a repair for the graph whose schema the lint knows, or for any graph.
    pub fn new(lint: Option<&'l Lint>) -> Self {
        Self { lint }
    }

    /// Mends a text.
    pub fn repair(&self, text: &str) -> Repaired {
        // The text is read as it is first: a query without faults must not change.
        let whole = Draft::read(text.to_owned(), self.lint);
        if whole.is_settled() || text.len() > MAX_LENGTH {
            return whole.into_repaired(Vec::new());
        }
        // A text that parses as a whole has nothing around its query.
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

/// Takes steps until none helps.
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
                // Earlier steps may have moved the place that the reason points at.
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

/// Returns the first step that improves the query, or else the first reason against one. Counts the
/// steps that are tried down from `tries`.
fn next_step<'l>(draft: &Draft<'l>, tries: &mut usize) -> Option<Next<'l>> {
    let mut refused = None;
    for fault in &draft.faults {
        for outcome in rules::outcomes(draft, fault) {
            match outcome {
                Outcome::Refuse(reason) => {
                    refused.get_or_insert(reason);
                }
                Outcome::Step(step) => {
                    // Without tries left, what was mended so far stands.
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
