//! What calls cost.

use std::sync::LazyLock;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::at_end;
use crate::{ChatModel, ChatReply, ChatRequest, ChatStream, ModelName, Result, Usage};

static TABLE: LazyLock<Option<Table>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../data/prices.json")).ok());

#[derive(Debug, Deserialize)]
struct Table {
    date: String,
    models: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
struct Entry {
    name: String,
    #[serde(flatten)]
    price: Price,
}

/// The price of a model, in US dollars for a million tokens.
///
/// ```
/// use graphwright_llm::{Price, Usage};
///
/// let price = Price { input: 2.0, cached_input: Some(0.5), output: 8.0 };
/// let usage = Usage { input_tokens: 1_000_000, cached_tokens: 400_000, output_tokens: 10_000, ..Usage::default() };
/// assert!((price.cost(&usage) - (1.2 + 0.2 + 0.08)).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Price {
    /// Tokens sent.
    pub input: f64,
    /// Of these, those that the provider reads from its cache; as `input` when absent.
    #[serde(default)]
    pub cached_input: Option<f64>,
    /// Tokens received, reasoning included.
    pub output: f64,
}

impl Price {
    /// The price in the built-in table (`data/prices.json`, with its date and sources); none where it has no entry.
    /// A version behind the name (`gpt-4o-2024-08-06`) has the price of the name.
    pub fn of(name: &ModelName) -> Option<Self> {
        let full = name.to_string().replacen("openai-responses/", "openai/", 1);
        let covers = |entry: &&Entry| {
            let rest = full.strip_prefix(entry.name.as_str());
            rest.is_some_and(|rest| rest.is_empty() || is_version(rest))
        };
        let entries = TABLE.as_ref()?.models.iter().filter(covers);
        entries.max_by_key(|entry| entry.name.len()).map(|entry| entry.price)
    }

    /// What a call with this usage costs, in US dollars.
    pub fn cost(&self, usage: &Usage) -> f64 {
        let cached = usage.cached_tokens.min(usage.input_tokens);
        let fresh = usage.input_tokens - cached;
        let cached_price = self.cached_input.unwrap_or(self.input);
        (fresh as f64 * self.input + cached as f64 * cached_price + usage.output_tokens as f64 * self.output)
            / 1e6
    }
}

/// `-2024-08-06`, `-20250514`, `-001`, `-latest`; not `-1` or `-mini`, which are other models.
fn is_version(rest: &str) -> bool {
    let Some(rest) = rest.strip_prefix('-') else { return false };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    rest == "latest" || (digits >= 3 && rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-'))
}

/// The day of the built-in prices, as `2026-11-21`.
pub fn price_table_date() -> &'static str {
    TABLE.as_ref().map_or("unknown", |table| table.date.as_str())
}

/// Writes the cost into each reply's usage.
#[derive(Debug)]
pub(super) struct Priced<M> {
    inner: M,
    price: Option<Price>,
}

impl<M> Priced<M> {
    pub(super) fn new(inner: M, price: Option<Price>) -> Self {
        Self { inner, price }
    }
}

#[async_trait]
impl<M: ChatModel> ChatModel for Priced<M> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatReply> {
        let mut reply = self.inner.chat(request).await?;
        reply.usage.cost = self.price.map(|price| price.cost(&reply.usage));
        Ok(reply)
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream> {
        let price = self.price;
        Ok(at_end(self.inner.stream(request).await?, move |reply| {
            reply.usage.cost = price.map(|price| price.cost(&reply.usage));
            Ok(())
        }))
    }
}
