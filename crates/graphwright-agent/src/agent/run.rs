//! What a run did.

use graphwright_llm::{ToolCall, Usage};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a run came to, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run<T = String> {
    /// The answer.
    pub output: T,
    /// The answer as the model wrote it.
    pub text: String,
    /// The question, where it is not the one that was asked: [rewritten](crate::Agent::with_questions_that_stand_alone) to stand alone, or that
    /// of a run that was resumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// What it did on the way.
    pub steps: Vec<Step>,
    /// The results of tools earlier in the conversation, in order: they come before those of the steps where results are
    /// [numbered](crate::Agent::with_numbered_results).
    #[serde(skip)]
    pub earlier: Vec<String>,
    /// What the reader of the answer should know, as that the agent was stopped before it was done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
    /// What its calls of the model took; those of sub-agents are in the [budget](crate::ToolContext::budget) only.
    pub usage: Usage,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
}

/// The calls of one reply of the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The calls, in the order in which the model made them.
    pub calls: Vec<CallRecord>,
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallRecord {
    /// What was called.
    pub call: ToolCall,
    /// What the model was told.
    pub text: String,
    /// The result for programs, where the tool gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured: Option<Value>,
    /// Whether it failed.
    pub is_error: bool,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
}
