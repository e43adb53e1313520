//! From settings to models: which keys belong to which provider.

use std::sync::Arc;

use graphwright_llm::{
    Budget, BuiltinEmbedder, ChatModel, Embedder, EmbedderSettings, ModelName, ModelSettings, Provider,
    ProviderSettings, connect, connect_embedder,
};
use secrecy::SecretString;

use crate::{Error, Result, Settings};

/// Dimensions of the embedding models that people name most; others are named with theirs, as `…@1024`.
const DIMENSIONS: &[(&str, usize)] = &[
    ("text-embedding-3-small", 1_536),
    ("text-embedding-3-large", 3_072),
    ("text-embedding-ada-002", 1_536),
    ("nomic-embed-text", 768),
    ("mxbai-embed-large", 1_024),
    ("all-minilm", 384),
];

/// The chat model that the settings name, if they name one, behind the whole stack of wrappers.
pub(crate) fn chat_model(settings: &Settings) -> Result<Option<Arc<dyn ChatModel>>> {
    let Some(name) = &settings.model else { return Ok(None) };
    let name: ModelName = name.parse()?;
    let mut model = ModelSettings::new(name.clone());
    model.provider = provider(settings, name.provider)?;
    if let Some(dollars) = settings.budget {
        model.budget = Budget::new(None, Some(dollars));
    }
    Ok(Some(connect(&model)?))
}

/// The embedder that the settings name.
pub(crate) fn embedder(settings: &Settings) -> Result<Arc<dyn Embedder>> {
    if settings.embedder == "builtin" {
        return Ok(Arc::new(BuiltinEmbedder::new()));
    }
    let (name, dimensions) = match settings.embedder.rsplit_once('@') {
        Some((name, dimensions)) => (name, dimensions.parse().ok()),
        None => (settings.embedder.as_str(), None),
    };
    let name: ModelName = name.parse()?;
    let known = DIMENSIONS.iter().find(|(known, _)| *known == name.model).map(|(_, dimensions)| *dimensions);
    let Some(dimensions) = dimensions.or(known) else {
        return Err(Error::Settings {
            message: format!("the number of dimensions of {name} is not known"),
            hint: format!("add it: --embedder {name}@1024"),
        });
    };
    let mut embedder = EmbedderSettings::new(name.clone(), dimensions);
    embedder.provider = provider(settings, name.provider)?;
    Ok(connect_embedder(&embedder)?)
}

/// Key and address of a provider from their usual variables.
fn provider(settings: &Settings, provider: Provider) -> Result<ProviderSettings> {
    let text = |name: &str| {
        settings
            .credentials
            .get(name)
            .map(|secret| secret.expose().to_owned())
            .filter(|text| !text.is_empty())
    };
    let key = |name: &str| text(name).map(SecretString::from);
    let (variable, found) = match provider {
        Provider::OpenAi | Provider::OpenAiResponses | Provider::OpenAiCompatible => (
            "OPENAI_API_KEY",
            ProviderSettings {
                key: key("OPENAI_API_KEY"),
                address: text("OPENAI_BASE_URL"),
                ..ProviderSettings::default()
            },
        ),
        Provider::Azure => (
            "AZURE_OPENAI_API_KEY or AZURE_OPENAI_AD_TOKEN",
            ProviderSettings {
                key: key("AZURE_OPENAI_API_KEY"),
                bearer_token: key("AZURE_OPENAI_AD_TOKEN"),
                address: text("AZURE_OPENAI_ENDPOINT"),
                api_version: text("AZURE_OPENAI_API_VERSION"),
                ..ProviderSettings::default()
            },
        ),
        Provider::Anthropic => (
            "ANTHROPIC_API_KEY",
            ProviderSettings { key: key("ANTHROPIC_API_KEY"), ..ProviderSettings::default() },
        ),
        Provider::Gemini => (
            "GEMINI_API_KEY",
            ProviderSettings {
                key: key("GEMINI_API_KEY").or_else(|| key("GOOGLE_API_KEY")),
                ..ProviderSettings::default()
            },
        ),
        Provider::Ollama => {
            ("", ProviderSettings { address: ollama(text("OLLAMA_HOST")), ..ProviderSettings::default() })
        }
        other => {
            return Err(Error::Settings {
                message: format!("{other} has no settings yet"),
                hint: "name another provider with --model".to_owned(),
            });
        }
    };
    // A server of one's own behind OPENAI_BASE_URL often needs no key.
    let own_server = found.address.is_some() && provider != Provider::Azure;
    if provider.needs_key() && !own_server && found.key.is_none() && found.bearer_token.is_none() {
        return Err(Error::Settings {
            message: format!("the key of {provider} is missing"),
            hint: format!("set {variable}, or leave --model out: the graph answers alone"),
        });
    }
    Ok(found)
}

/// `OLLAMA_HOST` is a host and port; its OpenAI-compatible address ends in `/v1/`.
fn ollama(host: Option<String>) -> Option<String> {
    let host = host?;
    let address = if host.contains("://") { host } else { format!("http://{host}") };
    Some(format!("{}/v1/", address.trim_end_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Secret;

    fn settings(model: &str, credentials: &[(&str, &str)]) -> Settings {
        let mut settings = Settings::at("unused");
        settings.model = Some(model.to_owned());
        settings.credentials = credentials
            .iter()
            .map(|(name, text)| ((*name).to_owned(), Secret::from((*text).to_owned())))
            .collect();
        settings
    }

    #[test]
    fn no_model_is_no_error() {
        assert!(chat_model(&Settings::at("unused")).unwrap().is_none());
    }

    #[test]
    fn a_missing_key_names_its_variable() {
        let error = chat_model(&settings("anthropic/claude", &[])).unwrap_err();
        assert_eq!(error.to_string(), "the key of anthropic is missing");
        assert!(error.hint().unwrap().contains("ANTHROPIC_API_KEY"));
    }

    #[test]
    fn a_model_gets_its_key() {
        let model = chat_model(&settings("openai/gpt-4o-mini", &[("OPENAI_API_KEY", "k")])).unwrap().unwrap();
        assert_eq!(model.name(), "openai/gpt-4o-mini");
    }

    #[test]
    fn keys_never_print() {
        let settings = settings("openai/gpt-4o-mini", &[("OPENAI_API_KEY", "sk-very-secret")]);
        assert!(!format!("{settings:?}").contains("very"));
    }

    #[test]
    fn ollama_is_reached_by_its_compatible_address() {
        assert_eq!(ollama(Some("box:11434".to_owned())).unwrap(), "http://box:11434/v1/");
        assert_eq!(ollama(Some("https://box/".to_owned())).unwrap(), "https://box/v1/");
    }
}
