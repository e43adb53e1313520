//! The address of a model, and the credentials sent to it.

use genai::{
    Headers, ModelIden, ServiceTarget,
    adapter::AdapterKind,
    resolver::{AuthData, Endpoint},
};
use graphwright_core::text::public_address;
use secrecy::{ExposeSecret, SecretString};

use crate::{LlmError, ModelName, Provider, ProviderSettings, Result};

/// The purpose of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Chat,
    Embeddings,
}

impl Purpose {
    const fn path(self) -> &'static str {
        match self {
            Self::Chat => "chat/completions",
            Self::Embeddings => "embeddings",
        }
    }
}

pub(super) fn target(
    name: &ModelName,
    settings: &ProviderSettings,
    purpose: Purpose,
) -> Result<ServiceTarget> {
    let kind = match name.provider {
        Provider::OpenAi | Provider::Azure | Provider::Ollama | Provider::OpenAiCompatible => {
            AdapterKind::OpenAI
        }
        Provider::OpenAiResponses => AdapterKind::OpenAIResp,
        Provider::Anthropic => AdapterKind::Anthropic,
        Provider::Gemini => AdapterKind::Gemini,
    };
    if purpose == Purpose::Embeddings && kind != AdapterKind::OpenAI {
        let provider = name.provider;
        return Err(configuration(format!(
            "{provider} is not used for embeddings here; use openai, azure, ollama or openai-compatible"
        )));
    }
    let address = base_address(name.provider, settings)?;
    let auth = if kind == AdapterKind::OpenAI {
        openai_request(name, settings, &address, purpose)?
    } else {
        AuthData::Key(required_key(name.provider, settings.key.as_ref())?)
    };
    let model = ModelIden::new(kind, name.model.as_str());
    Ok(ServiceTarget { endpoint: Endpoint::from_owned(address), auth, model })
}

fn base_address(provider: Provider, settings: &ProviderSettings) -> Result<String> {
    let Some(address) = settings.address.as_deref().or(provider.default_address()) else {
        let example = match provider {
            Provider::Azure => "https://NAME.openai.azure.com",
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

/// Writes address and headers ourselves: some of these servers take no key, and Azure has its own
/// names for both.
fn openai_request(
    name: &ModelName,
    settings: &ProviderSettings,
    address: &str,
    purpose: Purpose,
) -> Result<AuthData> {
    let provider = name.provider;
    let path = purpose.path();
    let mut headers = Vec::new();
    let url = if provider == Provider::Azure {
        match &settings.bearer_token {
            Some(token) => {
                headers.push(("Authorization".to_owned(), format!("Bearer {}", header_value(token)?)));
            }
            None => headers.push(("api-key".to_owned(), required_key(provider, settings.key.as_ref())?)),
        }
        let version = settings.api_version.as_deref().unwrap_or(ProviderSettings::AZURE_VERSION);
        format!("{address}openai/deployments/{}/{path}?api-version={version}", name.model)
    } else {
        let key = match &settings.key {
            // A server of one's own behind the provider's name may need none.
            None if !provider.needs_key() || settings.address.is_some() => None,
            key => Some(required_key(provider, key.as_ref())?),
        };
        headers.extend(key.map(|key| ("Authorization".to_owned(), format!("Bearer {key}"))));
        format!("{address}{path}")
    };
    Ok(AuthData::RequestOverride { url, headers: Headers::from(headers) })
}

fn required_key(provider: Provider, key: Option<&SecretString>) -> Result<String> {
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
        return Err(configuration(
            "the key is empty or has characters that no key has; copy it again".to_owned(),
        ));
    }
    Ok(value.to_owned())
}

fn configuration(message: String) -> LlmError {
    LlmError::Configuration { message }
}
