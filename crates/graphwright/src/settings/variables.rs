//! Settings from environment variables.

use std::{collections::BTreeMap, ffi::OsString, path::PathBuf};

use graphwright_llm::Provider;

use crate::{Neo4jSettings, Secret, StoreSettings};

/// The usual environment variables of model providers.
const CREDENTIALS: &[&str] = &[
    "ANTHROPIC_API_KEY",
    "AZURE_OPENAI_AD_TOKEN",
    "AZURE_OPENAI_API_KEY",
    "AZURE_OPENAI_API_VERSION",
    "AZURE_OPENAI_ENDPOINT",
    "ANTHROPIC_BASE_URL",
    "AWS_BEARER_TOKEN_BEDROCK",
    "AWS_REGION",
    "COHERE_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "GOOGLE_CLOUD_LOCATION",
    "GOOGLE_CLOUD_PROJECT",
    "GOOGLE_OAUTH_ACCESS_TOKEN",
    "JINA_API_KEY",
    "OLLAMA_HOST",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "VOYAGE_API_KEY",
];

impl StoreSettings {
    /// Reads a store: a folder, or an address if the text has a scheme. The variables `NEO4J_…` say
    /// which user opens a server.
    pub fn from_variables(store: impl Into<String>, variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let store = store.into();
        if !store.contains("://") {
            return Self::Folder(PathBuf::from(store));
        }
        let text = |name: &str| text(&variable, name);
        let password = text("NEO4J_PASSWORD").map(Secret::from);
        let default_user = || password.is_some().then(|| "neo4j".to_owned());
        Self::Neo4j(Neo4jSettings {
            address: store,
            user: text("NEO4J_USERNAME").or_else(default_user),
            password,
            token: text("NEO4J_BEARER_TOKEN").map(Secret::from),
            database: text("NEO4J_DATABASE"),
            data: data_folder(&variable).unwrap_or_else(|| PathBuf::from(".graphwright")),
        })
    }
}

/// Reads a variable of this process's environment.
pub(super) fn of_process(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// Reads a variable. One that is empty or no Unicode counts as not set.
pub(super) fn text(variable: impl Fn(&str) -> Option<OsString>, name: &str) -> Option<String> {
    variable(name)?.into_string().ok().filter(|value| !value.is_empty())
}

/// Collects the keys and addresses of providers.
pub(super) fn credentials(variable: impl Fn(&str) -> Option<OsString>) -> BTreeMap<String, Secret> {
    let known = CREDENTIALS.iter().filter_map(|name| Some(((*name).to_owned(), text(&variable, name)?)));
    known.map(|(name, value)| (name, value.into())).collect()
}

/// Finds the folder of pulled models, for settings that name none.
pub(super) fn models_folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    Some(data_folder(variable)?.join("models"))
}

/// Finds the folder for what this program can make again.
pub(super) fn cache_folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = folder("XDG_CACHE_HOME")
        .or_else(|| folder("LOCALAPPDATA"))
        .or_else(|| Some(folder("HOME")?.join(".cache")))?;
    Some(cache.join("graphwright"))
}

/// Finds the folder for the person's own settings of this program.
pub(super) fn settings_folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let settings = folder("XDG_CONFIG_HOME")
        .or_else(|| folder("APPDATA"))
        .or_else(|| Some(folder("HOME")?.join(".config")))?;
    Some(settings.join("graphwright"))
}

/// Returns the variables that hold the key of a provider, and the one that names its address.
pub(super) const fn key_and_address(provider: Provider) -> (&'static [&'static str], Option<&'static str>) {
    match provider {
        Provider::OpenAi | Provider::OpenAiResponses | Provider::OpenAiCompatible => {
            (&["OPENAI_API_KEY"], Some("OPENAI_BASE_URL"))
        }
        Provider::Azure => {
            (&["AZURE_OPENAI_API_KEY", "AZURE_OPENAI_AD_TOKEN"], Some("AZURE_OPENAI_ENDPOINT"))
        }
        Provider::Anthropic => (&["ANTHROPIC_API_KEY"], Some("ANTHROPIC_BASE_URL")),
        Provider::Gemini => (&["GEMINI_API_KEY", "GOOGLE_API_KEY"], None),
        Provider::Bedrock => (&["AWS_BEARER_TOKEN_BEDROCK"], None),
        Provider::Vertex => (&["GOOGLE_OAUTH_ACCESS_TOKEN"], None),
        Provider::Cohere => (&["COHERE_API_KEY"], None),
        Provider::Jina => (&["JINA_API_KEY"], None),
        Provider::Voyage => (&["VOYAGE_API_KEY"], None),
        _ => (&[], None),
    }
}

/// Finds the folder for this program's data.
pub(super) fn data_folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = folder("XDG_DATA_HOME")
        .or_else(|| folder("LOCALAPPDATA"))
        .or_else(|| Some(folder("HOME")?.join(".local/share")))?;
    Some(data.join("graphwright"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{Result, Settings};

    fn read(variables: &[(&str, &str)]) -> Result<Settings> {
        Settings::from_variables(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
        })
    }

    #[test]
    fn without_variables_the_defaults_hold() {
        let settings = read(&[("GRAPHWRIGHT_MODEL", ""), ("GRAPHWRIGHT_OTHER", "1")]).unwrap();
        assert!(
            matches!(&settings.store, StoreSettings::Folder(folder) if folder == Path::new(".graphwright"))
        );
        assert_eq!((settings.model, settings.embedder.as_str(), settings.budget), (None, "builtin", None));
        assert!(settings.routes && !settings.trace_content && settings.cache.is_some());
        assert!(settings.credentials.is_empty() && settings.models.is_none());
    }

    #[test]
    fn variables_name_the_models_and_their_keys() {
        let settings = read(&[
            ("GRAPHWRIGHT_STORE", "graph"),
            ("GRAPHWRIGHT_RERANKER", "judge"),
            ("NEO4J_URI", "bolt://localhost"),
            ("GRAPHWRIGHT_MODEL", "openai/gpt-4o-mini"),
            ("GRAPHWRIGHT_BUDGET", "2"),
            ("GRAPHWRIGHT_CACHE", "off"),
            ("GRAPHWRIGHT_ROUTES", "false"),
            ("GRAPHWRIGHT_LEARN", "all"),
            ("OPENAI_API_KEY", "k"),
            ("HOME", "/home/ada"),
        ])
        .unwrap();
        assert!(matches!(&settings.store, StoreSettings::Folder(folder) if folder == Path::new("graph")));
        assert_eq!(settings.model.as_deref(), Some("openai/gpt-4o-mini"));
        assert_eq!(settings.reranker.as_deref(), Some("judge"));
        assert_eq!((settings.budget, settings.routes), (Some(2.0), false));
        assert_eq!(settings.learn, graphwright_text2cypher::Learning::All);
        assert!(settings.cache.is_none());
        assert_eq!(settings.credentials["OPENAI_API_KEY"].expose(), "k");
        assert_eq!(settings.models.as_deref(), Some(Path::new("/home/ada/.local/share/graphwright/models")));
    }

    #[test]
    fn who_opens_a_server_comes_from_its_variables() {
        let variables =
            [("NEO4J_URI", "bolt://localhost"), ("NEO4J_PASSWORD", "p"), ("NEO4J_DATABASE", "films")];
        let StoreSettings::Neo4j(server) = read(&variables).unwrap().store else { panic!("a server") };
        assert_eq!((server.user.as_deref(), server.database.as_deref()), (Some("neo4j"), Some("films")));
        assert_eq!(server.password.unwrap().expose(), "p");
        assert_eq!(server.data, Path::new(".graphwright"));
    }

    #[test]
    fn a_value_that_cannot_be_is_named() {
        let error = read(&[("GRAPHWRIGHT_CACHE_DAYS", "0")]).unwrap_err();
        assert_eq!(error.to_string(), "the environment: `cache_days` cannot be \"0\"");
        assert!(error.hint().unwrap().contains("docs/settings.md"));
    }
}
