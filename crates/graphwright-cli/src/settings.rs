//! Settings: flags over environment over `graphwright.toml` over defaults.

use std::path::PathBuf;

use anyhow::Result;
use figment::{
    Figment,
    providers::{Env, Format, Serialized, Toml},
};
use graphwright::{Secret, Settings};
use serde::{Deserialize, Serialize};

use crate::{arguments::Global, failure::UsageError};

const FILE: &str = "graphwright.toml";
/// What `GRAPHWRIGHT_…` may set; other variables of that prefix belong to tests and tools.
const KEYS: &[&str] = &["store", "model", "embedder", "budget"];

/// Reads all sources and checks them once.
pub(crate) fn read(global: &Global) -> Result<Settings> {
    let file = match &global.config {
        Some(path) if !path.is_file() => {
            let message = format!("cannot read {}", path.display());
            return Err(UsageError::new(message, "name an existing file with --config").into());
        }
        Some(path) => path.clone(),
        None => PathBuf::from(FILE),
    };
    let written: Written = Figment::from(Serialized::defaults(Written::default()))
        .merge(Toml::file(file))
        .merge(Env::prefixed("GRAPHWRIGHT_").only(KEYS))
        .merge(Serialized::defaults(Flags::from(global)))
        .extract()
        .map_err(|error| UsageError::new(error.to_string(), "docs/settings.md lists all settings"))?;
    let mut settings = Settings::at(store_folder(written.store)?);
    settings.model = written.model.filter(|model| !model.is_empty());
    settings.embedder = written.embedder;
    settings.budget = written.budget;
    settings.credentials = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, Secret::from(value.into_string().ok()?))))
        .filter(|(name, _)| graphwright::is_credential_variable(name))
        .collect();
    Ok(settings)
}

fn store_folder(store: String) -> Result<PathBuf> {
    if let Some((scheme, _)) = store.split_once("://") {
        let message = format!("a store at a {scheme} address is not supported by this version");
        return Err(UsageError::new(message, "use a folder, as --store .graphwright").into());
    }
    Ok(PathBuf::from(store))
}

/// What the file and the environment may say.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    store: String,
    model: Option<String>,
    embedder: String,
    budget: Option<f64>,
}

impl Default for Written {
    fn default() -> Self {
        Self { store: ".graphwright".to_owned(), model: None, embedder: "builtin".to_owned(), budget: None }
    }
}

/// What flags say; what is absent leaves the rest in force.
#[derive(Debug, Serialize)]
struct Flags<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    embedder: Option<&'a str>,
}

impl<'a> From<&'a Global> for Flags<'a> {
    fn from(global: &'a Global) -> Self {
        Self {
            store: global.store.as_deref(),
            model: global.model.as_deref(),
            embedder: global.embedder.as_deref(),
        }
    }
}
