//! Ollama's own `/api/chat`.
//!
//! Its form that is like OpenAI's cannot set the length of the context, and cuts silently what is
//! longer. <https://github.com/ollama/ollama/blob/main/docs/api.md>

use serde_json::{Value, json};

use super::{Trouble, count, error_in, list, messages_by_role, schema, text};
use crate::{
    Content, FinishReason, Message, ReasoningEffort, ToolChoice, Usage,
    provider::{
        asked::Asked,
        draft::Draft,
        takes::OutputStep,
        wishes::{Wishes, context_of},
    },
};

pub(super) fn body(asked: Asked<'_>) -> Value {
    let Asked { name, request, limits, stream, .. } = asked;
    let wishes = Wishes::new(asked);
    let mut body = json!({
        "model": name.model, "messages": messages(asked), "stream": stream,
        // What is too long is an error rather than cut (from 0.12.6 on).
        "truncate": false, "shift": false,
    });
    // It cannot be told to call a tool, but not to call one by having none.
    if !request.tools.is_empty() && request.tool_choice != ToolChoice::None {
        let tools = request.tools.iter().map(|tool| {
            json!({"type": "function", "function": {
                "name": tool.name, "description": tool.description, "parameters": tool.parameters,
            }})
        });
        body["tools"] = tools.collect();
    }
    if let Some((_, schema)) = asked.schema() {
        match limits.output {
            OutputStep::Schema => body["format"] = schema::fit(schema, &schema::GRAMMAR).schema,
            OutputStep::Object => body["format"] = json!("json"),
            OutputStep::Words => {}
        }
    }
    if let Some(effort) = wishes.effort {
        body["think"] = thinking(&name.model, effort);
    }
    let mut options = json!({"num_ctx": context_of(asked)});
    if let Some(temperature) = wishes.temperature {
        options["temperature"] = json!(temperature);
    }
    if let Some(seed) = wishes.seed {
        options["seed"] = json!(seed);
    }
    if let Some(most) = wishes.max_tokens {
        options["num_predict"] = json!(most);
    }
    body["options"] = options;
    body
}

/// Most models can only be told whether to think; gpt-oss has levels, and always thinks.
fn thinking(model: &str, effort: ReasoningEffort) -> Value {
    if !model.contains("gpt-oss") {
        return json!(effort != ReasoningEffort::Minimal);
    }
    json!(match effort {
        ReasoningEffort::Minimal | ReasoningEffort::Low => "low",
        ReasoningEffort::Medium => "medium",
        ReasoningEffort::High => "high",
    })
}

fn messages(asked: Asked<'_>) -> Vec<Value> {
    messages_by_role(asked, assistant, |id, content| {
        let tool = asked.tool_of(id).unwrap_or_default();
        json!({"role": "tool", "tool_name": tool, "content": content})
    })
}

fn assistant(asked: Asked<'_>, message: &Message, keeps_thoughts: bool) -> Value {
    let mut written = json!({"role": "assistant", "content": message.text()});
    let calls = message.content.iter().filter_map(|part| match part {
        Content::ToolCall(call) => {
            let arguments = if call.arguments.is_object() { call.arguments.clone() } else { json!({}) };
            Some(json!({"function": {"name": call.name, "arguments": arguments}}))
        }
        _ => None,
    });
    let calls: Vec<Value> = calls.collect();
    if !calls.is_empty() {
        written["tool_calls"] = json!(calls);
    }
    let thoughts = message.content.iter().filter_map(|part| asked.sealed(part));
    let thoughts: String = thoughts.map(|(text, _)| text).collect();
    if keeps_thoughts && !thoughts.is_empty() {
        written["thinking"] = json!(thoughts);
    }
    written
}

/// Reads a whole reply, or a piece of a streamed one: their form is the same.
pub(super) fn read(body: &Value, draft: &mut Draft) -> Result<(), Trouble> {
    error_in(body)?;
    draft.answered_by(&body["model"]);
    let thoughts = text(body, "/message/thinking");
    if !thoughts.is_empty() {
        draft.think("", thoughts);
        *draft.seal("") = json!({"field": "thinking"});
    }
    draft.say(text(body, "/message/content"));
    for call in list(body, "/message/tool_calls") {
        let key = draft.calls().to_string();
        draft.call(&key, text(call, "/id"), text(call, "/function/name"));
        if let Some(arguments) = call.pointer("/function/arguments") {
            draft.arguments(&key, &arguments.to_string());
        }
    }
    if body["done"] == true {
        draft.used(Usage {
            input_tokens: count(body, "/prompt_eval_count"),
            output_tokens: count(body, "/eval_count"),
            ..Usage::default()
        });
        draft.end(if body["done_reason"] == "length" { FinishReason::Length } else { FinishReason::Stop });
    }
    Ok(())
}
