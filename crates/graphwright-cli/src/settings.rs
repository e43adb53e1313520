//! Reads the settings: flags over environment (`GRAPHWRIGHT_STORE` over `NEO4J_URI`) over
//! `graphwright.toml` over defaults.

mod calls;

use std::{
    collections::BTreeMap,
    num::{NonZeroU32, NonZeroU64},
    path::PathBuf,
};

use anyhow::Result;
use figment::{
    Figment, Source,
    error::Kind,
    providers::{Env, Format, Serialized, Toml},
    value::UncasedStr,
};
use graphwright::{Neo4jSettings, Secret, Settings, StoreSettings};
use serde::{Deserialize, Serialize};

use crate::{arguments::Global, failure::UsageError};

const FILE: &str = "graphwright.toml";
/// Settings that `GRAPHWRIGHT_…` may set. Other variables with that prefix belong to tests and
/// tools.
const KEYS: &[&str] = &[
    "store",
    "model",
    "embedder",
    "models",
    "budget",
    "cache",
    "cache_megabytes",
    "cache_days",
    "prices",
    "routes",
    "trace_content",
];

/// Reads the settings from all sources and checks them.
pub(crate) fn read(global: &Global) -> Result<Settings> {
    let file = match &global.config {
        Some(path) if !path.is_file() => {
            let message = format!("cannot read {}", path.display());
            return Err(UsageError::new(message, "name an existing file with --config").into());
        }
        Some(path) => path.clone(),
        None => PathBuf::from(FILE),
    };
    let uri = variable("NEO4J_URI");
    let written: Written = Figment::from(Serialized::defaults(Written::default()))
        .merge(Toml::file(file))
        // `NEO4J_URI` comes before the other variables, so that `GRAPHWRIGHT_STORE` overrides it.
        .merge(Serialized::defaults(Flags { store: uri.as_deref(), ..Flags::default() }))
        .merge(Env::prefixed("GRAPHWRIGHT_").only(KEYS).filter(is_set))
        .merge(Serialized::defaults(Flags::from(global)))
        .extract()
        .map_err(|error| unusable(&error))?;
    let mut settings = Settings::of(store_of(written.store));
    settings.model = written.model.filter(|model| !model.is_empty());
    settings.embedder = written.embedder;
    settings.models = written.models.or_else(models_folder);
    settings.budget = written.budget;
    settings.cache = calls::cache(&written.cache, written.cache_megabytes, written.cache_days);
    if let Some(path) = &written.prices {
        settings.prices = calls::read_prices(path)?;
    }
    settings.limits = calls::limits(written.providers)?;
    settings.routes = written.routes;
    settings.trace_content = written.trace_content;
    settings.credentials = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, Secret::from(value.into_string().ok()?))))
        .filter(|(name, _)| graphwright::is_credential_variable(name))
        .collect();
    Ok(settings)
}

/// Converts the first error of figment.
fn unusable(error: &figment::Error) -> UsageError {
    let place = error.metadata.as_ref().map(|metadata| match &metadata.source {
        Some(Source::File(path)) => path.display().to_string(),
        _ => "the environment".to_owned(),
    });
    let place = place.unwrap_or_else(|| "the settings".to_owned());
    let key = error.path.last().map(|key| key.to_lowercase()).unwrap_or_default();
    let message = match &error.kind {
        Kind::UnknownField(name, _) => format!("{place}: there is no setting `{name}`"),
        Kind::InvalidType(found, _) | Kind::InvalidValue(found, _) => {
            format!("{place}: `{key}` cannot be {found}")
        }
        other => format!("{place}: {other}"),
    };
    let hint = match (&error.kind, error.path.first().map(String::as_str)) {
        (Kind::UnknownField(_, known), Some("providers")) => known.join(", "),
        _ => format!("{}, [providers.NAME]", KEYS.join(", ")),
    };
    let hint = format!("the settings are {hint}; docs/settings.md says what they mean");
    UsageError::new(message.trim_end(), hint)
}

/// Returns the folder for pulled models, used unless the settings name one.
fn models_folder() -> Option<PathBuf> {
    Some(data_folder()?.join("models"))
}

/// Returns the folder for the data of this program.
fn data_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = folder("XDG_DATA_HOME")
        .or_else(|| folder("LOCALAPPDATA"))
        .or_else(|| Some(folder("HOME")?.join(".local/share")))?;
    Some(data.join("graphwright"))
}

/// Parses a store: a folder, or an address with a scheme, which the `NEO4J_…` variables complete.
pub(crate) fn store_of(store: String) -> StoreSettings {
    if !store.contains("://") {
        return StoreSettings::Folder(PathBuf::from(store));
    }
    let password = variable("NEO4J_PASSWORD").map(Secret::from);
    let default_user = || password.is_some().then(|| "neo4j".to_owned());
    StoreSettings::Neo4j(Neo4jSettings {
        address: store,
        user: variable("NEO4J_USERNAME").or_else(default_user),
        password,
        token: variable("NEO4J_BEARER_TOKEN").map(Secret::from),
        database: variable("NEO4J_DATABASE"),
        data: data_folder().unwrap_or_else(|| PathBuf::from(".graphwright")),
    })
}

/// Returns whether `GRAPHWRIGHT_…` is not empty, for a key as figment writes it.
fn is_set(key: &UncasedStr) -> bool {
    variable(&format!("GRAPHWRIGHT_{}", key.as_str().to_uppercase())).is_some()
}

/// Returns an environment variable, or `None` if it is unset or empty.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Content of the settings file and the environment.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    store: String,
    model: Option<String>,
    embedder: String,
    models: Option<PathBuf>,
    budget: Option<f64>,
    cache: PathBuf,
    cache_megabytes: Option<NonZeroU64>,
    cache_days: Option<NonZeroU32>,
    prices: Option<PathBuf>,
    routes: bool,
    trace_content: bool,
    providers: BTreeMap<String, calls::Limits>,
}

impl Default for Written {
    fn default() -> Self {
        Self {
            store: ".graphwright".to_owned(),
            model: None,
            embedder: "builtin".to_owned(),
            models: None,
            budget: None,
            cache: PathBuf::from("memory"),
            cache_megabytes: None,
            cache_days: None,
            prices: None,
            routes: true,
            trace_content: false,
            providers: BTreeMap::new(),
        }
    }
}

/// Settings from flags. Absent ones do not override anything.
#[derive(Debug, Default, Serialize)]
struct Flags<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    embedder: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache: Option<&'a str>,
}

impl<'a> From<&'a Global> for Flags<'a> {
    fn from(global: &'a Global) -> Self {
        Self {
            store: global.store.as_deref(),
            model: global.model.as_deref(),
            embedder: global.embedder.as_deref(),
            cache: global.cache.as_deref(),
        }
    }
}
