//! Settings of a model: its address, the key and the limits.

use std::{path::PathBuf, sync::Arc, time::Duration};

use secrecy::SecretString;

use super::{cache::Origin, lane::Lane};
use crate::{
    Budget, CircuitBreaker, ModelName, Price, Provider, RateLimits, ReasoningEffort, ReplyCache, Traffic,
};

/// The address and credentials of a provider, and how fast it may be called.
///
/// Nothing is read from the environment: the caller does that.
#[derive(Clone, Debug, Default)]
pub struct ProviderSettings {
    /// The key.
    pub key: Option<SecretString>,
    /// A token of Microsoft Entra in place of the key. Azure only.
    pub bearer_token: Option<SecretString>,
    /// The address up to and including the version (`https://host/v1/`). The provider's public one
    /// when absent.
    ///
    /// For Azure it is that of the resource (`https://name.openai.azure.com`).
    pub address: Option<String>,
    /// The version of the API, [`ProviderSettings::AZURE_VERSION`] when absent. Azure only.
    pub api_version: Option<String>,
    /// The effort of reasoning, in place of what requests ask for.
    pub effort: Option<ReasoningEffort>,
    /// The sampling temperature, in place of what requests ask for.
    pub temperature: Option<f64>,
    /// The most tokens of a reply, in place of what requests ask for.
    pub max_output_tokens: Option<u32>,
    /// The length of context that Ollama gives the model, in tokens. Made to fit each request when
    /// absent.
    pub context: Option<u32>,
    /// The file that remembers between processes what models were found not to take, for four weeks. Nothing is remembered
    /// when absent.
    pub refusals: Option<PathBuf>,
    /// The time that the provider may be silent, [`ProviderSettings::TIMEOUT`] when absent.
    pub timeout: Option<Duration>,
    /// The rate at which the address may be called.
    pub rate: RateLimits,
    /// When to stop calling an address that fails.
    pub breaker: CircuitBreaker,
}

impl ProviderSettings {
    /// The version of Azure's API used by default: the first general one with JSON schemas.
    pub const AZURE_VERSION: &str = "2024-10-21";
    /// The silence allowed by default, long enough for a model that reasons before its first token.
    pub const TIMEOUT: Duration = Duration::from_mins(5);
}

/// A chat model and the limits that its calls keep.
///
/// ```
/// use graphwright_llm::{ModelSettings, connect};
///
/// let settings = ModelSettings::new("ollama/qwen3".parse()?);
/// let model = connect(&settings)?;
/// assert_eq!(model.name(), "ollama/qwen3");
/// # Ok::<(), graphwright_llm::LlmError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ModelSettings {
    /// The model.
    pub name: ModelName,
    /// How to reach it.
    pub provider: ProviderSettings,
    /// What its calls may use. Models that share a clone share the limits.
    pub budget: Budget,
    /// Its price. That of the built-in table when absent.
    pub price: Option<Price>,
    /// The most calls at the same time. All models of an address share them.
    pub concurrency: usize,
    /// The models with which it shares the places, the rate and the circuit breaker of its address.
    pub traffic: Traffic,
    /// The most retries of a call when the provider is busy or away.
    pub retries: usize,
    /// The replies that are remembered. Without a cache every call reaches the model.
    pub cache: Option<ReplyCache>,
    /// Whether traces and the log carry what was said.
    ///
    /// By default they do not, since documents may be confidential.
    pub trace_content: bool,
}

impl ModelSettings {
    /// Returns the lane to the address of these settings.
    pub(super) fn lane(&self) -> Arc<Lane> {
        self.traffic.lane(&self.name, self.provider.address.as_deref(), self.provider.rate, self.concurrency)
    }

    /// Returns from where the replies come.
    pub(super) fn origin(&self) -> Origin {
        let address = self.provider.address.as_deref().or(self.name.provider.default_address());
        let ProviderSettings { effort, temperature, max_output_tokens, context, .. } = &self.provider;
        Origin {
            wishes: format!("{effort:?} {temperature:?} {max_output_tokens:?} {context:?}"),
            model: self.name.to_string(),
            address: address.unwrap_or_default().trim().trim_end_matches('/').to_owned(),
            api_version: self.provider.api_version.clone().unwrap_or_default(),
        }
    }

    /// Creates settings with eight calls at the same time, four retries, no budget and no cache.
    pub fn new(name: ModelName) -> Self {
        Self {
            name,
            provider: ProviderSettings::default(),
            budget: Budget::default(),
            price: None,
            concurrency: 8,
            traffic: Traffic::shared(),
            retries: 4,
            cache: None,
            trace_content: false,
        }
    }
}

/// An embedder at an address, and the limits that its calls keep.
#[derive(Clone, Debug)]
pub struct EmbedderSettings {
    /// The model.
    pub name: ModelName,
    /// How to reach it.
    pub provider: ProviderSettings,
    /// The number of components of its vectors.
    pub dimensions: usize,
    /// The number of texts sent in one request.
    pub batch: usize,
    /// What its calls may use. Models that share a clone share the limits.
    pub budget: Budget,
    /// Its price. That of the built-in table when absent.
    pub price: Option<Price>,
    /// The most requests at the same time. All models of an address share them.
    pub concurrency: usize,
    /// The models with which it shares the places, the rate and the circuit breaker of its address.
    pub traffic: Traffic,
    /// The most retries of a request when the provider is busy or away.
    pub retries: usize,
}

impl EmbedderSettings {
    /// Returns the lane to the address of these settings.
    #[cfg(feature = "providers")]
    pub(super) fn lane(&self) -> Arc<Lane> {
        self.traffic.lane(&self.name, self.provider.address.as_deref(), self.provider.rate, self.concurrency)
    }

    /// Creates settings with 64 texts a request, eight requests at the same time, four retries and
    /// no budget.
    pub fn new(name: ModelName, dimensions: usize) -> Self {
        Self {
            name,
            provider: ProviderSettings::default(),
            dimensions,
            batch: 64,
            budget: Budget::default(),
            price: None,
            concurrency: 8,
            traffic: Traffic::shared(),
            retries: 4,
        }
    }
}

/// A reranker at an address, and the limits that its calls keep.
#[derive(Clone, Debug)]
pub struct RerankerSettings {
    /// The model.
    pub name: ModelName,
    /// How to reach it.
    pub provider: ProviderSettings,
    /// The number of texts sent in one request. The score of a text does not depend on the others.
    pub batch: usize,
    /// What its calls may use. Models that share a clone share the limits.
    pub budget: Budget,
    /// Its price. That of the built-in table when absent.
    pub price: Option<Price>,
    /// The most requests at the same time. All models of an address share them.
    pub concurrency: usize,
    /// The models with which it shares the places, the rate and the circuit breaker of its address.
    pub traffic: Traffic,
    /// The most retries of a request when the provider is busy or away.
    pub retries: usize,
}

impl RerankerSettings {
    /// Returns the lane to the address of these settings.
    #[cfg(feature = "providers")]
    pub(super) fn lane(&self) -> Arc<Lane> {
        self.traffic.lane(&self.name, self.provider.address.as_deref(), self.provider.rate, self.concurrency)
    }

    /// Creates settings with eight requests at the same time, four retries and no budget.
    ///
    /// A request has up to 100 texts, which Cohere counts as one search; one to Text Embeddings Inference up to 32, the most
    /// that it takes unless told otherwise.
    pub fn new(name: ModelName) -> Self {
        Self {
            batch: if name.provider == Provider::Tei { 32 } else { 100 },
            name,
            provider: ProviderSettings::default(),
            budget: Budget::default(),
            price: None,
            concurrency: 8,
            traffic: Traffic::shared(),
            retries: 4,
        }
    }
}
