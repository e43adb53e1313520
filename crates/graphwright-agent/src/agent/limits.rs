//! How far a run may go.

use std::time::Duration;

/// How far a run may go. What a [context](crate::ToolContext::budget) allows counts beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentLimits {
    /// How many times it may call tools; then it has to answer with what it found. 20 by default.
    pub steps: usize,
    /// The most tokens, sent and received, of its own calls of models and of its sub-agents' together.
    pub tokens: Option<u64>,
    /// The most US dollars for the same.
    pub dollars: Option<f64>,
    /// How long it may take; 10 minutes by default.
    pub time: Option<Duration>,
    /// How long one call of a tool may take, unless the tool [says otherwise](crate::Tool::time_limit); 60 seconds by default.
    pub tool_time: Duration,
    /// How many calls of tools run at the same time; 8 by default.
    pub calls_at_once: usize,
    /// The most tokens of a tool's result that the model sees; 4,000 by default.
    pub result_tokens: u64,
    /// How many times a run may make the same call with the same arguments; 2 by default.
    pub same_calls: usize,
}

impl Default for AgentLimits {
    fn default() -> Self {
        Self {
            steps: 20,
            tokens: None,
            dollars: None,
            time: Some(Duration::from_mins(10)),
            tool_time: Duration::from_mins(1),
            calls_at_once: 8,
            result_tokens: 4_000,
            same_calls: 2,
        }
    }
}
