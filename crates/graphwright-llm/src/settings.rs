//! Settings of a model: the provider, its address, the key and the limits.

use std::{fmt, str::FromStr, time::Duration};

use secrecy::SecretString;

use crate::{Budget, CircuitBreaker, LlmError, Price, RateLimits, ReplyCache, Result, Traffic};

/// A service that serves models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Provider {
    /// OpenAI, by the chat completions interface.
    OpenAi,
    /// OpenAI, by the Responses interface.
    OpenAiResponses,
    /// Azure OpenAI. The model is the name of the deployment.
    Azure,
    /// Anthropic.
    Anthropic,
    /// Google Gemini.
    Gemini,
    /// Ollama, by its OpenAI-compatible address.
    Ollama,
    /// Any address that speaks OpenAI's chat completions (llama.cpp, vLLM, LM Studio, LiteLLM, …).
    OpenAiCompatible,
}

impl Provider {
    /// All providers.
    pub const ALL: [Self; 7] = [
        Self::OpenAi,
        Self::OpenAiResponses,
        Self::Azure,
        Self::Anthropic,
        Self::Gemini,
        Self::Ollama,
        Self::OpenAiCompatible,
    ];

    /// Returns its name before the slash of `provider/model`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::OpenAiResponses => "openai-responses",
            Self::Azure => "azure",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
            Self::OpenAiCompatible => "openai-compatible",
        }
    }

    /// Returns its public address, if it has one.
    pub const fn default_address(self) -> Option<&'static str> {
        match self {
            Self::OpenAi | Self::OpenAiResponses => Some("https://api.openai.com/v1/"),
            Self::Anthropic => Some("https://api.anthropic.com/v1/"),
            Self::Gemini => Some("https://generativelanguage.googleapis.com/v1beta/"),
            Self::Ollama => Some("http://localhost:11434/v1/"),
            Self::Azure | Self::OpenAiCompatible => None,
        }
    }

    /// Returns whether it answers only with a key.
    pub const fn needs_key(self) -> bool {
        !matches!(self, Self::Ollama | Self::OpenAiCompatible)
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Provider {
    type Err = LlmError;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name).ok_or_else(|| LlmError::Configuration {
            message: format!(
                "{name:?} is not a provider; the providers are {} \
                 (any other server that speaks OpenAI's protocol is openai-compatible with its address)",
                Self::ALL.map(Self::name).join(", ")
            ),
        })
    }
}

/// The name of a model with its provider: `provider/model`.
///
/// ```
/// use graphwright_llm::{ModelName, Provider};
///
/// let name: ModelName = "openai-compatible/qwen/qwen3-8b".parse()?;
/// assert_eq!(name.provider, Provider::OpenAiCompatible);
/// assert_eq!(name.model, "qwen/qwen3-8b");
/// assert!("gpt-4o".parse::<ModelName>().is_err());
/// # Ok::<(), graphwright_llm::LlmError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ModelName {
    /// The provider.
    pub provider: Provider,
    /// The model's name, as the provider has it.
    pub model: String,
}

impl FromStr for ModelName {
    type Err = LlmError;

    fn from_str(name: &str) -> Result<Self> {
        let configuration = |message| Err(LlmError::Configuration { message });
        let Some((provider, model)) = name.split_once('/').filter(|(_, model)| !model.trim().is_empty())
        else {
            return configuration(format!(
                "{name:?} does not name a model; write provider/model, as openai/gpt-4o-mini or ollama/qwen3"
            ));
        };
        Ok(Self { provider: provider.parse()?, model: model.trim().to_owned() })
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.provider, self.model)
    }
}

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
    /// The most calls at the same time.
    pub concurrency: usize,
    /// The models with which it shares the rate and the circuit breaker of its address.
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
    /// The most requests at the same time.
    pub concurrency: usize,
    /// The models with which it shares the rate and the circuit breaker of its address.
    pub traffic: Traffic,
    /// The most retries of a request when the provider is busy or away.
    pub retries: usize,
}

impl EmbedderSettings {
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
