//! Anthropic's Messages.
//!
//! <https://docs.anthropic.com/en/api/messages>

use serde_json::{Value, json};

use super::{Trouble, count, error_in, list, schema, text};
use crate::{
    Content, FinishReason, Message, Provider, ReasoningEffort, Role, ToolChoice, Usage,
    provider::{
        asked::Asked,
        draft::Draft,
        takes::OutputStep,
        wishes::{Wishes, thinks_adaptively, thought_tokens},
    },
};

/// The most tokens of a reply that are asked for unless told otherwise: Anthropic wants a number.
const MOST: u32 = 64_000;
/// The same for models that were found to give fewer.
const MOST_OF_OLD: u32 = 4_096;

pub(super) fn body(asked: Asked<'_>) -> Value {
    let Asked { name, request, limits, stream, .. } = asked;
    let wishes = Wishes::new(asked);
    let usual = if limits.other_max_tokens { MOST_OF_OLD } else { MOST };
    let mut body = json!({
        "model": name.model, "max_tokens": wishes.max_tokens.unwrap_or(usual),
        "messages": messages(asked), "stream": stream,
    });
    let instructions = asked.instructions();
    if !instructions.is_empty() {
        let mut block = json!({"type": "text", "text": instructions});
        // What stands before this mark repeats from call to call: tools and instructions.
        block["cache_control"] = json!({"type": "ephemeral"});
        body["system"] = json!([block]);
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            json!({"name": tool.name, "description": tool.description, "input_schema": tool.parameters})
        });
        body["tools"] = tools.collect();
        let choice = match &request.tool_choice {
            ToolChoice::Auto => None,
            ToolChoice::None => Some(json!({"type": "none"})),
            ToolChoice::Required => Some(json!({"type": "any"})),
            ToolChoice::Tool(name) => Some(json!({"type": "tool", "name": name})),
        };
        if let Some(choice) = choice.filter(|_| !limits.without_tool_choice) {
            body["tool_choice"] = choice;
        }
    }
    if let Some(temperature) = wishes.temperature {
        body["temperature"] = json!(temperature);
    }
    if let Some((_, schema)) = asked.schema()
        && limits.output == OutputStep::Schema
    {
        let schema = schema::fit(schema, &schema::ANTHROPIC).schema;
        body["output_config"] = json!({"format": {"type": "json_schema", "schema": schema}});
    }
    if let Some(effort) = wishes.effort {
        think(asked, effort, &mut body);
    }
    // There the model stands in the address, and the version in the body.
    if name.provider == Provider::Vertex
        && let Some(fields) = body.as_object_mut()
    {
        fields.remove("model");
        fields.insert("anthropic_version".to_owned(), json!("vertex-2023-10-16"));
    }
    body
}

/// Asks for thoughts: newer models choose how many by themselves, older ones want a number.
fn think(asked: Asked<'_>, effort: ReasoningEffort, body: &mut Value) {
    let level = match effort {
        ReasoningEffort::Minimal => return,
        ReasoningEffort::Low => "low",
        ReasoningEffort::Medium => "medium",
        ReasoningEffort::High => "high",
    };
    if thinks_adaptively(asked.name) {
        body["thinking"] = json!({"type": "adaptive"});
        body["output_config"]["effort"] = json!(level);
    } else {
        body["thinking"] = json!({"type": "enabled", "budget_tokens": thought_tokens(effort)});
    }
}

fn messages(asked: Asked<'_>) -> Vec<Value> {
    let messages = asked.messages().filter(|(message, _)| message.role != Role::System);
    let mut messages: Vec<Value> = messages
        .filter_map(|(message, keeps_thoughts)| {
            let role = if message.role == Role::Assistant { "assistant" } else { "user" };
            let blocks = blocks(asked, message, keeps_thoughts);
            (!blocks.is_empty()).then(|| json!({"role": role, "content": blocks}))
        })
        .collect();
    // A conversation with tools goes on, so its next request begins with this one.
    if !asked.request.tools.is_empty()
        && let Some(last) = messages.last_mut().and_then(|message| message.pointer_mut("/content"))
        && let Some(block) = last.as_array_mut().and_then(|blocks| blocks.last_mut())
    {
        block["cache_control"] = json!({"type": "ephemeral"});
    }
    messages
}

fn blocks(asked: Asked<'_>, message: &Message, keeps_thoughts: bool) -> Vec<Value> {
    let blocks = message.content.iter().filter_map(|part| match part {
        // Blocks without words are refused.
        Content::Text(text) if text.trim().is_empty() => None,
        Content::Text(text) => Some(json!({"type": "text", "text": text})),
        Content::Reasoning(_) => {
            asked.sealed(part).filter(|_| keeps_thoughts).map(|(_, block)| block.clone())
        }
        Content::ToolCall(call) => {
            // What is no object is refused.
            let input = if call.arguments.is_object() { call.arguments.clone() } else { json!({}) };
            Some(json!({"type": "tool_use", "id": call.id, "name": call.name, "input": input}))
        }
        Content::ToolResult { id, content } => {
            Some(json!({"type": "tool_result", "tool_use_id": id, "content": content}))
        }
    });
    blocks.collect()
}

pub(super) fn read_whole(body: &Value, draft: &mut Draft) -> Result<(), Trouble> {
    error_in(body)?;
    draft.answered_by(&body["model"]);
    for (at, block) in list(body, "/content").iter().enumerate() {
        read_block(block, &at.to_string(), draft);
        if block["type"] == "tool_use" {
            draft.arguments(&at.to_string(), &block["input"].to_string());
        }
    }
    read_usage(&body["usage"], draft);
    read_end(&body["stop_reason"], draft);
    Ok(())
}

pub(super) fn read_piece(piece: &Value, draft: &mut Draft) -> Result<(), Trouble> {
    error_in(piece)?;
    let key = count(piece, "/index").to_string();
    match text(piece, "/type") {
        "message_start" => {
            draft.answered_by(&piece["message"]["model"]);
            read_usage(&piece["message"]["usage"], draft);
        }
        "content_block_start" => {
            let block = &piece["content_block"];
            read_block(block, &key, draft);
            // Mostly it begins empty and comes in pieces.
            if block["input"].as_object().is_some_and(|input| !input.is_empty()) {
                draft.arguments(&key, &block["input"].to_string());
            }
        }
        "content_block_delta" => {
            let delta = &piece["delta"];
            match text(delta, "/type") {
                "text_delta" => draft.say(text(delta, "/text")),
                "thinking_delta" => {
                    draft.think(&key, text(delta, "/thinking"));
                    add(&mut draft.seal(&key)["thinking"], text(delta, "/thinking"));
                }
                "signature_delta" => add(&mut draft.seal(&key)["signature"], text(delta, "/signature")),
                "input_json_delta" => draft.arguments(&key, text(delta, "/partial_json")),
                _ => {}
            }
        }
        "message_delta" => {
            read_usage(&piece["usage"], draft);
            read_end(&piece["delta"]["stop_reason"], draft);
        }
        _ => {}
    }
    Ok(())
}

fn add(field: &mut Value, new: &str) {
    *field = json!(field.as_str().unwrap_or_default().to_owned() + new);
}

fn read_block(block: &Value, key: &str, draft: &mut Draft) {
    match text(block, "/type") {
        "text" => draft.say(text(block, "/text")),
        "thinking" => {
            draft.think(key, text(block, "/thinking"));
            *draft.seal(key) = block.clone();
        }
        "redacted_thinking" => *draft.seal(key) = block.clone(),
        "tool_use" => draft.call(key, text(block, "/id"), text(block, "/name")),
        _ => {}
    }
}

/// Reads the usage, of which a stream tells some at its beginning and some at its end.
fn read_usage(told: &Value, draft: &mut Draft) {
    let Some(told) = told.as_object() else { return };
    let told = Value::Object(told.clone());
    let usage: &mut Usage = draft.usage();
    let parts = ["/input_tokens", "/cache_read_input_tokens", "/cache_creation_input_tokens"];
    if parts.iter().any(|path| told.pointer(path).is_some_and(Value::is_number)) {
        let input: u64 = parts.iter().map(|path| count(&told, path)).sum();
        // Some gateways tell of nothing sent at the end.
        if input > 0 {
            usage.input_tokens = input;
            usage.cached_tokens = count(&told, "/cache_read_input_tokens");
        }
    }
    if told["output_tokens"].is_number() {
        usage.output_tokens = count(&told, "/output_tokens");
    }
    usage.reasoning_tokens =
        usage.reasoning_tokens.max(count(&told, "/output_tokens_details/thinking_tokens"));
    usage.cost = told.get("cost").and_then(Value::as_f64).or(usage.cost);
}

fn read_end(reason: &Value, draft: &mut Draft) {
    match reason.as_str() {
        None => {}
        Some("max_tokens" | "model_context_window_exceeded") => draft.end(FinishReason::Length),
        Some("tool_use") => draft.end(FinishReason::ToolCalls),
        Some("refusal") => draft.end(FinishReason::Refusal),
        Some(_) => draft.end(FinishReason::Stop),
    }
}
