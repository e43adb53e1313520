//! Routes: what runs of agents did, kept so that it can be seen which tools answer which kind of question.

mod book;
mod pattern;
mod trace;

use graphwright_answer::AnswerEntity;
use graphwright_llm::Usage;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use book::{RouteBook, Routes};
pub use pattern::RoutePattern;
pub(crate) use trace::Trace;

/// What one run of an agent did for a question, and how it came out.
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
    /// Its identifier: ten hexadecimal digits.
    pub id: String,
    /// When it was recorded.
    pub at: Timestamp,
    /// The question as it was asked.
    pub question: String,
    /// The question as it was answered, where it was rewritten to stand alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_as: Option<String>,
    /// The question in small letters with types in place of the names that it links to, `which libraries does <Service> depend on`. Stored values are
    /// replaced by their property (`<language>`), other things by `<name>`, `<number>`, `<date>` and `<text>` (what stands in quotation marks).
    pub kind: String,
    /// The entities whose names stand in the question.
    pub links: Vec<AnswerEntity>,
    /// The calls of tools, in order.
    pub calls: Vec<RouteCall>,
    /// The Cypher that ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cypher: Vec<String>,
    /// The shapes of the paths by which the agent's answer is proved, `Service -[DEPENDS_ON]-> Library`; at most ten.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
    /// What the answer holds.
    #[serde(default)]
    pub result: RouteResult,
    /// How the run came out.
    pub outcome: RouteOutcome,
    /// Why it failed, where it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What the user says of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<RouteVerdict>,
    /// The replies of the model that called tools.
    pub steps: usize,
    /// What its calls of models took, those of sub-agents included.
    #[serde(default)]
    pub usage: Usage,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
    /// The model.
    pub model: String,
    /// The version of the store.
    pub store_version: String,
}

/// A call of a tool on a route.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RouteCall {
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: Value,
    /// Whether it failed.
    #[serde(default)]
    pub failed: bool,
    /// Whether the answer cites its result.
    #[serde(default)]
    pub cited: bool,
    /// The length of the text that the model read.
    pub characters: usize,
    /// The rows of a query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
}

/// What an answer holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteResult {
    /// The text that the user read: as far as the results of tools bear it out, and where they do not, that of the graph alone.
    pub answer: String,
    /// How many entities the agent found for it.
    pub entities: usize,
    /// How many paths prove them.
    pub paths: usize,
    /// How many passages state it.
    pub passages: usize,
}

/// How a run came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RouteOutcome {
    /// With an answer that the results of tools bear out.
    Answered,
    /// The agent says that the graph does not know.
    NotInGraph,
    /// The answer was refused, since nothing bears it out.
    Refused,
    /// The model failed or a limit was reached.
    Failed,
}

impl RouteOutcome {
    /// As programs read it, `not_in_graph`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::NotInGraph => "not_in_graph",
            Self::Refused => "refused",
            Self::Failed => "failed",
        }
    }
}

/// What the user says of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RouteVerdict {
    /// It is right.
    Right,
    /// It is wrong.
    Wrong,
}

impl RouteVerdict {
    /// As programs read it, `right`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
        }
    }
}

impl Route {
    /// The names of the tools, in the order of the calls.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        self.calls.iter().map(|call| call.tool.as_str())
    }

    /// Whether the agent's answer is right, as the user says; where the user says nothing, whether there is one with evidence. Where the graph alone answered, the
    /// agent has not succeeded, right as that answer may be.
    pub fn succeeded(&self) -> bool {
        match self.verdict {
            Some(RouteVerdict::Right) => self.is_answer_of_agent(),
            Some(RouteVerdict::Wrong) => false,
            None => self.outcome == RouteOutcome::Answered,
        }
    }

    fn is_answer_of_agent(&self) -> bool {
        matches!(self.outcome, RouteOutcome::Answered | RouteOutcome::NotInGraph)
    }
}
