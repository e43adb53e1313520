//! The limits of a run.

use std::time::Duration;

/// The limits of one run. The [budget](crate::ToolContext::budget) of the context applies as well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentLimits {
    /// The largest number of replies that call tools. After them, the model has to answer from what
    /// it found. 20 by default.
    pub steps: usize,
    /// The most tokens, sent and received, in the model calls of the run and its sub-agents
    /// together. Unlimited by default.
    pub tokens: Option<u64>,
    /// The highest cost, in US dollars, of the model calls of the run and its sub-agents together.
    /// Unlimited by default.
    pub dollars: Option<f64>,
    /// The longest time that the run may take; 10 minutes by default, unlimited if `None`.
    pub time: Option<Duration>,
    /// The longest time that one tool call may take, unless the tool
    /// [sets its own limit](crate::Tool::time_limit); 60 seconds by default.
    pub tool_time: Duration,
    /// The number of tool calls that may run at the same time; 8 by default.
    pub calls_at_once: usize,
    /// The most tokens of one tool result that the model sees; 4,000 by default.
    pub result_tokens: u64,
    /// The number of times a run may make one call with the same arguments; 2 by default.
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
