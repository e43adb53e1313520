//! Examples: questions with the queries that answered them, learned from runs that went wrong first and came right.

mod book;
mod choose;
mod written;

use graphwright_answer::QuestionSlot;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub use book::{ExampleBook, Examples};
pub(crate) use choose::ranking;

/// A question with the query that answers it, as models are shown it.
///
/// ```
/// use graphwright_text2cypher::{Example, ExampleStatus};
///
/// let example = Example::by_person("Who owns ledger?", "MATCH (t:Team)-[:OWNS]->({name: 'ledger'}) RETURN t.name");
/// assert_eq!(example.status, ExampleStatus::Kept);
/// assert!(example.is_reviewed);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Example {
    /// The identifier: ten hexadecimal digits.
    #[serde(default = "graphwright_journal::new_id")]
    pub id: String,
    /// The time at which it was learned.
    #[serde(default = "Timestamp::now")]
    pub at: Timestamp,
    /// The question, such that it stands alone.
    pub question: String,
    /// The kind of question: its words with types in place of names, such as `who owns <Service>`.
    #[serde(default)]
    pub kind: String,
    /// What stands in the question where the kind has a type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<QuestionSlot>,
    /// The query.
    pub cypher: String,
    /// The [fingerprint](graphwright_core::GraphSchema::fingerprint) of the schema for which it holds. Empty if it was not run yet.
    #[serde(default)]
    pub schema: String,
    /// Where it comes from.
    #[serde(default)]
    pub origin: ExampleOrigin,
    /// What speaks for it.
    #[serde(default)]
    pub proof: ExampleProof,
    /// Whether models are shown it.
    #[serde(default)]
    pub status: ExampleStatus,
    /// Why it is no more than a candidate, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether a person wrote, edited or approved it. Such an example does not age.
    #[serde(default)]
    pub is_reviewed: bool,
    /// In how many questions that were answered a model was shown it.
    #[serde(default)]
    pub used: u64,
    /// When that was last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_at: Option<Timestamp>,
    /// How often a later answer agreed with it.
    #[serde(default)]
    pub confirmed: u32,
    /// How often a later answer contradicted it.
    #[serde(default)]
    pub contradicted: u32,
}

/// Where an example comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExampleOrigin {
    /// A run of a flow in which a first query was wrong, and a later one right.
    SelfHealed,
    /// A person wrote it.
    Person,
    /// It was imported.
    #[default]
    Imported,
}

impl ExampleOrigin {
    /// Returns the name that programs read, such as `self_healed`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SelfHealed => "self_healed",
            Self::Person => "person",
            Self::Imported => "imported",
        }
    }
}

/// Whether models are shown an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExampleStatus {
    /// It is not shown: something does not speak for it, or speaks against it.
    Candidate,
    /// It is shown.
    #[default]
    Kept,
}

impl ExampleStatus {
    /// Returns the name that programs read, such as `kept`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Candidate => "candidate",
            Self::Kept => "kept",
        }
    }
}

/// What speaks for an example.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExampleProof {
    /// The number of rows that the query gave.
    pub rows: usize,
    /// The shapes of the paths that prove the rows, such as `Team -[OWNS]-> Service`; at most five.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// Whether a judge said that the rows answer the question.
    #[serde(default)]
    pub judged: bool,
    /// Whether a second query, written with the example in view, gave the same rows.
    #[serde(default)]
    pub written_again: bool,
    /// What was wrong before it came right.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub healed: Vec<String>,
    /// The model that wrote the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

impl Example {
    /// Creates an example that a person wrote. It is checked under the schema of the graph when it is first chosen.
    pub fn by_person(question: impl Into<String>, cypher: impl Into<String>) -> Self {
        Self {
            id: graphwright_journal::new_id(),
            at: Timestamp::now(),
            question: question.into(),
            kind: String::new(),
            slots: Vec::new(),
            cypher: cypher.into(),
            schema: String::new(),
            origin: ExampleOrigin::Person,
            proof: ExampleProof::default(),
            status: ExampleStatus::Kept,
            reason: None,
            is_reviewed: true,
            used: 0,
            used_at: None,
            confirmed: 0,
            contradicted: 0,
        }
    }

    /// Turns it into a candidate, for a reason.
    pub(crate) fn doubt(&mut self, reason: impl Into<String>) {
        self.status = ExampleStatus::Candidate;
        self.reason = Some(reason.into());
    }

    /// Notes that a later answer contradicts it. Where no more answers agree with it than contradict it, it is no longer shown.
    pub(crate) fn contradict(&mut self, by: &str) {
        self.contradicted += 1;
        if self.contradicted > self.confirmed + u32::from(self.is_reviewed) {
            self.is_reviewed = false;
            self.doubt(format!("a later answer contradicts it ({by})"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_majority_of_later_answers_decides() {
        let mut learned = Example { is_reviewed: false, ..Example::by_person("q", "RETURN 1") };
        learned.confirmed = 1;
        learned.contradict("a");
        assert_eq!(learned.status, ExampleStatus::Kept);
        learned.contradict("b");
        assert_eq!(learned.status, ExampleStatus::Candidate);
        assert_eq!(learned.reason.as_deref(), Some("a later answer contradicts it (b)"));
        // The word of a person counts as one more answer.
        let mut reviewed = Example::by_person("q", "RETURN 1");
        reviewed.contradict("a");
        assert_eq!(reviewed.status, ExampleStatus::Kept);
        reviewed.contradict("b");
        assert_eq!((reviewed.status, reviewed.is_reviewed), (ExampleStatus::Candidate, false));
    }
}
