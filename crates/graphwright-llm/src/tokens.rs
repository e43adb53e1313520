//! Counts of tokens, with and without a vocabulary.

use serde_json::Value;
#[cfg(feature = "providers")]
use tiktoken_rs::{
    CoreBPE, cl100k_base_singleton, o200k_base_singleton,
    tokenizer::{Tokenizer, get_tokenizer},
};

use crate::{ChatRequest, Content, Message, OutputFormat};

/// Estimates the tokens of a text by its length alone: four bytes a token, about right for English.
pub fn estimate_tokens(text: &str) -> u64 {
    text.len().div_ceil(4) as u64
}

/// A counter of the tokens of texts.
///
/// Without a model it estimates from the length, so that the model-free path loads no vocabulary.
///
/// ```
/// use graphwright_llm::TokenCounter;
///
/// assert_eq!(TokenCounter::estimate().count("Twelve bytes"), 3);
/// # #[cfg(feature = "providers")]
/// assert_eq!(TokenCounter::for_model("openai/gpt-4o").count("hello world"), 2);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TokenCounter {
    #[cfg(feature = "providers")]
    vocabulary: Option<fn() -> &'static CoreBPE>,
}

impl TokenCounter {
    /// Creates a counter that estimates four bytes a token.
    pub const fn estimate() -> Self {
        Self {
            #[cfg(feature = "providers")]
            vocabulary: None,
        }
    }

    /// Creates a counter that uses the vocabulary of a model (`provider/model`), loaded at the
    /// first count.
    ///
    /// Two vocabularies are part of the program, OpenAI's `o200k_base` and `cl100k_base`. Models
    /// whose own is another, or not public, are counted with `o200k_base`, which is a few per cent
    /// off for most. Without the feature `providers` there are no vocabularies, and it estimates.
    #[cfg_attr(
        not(feature = "providers"),
        expect(unused_variables, reason = "there is no vocabulary to choose")
    )]
    pub fn for_model(model: &str) -> Self {
        #[cfg(not(feature = "providers"))]
        return Self::estimate();
        #[cfg(feature = "providers")]
        {
            let name = model.rsplit_once('/').map_or(model, |(_, name)| name);
            // The others serve models that are no longer offered, and would add two megabytes.
            let vocabulary = match get_tokenizer(name) {
                Some(Tokenizer::Cl100kBase) => cl100k_base_singleton,
                _ => o200k_base_singleton,
            };
            Self { vocabulary: Some(vocabulary) }
        }
    }

    /// Counts the tokens of a text.
    pub fn count(&self, text: &str) -> u64 {
        #[cfg(feature = "providers")]
        if let Some(vocabulary) = self.vocabulary {
            return vocabulary().count_ordinary(text) as u64;
        }
        estimate_tokens(text)
    }
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
