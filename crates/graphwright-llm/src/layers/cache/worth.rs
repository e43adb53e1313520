//! Decides which replies may be given again.

use crate::{ChatReply, ChatRequest, FinishReason, OutputFormat, ToolCall, ToolChoice, json::find_json};

use super::super::validate::keeps_schema;

/// Returns whether the model did what was asked, and whole.
///
/// A caller who repeats a question after a bad reply wants another one.
pub(super) fn keeping(request: &ChatRequest, reply: &ChatReply) -> bool {
    if matches!(reply.finish, FinishReason::Length | FinishReason::Filter | FinishReason::Refusal) {
        return false;
    }
    let mut calls = reply.tool_calls().peekable();
    let obeys = match &request.tool_choice {
        ToolChoice::Auto => true,
        ToolChoice::None => calls.peek().is_none(),
        ToolChoice::Required => calls.peek().is_some(),
        ToolChoice::Tool(name) => calls.peek().is_some_and(|call| call.name == *name),
    };
    if !obeys {
        return false;
    }
    if calls.peek().is_some() {
        return calls.all(|call| is_valid(request, call));
    }
    let text = reply.text();
    match &request.output {
        OutputFormat::Text => !text.trim().is_empty(),
        OutputFormat::JsonSchema { schema, .. } | OutputFormat::LenientJsonSchema { schema, .. } => {
            find_json(&text).is_some_and(|json| keeps_schema(schema, &json))
        }
    }
}

fn is_valid(request: &ChatRequest, call: &ToolCall) -> bool {
    let tool = request.tools.iter().find(|tool| tool.name == call.name);
    tool.is_some_and(|tool| keeps_schema(&tool.parameters, &call.arguments))
}
