//! Translates the client library's replies to [`ChatReply`].

use genai::chat as wire;
use serde_json::{Value, json};

use crate::{ChatReply, Content, FinishReason, Message, Role, ToolCall, Usage};

pub(super) fn translate(reply: wire::ChatResponse) -> ChatReply {
    let model = reply.provider_model_iden.model_name.to_string();
    assemble(reply.content, reply.stop_reason.as_ref(), Some(&reply.usage), model)
}

/// Returns whether a reply says nothing and cost nothing: the body was JSON, but no reply.
pub(super) fn is_void(reply: &ChatReply) -> bool {
    reply.message.content.is_empty() && reply.usage.tokens() == 0 && reply.finish == FinishReason::Stop
}

pub(super) fn assemble(
    content: wire::MessageContent,
    reason: Option<&wire::StopReason>,
    usage: Option<&wire::Usage>,
    model: String,
) -> ChatReply {
    let mut ids = Vec::new();
    let parts = content.into_parts().into_iter().filter_map(|part| match part {
        wire::ContentPart::Text(text) => Some(Content::Text(text)),
        wire::ContentPart::ToolCall(mut call) => {
            let earlier = ids.iter().filter(|id| **id == call.call_id).count();
            ids.push(call.call_id.clone());
            call.call_id = unique_id(&call.call_id, earlier);
            Some(Content::ToolCall(tool_call(call)))
        }
        _ => None,
    });
    let content: Vec<Content> = parts.collect();
    let calls = content.iter().any(|part| matches!(part, Content::ToolCall(_)));
    let finish = match reason {
        Some(wire::StopReason::MaxTokens(_)) => FinishReason::Length,
        Some(wire::StopReason::ContentFilter(_)) => FinishReason::Filter,
        // Gemini and Responses call it a plain end.
        _ if calls => FinishReason::ToolCalls,
        _ => FinishReason::Stop,
    };
    let usage = usage.map(translate_usage).unwrap_or_default();
    ChatReply {
        message: Message { role: Role::Assistant, content },
        finish,
        usage: Usage { requests: 1, ..usage },
        model,
    }
}

/// Makes the identifier of a call unique.
///
/// Gemini names no calls, and the names that the library makes up begin again in each piece of a
/// stream.
pub(super) fn unique_id(id: &str, earlier: usize) -> String {
    if earlier == 0 { id.to_owned() } else { format!("{id}#{}", earlier + 1) }
}

/// Translates a tool call. Its arguments become an object, or the model's text if that is not JSON.
fn tool_call(call: wire::ToolCall) -> ToolCall {
    let arguments = match call.fn_arguments {
        Value::String(text) if text.trim().is_empty() => json!({}),
        Value::Null => json!({}),
        Value::String(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        arguments => arguments,
    };
    ToolCall { id: call.call_id, name: call.fn_name, arguments }
}

fn translate_usage(usage: &wire::Usage) -> Usage {
    let count = |tokens: Option<i32>| tokens.and_then(|tokens| u64::try_from(tokens).ok()).unwrap_or(0);
    let input = usage.prompt_tokens_details.as_ref();
    let output = usage.completion_tokens_details.as_ref();
    Usage {
        requests: 0,
        input_tokens: count(usage.prompt_tokens),
        cached_tokens: count(input.and_then(|details| details.cached_tokens)),
        output_tokens: count(usage.completion_tokens),
        reasoning_tokens: count(output.and_then(|details| details.reasoning_tokens)),
        cost: None,
        cached_replies: 0,
    }
}
