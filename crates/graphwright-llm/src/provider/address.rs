//! The address of a model, and the credentials sent to it.

use graphwright_core::text::public_address;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};

use crate::{LlmError, ModelName, Provider, ProviderSettings, Result};

/// The version of Anthropic's interface.
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// The end of Cohere's address that speaks OpenAI's chat completions.
const COHERE_LIKE_OPENAI: &str = "compatibility/v1/";

/// A kind of call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    Chat,
    Stream,
    Embeddings,
    Rerank,
}

/// The base address of a provider, and the headers that open it.
#[derive(Debug)]
pub(super) struct Target {
    /// The address, with a slash at its end.
    pub(super) base: String,
    pub(super) headers: HeaderMap,
}

impl Target {
    pub(super) fn new(name: &ModelName, settings: &ProviderSettings) -> Result<Self> {
        let provider = name.provider;
        let base = base_address(provider, settings)?;
        // A server of one's own behind a provider's name may need no key.
        let wants_key =
            provider.needs_key() && (settings.address.is_none() || provider_checks_keys(provider));
        let key = match &settings.key {
            None if !wants_key => None,
            key => Some(required_key(provider, key.as_ref())),
        };
        let mut headers = HeaderMap::new();
        let mut add = |name: &'static str, value: String| -> Result<()> {
            let mut value = HeaderValue::from_str(&value).map_err(|_| bad_key())?;
            value.set_sensitive(true);
            headers.insert(HeaderName::from_static(name), value);
            Ok(())
        };
        match provider {
            Provider::Anthropic => {
                add("anthropic-version", ANTHROPIC_VERSION.to_owned())?;
                key.map(|key| add("x-api-key", key?)).transpose()?;
            }
            Provider::Gemini => {
                key.map(|key| add("x-goog-api-key", key?)).transpose()?;
            }
            Provider::Azure => match &settings.bearer_token {
                Some(token) => add("authorization", format!("Bearer {}", header_value(token)?))?,
                None => {
                    key.map(|key| add("api-key", key?)).transpose()?;
                }
            },
            _ => {
                key.map(|key| add("authorization", format!("Bearer {}", key?))).transpose()?;
            }
        }
        Ok(Self { base, headers })
    }

    /// Returns the address of a call.
    pub(super) fn url(&self, name: &ModelName, settings: &ProviderSettings, call: Call) -> String {
        let base = &self.base;
        let model = &name.model;
        let path = match (name.provider, call) {
            (_, Call::Embeddings) => "embeddings",
            // Its own form stands beside the one that is like OpenAI's.
            (Provider::Cohere, Call::Rerank) if base.ends_with(COHERE_LIKE_OPENAI) => {
                return format!("{}v2/rerank", base.strip_suffix(COHERE_LIKE_OPENAI).unwrap_or(base));
            }
            (_, Call::Rerank) => "rerank",
            (Provider::OpenAiResponses, _) => "responses",
            (Provider::Anthropic, _) => "messages",
            (Provider::Vertex, call) => return vertex_url(base, model, call),
            (Provider::Gemini, Call::Chat) => return format!("{base}models/{model}:generateContent"),
            (Provider::Gemini, Call::Stream) => {
                return format!("{base}models/{model}:streamGenerateContent?alt=sse");
            }
            // Its own form stands beside the one that is like OpenAI's.
            (Provider::Ollama, _) => {
                return format!("{}api/chat", base.strip_suffix("v1/").unwrap_or(base));
            }
            _ => "chat/completions",
        };
        // The newer form of Azure's addresses is that of OpenAI.
        if name.provider == Provider::Azure && !base.ends_with("/openai/v1/") {
            let version = settings.api_version.as_deref().unwrap_or(ProviderSettings::AZURE_VERSION);
            return format!("{base}openai/deployments/{model}/{path}?api-version={version}");
        }
        if name.provider == Provider::Ollama && !base.ends_with("/v1/") {
            return format!("{base}v1/{path}");
        }
        format!("{base}{path}")
    }
}

/// Vertex AI has the models of each publisher under a name of its own.
fn vertex_url(base: &str, model: &str, call: Call) -> String {
    let claude = model.starts_with("claude");
    let (publisher, method) = match (claude, call) {
        (true, Call::Stream) => ("anthropic", "streamRawPredict"),
        (true, _) => ("anthropic", "rawPredict"),
        (false, Call::Stream) => ("google", "streamGenerateContent?alt=sse"),
        (false, _) => ("google", "generateContent"),
    };
    format!("{base}publishers/{publisher}/models/{model}:{method}")
}

/// Returns whether a provider's form always wants a key, wherever the server is.
const fn provider_checks_keys(provider: Provider) -> bool {
    matches!(provider, Provider::Azure | Provider::Anthropic | Provider::Gemini | Provider::Vertex)
}

pub(super) fn base_address(provider: Provider, settings: &ProviderSettings) -> Result<String> {
    let Some(address) = settings.address.as_deref().or(provider.default_address()) else {
        let example = match provider {
            Provider::Azure => "https://NAME.openai.azure.com",
            Provider::Bedrock => "https://bedrock-runtime.REGION.amazonaws.com",
            Provider::Vertex => "https://aiplatform.googleapis.com/v1/projects/PROJECT/locations/global",
            Provider::Tei => "http://localhost:8080/",
            _ => "http://localhost:8080/v1/",
        };
        return Err(configuration(format!("{provider} needs an address, as {example}")));
    };
    let address = address.trim();
    if !address.starts_with("http://") && !address.starts_with("https://") {
        return Err(configuration(format!(
            "{:?} is not an address; it begins with https:// or http://",
            public_address(address)
        )));
    }
    Ok(format!("{}/", address.trim_end_matches('/')))
}

pub(super) fn required_key(provider: Provider, key: Option<&SecretString>) -> Result<String> {
    let key = key.ok_or_else(|| LlmError::Authentication {
        provider: provider.to_string(),
        message: "no key is set".to_owned(),
    })?;
    header_value(key)
}

/// Returns a key that can stand in a header.
///
/// A key with a line break or a space inside comes from a broken copy, and sending it fails in
/// obscure ways.
fn header_value(secret: &SecretString) -> Result<String> {
    let value = secret.expose_secret().trim();
    if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(bad_key());
    }
    Ok(value.to_owned())
}

fn configuration(message: String) -> LlmError {
    LlmError::Configuration { message }
}

fn bad_key() -> LlmError {
    configuration("the key is empty or has characters that no key has; copy it again".to_owned())
}
