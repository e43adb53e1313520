//! The options of an agent, and the note that there is none without a model.

use std::time::Duration;

use graphwright::{AgentLimits, AgentOptions};

use crate::arguments::AgentArguments;

/// What a person is told when no model is set.
pub(super) const NO_MODEL: &str =
    "No model is set, so the graph alone answers each question by itself (--model sets one).";

/// Returns the limits and the view of the graph that the flags name.
pub(super) fn agent_options(arguments: &AgentArguments) -> AgentOptions {
    let usual = AgentLimits::default();
    let limits = AgentLimits {
        steps: arguments.max_steps.unwrap_or(usual.steps),
        tokens: arguments.max_tokens,
        time: arguments.max_seconds.map(Duration::from_secs).or(usual.time),
        ..usual
    };
    AgentOptions::default().limits(limits).latest(arguments.latest)
}
