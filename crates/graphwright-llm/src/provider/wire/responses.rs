//! OpenAI's Responses.
//!
//! <https://platform.openai.com/docs/api-reference/responses>

use serde_json::{Value, json};

use super::{
    Trouble,
    completions::{effort_name, written_arguments},
    count, error_in, list, schema, text,
};
use crate::{
    Content, FinishReason, Message, Role, ToolChoice, Usage,
    provider::{
        asked::Asked,
        draft::Draft,
        takes::OutputStep,
        wishes::{Wishes, reasons},
    },
};

pub(super) fn body(asked: Asked<'_>) -> Value {
    let Asked { name, request, limits, stream, .. } = asked;
    let mut body = json!({"model": name.model, "input": input(asked), "stream": stream});
    let instructions = asked.instructions();
    if !instructions.is_empty() {
        body["instructions"] = json!(instructions);
    }
    // Keeps the provider from storing the conversation.
    if !limits.without_store {
        body["store"] = json!(false);
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            json!({
                "type": "function", "name": tool.name, "description": tool.description,
                "parameters": tool.parameters, "strict": false,
            })
        });
        body["tools"] = tools.collect();
        let choice = match &request.tool_choice {
            ToolChoice::Auto => None,
            ToolChoice::None => Some(json!("none")),
            ToolChoice::Required => Some(json!("required")),
            ToolChoice::Tool(name) => Some(json!({"type": "function", "name": name})),
        };
        if let Some(choice) = choice.filter(|_| !limits.without_tool_choice) {
            body["tool_choice"] = choice;
        }
    }
    let wishes = Wishes::new(asked);
    if let Some(temperature) = wishes.temperature {
        body["temperature"] = json!(temperature);
    }
    if let Some(most) = wishes.max_tokens {
        body["max_output_tokens"] = json!(most);
    }
    if let Some(effort) = wishes.effort {
        body["reasoning"] = json!({"effort": effort_name(effort)});
    }
    // What is not stored there has to come here, to go back between tool calls.
    if reasons(name) && !limits.without_thoughts {
        body["include"] = json!(["reasoning.encrypted_content"]);
    }
    if let Some(format) = text_format(asked) {
        body["text"] = json!({"format": format});
    }
    body
}

fn text_format(asked: Asked<'_>) -> Option<Value> {
    let (name, schema) = asked.schema()?;
    match asked.limits.output {
        OutputStep::Schema => {
            let fitted = schema::fit(schema, &schema::OPENAI);
            let strict = fitted.strict;
            Some(json!({"type": "json_schema", "name": name, "strict": strict, "schema": fitted.schema}))
        }
        OutputStep::Object => Some(json!({"type": "json_object"})),
        OutputStep::Words => None,
    }
}

fn input(asked: Asked<'_>) -> Vec<Value> {
    let messages = asked.messages().filter(|(message, _)| message.role != Role::System);
    messages.flat_map(|(message, keeps_thoughts)| items(asked, message, keeps_thoughts)).collect()
}

fn items(asked: Asked<'_>, message: &Message, keeps_thoughts: bool) -> Vec<Value> {
    let role = if message.role == Role::Assistant { "assistant" } else { "user" };
    let items = message.content.iter().filter_map(|part| match part {
        Content::Text(text) => Some(json!({"role": role, "content": text})),
        Content::Reasoning(_) => asked.sealed(part).filter(|_| keeps_thoughts).map(|(_, item)| item.clone()),
        Content::ToolCall(call) => Some(json!({
            "type": "function_call", "call_id": call.id, "name": call.name,
            "arguments": written_arguments(&call.arguments),
        })),
        Content::ToolResult { id, content } => {
            Some(json!({"type": "function_call_output", "call_id": id, "output": content}))
        }
    });
    items.collect()
}

pub(super) fn read_whole(body: &Value, draft: &mut Draft) -> Result<(), Trouble> {
    for (place, item) in list(body, "/output").iter().enumerate() {
        let key = place.to_string();
        begin(item, &key, draft);
        finish_item(item, &key, draft);
    }
    end(body, draft)
}

/// Reads an event. Each item is told whole at its end, so that what came before only fills the
/// stream. Items are known by their places: some servers change the identifiers on the way.
pub(super) fn read_piece(piece: &Value, draft: &mut Draft) -> Result<(), Trouble> {
    let key = count(piece, "/output_index").to_string();
    match text(piece, "/type") {
        "error" | "response.error" => return Err(Trouble::Told(piece.clone())),
        "response.output_item.added" => begin(&piece["item"], &key, draft),
        "response.output_item.done" => {
            begin(&piece["item"], &key, draft);
            finish_item(&piece["item"], &key, draft);
        }
        "response.output_text.delta" | "response.refusal.delta" => {
            draft.is_new(&key);
            draft.say(text(piece, "/delta"));
        }
        "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
            draft.is_new(&key);
            draft.think(&key, text(piece, "/delta"));
        }
        "response.reasoning_summary_part.added" if count(piece, "/summary_index") > 0 => {
            draft.think(&key, "\n\n");
        }
        "response.function_call_arguments.delta" => {
            draft.is_new(&key);
            draft.arguments(&key, text(piece, "/delta"));
        }
        "response.completed" | "response.incomplete" | "response.failed" | "response.done" => {
            let response = &piece["response"];
            if draft.is_void() {
                return read_whole(response, draft);
            }
            // The last word about what goes back.
            for (place, item) in list(response, "/output").iter().enumerate() {
                keep_sealed(item, &place.to_string(), draft);
            }
            return end(response, draft);
        }
        _ => {}
    }
    Ok(())
}

/// Takes an item's place in the reply.
fn begin(item: &Value, key: &str, draft: &mut Draft) {
    match text(item, "/type") {
        "reasoning" => {
            draft.seal(key);
        }
        "function_call" => draft.call(key, text(item, "/call_id"), text(item, "/name")),
        _ => {}
    }
}

/// Adds what of an item did not come before its end.
fn finish_item(item: &Value, key: &str, draft: &mut Draft) {
    match text(item, "/type") {
        "message" => {
            let parts = list(item, "/content");
            if draft.is_new(key) {
                for part in parts {
                    draft.say(text(part, "/text"));
                    draft.say(text(part, "/refusal"));
                }
            }
            if parts.iter().any(|part| part["type"] == "refusal") {
                draft.refuse();
            }
        }
        "function_call" if draft.is_new(key) => draft.arguments(key, text(item, "/arguments")),
        "reasoning" => {
            if draft.is_new(key) {
                let parts = list(item, "/summary").iter().chain(list(item, "/content"));
                let texts: Vec<&str> = parts.map(|part| text(part, "/text")).collect();
                draft.think(key, &texts.join("\n\n"));
            }
            keep_sealed(item, key, draft);
        }
        _ => {}
    }
}

/// Keeps thoughts to be sent back. Nothing is stored there, so without its encrypted content an item
/// means nothing.
fn keep_sealed(item: &Value, key: &str, draft: &mut Draft) {
    if item["type"] == "reasoning" && item["encrypted_content"].is_string() {
        *draft.seal(key) = item.clone();
    }
}

/// Reads why the reply ended.
fn end(response: &Value, draft: &mut Draft) -> Result<(), Trouble> {
    error_in(response)?;
    draft.answered_by(&response["model"]);
    let usage = &response["usage"];
    if usage.is_object() {
        draft.used(read_usage(usage));
    }
    match (text(response, "/status"), text(response, "/incomplete_details/reason")) {
        (status @ ("failed" | "cancelled"), _) => {
            return Err(Trouble::Told(json!({"message": format!("the reply is {status}")})));
        }
        (_, "content_filter") => draft.end(FinishReason::Filter),
        ("incomplete", _) => draft.end(FinishReason::Length),
        // Something else than a reply.
        ("", _) if response["output"].is_null() => {}
        _ => draft.end(FinishReason::Stop),
    }
    Ok(())
}

fn read_usage(usage: &Value) -> Usage {
    Usage {
        input_tokens: count(usage, "/input_tokens"),
        cached_tokens: count(usage, "/input_tokens_details/cached_tokens"),
        output_tokens: count(usage, "/output_tokens"),
        reasoning_tokens: count(usage, "/output_tokens_details/reasoning_tokens"),
        cost: usage["cost"].as_f64(),
        ..Usage::default()
    }
}
