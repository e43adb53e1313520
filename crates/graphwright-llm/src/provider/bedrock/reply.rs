//! Reads the client library's replies into a [`Draft`].

use genai::chat as wire;
use serde_json::Value;

use crate::{FinishReason, Usage, provider::draft::Draft};

pub(super) fn read(reply: wire::ChatResponse, draft: &mut Draft) {
    for part in reply.content.into_parts() {
        match part {
            wire::ContentPart::Text(text) => draft.say(&text),
            wire::ContentPart::ToolCall(call) => read_call(&call, draft),
            _ => {}
        }
    }
    end(reply.stop_reason.as_ref(), Some(&reply.usage), draft);
}

/// Adds what is new in a call: in streams the library repeats the arguments from their beginning.
pub(super) fn read_call(call: &wire::ToolCall, draft: &mut Draft) {
    draft.call(&call.call_id, &call.call_id, &call.fn_name);
    match &call.fn_arguments {
        Value::Null => {}
        Value::String(text) => draft.arguments_so_far(&call.call_id, text),
        arguments => draft.arguments_so_far(&call.call_id, &arguments.to_string()),
    }
}

pub(super) fn end(reason: Option<&wire::StopReason>, usage: Option<&wire::Usage>, draft: &mut Draft) {
    if let Some(usage) = usage {
        draft.used(read_usage(usage));
    }
    match reason {
        None => {}
        Some(wire::StopReason::MaxTokens(_)) => draft.end(FinishReason::Length),
        Some(wire::StopReason::ContentFilter(_)) => draft.end(FinishReason::Filter),
        Some(wire::StopReason::ToolCall(_)) => draft.end(FinishReason::ToolCalls),
        Some(_) => draft.end(FinishReason::Stop),
    }
}

fn read_usage(usage: &wire::Usage) -> Usage {
    let count = |tokens: Option<i32>| tokens.and_then(|tokens| u64::try_from(tokens).ok()).unwrap_or(0);
    let input = usage.prompt_tokens_details.as_ref();
    let output = usage.completion_tokens_details.as_ref();
    Usage {
        input_tokens: count(usage.prompt_tokens),
        cached_tokens: count(input.and_then(|details| details.cached_tokens)),
        output_tokens: count(usage.completion_tokens),
        reasoning_tokens: count(output.and_then(|details| details.reasoning_tokens)),
        ..Usage::default()
    }
}
