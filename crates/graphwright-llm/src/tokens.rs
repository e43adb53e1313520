//! Counting tokens, with and without a vocabulary.

use tiktoken_rs::{
    bpe_for_tokenizer,
    tokenizer::{Tokenizer, get_tokenizer},
};

use crate::{ChatRequest, Content, Message, OutputFormat};

/// Tokens of a text by its length alone: four bytes a token, which is about right for English.
pub fn estimate_tokens(text: &str) -> u64 {
    text.len().div_ceil(4) as u64
}

/// Counts the tokens of texts.
///
/// Without a model it estimates from the length, so that the model-free path loads no vocabulary.
///
/// ```
/// use graphwright_llm::TokenCounter;
///
/// assert_eq!(TokenCounter::estimate().count("Twelve bytes"), 3);
/// assert_eq!(TokenCounter::for_model("openai/gpt-4o").count("hello world"), 2);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TokenCounter {
    vocabulary: Option<Tokenizer>,
}

impl TokenCounter {
    /// Four bytes a token.
    pub const fn estimate() -> Self {
        Self { vocabulary: None }
    }

    /// By the vocabulary of a model (`provider/model`), loaded at the first count; by OpenAI's
    /// `o200k_base` where the model's own is not public, which is a few per cent off for most others.
    pub fn for_model(model: &str) -> Self {
        let name = model.rsplit_once('/').map_or(model, |(_, name)| name);
        Self { vocabulary: Some(get_tokenizer(name).unwrap_or(Tokenizer::O200kBase)) }
    }

    /// Tokens of a text.
    pub fn count(&self, text: &str) -> u64 {
        match self.vocabulary.map(bpe_for_tokenizer) {
            Some(Ok(vocabulary)) => vocabulary.count_ordinary(text) as u64,
            Some(Err(_)) | None => estimate_tokens(text),
        }
    }
}

/// Tokens of a request by its length alone: messages, tools and schema.
pub(crate) fn estimate_request(request: &ChatRequest) -> u64 {
    let messages = request.messages.iter().map(estimate_message);
    let tools = request.tools.iter().map(|tool| {
        estimate_tokens(&tool.name)
            + estimate_tokens(&tool.description)
            + estimate_tokens(&tool.parameters.to_string())
    });
    let schema = match &request.output {
        OutputFormat::Text => 0,
        OutputFormat::JsonSchema { schema, .. } | OutputFormat::LenientJsonSchema { schema, .. } => {
            estimate_tokens(&schema.to_string())
        }
    };
    messages.chain(tools).sum::<u64>() + schema
}

pub(crate) fn estimate_message(message: &Message) -> u64 {
    let part = |content: &Content| match content {
        Content::Text(text) => estimate_tokens(text),
        Content::ToolCall(call) => estimate_tokens(&call.name) + estimate_tokens(&call.arguments.to_string()),
        Content::ToolResult { content, .. } => estimate_tokens(content),
    };
    message.content.iter().map(part).sum()
}
