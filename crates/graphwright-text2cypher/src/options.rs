//! What a caller may choose.

use std::{fmt, str::FromStr, time::Duration};

use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::error::Text2CypherError;

/// The flows from a question to Cypher.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FlowName {
    /// One query, mended without a model.
    Naive,
    /// Errors and findings of the lint go back to the model.
    Retry,
    /// A judge also says whether the rows answer the question.
    RetryCheck,
    /// Sub-questions, whose results the later ones use.
    Planner,
    /// Begins with one query, and does more where there is reason to.
    #[default]
    Auto,
}

impl FlowName {
    /// All flows.
    pub const ALL: [Self; 5] = [Self::Naive, Self::Retry, Self::RetryCheck, Self::Planner, Self::Auto];

    /// Returns the name, such as `retry-check`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::Retry => "retry",
            Self::RetryCheck => "retry-check",
            Self::Planner => "planner",
            Self::Auto => "auto",
        }
    }
}

impl fmt::Display for FlowName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for FlowName {
    type Err = Text2CypherError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|flow| flow.as_str() == name);
        found.ok_or_else(|| Text2CypherError::UnknownFlow { name: name.to_owned() })
    }
}

/// From whose questions examples are learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Learning {
    /// From nobody's. Examples that are there are shown all the same.
    Off,
    /// From those of people who are known, not from [anonymous](FlowOptions::anonymous) ones.
    #[default]
    Own,
    /// From everybody's.
    All,
}

impl FromStr for Learning {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "off" => Ok(Self::Off),
            "own" => Ok(Self::Own),
            "all" => Ok(Self::All),
            _ => Err(()),
        }
    }
}

/// How far a flow may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowLimits {
    /// The longest time of a flow. Defaults to 90 s.
    pub time: Duration,
    /// The longest time of a query. Defaults to 30 s.
    pub query_time: Duration,
    /// The most rows of an answer. Defaults to 100; rows beyond are counted.
    pub rows: usize,
    /// The most tokens of the schema in a prompt. Defaults to 4,000.
    pub schema_tokens: u64,
}

impl Default for FlowLimits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(90),
            query_time: Duration::from_secs(30),
            rows: 100,
            schema_tokens: 4_000,
        }
    }
}

/// A question of the conversation, with its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
}

/// Options for asking through a flow.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct FlowOptions {
    /// The flow.
    pub flow: FlowName,
    /// How far it may go.
    pub limits: FlowLimits,
    /// The conversation so far. A question that refers to it is rewritten to stand alone.
    pub conversation: Vec<Turn>,
    /// Labels and relationship types that the model is not told of, and that no query may name. Patterns without a label still match
    /// their nodes.
    pub left_out: Vec<String>,
    /// Whether it is not known who asks, as where a service passes on what comes over a network. From such questions no examples are
    /// learned, unless [`Learning::All`] is set.
    pub anonymous: bool,
    /// Whether the model is shown no examples, and none is learned.
    pub without_examples: bool,
    /// Whether what the model writes and the rows do not bear out is left out. Otherwise it is marked.
    pub strict: bool,
    /// Cancels the work when triggered.
    pub cancel: CancellationToken,
}

impl FlowOptions {
    /// Creates the options of a flow.
    pub fn new(flow: FlowName) -> Self {
        Self { flow, ..Self::default() }
    }

    /// Sets how far the flow may go.
    #[must_use]
    pub fn limits(mut self, limits: FlowLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the conversation so far.
    #[must_use]
    pub fn conversation(mut self, turns: impl IntoIterator<Item = Turn>) -> Self {
        self.conversation = turns.into_iter().collect();
        self
    }

    /// Sets labels and relationship types that the model is not told of.
    #[must_use]
    pub fn left_out(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.left_out = names.into_iter().map(Into::into).collect();
        self
    }

    /// Says that it is not known who asks.
    #[must_use]
    pub fn anonymous(mut self) -> Self {
        self.anonymous = true;
        self
    }

    /// Shows the model no examples, and learns none.
    #[must_use]
    pub fn without_examples(mut self) -> Self {
        self.without_examples = true;
        self
    }

    /// Leaves out what the model writes and the rows do not bear out, rather than to mark it.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Sets the token that cancels the work.
    #[must_use]
    pub fn cancel(mut self, cancel: CancellationToken) -> Self {
        self.cancel = cancel;
        self
    }
}
