//! The cost of calls.

use std::sync::LazyLock;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::at_end;
use crate::{ChatModel, ChatReply, ChatRequest, ChatStream, LlmError, ModelName, Result, Usage};

static BUILT_IN: LazyLock<Option<PriceTable>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../data/prices.json")).ok());

/// Prices of models, as in a file of one's own that goes over the built-in table.
///
/// ```
/// use graphwright_llm::PriceTable;
///
/// let free = r#"{"models": [{"name": "ollama/qwen3", "input": 0, "output": 0}]}"#;
/// let table = PriceTable::parse(free)?;
/// assert_eq!(table.price(&"ollama/qwen3".parse()?).map(|price| price.input), Some(0.0));
/// let negative = r#"{"models": [{"name": "ollama/qwen3", "input": -1, "output": 0}]}"#;
/// assert!(PriceTable::parse(negative).is_err());
/// # Ok::<(), graphwright_llm::LlmError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceTable {
    /// The day of the prices, as `2026-11-21`.
    #[serde(default)]
    date: String,
    #[serde(default, rename = "sources")]
    _sources: Vec<String>,
    #[serde(default, rename = "note")]
    _note: String,
    models: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    input: f64,
    cached_input: Option<f64>,
    output: f64,
}

impl Entry {
    fn check(&self) -> Result<()> {
        self.name.parse::<ModelName>()?;
        let prices = [Some(self.input), self.cached_input, Some(self.output)];
        if prices.into_iter().flatten().any(|price| !(0.0..=1e6).contains(&price)) {
            return Err(LlmError::Configuration {
                message: format!(
                    "a price of {} is not a number of US dollars for a million tokens",
                    self.name
                ),
            });
        }
        Ok(())
    }

    const fn price(&self) -> Price {
        Price { input: self.input, cached_input: self.cached_input, output: self.output }
    }
}

impl PriceTable {
    /// Reads a table of prices in US dollars for a million tokens.
    ///
    /// The form is `{"models": [{"name": "openai/gpt-4o", "input": 2.5, "cached_input": 1.25,
    /// "output": 10}]}`. `date`, `note` and `sources` may stand beside `models`.
    pub fn parse(json: &str) -> Result<Self> {
        let table: Self = serde_json::from_str(json).map_err(|error| LlmError::Configuration {
            message: format!("not a table of prices: {error}"),
        })?;
        table.models.iter().try_for_each(Entry::check)?;
        Ok(table)
    }

    /// Returns the price of a model, or `None` if the table has no entry.
    ///
    /// A version behind the name (`gpt-4o-2024-08-06`) has the price of the name.
    pub fn price(&self, name: &ModelName) -> Option<Price> {
        // OpenAI's two interfaces have one price.
        let full = name.to_string().replacen("openai-responses/", "openai/", 1);
        let covers = |entry: &&Entry| {
            let rest = full.strip_prefix(entry.name.as_str());
            rest.is_some_and(|rest| rest.is_empty() || is_version(rest))
        };
        let entries = self.models.iter().filter(covers);
        // A version with an entry of its own goes before the name that covers it.
        entries.max_by_key(|entry| entry.name.len()).map(Entry::price)
    }
}

/// The price of a model, in US dollars for a million tokens.
///
/// ```
/// use graphwright_llm::{Price, Usage};
///
/// let price = Price { input: 2.0, cached_input: Some(0.5), output: 8.0 };
/// let usage = Usage {
///     input_tokens: 1_000_000,
///     cached_tokens: 400_000,
///     output_tokens: 10_000,
///     ..Usage::default()
/// };
/// assert!((price.cost(&usage) - (1.2 + 0.2 + 0.08)).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Price {
    /// The price of tokens sent.
    pub input: f64,
    /// The price of tokens sent that the provider reads from its cache. That of `input` when
    /// absent.
    #[serde(default)]
    pub cached_input: Option<f64>,
    /// The price of tokens received, reasoning included.
    pub output: f64,
}

impl Price {
    /// Returns the price in the built-in table, or `None` if it has no entry.
    ///
    /// The table is `data/prices.json`, which tells its date and sources.
    pub fn for_model(name: &ModelName) -> Option<Self> {
        BUILT_IN.as_ref()?.price(name)
    }

    /// Computes what a call with this usage costs, in US dollars.
    pub fn cost(&self, usage: &Usage) -> f64 {
        let cached = usage.cached_tokens.min(usage.input_tokens);
        let fresh = usage.input_tokens - cached;
        let cached_price = self.cached_input.unwrap_or(self.input);
        (fresh as f64 * self.input + cached as f64 * cached_price + usage.output_tokens as f64 * self.output)
            / 1e6
    }
}

/// Returns whether a name's ending is a version: `-2024-08-06`, `-20250514`, `-001`, `-latest`.
///
/// `-1` and `-mini` are not: those are other models.
fn is_version(rest: &str) -> bool {
    let Some(rest) = rest.strip_prefix('-') else { return false };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    rest == "latest" || (digits >= 3 && rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-'))
}

/// Returns the day of the built-in prices, as `2026-11-21`.
pub fn price_table_date() -> &'static str {
    BUILT_IN.as_ref().map_or("unknown", |table| table.date.as_str())
}

/// A model that writes the cost into each reply's usage. Without a price it stays as the provider
/// tells it.
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
        reply.usage.cost = self.price.map(|price| price.cost(&reply.usage)).or(reply.usage.cost);
        Ok(reply)
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream> {
        let price = self.price;
        Ok(at_end(self.inner.stream(request).await?, move |reply| {
            reply.usage.cost = price.map(|price| price.cost(&reply.usage)).or(reply.usage.cost);
            Ok(())
        }))
    }
}
