//! What stands in a recording, read without our client.
//!
//! A stream is laid together to the shape of a whole reply first, so that there is one reading of
//! each form. The client works the other way round, piece by piece.

use serde_json::{Map, Value, json};

use super::{
    exchange::{Exchange, Form},
    reading::Reading,
};

/// Reads an answer. None if it holds neither a reply nor an error.
pub(super) fn read(form: Form, exchange: &Exchange) -> Option<Reading> {
    if exchange.status >= 400 {
        let error = Some(error_kind(exchange.status, &exchange.body));
        return Some(Reading { error, ..Reading::default() });
    }
    let pieces = exchange.pieces();
    let streamed = exchange.is_streamed();
    let mut expected = match form {
        Form::Completions if streamed => completion(&join_completion(&pieces)),
        Form::Completions => completion(pieces.first()?),
        Form::Responses if streamed => {
            let ends = ["response.completed", "response.incomplete", "response.failed"];
            let last = pieces.iter().rev().find(|piece| ends.iter().any(|end| piece["type"] == *end))?;
            response(&last["response"])
        }
        Form::Responses => response(pieces.first()?),
        Form::Anthropic if streamed => message(&join_message(&pieces)),
        Form::Anthropic => message(pieces.first()?),
        Form::Gemini => candidates(&pieces),
        Form::Ollama => ollama(&pieces),
    };
    // What a model thinks before it answers, in the text itself.
    if let Some((thoughts, rest)) = expected.text.rsplit_once("</think>") {
        let thoughts = thoughts.replace("<think>", "").replace("</think>", "");
        expected.reasoning.push_str(&thoughts);
        expected.text = rest.trim_start().to_owned();
    }
    if expected.finish == "stop" && !expected.calls.is_empty() {
        expected.finish = "tool_calls";
    }
    Some(expected)
}

fn error_kind(status: u16, body: &str) -> &'static str {
    let says = |words: &[&str]| words.iter().any(|word| body.contains(word));
    match status {
        401 | 403 => "authentication",
        400 if says(&["API_KEY_INVALID", "Incorrect API key"]) => "authentication",
        400 if says(&["context_size", "context_length", "prompt is too long"]) => "context_length",
        404 => "not_found",
        429 => "rate_limited",
        408 | 409 | 500.. => "unavailable",
        _ => "refused",
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn count(value: &Value, path: &str) -> u64 {
    value.pointer(path).and_then(Value::as_u64).unwrap_or(0)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn arguments(written: &str) -> Value {
    if written.trim().is_empty() {
        return json!({});
    }
    serde_json::from_str(written).unwrap_or_else(|_| json!(written))
}

/// Leaves the last call without arguments as it is if the limit of tokens cut it off.
fn cut_call(expected: &mut Reading) {
    if expected.finish == "length"
        && let Some((_, arguments)) = expected.calls.last_mut()
        && *arguments == json!({})
    {
        *arguments = json!("");
    }
}

fn join_completion(pieces: &[Value]) -> Value {
    let (mut message, mut calls) = (Map::new(), Vec::<Value>::new());
    let (mut finish, mut usage) = (Value::Null, Value::Null);
    let mut details = Vec::<Value>::new();
    for piece in pieces {
        for found in [&piece["usage"], &piece["x_groq"]["usage"]] {
            if found.is_object() {
                usage = found.clone();
            }
        }
        let Some(choice) = list(&piece["choices"]).iter().find(|choice| choice["index"] == 0) else {
            continue;
        };
        if choice["finish_reason"].is_string() {
            finish = choice["finish_reason"].clone();
        }
        for name in ["content", "refusal", "reasoning", "reasoning_content"] {
            if let Some(new) = choice["delta"][name].as_str() {
                let old = text(message.get(name).unwrap_or(&Value::Null));
                message.insert(name.to_owned(), json!(old + new));
            }
        }
        details.extend(list(&choice["delta"]["reasoning_details"]).iter().cloned());
        for call in list(&choice["delta"]["tool_calls"]) {
            let at = call["index"].as_u64().unwrap_or(0) as usize;
            if calls.len() <= at {
                calls.resize(at + 1, json!({"function": {"name": "", "arguments": ""}}));
            }
            for name in ["name", "arguments"] {
                let new = text(&calls[at]["function"][name]) + &text(&call["function"][name]);
                calls[at]["function"][name] = json!(new);
            }
        }
    }
    message.insert("tool_calls".to_owned(), json!(calls));
    message.insert("reasoning_details".to_owned(), json!(details));
    json!({"choices": [{"message": message, "finish_reason": finish}], "usage": usage})
}

fn completion(body: &Value) -> Reading {
    let message = &body["choices"][0]["message"];
    let refusal = text(&message["refusal"]);
    let mut expected = Reading {
        text: text(&message["content"]) + &refusal,
        reasoning: match &message["reasoning_content"] {
            Value::String(thoughts) => thoughts.clone(),
            _ => text(&message["reasoning"]),
        },
        finish: match message["refusal"].as_str().filter(|words| !words.is_empty()) {
            Some(_) => "refusal",
            None => match body["choices"][0]["finish_reason"].as_str() {
                Some("length") => "length",
                Some("tool_calls") => "tool_calls",
                Some("content_filter") => "filter",
                _ => "stop",
            },
        },
        ..Reading::default()
    };
    // Parts of a list of contents, as Mistral's reasoning models have it.
    for part in list(&message["content"]) {
        expected.text.push_str(&text(&part["text"]));
        for thought in list(&part["thinking"]) {
            expected.reasoning.push_str(&text(&thought["text"]));
        }
    }
    for detail in list(&message["reasoning_details"]) {
        for name in ["data", "signature"] {
            expected.opaque.extend(detail[name].as_str().filter(|data| !data.is_empty()).map(str::to_owned));
        }
    }
    for call in list(&message["tool_calls"]) {
        let function = &call["function"];
        expected.calls.push((text(&function["name"]), arguments(&text(&function["arguments"]))));
    }
    let usage = &body["usage"];
    let reasoning = count(usage, "/completion_tokens_details/reasoning_tokens");
    let (input, output) = (count(usage, "/prompt_tokens"), count(usage, "/completion_tokens"));
    let beside = count(usage, "/total_tokens") == input + output + reasoning;
    expected.usage = [
        input,
        count(usage, "/prompt_tokens_details/cached_tokens").max(count(usage, "/prompt_cache_hit_tokens")),
        if beside { output + reasoning } else { output },
        reasoning,
    ];
    cut_call(&mut expected);
    expected
}

fn response(body: &Value) -> Reading {
    let mut expected = Reading {
        finish: match body["incomplete_details"]["reason"].as_str() {
            Some("content_filter") => "filter",
            Some(_) => "length",
            None => "stop",
        },
        ..Reading::default()
    };
    if body["status"] == "failed" {
        expected.error = Some("unavailable");
    }
    for item in list(&body["output"]) {
        match item["type"].as_str() {
            Some("message") => {
                for part in list(&item["content"]) {
                    expected.text.push_str(&(text(&part["text"]) + &text(&part["refusal"])));
                    if part["type"] == "refusal" {
                        expected.finish = "refusal";
                    }
                }
            }
            Some("function_call") => {
                expected.calls.push((text(&item["name"]), arguments(&text(&item["arguments"]))));
            }
            Some("reasoning") => {
                for part in list(&item["summary"]).iter().chain(list(&item["content"])) {
                    expected.reasoning.push_str(&text(&part["text"]));
                }
                expected.opaque.extend(item["encrypted_content"].as_str().map(str::to_owned));
            }
            _ => {}
        }
    }
    let usage = &body["usage"];
    expected.usage = [
        count(usage, "/input_tokens"),
        count(usage, "/input_tokens_details/cached_tokens"),
        count(usage, "/output_tokens"),
        count(usage, "/output_tokens_details/reasoning_tokens"),
    ];
    cut_call(&mut expected);
    expected
}

fn join_message(pieces: &[Value]) -> Value {
    let mut message = json!({});
    let mut blocks = Vec::<Value>::new();
    for piece in pieces {
        match piece["type"].as_str() {
            Some("message_start") => message = piece["message"].clone(),
            Some("content_block_start") => {
                let mut block = piece["content_block"].clone();
                block["written"] = json!("");
                blocks.push(block);
            }
            Some("content_block_delta") => {
                let Some(block) = blocks.last_mut() else { continue };
                for (from, to) in [
                    ("text", "text"),
                    ("thinking", "thinking"),
                    ("signature", "signature"),
                    ("partial_json", "written"),
                ] {
                    if let Some(new) = piece["delta"][from].as_str() {
                        block[to] = json!(text(&block[to]) + new);
                    }
                }
            }
            Some("message_delta") => {
                message["stop_reason"] = piece["delta"]["stop_reason"].clone();
                if let (Some(old), Some(new)) = (message["usage"].as_object_mut(), piece["usage"].as_object())
                {
                    old.extend(new.clone());
                }
            }
            _ => {}
        }
    }
    for block in &mut blocks {
        let written = text(&block["written"]);
        if block["type"] == "tool_use" && !written.is_empty() {
            block["input"] = arguments(&written);
        }
    }
    message["content"] = json!(blocks);
    message
}

fn message(body: &Value) -> Reading {
    let mut expected = Reading {
        finish: match body["stop_reason"].as_str() {
            Some("max_tokens" | "model_context_window_exceeded") => "length",
            Some("tool_use") => "tool_calls",
            Some("refusal") => "refusal",
            _ => "stop",
        },
        ..Reading::default()
    };
    for block in list(&body["content"]) {
        match block["type"].as_str() {
            Some("text") => expected.text.push_str(&text(&block["text"])),
            Some("tool_use") => expected.calls.push((text(&block["name"]), block["input"].clone())),
            Some("thinking") => {
                expected.reasoning.push_str(&text(&block["thinking"]));
                expected.opaque.push(text(&block["signature"]));
            }
            Some("redacted_thinking") => expected.opaque.push(text(&block["data"])),
            _ => {}
        }
    }
    let usage = &body["usage"];
    let cached = count(usage, "/cache_read_input_tokens");
    expected.usage = [
        count(usage, "/input_tokens") + cached + count(usage, "/cache_creation_input_tokens"),
        cached,
        count(usage, "/output_tokens"),
        count(usage, "/output_tokens_details/thinking_tokens"),
    ];
    cut_call(&mut expected);
    expected
}

fn candidates(pieces: &[Value]) -> Reading {
    let mut expected = Reading { finish: "stop", ..Reading::default() };
    for piece in pieces {
        if piece["promptFeedback"]["blockReason"].is_string() {
            expected.finish = "filter";
        }
        let candidate = &piece["candidates"][0];
        match candidate["finishReason"].as_str() {
            Some("MAX_TOKENS") => expected.finish = "length",
            Some(
                "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE"
                | "IMAGE_SAFETY",
            ) => expected.finish = "filter",
            Some("MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL") => expected.error = Some("bad_reply"),
            _ => {}
        }
        for part in list(&candidate["content"]["parts"]) {
            expected.opaque.extend(part["thoughtSignature"].as_str().map(str::to_owned));
            let words = text(&part["text"]);
            if part["thought"] == true {
                expected.reasoning.push_str(&words);
            } else {
                expected.text.push_str(&words);
            }
            if let Some(call) = part.get("functionCall") {
                let arguments = call.get("args").cloned().unwrap_or_else(|| json!({}));
                expected.calls.push((text(&call["name"]), arguments));
            }
        }
        let usage = &piece["usageMetadata"];
        if usage.is_object() {
            let thoughts = count(usage, "/thoughtsTokenCount");
            expected.usage = [
                count(usage, "/promptTokenCount") + count(usage, "/toolUsePromptTokenCount"),
                count(usage, "/cachedContentTokenCount"),
                count(usage, "/candidatesTokenCount") + thoughts,
                thoughts,
            ];
        }
    }
    expected
}

fn ollama(pieces: &[Value]) -> Reading {
    let mut expected = Reading { finish: "stop", ..Reading::default() };
    for piece in pieces {
        let message = &piece["message"];
        expected.text.push_str(&text(&message["content"]));
        expected.reasoning.push_str(&text(&message["thinking"]));
        for call in list(&message["tool_calls"]) {
            let function = &call["function"];
            expected.calls.push((text(&function["name"]), function["arguments"].clone()));
        }
        if piece["done"] == true {
            if piece["done_reason"] == "length" {
                expected.finish = "length";
            }
            expected.usage = [count(piece, "/prompt_eval_count"), 0, count(piece, "/eval_count"), 0];
        }
    }
    expected
}
