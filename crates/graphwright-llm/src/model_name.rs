//! Names of models with their providers.

use std::{fmt, str::FromStr};

use crate::{LlmError, Result};

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
    /// Ollama.
    Ollama,
    /// Amazon Bedrock, by its Converse interface and an API key of Bedrock.
    Bedrock,
    /// Google Vertex AI, with Gemini and Claude. The key is an access token.
    Vertex,
    /// Cohere, by its address that speaks OpenAI's chat completions.
    Cohere,
    /// Jina AI, for rerankers only.
    Jina,
    /// Voyage AI, for rerankers only.
    Voyage,
    /// A server of Hugging Face's Text Embeddings Inference, for rerankers only. It serves one model, whatever the name
    /// is.
    Tei,
    /// Any address that speaks OpenAI's chat completions (llama.cpp, vLLM, LM Studio, LiteLLM, …).
    OpenAiCompatible,
}

impl Provider {
    /// All providers.
    pub const ALL: [Self; 13] = [
        Self::OpenAi,
        Self::OpenAiResponses,
        Self::Azure,
        Self::Anthropic,
        Self::Gemini,
        Self::Ollama,
        Self::Bedrock,
        Self::Vertex,
        Self::Cohere,
        Self::Jina,
        Self::Voyage,
        Self::Tei,
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
            Self::Bedrock => "bedrock",
            Self::Vertex => "vertex",
            Self::Cohere => "cohere",
            Self::Jina => "jina",
            Self::Voyage => "voyage",
            Self::Tei => "tei",
            Self::OpenAiCompatible => "openai-compatible",
        }
    }

    /// Returns its public address, if it has one.
    pub const fn default_address(self) -> Option<&'static str> {
        match self {
            Self::OpenAi | Self::OpenAiResponses => Some("https://api.openai.com/v1/"),
            Self::Anthropic => Some("https://api.anthropic.com/v1/"),
            Self::Gemini => Some("https://generativelanguage.googleapis.com/v1beta/"),
            Self::Ollama => Some("http://localhost:11434/"),
            Self::Cohere => Some("https://api.cohere.ai/compatibility/v1/"),
            Self::Jina => Some("https://api.jina.ai/v1/"),
            Self::Voyage => Some("https://api.voyageai.com/v1/"),
            Self::Azure | Self::Bedrock | Self::Vertex | Self::Tei | Self::OpenAiCompatible => None,
        }
    }

    /// Returns whether it answers only with a key.
    pub const fn needs_key(self) -> bool {
        !matches!(self, Self::Ollama | Self::Tei | Self::OpenAiCompatible)
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
