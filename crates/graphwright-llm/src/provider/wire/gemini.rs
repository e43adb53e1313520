//! Gemini's `generateContent`.
//!
//! <https://ai.google.dev/api/generate-content>

use serde_json::{Value, json};

use super::{Trouble, count, error_in, list, schema, text};
use crate::{
    Content, FinishReason, Message, ModelName, ReasoningEffort, Role, ToolChoice, Usage,
    provider::{
        asked::Asked,
        draft::{Draft, is_made_up},
        takes::OutputStep,
        wishes::Wishes,
    },
};

pub(super) fn body(asked: Asked<'_>) -> Value {
    let Asked { name, request, limits, .. } = asked;
    let mut body = json!({"contents": contents(asked)});
    let instructions = asked.instructions();
    if !instructions.is_empty() {
        body["systemInstruction"] = json!({"parts": [{"text": instructions}]});
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            json!({
                "name": tool.name, "description": tool.description,
                "parametersJsonSchema": schema::fit(&tool.parameters, &schema::GEMINI).schema,
            })
        });
        body["tools"] = json!([{"functionDeclarations": tools.collect::<Vec<_>>()}]);
        let choice = match &request.tool_choice {
            ToolChoice::Auto => None,
            ToolChoice::None => Some(json!({"mode": "NONE"})),
            ToolChoice::Required => Some(json!({"mode": "ANY"})),
            ToolChoice::Tool(name) => Some(json!({"mode": "ANY", "allowedFunctionNames": [name]})),
        };
        if let Some(choice) = choice.filter(|_| !limits.without_tool_choice) {
            body["toolConfig"] = json!({"functionCallingConfig": choice});
        }
    }
    let wishes = Wishes::new(asked);
    let mut generation = json!({});
    if let Some(temperature) = wishes.temperature {
        generation["temperature"] = json!(temperature);
    }
    if let Some(seed) = wishes.seed {
        generation["seed"] = json!(seed);
    }
    if let Some(most) = wishes.max_tokens {
        generation["maxOutputTokens"] = json!(most);
    }
    if let Some(effort) = wishes.effort {
        generation["thinkingConfig"] = thinking(name, effort);
    }
    if let Some((_, schema)) = asked.schema()
        && limits.output != OutputStep::Words
    {
        generation["responseMimeType"] = json!("application/json");
        if limits.output == OutputStep::Schema {
            generation["responseJsonSchema"] = schema::fit(schema, &schema::GEMINI).schema;
        }
    }
    if generation.as_object().is_some_and(|fields| !fields.is_empty()) {
        body["generationConfig"] = generation;
    }
    body
}

/// Gemini 2 takes a number of tokens, later ones a level.
fn thinking(name: &ModelName, effort: ReasoningEffort) -> Value {
    if ["gemini-1", "gemini-2"].iter().any(|old| name.model.starts_with(old)) {
        let tokens = match effort {
            // The least that this one takes; the others can be told not to think.
            ReasoningEffort::Minimal if name.model.contains("pro") => 128,
            ReasoningEffort::Minimal => 0,
            ReasoningEffort::Low => 1_024,
            ReasoningEffort::Medium => 8_000,
            ReasoningEffort::High => 24_000,
        };
        json!({"thinkingBudget": tokens, "includeThoughts": tokens > 0})
    } else {
        let level = match effort {
            ReasoningEffort::Minimal if name.model.contains("pro") => "low",
            ReasoningEffort::Minimal => "minimal",
            ReasoningEffort::Low => "low",
            ReasoningEffort::Medium => "medium",
            ReasoningEffort::High => "high",
        };
        json!({"thinkingLevel": level, "includeThoughts": true})
    }
}

fn contents(asked: Asked<'_>) -> Vec<Value> {
    let messages = asked.messages().filter(|(message, _)| message.role != Role::System);
    let contents = messages.filter_map(|(message, keeps_thoughts)| {
        let role = if message.role == Role::Assistant { "model" } else { "user" };
        let parts = parts(asked, message, keeps_thoughts);
        (!parts.is_empty()).then(|| json!({"role": role, "parts": parts}))
    });
    contents.collect()
}

fn parts(asked: Asked<'_>, message: &Message, keeps_thoughts: bool) -> Vec<Value> {
    let mut parts = Vec::new();
    // The signature of thoughts stands in the part that followed them.
    let mut signature = Value::Null;
    for part in &message.content {
        let mut written = match part {
            Content::Reasoning(_) => {
                if let Some((_, data)) = asked.sealed(part).filter(|_| keeps_thoughts) {
                    signature = data["thoughtSignature"].clone();
                }
                continue;
            }
            Content::Text(text) if text.is_empty() => continue,
            Content::Text(text) => json!({"text": text}),
            Content::ToolCall(call) => {
                let arguments = if call.arguments.is_object() { call.arguments.clone() } else { json!({}) };
                let mut written = json!({"name": call.name, "args": arguments});
                identify(&mut written, &call.id);
                json!({"functionCall": written})
            }
            Content::ToolResult { id, content } => {
                let name = asked.tool_of(id).unwrap_or_default();
                let mut written = json!({"name": name, "response": {"content": content}});
                identify(&mut written, id);
                json!({"functionResponse": written})
            }
        };
        if signature.is_string() {
            written["thoughtSignature"] = std::mem::take(&mut signature);
        }
        parts.push(written);
    }
    if signature.is_string() {
        parts.push(json!({"text": "", "thoughtSignature": signature}));
    }
    parts
}

/// Adds the identifier of a call, if Gemini gave it one. Not all its servers know the field.
fn identify(call: &mut Value, id: &str) {
    if !is_made_up(id, text(call, "/name")) {
        call["id"] = json!(id);
    }
}

/// Reads a whole reply, or a piece of a streamed one: their form is the same.
pub(super) fn read(body: &Value, draft: &mut Draft) -> Result<(), Trouble> {
    // An error inside a stream comes in a list.
    let body = body.get(0).unwrap_or(body);
    error_in(body)?;
    draft.answered_by(&body["modelVersion"]);
    let usage = &body["usageMetadata"];
    if usage.is_object() {
        draft.used(read_usage(usage));
    }
    if body["promptFeedback"]["blockReason"].is_string() {
        draft.end(FinishReason::Filter);
    }
    let Some(candidate) = body.pointer("/candidates/0") else { return Ok(()) };
    for part in list(candidate, "/content/parts") {
        read_part(part, draft);
    }
    match candidate["finishReason"].as_str() {
        None | Some("FINISH_REASON_UNSPECIFIED") => {}
        Some("MAX_TOKENS") => draft.end(FinishReason::Length),
        Some("STOP" | "OTHER") => draft.end(FinishReason::Stop),
        Some(reason @ ("MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" | "TOO_MANY_TOOL_CALLS")) => {
            let told = text(candidate, "/finishMessage");
            return Err(Trouble::Bad(format!("{reason} {told}").trim_end().to_owned()));
        }
        // SAFETY, RECITATION, BLOCKLIST, PROHIBITED_CONTENT, SPII, LANGUAGE and those to come.
        Some(_) => draft.end(FinishReason::Filter),
    }
    Ok(())
}

fn read_part(part: &Value, draft: &mut Draft) {
    let words = text(part, "/text");
    if part["thought"] == true {
        let key = draft.next_thought();
        draft.think(&key, words);
    }
    if part["thoughtSignature"].is_string() {
        let key = draft.next_thought();
        *draft.seal(&key) = json!({"thoughtSignature": part["thoughtSignature"]});
        draft.close_thought();
    }
    if part["thought"] != true {
        draft.say(words);
    }
    if let Some(call) = part.get("functionCall") {
        let key = draft.calls().to_string();
        draft.call(&key, text(call, "/id"), text(call, "/name"));
        if let Some(arguments) = call.get("args") {
            draft.arguments(&key, &arguments.to_string());
        }
    }
}

fn read_usage(usage: &Value) -> Usage {
    let thoughts = count(usage, "/thoughtsTokenCount");
    Usage {
        input_tokens: count(usage, "/promptTokenCount") + count(usage, "/toolUsePromptTokenCount"),
        cached_tokens: count(usage, "/cachedContentTokenCount"),
        output_tokens: count(usage, "/candidatesTokenCount") + thoughts,
        reasoning_tokens: thoughts,
        ..Usage::default()
    }
}
