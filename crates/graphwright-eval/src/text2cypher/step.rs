//! What a flow asks a model for.

use graphwright_llm::{ChatRequest, Message, OutputFormat, Role};
use serde::{Deserialize, Serialize};

/// What a flow asks a model for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Whether the question is about the graph.
    Guard,
    /// The question as it is understood without the conversation.
    Rewrite,
    /// Sub-questions.
    Plan,
    /// A query.
    Query,
    /// Whether the rows answer the question.
    Verdict,
    /// The rows in words.
    Words,
}

impl Step {
    /// Tells what a request asks for, by its form and by what it shows.
    pub(super) fn of(request: &ChatRequest) -> Self {
        let told = first_told(request);
        match &request.output {
            OutputFormat::LenientJsonSchema { name, .. } if name == "plan" => Self::Plan,
            OutputFormat::LenientJsonSchema { .. } | OutputFormat::JsonSchema { .. } => Self::Verdict,
            OutputFormat::Text if told.contains("Schema:\n") => Self::Query,
            OutputFormat::Text if told.contains("\nEvidence:\n") => Self::Words,
            OutputFormat::Text if told.starts_with("User: ") => Self::Rewrite,
            OutputFormat::Text => Self::Guard,
        }
    }
}

/// What the flow tells first. What follows are earlier replies, and what was wrong with them.
pub(super) fn first_told(request: &ChatRequest) -> String {
    request.messages.iter().find(|message| message.role == Role::User).map(Message::text).unwrap_or_default()
}
