//! Counting tokens, with and without a vocabulary.

use tiktoken_rs::{
    bpe_for_tokenizer,
    tokenizer::{Tokenizer, get_tokenizer},
};

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
/// assert_eq!(TokenCounter::for_model("openai/gpt-4o").count("Twelve bytes"), 4);
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

    /// By the vocabulary of a model (`provider/model`), loaded at the first count (about 0.1 s); by OpenAI's
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
