//! The record of a run.

use graphwright_llm::{ToolCall, Usage};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ProvidedContext;

/// The outcome of a run, with the steps that led to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run<T = String> {
    /// The answer as a value.
    pub output: T,
    /// The answer as the model wrote it.
    pub text: String,
    /// The question that was answered, if it is not the message passed to the run: the question
    /// [rewritten to stand alone](crate::Agent::with_questions_that_stand_alone), or the question
    /// of a resumed run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// The steps in which the model called tools, in order.
    pub steps: Vec<Step>,
    /// The tool results from earlier in the conversation, in order. Where results are
    /// [numbered](crate::Agent::with_numbered_results), they come before those of the steps.
    #[serde(skip)]
    pub earlier: Vec<String>,
    /// What [providers of context](crate::Agent::with_context) put before the message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub provided: Vec<ProvidedContext>,
    /// Notes for the reader of the answer, for example that the agent was stopped before it was
    /// done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
    /// What the model calls of this run used. The use of sub-agents is only in the
    /// [budget](crate::ToolContext::budget).
    pub usage: Usage,
    /// The duration in milliseconds.
    pub elapsed_ms: u64,
}

/// The tool calls of one reply of the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The calls, in the order in which the model made them.
    pub calls: Vec<CallRecord>,
}

/// One call of a tool, with its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallRecord {
    /// The call as the model made it.
    pub call: ToolCall,
    /// The text that the model was told.
    pub text: String,
    /// The result as a value for programs, if the tool returns one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured: Option<Value>,
    /// Whether the call failed.
    pub is_error: bool,
    /// The duration in milliseconds.
    pub elapsed_ms: u64,
}
