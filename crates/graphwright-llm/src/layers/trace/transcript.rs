//! Transcripts of calls, for traces and for people.
//!
//! Those for traces have the form of OpenTelemetry's conventions
//! (<https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-events/>).

use std::fmt::Write;

use serde_json::{Value, json};

use crate::{ChatReply, ChatRequest, Content, FinishReason, Message, Role};

/// Returns the instructions and the other messages of a request.
pub(super) fn request_messages(request: &ChatRequest) -> (Value, Value) {
    let (system, messages): (Vec<&Message>, Vec<&Message>) =
        request.messages.iter().partition(|message| message.role == Role::System);
    let parts = system.into_iter().flat_map(|message| &message.content).map(part);
    let messages =
        messages.into_iter().map(|message| json!({"role": role(message.role), "parts": parts_of(message)}));
    (parts.collect(), messages.collect())
}

/// Returns the reply, as the one message that was chosen.
pub(super) fn reply_messages(reply: &ChatReply) -> Value {
    json!([{
        "role": role(reply.message.role),
        "parts": parts_of(&reply.message),
        "finish_reason": finish_reason(reply.finish),
    }])
}

pub(super) const fn finish_reason(finish: FinishReason) -> &'static str {
    match finish {
        FinishReason::Stop => "stop",
        FinishReason::ToolCalls => "tool_call",
        FinishReason::Length => "length",
        FinishReason::Filter => "content_filter",
        FinishReason::Refusal => "refusal",
    }
}

/// Writes messages as `role: text`, one after the other.
pub(super) fn readable<'a>(messages: impl IntoIterator<Item = &'a Message>) -> String {
    let mut text = String::new();
    for message in messages {
        for content in &message.content {
            // Writing to a string cannot fail.
            let _ = match content {
                Content::Text(said) => write!(text, "\n{}: {said}", role(message.role)),
                Content::Reasoning(reasoning) => write!(text, "\nthinks: {}", reasoning.text),
                Content::ToolCall(call) => {
                    write!(text, "\ncalls {} {}: {}", call.name, call.id, call.arguments)
                }
                Content::ToolResult { id, content } => write!(text, "\nresult of {id}: {content}"),
            };
        }
    }
    text
}

fn parts_of(message: &Message) -> Value {
    message.content.iter().map(part).collect()
}

fn part(content: &Content) -> Value {
    match content {
        Content::Text(text) => json!({"type": "text", "content": text}),
        Content::Reasoning(reasoning) => json!({"type": "reasoning", "content": reasoning.text}),
        Content::ToolCall(call) => {
            json!({"type": "tool_call", "id": call.id, "name": call.name, "arguments": call.arguments})
        }
        Content::ToolResult { id, content } => {
            json!({"type": "tool_call_response", "id": id, "response": content})
        }
    }
}

const fn role(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    }
}
