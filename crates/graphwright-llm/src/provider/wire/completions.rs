//! OpenAI's chat completions, which many servers speak.
//!
//! <https://platform.openai.com/docs/api-reference/chat>

use serde_json::{Map, Value, json};

use super::{Trouble, count, error_in, list, messages_by_role, schema, text};
use crate::{
    Content, FinishReason, Message, Provider, ReasoningEffort, ToolChoice, Usage,
    provider::{
        asked::Asked,
        draft::Draft,
        takes::OutputStep,
        wishes::{Wishes, reasons},
    },
};

/// The fields in which servers put the thoughts of a model, the more usual first.
const THOUGHTS: [&str; 2] = ["reasoning_content", "reasoning"];

pub(super) fn body(asked: Asked<'_>) -> Value {
    let Asked { name, request, limits, stream, .. } = asked;
    let mut body = json!({"model": name.model, "messages": messages(asked), "stream": stream});
    if stream && !limits.without_stream_options {
        body["stream_options"] = json!({"include_usage": true});
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            json!({"type": "function", "function": {
                "name": tool.name, "description": tool.description, "parameters": tool.parameters,
            }})
        });
        body["tools"] = tools.collect();
        if let Some(choice) = tool_choice(&request.tool_choice).filter(|_| !limits.without_tool_choice) {
            body["tool_choice"] = choice;
        }
    }
    let wishes = Wishes::new(asked);
    if let Some(temperature) = wishes.temperature {
        body["temperature"] = json!(temperature);
    }
    if let Some(seed) = wishes.seed {
        body["seed"] = json!(seed);
    }
    if let Some(most) = wishes.max_tokens {
        let new_name = matches!(name.provider, Provider::OpenAi | Provider::Azure) && reasons(name);
        let field = if new_name == limits.other_max_tokens { "max_tokens" } else { "max_completion_tokens" };
        body[field] = json!(most);
    }
    if let Some(effort) = wishes.effort {
        body["reasoning_effort"] = json!(effort_name(effort));
    }
    if let Some(format) = response_format(asked) {
        body["response_format"] = format;
    }
    // Keeps the provider from storing the conversation. Other servers know no such field.
    if name.provider == Provider::OpenAi && !limits.without_store {
        body["store"] = json!(false);
    }
    body
}

pub(super) fn effort_name(effort: ReasoningEffort) -> &'static str {
    match effort {
        ReasoningEffort::Minimal => "minimal",
        ReasoningEffort::Low => "low",
        ReasoningEffort::Medium => "medium",
        ReasoningEffort::High => "high",
    }
}

fn tool_choice(choice: &ToolChoice) -> Option<Value> {
    match choice {
        // What every server does by itself.
        ToolChoice::Auto => None,
        ToolChoice::None => Some(json!("none")),
        ToolChoice::Required => Some(json!("required")),
        ToolChoice::Tool(name) => Some(json!({"type": "function", "function": {"name": name}})),
    }
}

fn response_format(asked: Asked<'_>) -> Option<Value> {
    let (name, schema) = asked.schema()?;
    match asked.limits.output {
        OutputStep::Schema => {
            let fitted = schema::fit(schema, &schema::OPENAI);
            let schema = json!({"name": name, "strict": fitted.strict, "schema": fitted.schema});
            Some(json!({"type": "json_schema", "json_schema": schema}))
        }
        OutputStep::Object => Some(json!({"type": "json_object"})),
        OutputStep::Words => None,
    }
}

fn messages(asked: Asked<'_>) -> Vec<Value> {
    messages_by_role(
        asked,
        assistant,
        |id, content| json!({"role": "tool", "tool_call_id": id, "content": content}),
    )
}

fn assistant(asked: Asked<'_>, message: &Message, keeps_thoughts: bool) -> Value {
    let mut written = json!({"role": "assistant", "content": message.text()});
    let calls = message.content.iter().filter_map(|part| match part {
        Content::ToolCall(call) => Some(json!({"type": "function", "id": call.id, "function": {
            "name": call.name, "arguments": written_arguments(&call.arguments),
        }})),
        _ => None,
    });
    let calls: Vec<Value> = calls.collect();
    if !calls.is_empty() {
        written["tool_calls"] = json!(calls);
    }
    let thoughts = message.content.iter().filter_map(|part| asked.sealed(part));
    for (text, data) in thoughts.filter(|_| keeps_thoughts) {
        // Thoughts that stood in a list of contents go back into one.
        if let Some(parts) = data.get("content") {
            let mut parts = parts.as_array().cloned().unwrap_or_default();
            if !message.text().is_empty() {
                parts.push(json!({"type": "text", "text": message.text()}));
            }
            written["content"] = json!(parts);
        } else if let Some(details) = data.get("reasoning_details") {
            written["reasoning_details"] = details.clone();
        } else if let Some(field) = data.get("field").and_then(Value::as_str) {
            written[field] = json!(text);
        }
    }
    written
}

/// Writes arguments as text. What is text already is what a model wrote that was no JSON.
pub(super) fn written_arguments(arguments: &Value) -> String {
    match arguments {
        Value::String(text) => text.clone(),
        arguments => arguments.to_string(),
    }
}

/// Reads a whole reply, or a piece of a streamed one: they differ in a name only.
pub(super) fn read(body: &Value, draft: &mut Draft) -> Result<(), Trouble> {
    error_in(body)?;
    draft.answered_by(&body["model"]);
    for usage in [&body["usage"], &body["x_groq"]["usage"]] {
        if usage.is_object() {
            draft.used(read_usage(usage));
        }
    }
    // One reply was asked for.
    let first = |choice: &&Value| count(choice, "/index") == 0;
    let Some(choice) = list(body, "/choices").iter().find(first) else { return Ok(()) };
    error_in(choice)?;
    let said = if choice["delta"].is_object() { &choice["delta"] } else { &choice["message"] };
    read_thoughts(said, draft);
    read_content(&said["content"], draft);
    let refusal = text(said, "/refusal");
    if !refusal.is_empty() {
        draft.say(refusal);
        draft.refuse();
    }
    for (at, call) in list(said, "/tool_calls").iter().enumerate() {
        let key = call["index"].as_u64().unwrap_or(at as u64).to_string();
        draft.call(&key, text(call, "/id"), text(call, "/function/name"));
        match &call["function"]["arguments"] {
            Value::Null => {}
            arguments => draft.arguments(&key, &written_arguments(arguments)),
        }
    }
    match choice["finish_reason"].as_str() {
        None => {}
        Some("error") => return Err(Trouble::Told(json!({"message": "the provider ended with an error"}))),
        Some("length" | "max_tokens" | "model_length") => draft.end(FinishReason::Length),
        Some("tool_calls" | "function_call") => draft.end(FinishReason::ToolCalls),
        Some("content_filter") => draft.end(FinishReason::Filter),
        Some("refusal") => draft.end(FinishReason::Refusal),
        Some(_) => draft.end(FinishReason::Stop),
    }
    Ok(())
}

/// Reads text, or a list of texts and thoughts (Mistral).
fn read_content(content: &Value, draft: &mut Draft) {
    if let Some(text) = content.as_str() {
        draft.say(text);
    }
    for part in content.as_array().into_iter().flatten() {
        if part["type"] == "thinking" {
            for thought in list(part, "/thinking") {
                draft.think("", text(thought, "/text"));
            }
            let kept = draft.seal("");
            match kept.pointer_mut("/content").and_then(Value::as_array_mut) {
                Some(parts) => parts.push(part.clone()),
                None => *kept = json!({"content": [part]}),
            }
        } else {
            draft.say(text(part, "/text"));
        }
    }
}

fn read_thoughts(said: &Value, draft: &mut Draft) {
    let thoughts = THOUGHTS.iter().find_map(|field| Some((*field, said[*field].as_str()?)));
    if let Some((field, thoughts)) = thoughts.filter(|(_, thoughts)| !thoughts.is_empty()) {
        draft.think("", thoughts);
        let kept = draft.seal("");
        if kept.is_null() {
            *kept = json!({"field": field});
        }
    }
    for detail in list(said, "/reasoning_details") {
        keep_detail(detail, draft.seal(""));
    }
}

/// Adds a piece of OpenRouter's `reasoning_details` to those that came: pieces of one index and type
/// are one.
fn keep_detail(detail: &Value, kept: &mut Value) {
    if !kept["reasoning_details"].is_array() {
        *kept = json!({"reasoning_details": []});
    }
    let Some(details) = kept["reasoning_details"].as_array_mut() else { return };
    let same = |known: &&mut Value| known["index"] == detail["index"] && known["type"] == detail["type"];
    let (Some(known), Some(new)) =
        (details.iter_mut().find(same).and_then(Value::as_object_mut), detail.as_object())
    else {
        details.push(detail.clone());
        return;
    };
    for (field, value) in new {
        add_field(known, field, value);
    }
}

/// Adds text to text in the fields that come in pieces, and fills in what was missing.
fn add_field(known: &mut Map<String, Value>, field: &str, value: &Value) {
    let grows = matches!(field, "text" | "summary" | "data" | "signature");
    match (known.get_mut(field), value) {
        (Some(Value::String(old)), Value::String(new)) if grows => old.push_str(new),
        (Some(Value::Null) | None, value) => {
            known.insert(field.to_owned(), value.clone());
        }
        _ => {}
    }
}

fn read_usage(usage: &Value) -> Usage {
    let input = count(usage, "/prompt_tokens");
    let mut output = count(usage, "/completion_tokens");
    let reasoning = count(usage, "/completion_tokens_details/reasoning_tokens");
    // Some count reasoning beside the output, as their sum shows.
    if reasoning > 0 && count(usage, "/total_tokens") == input + output + reasoning {
        output += reasoning;
    }
    let cached = ["/prompt_tokens_details/cached_tokens", "/prompt_cache_hit_tokens", "/cached_tokens"];
    Usage {
        input_tokens: input,
        cached_tokens: cached.iter().map(|path| count(usage, path)).max().unwrap_or(0),
        output_tokens: output,
        reasoning_tokens: reasoning,
        cost: usage["cost"].as_f64(),
        ..Usage::default()
    }
}
