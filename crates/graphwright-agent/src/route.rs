//! Routes: records of agent runs, which show which tools answer which kind of question.

mod book;
mod pattern;
mod plan;
mod template;
mod trace;

use graphwright_answer::{AnswerEntity, QuestionSlot};
use graphwright_llm::Usage;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use book::{RouteBook, Routes};
pub use pattern::RoutePattern;
pub(crate) use plan::{Plan, PlannedCall};
pub(crate) use template::is_same_call;
pub(crate) use trace::Trace;

/// What one run of an agent did for a question, and its outcome.
///
/// ```
/// use graphwright_agent::{Route, RouteOutcome};
///
/// let route: Route = serde_json::from_value(serde_json::json!({
///     "id": "4f0c2a91d3", "at": "2024-05-01T10:00:00Z", "question": "Who owns ledger?", "kind": "who owns <Service>",
///     "links": [], "calls": [{"tool": "lookup_entity", "arguments": {"name": "ledger"}, "characters": 80}],
///     "outcome": "answered", "steps": 1, "elapsed_ms": 900, "model": "openai/gpt-4o-mini", "store_version": "1",
/// })).unwrap();
/// assert_eq!(route.tools().collect::<Vec<_>>(), ["lookup_entity"]);
/// assert!(route.succeeded());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// The identifier: ten hexadecimal digits.
    pub id: String,
    /// The time of recording.
    pub at: Timestamp,
    /// The question as it was asked.
    pub question: String,
    /// The question as it was answered, if it was rewritten to stand alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_as: Option<String>,
    /// The kind of question: the text in lower case, with types in place of the names that it links
    /// to, such as `which libraries does <Service> depend on`.
    ///
    /// Stored values are replaced by their property (`<language>`). Other things are replaced by
    /// `<name>`, `<number>`, `<date>`, and `<text>` for anything in quotation marks.
    pub kind: String,
    /// The entities that the question names.
    pub links: Vec<AnswerEntity>,
    /// What stands in the question where its kind has a type, property or placeholder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<QuestionSlot>,
    /// Whether the question was asked within a conversation, so that it may mean more than it says.
    #[serde(default)]
    pub in_conversation: bool,
    /// The identifier of the route that the agent was offered as a plan, if it was offered one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered: Option<String>,
    /// The identifier of the route that was followed without a model, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<String>,
    /// The tool calls, in order.
    pub calls: Vec<RouteCall>,
    /// The Cypher queries that ran without an error.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cypher: Vec<String>,
    /// The shapes of the paths that prove the agent's answer, such as
    /// `Service -[DEPENDS_ON]-> Library`; at most ten.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
    /// The content of the answer.
    #[serde(default)]
    pub result: RouteResult,
    /// The outcome of the run.
    pub outcome: RouteOutcome,
    /// The reason for a failure, if the run failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The user's verdict on the answer, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<RouteVerdict>,
    /// The number of model replies that called tools.
    pub steps: usize,
    /// What all model calls used, including those of sub-agents.
    #[serde(default)]
    pub usage: Usage,
    /// The duration in milliseconds.
    pub elapsed_ms: u64,
    /// The name of the model; empty if none was asked.
    pub model: String,
    /// The version of the store.
    pub store_version: String,
    /// The [fingerprint](graphwright_core::GraphSchema::fingerprint) of its schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
}

/// A tool call on a route.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RouteCall {
    /// The name of the tool.
    pub tool: String,
    /// The arguments.
    pub arguments: Value,
    /// Whether the call failed.
    #[serde(default)]
    pub failed: bool,
    /// Whether the answer cites the result of the call.
    #[serde(default)]
    pub cited: bool,
    /// Whether the answer tells of each row of the result, if the call was a query.
    #[serde(default)]
    pub told: bool,
    /// The number of characters in the text that the model read.
    pub characters: usize,
    /// The number of rows, if the call was a query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
}

/// The content of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteResult {
    /// The text that the user read: the sentences that tool results support or, if there are none,
    /// the answer from the graph alone.
    pub answer: String,
    /// The number of entities that the agent found for the answer.
    pub entities: usize,
    /// The number of paths that prove the answer.
    pub paths: usize,
    /// The number of passages that state the answer.
    pub passages: usize,
}

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RouteOutcome {
    /// The agent gave an answer that the tool results support.
    Answered,
    /// The agent found that the graph does not hold the answer.
    NotInGraph,
    /// The answer was refused, because no tool result supports it.
    Refused,
    /// The model failed, or a limit was reached.
    Failed,
}

impl RouteOutcome {
    /// Returns the name that programs read, such as `not_in_graph`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::NotInGraph => "not_in_graph",
            Self::Refused => "refused",
            Self::Failed => "failed",
        }
    }
}

/// A user's verdict on an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RouteVerdict {
    /// The answer is right.
    Right,
    /// The answer is wrong.
    Wrong,
}

impl RouteVerdict {
    /// Returns the name that programs read, such as `right`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
        }
    }
}

impl Route {
    /// Returns the names of the tools, in the order of the calls.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        self.calls.iter().map(|call| call.tool.as_str())
    }

    /// Tells whether the agent's answer is right.
    ///
    /// The user's verdict decides. Without one, the run succeeded if it gave an answer with
    /// evidence. If the graph alone answered, the agent did not succeed, even if that answer is
    /// right.
    pub fn succeeded(&self) -> bool {
        match self.verdict {
            Some(RouteVerdict::Right) => self.is_answer_of_agent(),
            Some(RouteVerdict::Wrong) => false,
            None => self.outcome == RouteOutcome::Answered,
        }
    }

    /// Tells whether the agent itself gave the answer, and not the graph alone.
    fn is_answer_of_agent(&self) -> bool {
        matches!(self.outcome, RouteOutcome::Answered | RouteOutcome::NotInGraph)
    }
}
