//! The answer to a question, in the public form that programs read.

use graphwright_core::Value;
use graphwright_llm::Usage;
use graphwright_retrieve::{Passage, in_words};
use serde::{Deserialize, Serialize};

/// The outcome of a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerStatus {
    /// The graph answers the question.
    Answered,
    /// The graph answers a part of the question: some words were not used, which the first line of the answer names, or one
    /// thing was found where several are asked for.
    Partial,
    /// The question has several readings with different answers; see [`Answer::readings`].
    Ambiguous,
    /// The graph does not say.
    #[default]
    NotInGraph,
    /// The things that the question names are not connected within the limit.
    NoPath,
    /// The graph does not say; the documents say something about it, see [`Answer::quotes`].
    Quoted,
    /// The message asks nothing of the graph (small talk, "what can I ask?"), and the answer states no fact of it: an agent's own
    /// words, or what can be asked.
    Talk,
}

/// Which way an answer came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerWay {
    /// The question was read by its words and by those of the graph, or by a model.
    #[default]
    Read,
    /// The question was read as pairs have taught (`graphwright learn`).
    Learned,
    /// The documents were searched.
    Documents,
}

impl AnswerWay {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_read(&self) -> bool {
        *self == Self::Read
    }
}

/// An answer with its evidence.
///
/// ```
/// use graphwright_answer::{Answer, AnswerStatus};
///
/// let answer = Answer { question: "Who owns ledger?".into(), ..Answer::default() };
/// let json = serde_json::to_value(&answer).unwrap();
/// assert_eq!(json["status"], "not_in_graph");
/// assert!(json["model"].is_null());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The question as it was asked.
    pub question: String,
    /// The outcome.
    pub status: AnswerStatus,
    /// Which way it came: with a model that writes from evidence, the way of what the graph says. JSON leaves out `read`.
    #[serde(default, skip_serializing_if = "AnswerWay::is_read")]
    pub way: AnswerWay,
    /// The answer in words; if it is quoted, the first quotation.
    pub answer: String,
    /// What the graph says of the things in the question, if the answer is quoted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The entities that answer the question. For a question about a value, the entities that have
    /// the value.
    pub entities: Vec<AnswerEntity>,
    /// The values that answer the question, if it asks for values or a number: `[12]`,
    /// `["2024-01-31"]`, `[true]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<serde_json::Value>,
    /// The paths that prove the answer.
    pub paths: Vec<AnswerPath>,
    /// What the documents say where the graph does not prove an answer: their sentences that come
    /// nearest to the question, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quotes: Vec<Passage>,
    /// The passages that state the answer. If it is quoted, those in which a quotation was looked for.
    pub passages: Vec<Passage>,
    /// Questions that this graph answers, where the message asked nothing of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<String>,
    /// The ways to read the question, if it is ambiguous.
    pub readings: Vec<AnswerReading>,
    /// Steps on the way that the answer should not hide, such as a summary of evidence that did not
    /// fit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
    /// The Cypher that was run, if any.
    pub cypher: Option<String>,
    /// The model that wrote the text. `None` if no model was used.
    pub model: Option<String>,
    /// The identifier of the agent's route to the answer, if one was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route: Option<String>,
    /// The identifier of the earlier route whose calls led to this answer: made by the agent as they were offered to it, or without a
    /// model, if `model` is `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub followed: Option<String>,
    /// What the model used.
    pub usage: Usage,
    /// Elapsed time in milliseconds.
    pub elapsed_ms: u64,
}

impl Answer {
    /// The last sentence of an ambiguous answer's text.
    pub const CHOOSE_READING: &str = "Choose one by its number, or take all of them.";

    /// Adds a line about the answer: below its text or, if it is quoted, to the notes, so that the text
    /// stays what the document says.
    pub fn add_remark(&mut self, line: &str) {
        if self.status == AnswerStatus::Quoted {
            self.notes.push(line.to_owned());
        } else {
            self.answer.push('\n');
            self.answer.push_str(line);
        }
    }
}

/// An entity of the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerEntity {
    /// Its identifier.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// How sure the answer is of the entity, from 0 to 1.
    pub score: f64,
}

/// A walk through the graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerPath {
    /// Its nodes in order.
    pub nodes: Vec<PathNode>,
    /// The relationships between the nodes, in order. Each may point either way.
    pub relationships: Vec<PathRelationship>,
}

impl AnswerPath {
    /// Writes the path by its types, such as `Service -[DEPENDS_ON]-> Library <-[DEPRECATES]- Deprecation`.
    pub fn shape(&self) -> String {
        let mut text = self.nodes.first().map_or_else(String::new, |node| node.kind.clone());
        for (relationship, pair) in self.relationships.iter().zip(self.nodes.windows(2)) {
            let [here, next] = pair else { continue };
            let (left, right) = if relationship.from == here.id { ("-", "->") } else { ("<-", "-") };
            text.push_str(&format!(" {left}[{}]{right} {}", relationship.kind, next.kind));
        }
        text
    }
}

/// A node of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathNode {
    /// Its identifier.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
}

/// A relationship of a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathRelationship {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Identifier of the node where the relationship starts.
    pub from: String,
    /// Identifier of the node where the relationship ends.
    pub to: String,
    /// How sure the fact is, from 0 to 1. It is 1 if the graph does not say.
    pub confidence: f64,
}

/// A way to read a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerReading {
    /// The number to choose the reading by, counted from 1.
    pub number: usize,
    /// What this reading takes the question to mean.
    pub meaning: String,
    /// The entities that answer this reading.
    pub entities: Vec<AnswerEntity>,
    /// The values that answer this reading, if it asks for values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<serde_json::Value>,
}

/// Formats a value as the answer's text shows it.
pub(crate) fn display(value: &Value) -> String {
    match value {
        Value::Boolean(truth) => if *truth { "yes" } else { "no" }.to_owned(),
        Value::List(items) => items.iter().map(display).collect::<Vec<_>>().join(", "),
        other => in_words(other),
    }
}

/// Converts a value to JSON, with dates as text.
pub(crate) fn json(value: &Value) -> serde_json::Value {
    match value {
        Value::Boolean(truth) => (*truth).into(),
        Value::Integer(number) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::List(items) => items.iter().map(json).collect(),
        other => display(other).into(),
    }
}
