//! Turns settings into models, each with the key and address of its provider.

mod reranker;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use graphwright_llm::{Budget, BuiltinEmbedder, ChatModel, Embedder, ModelName, Reranker};
#[cfg(feature = "models")]
use graphwright_llm::{
    EmbedderSettings, ModelSettings, Provider, ProviderSettings, ReplyCache, connect, connect_embedder,
};
#[cfg(feature = "models")]
use secrecy::SecretString;

use crate::{Error, Result, Settings};
#[cfg(feature = "models")]
use crate::{ProviderLimits, is_this_machine};

/// Dimensions of the best-known embedding models. Names of others end in theirs, as `…@1024`.
#[cfg(feature = "models")]
const DIMENSIONS: &[(&str, usize)] = &[
    ("text-embedding-3-small", 1_536),
    ("text-embedding-3-large", 3_072),
    ("text-embedding-ada-002", 1_536),
    ("nomic-embed-text", 768),
    ("mxbai-embed-large", 1_024),
    ("all-minilm", 384),
];

/// The organisation meant by an embedder's name without `/`.
const ORGANISATION: &str = "sentence-transformers";

/// The embedders that are not a provider's.
const EMBEDDERS: &str = "builtin, the folder or name of a sentence-transformers model";

/// The models of a graph, wrapped in all layers, with one shared budget.
#[derive(Debug)]
pub(crate) struct Models {
    /// The chat model, if the settings name one.
    pub(crate) chat: Option<Arc<dyn ChatModel>>,
    /// The judge of what models write, if the settings name one.
    pub(crate) judge: Option<Arc<dyn ChatModel>>,
    pub(crate) embedder: Arc<dyn Embedder>,
    /// What ranks hits anew, if the settings name it.
    pub(crate) reranker: Option<Arc<dyn Reranker>>,
}

impl Models {
    /// Connects to the models that the settings name.
    pub(crate) fn connect(settings: &Settings) -> Result<Self> {
        let budget = Budget::new(None, settings.budget);
        let named = |name: &Option<String>| chat(settings, name.as_deref(), &budget);
        let (chat, judge) = (named(&settings.model)?, named(&settings.judge)?);
        let reranker = reranker::connect(settings, chat.as_ref(), judge.as_ref(), &budget)?;
        Ok(Self { chat, judge, embedder: embedder(settings, budget)?, reranker })
    }
}

/// Connects to the chat model of the settings, if they name one.
///
/// It comes wrapped in all layers and has a budget of its own.
pub fn chat_model(settings: &Settings) -> Result<Option<Arc<dyn ChatModel>>> {
    chat(settings, settings.model.as_deref(), &Budget::new(None, settings.budget))
}

#[cfg(feature = "models")]
fn chat(settings: &Settings, name: Option<&str>, budget: &Budget) -> Result<Option<Arc<dyn ChatModel>>> {
    let connect = |name| Ok(connect(&chat_settings(settings, name, budget)?)?);
    name.map(connect).transpose()
}

#[cfg(not(feature = "models"))]
fn chat(_: &Settings, name: Option<&str>, _: &Budget) -> Result<Option<Arc<dyn ChatModel>>> {
    match name {
        Some(name) => Err(Error::without_feature(&format!("the model {name}"), "models")),
        None => Ok(None),
    }
}

#[cfg(feature = "models")]
fn chat_settings(settings: &Settings, name: &str, budget: &Budget) -> Result<ModelSettings> {
    let name: ModelName = name.parse()?;
    let limits = limits(settings, name.provider);
    let mut model = ModelSettings::new(name);
    model.provider = provider(settings, model.name.provider)?;
    model.budget = budget.clone();
    model.price = settings.prices.price(&model.name);
    model.concurrency = limits.concurrency.unwrap_or(model.concurrency);
    model.retries = limits.retries.unwrap_or(model.retries);
    model.cache = settings.cache.as_ref().map(ReplyCache::open).transpose()?;
    model.trace_content = settings.trace_content;
    Ok(model)
}

#[cfg(feature = "models")]
fn limits(settings: &Settings, provider: Provider) -> ProviderLimits {
    settings.limits.get(&provider).cloned().unwrap_or_default()
}

/// Connects to the embedder of the settings.
fn embedder(settings: &Settings, budget: Budget) -> Result<Arc<dyn Embedder>> {
    if settings.embedder == "builtin" {
        return Ok(Arc::new(BuiltinEmbedder::new()));
    }
    if let Some(folder) = model_folder(settings, &settings.embedder, ORGANISATION) {
        return sentence_transformer(&folder);
    }
    provider_embedder(settings, budget)
}

#[cfg(not(feature = "models"))]
fn provider_embedder(settings: &Settings, _: Budget) -> Result<Arc<dyn Embedder>> {
    Err(match settings.embedder.parse::<ModelName>() {
        Ok(name) => Error::without_feature(&format!("the embedder {name}"), "models"),
        Err(_) => unknown("embedder", &settings.embedder, EMBEDDERS),
    })
}

#[cfg(feature = "models")]
fn provider_embedder(settings: &Settings, budget: Budget) -> Result<Arc<dyn Embedder>> {
    let (name, dimensions) = match settings.embedder.rsplit_once('@') {
        Some((name, dimensions)) => (name, dimensions.parse().ok()),
        None => (settings.embedder.as_str(), None),
    };
    let Ok(name) = name.parse::<ModelName>() else {
        return Err(unknown("embedder", &settings.embedder, EMBEDDERS));
    };
    let known = DIMENSIONS.iter().find(|(known, _)| *known == name.model).map(|(_, dimensions)| *dimensions);
    let Some(dimensions) = dimensions.or(known) else {
        return Err(Error::Settings {
            message: format!("the number of dimensions of {name} is not known"),
            hint: format!("add it, as {name}@1024"),
        });
    };
    let limits = limits(settings, name.provider);
    let mut embedder = EmbedderSettings::new(name, dimensions);
    embedder.provider = provider(settings, embedder.name.provider)?;
    embedder.budget = budget;
    embedder.price = settings.prices.price(&embedder.name);
    embedder.concurrency = limits.concurrency.unwrap_or(embedder.concurrency);
    embedder.retries = limits.retries.unwrap_or(embedder.retries);
    Ok(connect_embedder(&embedder)?)
}

/// Finds the sentence-transformers folder if one is meant: by its path, or by its name below the
/// folder of models, where that of an organisation may be left out.
fn model_folder(settings: &Settings, name: &str, organisation: &str) -> Option<PathBuf> {
    let named = Path::new(name);
    let models = settings.models.as_deref();
    let below =
        models.into_iter().flat_map(|models| [models.join(named), models.join(organisation).join(named)]);
    std::iter::once(named.to_owned()).chain(below).find(|folder| folder.is_dir())
}

#[cfg(feature = "sentence-transformers")]
fn sentence_transformer(folder: &Path) -> Result<Arc<dyn Embedder>> {
    Ok(Arc::new(graphwright_llm::SentenceTransformer::open(folder)?))
}

#[cfg(not(feature = "sentence-transformers"))]
fn sentence_transformer(folder: &Path) -> Result<Arc<dyn Embedder>> {
    Err(Error::without_sentence_transformers(&format!("the model in {}", folder.display())))
}

/// Says that there is no such embedder or reranker, and what there is.
fn unknown(role: &str, name: &str, known: &str) -> Error {
    let message = format!(
        "there is no {role} {name:?}: it is no folder, no model that was pulled, and no provider/model"
    );
    let hint = if name.contains('/') && !name.starts_with(['.', '/', '~']) {
        format!("pull {name}, or name another (docs/models.md)")
    } else {
        format!("name {known}, or provider/model (docs/models.md)")
    };
    Error::Settings { message, hint }
}

/// Reads key and address of a provider from their usual variables, and adds its limits.
#[cfg(feature = "models")]
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
            ProviderSettings {
                key: key("ANTHROPIC_API_KEY"),
                address: text("ANTHROPIC_BASE_URL").map(|address| with_version(&address)),
                ..ProviderSettings::default()
            },
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
        Provider::Bedrock => (
            "AWS_BEARER_TOKEN_BEDROCK (and AWS_REGION)",
            ProviderSettings {
                key: key("AWS_BEARER_TOKEN_BEDROCK"),
                address: text("AWS_REGION")
                    .map(|region| format!("https://bedrock-runtime.{region}.amazonaws.com/")),
                ..ProviderSettings::default()
            },
        ),
        Provider::Vertex => (
            "GOOGLE_OAUTH_ACCESS_TOKEN (and GOOGLE_CLOUD_PROJECT, GOOGLE_CLOUD_LOCATION)",
            ProviderSettings {
                key: key("GOOGLE_OAUTH_ACCESS_TOKEN"),
                address: text("GOOGLE_CLOUD_PROJECT")
                    .map(|project| vertex(&project, text("GOOGLE_CLOUD_LOCATION").as_deref())),
                ..ProviderSettings::default()
            },
        ),
        Provider::Cohere => {
            ("COHERE_API_KEY", ProviderSettings { key: key("COHERE_API_KEY"), ..ProviderSettings::default() })
        }
        Provider::Jina => {
            ("JINA_API_KEY", ProviderSettings { key: key("JINA_API_KEY"), ..ProviderSettings::default() })
        }
        Provider::Voyage => {
            ("VOYAGE_API_KEY", ProviderSettings { key: key("VOYAGE_API_KEY"), ..ProviderSettings::default() })
        }
        Provider::Tei => ("", ProviderSettings::default()),
        other => {
            return Err(Error::Settings {
                message: format!("{other} has no settings yet"),
                hint: "name another provider".to_owned(),
            });
        }
    };
    let limits = limits(settings, provider);
    // What is in the environment goes before the file, except an address that is made of a region.
    let made = matches!(provider, Provider::Bedrock | Provider::Vertex);
    let found = ProviderSettings {
        address: if made { limits.address.or(found.address) } else { found.address.or(limits.address) },
        effort: limits.effort,
        temperature: limits.temperature,
        max_output_tokens: limits.max_output_tokens,
        context: limits.context,
        ..found
    };
    // A server of one's own behind the name of OpenAI often needs no key.
    let like_openai = matches!(provider, Provider::OpenAi | Provider::OpenAiResponses);
    let own_server = found.address.is_some() && like_openai;
    if provider.needs_key() && !own_server && found.key.is_none() && found.bearer_token.is_none() {
        return Err(Error::Settings {
            message: format!("the key of {provider} is missing"),
            hint: format!("set {variable}, or leave the model out: none is needed"),
        });
    }
    let ProviderLimits { rate, breaker, timeout, .. } = limits;
    // Behind an address of this machine may be another server tomorrow, and a refusal costs nothing there.
    let near = found.address.as_deref().or(provider.default_address()).is_none_or(is_this_machine);
    let refusals = settings.refusals.clone().filter(|_| !near);
    Ok(ProviderSettings { rate, breaker, timeout, refusals, ..found })
}

/// Adds the version to an address, as Anthropic's own programs do.
#[cfg(feature = "models")]
fn with_version(address: &str) -> String {
    let address = address.trim_end_matches('/');
    if address.ends_with("/v1") { address.to_owned() } else { format!("{address}/v1/") }
}

/// Returns the address of a project of Vertex AI, everywhere or at a location.
#[cfg(feature = "models")]
fn vertex(project: &str, location: Option<&str>) -> String {
    let location = location.unwrap_or("global");
    let host = if location == "global" { String::new() } else { format!("{location}-") };
    format!("https://{host}aiplatform.googleapis.com/v1/projects/{project}/locations/{location}/")
}

/// Turns `OLLAMA_HOST`, a host and port, into an address.
#[cfg(feature = "models")]
fn ollama(host: Option<String>) -> Option<String> {
    let host = host?;
    let address = if host.contains("://") { host } else { format!("http://{host}") };
    Some(format!("{}/", address.trim_end_matches('/')))
}

#[cfg(all(test, feature = "models"))]
mod tests {
    use std::{num::NonZeroU32, time::Duration};

    use graphwright_llm::{CircuitBreaker, PriceTable, RateLimits, ReasoningEffort};

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
        assert!(Models::connect(&Settings::at("unused")).unwrap().chat.is_none());
    }

    #[test]
    fn a_missing_key_names_its_variable() {
        let error = Models::connect(&settings("anthropic/claude", &[])).unwrap_err();
        assert_eq!(error.to_string(), "the key of anthropic is missing");
        assert!(error.hint().unwrap().contains("ANTHROPIC_API_KEY"));
    }

    #[test]
    fn a_model_gets_its_key() {
        let models = Models::connect(&settings("openai/gpt-4o-mini", &[("OPENAI_API_KEY", "k")])).unwrap();
        assert_eq!(models.chat.unwrap().name(), "openai/gpt-4o-mini");
        assert!(models.judge.is_none());
    }

    #[test]
    fn a_judge_is_a_model_beside_the_one_that_writes() {
        let settings = settings("openai/gpt-4o-mini", &[("OPENAI_API_KEY", "k")]).judge("ollama/qwen3");
        let models = Models::connect(&settings).unwrap();
        assert_eq!(models.judge.unwrap().name(), "ollama/qwen3");
    }

    #[test]
    fn a_model_keeps_the_limits_of_its_provider() {
        let mut settings = settings("ollama/qwen3", &[]);
        let rate = RateLimits { requests_per_minute: NonZeroU32::new(7), tokens_per_minute: None };
        let breaker = CircuitBreaker { failures: 9, pause: Duration::from_secs(1) };
        let timeout = Some(Duration::from_secs(2));
        let limits = ProviderLimits {
            rate,
            breaker,
            timeout,
            concurrency: Some(3),
            retries: Some(0),
            address: Some("http://gpu:11434".to_owned()),
            context: Some(32_768),
            effort: Some(ReasoningEffort::Low),
            ..ProviderLimits::default()
        };
        settings.limits.insert(Provider::Ollama, limits);
        settings.prices =
            PriceTable::parse(r#"{"models": [{"name": "ollama/qwen3", "input": 1, "output": 2}]}"#).unwrap();
        settings.trace_content = true;
        let model = chat_settings(&settings, "ollama/qwen3", &Budget::default()).unwrap();
        assert_eq!(
            (model.provider.rate, model.provider.breaker, model.provider.timeout),
            (rate, breaker, timeout)
        );
        assert_eq!((model.concurrency, model.retries, model.trace_content), (3, 0, true));
        assert_eq!(model.provider.address.as_deref(), Some("http://gpu:11434"));
        assert_eq!(
            (model.provider.context, model.provider.effort),
            (Some(32_768), Some(ReasoningEffort::Low))
        );
        assert_eq!(model.price.map(|price| price.output), Some(2.0));
        assert!(model.cache.is_some(), "in memory");

        settings.credentials.insert("OPENAI_API_KEY".to_owned(), Secret::from("k".to_owned()));
        settings.cache = None;
        let other = chat_settings(&settings, "openai/gpt-4o-mini", &Budget::default()).unwrap();
        assert_eq!((other.provider.rate, other.concurrency), (RateLimits::default(), 8));
        assert!(other.price.is_none() && other.cache.is_none());
    }

    #[test]
    fn the_budget_holds_for_the_embedder_too() {
        let mut settings = Settings::at("unused");
        settings.embedder = "ollama/nomic-embed-text".to_owned();
        settings.budget = Some(1.0);
        let error = Models::connect(&settings).unwrap_err().to_string();
        assert!(error.contains("the price of ollama/nomic-embed-text is not known"), "{error}");
    }

    #[test]
    fn an_embedder_that_is_not_there_says_what_there_is() {
        for (name, hint) in [
            ("minilm", "name builtin"),
            ("./models/minilm", "name builtin"),
            ("sentence-transformers/minilm", "pull sentence-transformers/minilm"),
        ] {
            let mut settings = Settings::at("unused");
            settings.embedder = name.to_owned();
            let error = embedder(&settings, Budget::default()).map(|_| ()).unwrap_err();
            assert!(error.to_string().starts_with(&format!("there is no embedder {name:?}")), "{error}");
            assert!(error.hint().unwrap().contains(hint), "{:?}", error.hint());
        }
    }

    #[test]
    fn a_model_is_found_by_its_path_and_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join(ORGANISATION).join("minilm");
        std::fs::create_dir_all(&model).unwrap();
        let mut settings = Settings::at("unused");
        settings.models = Some(folder.path().to_owned());
        for name in [model.to_str().unwrap(), "sentence-transformers/minilm", "minilm"] {
            assert_eq!(model_folder(&settings, name, ORGANISATION).unwrap(), model);
        }
    }

    #[test]
    fn keys_never_print() {
        let settings = settings("openai/gpt-4o-mini", &[("OPENAI_API_KEY", "sk-very-secret")]);
        assert!(!format!("{settings:?}").contains("very"));
    }

    #[test]
    fn ollama_is_reached_by_its_host() {
        assert_eq!(ollama(Some("box:11434".to_owned())).unwrap(), "http://box:11434/");
        assert_eq!(ollama(Some("https://box/".to_owned())).unwrap(), "https://box/");
    }
}
