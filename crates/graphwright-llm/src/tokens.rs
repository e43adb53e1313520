//! Estimates of the number of tokens.

use serde_json::Value;

use crate::{ChatRequest, Content, Message, OutputFormat};

/// Estimates the tokens of a text by its length alone: four bytes a token, about right for English.
///
/// ```
/// assert_eq!(graphwright_llm::estimate_tokens("Twelve bytes"), 3);
/// ```
pub fn estimate_tokens(text: &str) -> u64 {
    text.len().div_ceil(4) as u64
}

/// Estimates the tokens of a request by its length alone: messages, tools and schema.
pub(crate) fn estimate_request(request: &ChatRequest) -> u64 {
    let messages = request.messages.iter().map(estimate_message);
    let tools = request.tools.iter().map(|tool| {
        estimate_tokens(&tool.name) + estimate_tokens(&tool.description) + json_tokens(&tool.parameters)
    });
    let schema = match &request.output {
        OutputFormat::Text => 0,
        OutputFormat::JsonSchema { schema, .. } | OutputFormat::LenientJsonSchema { schema, .. } => {
            json_tokens(schema)
        }
    };
    messages.chain(tools).sum::<u64>() + schema
}

/// Estimates the tokens of a value as JSON, without writing it: every call of a model is estimated.
fn json_tokens(value: &Value) -> u64 {
    json_length(value).div_ceil(4) as u64
}

/// Returns the bytes of a value as JSON, not counting what its texts escape.
fn json_length(value: &Value) -> usize {
    let quoted = |text: &str| text.len() + 2;
    let list = |elements: usize, all: usize| 2 + all + elements.saturating_sub(1);
    match value {
        Value::Null | Value::Bool(true) => 4,
        Value::Bool(false) => 5,
        Value::Number(number) => number.to_string().len(),
        Value::String(text) => quoted(text),
        Value::Array(elements) => list(elements.len(), elements.iter().map(json_length).sum()),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| quoted(name) + 1 + json_length(value);
            list(fields.len(), fields.iter().map(field).sum())
        }
    }
}

pub(crate) fn estimate_message(message: &Message) -> u64 {
    let part = |content: &Content| match content {
        Content::Text(text) => estimate_tokens(text),
        Content::Reasoning(reasoning) => {
            let sealed = reasoning.sealed.as_ref().map_or(0, |sealed| json_tokens(&sealed.data));
            estimate_tokens(&reasoning.text).max(sealed)
        }
        Content::ToolCall(call) => estimate_tokens(&call.name) + json_tokens(&call.arguments),
        Content::ToolResult { content, .. } => estimate_tokens(content),
    };
    message.content.iter().map(part).sum()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_length_of_json_is_known_without_writing_it() {
        for value in [
            json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name", "age"]}),
            json!([null, true, false, -12, 2.5, [], {}, "ä", 18_446_744_073_709_551_615_u64]),
        ] {
            assert_eq!(json_length(&value), value.to_string().len(), "{value}");
        }
    }
}
