//! Reads the settings: flags over environment (`GRAPHWRIGHT_STORE` over `NEO4J_URI`) over
//! `graphwright.toml` over the person's own file over defaults.

mod trust;

use std::{ffi::OsString, path::PathBuf};

use anyhow::Result;
use figment::{
    Figment, Source,
    error::Kind,
    providers::{Env, Format, Serialized, Toml},
    value::UncasedStr,
};
use graphwright::{Error, Settings, StoreSettings, WrittenSettings};
use serde::Serialize;

use self::trust::Risks;
use crate::{arguments::Global, failure::UsageError};

const FILE: &str = "graphwright.toml";

/// Reads the settings from all sources and checks them.
pub(crate) fn read(global: &Global) -> Result<Settings> {
    let found_here = global.config.is_none();
    let file = match &global.config {
        Some(path) if !path.is_file() => {
            let message = format!("cannot read {}", path.display());
            return Err(UsageError::new(message, "name an existing file with --config").into());
        }
        Some(path) => path.clone(),
        None => PathBuf::from(FILE),
    };
    let own = WrittenSettings::settings_folder(variable).map(|folder| folder.join(FILE));
    let own = own.filter(|own| own.is_file());
    let uri = variable("NEO4J_URI").and_then(|uri| uri.into_string().ok());
    let mut figment = Figment::from(Serialized::defaults(WrittenSettings::default()));
    if let Some(own) = &own {
        figment = figment.merge(Toml::file_exact(own));
    }
    let figment = figment
        .merge(Toml::file(file))
        // `NEO4J_URI` comes before the other variables, so that `GRAPHWRIGHT_STORE` overrides it.
        .merge(Serialized::defaults(Flags { store: uri.as_deref(), ..Flags::default() }))
        .merge(Env::prefixed("GRAPHWRIGHT_").only(WrittenSettings::KEYS).filter(is_set))
        .merge(Serialized::defaults(Flags::from(global)));
    let written: WrittenSettings = figment.extract().map_err(|error| unusable(&error))?;
    let mut settings = written.settings(variable).map_err(wrong_usage)?;
    if found_here {
        let folder = WrittenSettings::data_folder(variable);
        Risks::find(&figment, own.as_deref(), &settings)
            .require_trust(global.trust_settings, folder.as_deref())?;
    }
    // Without a path of its own the command cannot start itself, and queries run in this process.
    let workers = &mut settings.workers;
    workers.program = workers.program.take().or_else(|| std::env::current_exe().ok());
    Ok(settings)
}

/// What is wrong with a setting is wrong with how the command was called.
fn wrong_usage(error: Error) -> anyhow::Error {
    match error {
        Error::Settings { message, hint } => UsageError::new(message, hint).into(),
        error => error.into(),
    }
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
        (Kind::UnknownField(_, known), Some("providers")) => {
            format!("the settings are {}; docs/settings.md says what they mean", known.join(", "))
        }
        _ => WrittenSettings::hint(),
    };
    UsageError::new(message.trim_end(), hint)
}

/// A folder, or what stands behind a scheme; `NEO4J_…` say who opens it.
pub(crate) fn store_of(store: String) -> StoreSettings {
    StoreSettings::from_variables(store, variable)
}

/// Returns whether `GRAPHWRIGHT_…` is not empty, for a key as figment writes it.
fn is_set(key: &UncasedStr) -> bool {
    let name = format!("GRAPHWRIGHT_{}", key.as_str().to_uppercase());
    variable(&name).is_some_and(|value| value.to_str().is_some())
}

/// An environment variable that is set to something.
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
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
    reranker: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    search_index: Option<crate::arguments::SearchPlace>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache: Option<&'a str>,
}

impl<'a> From<&'a Global> for Flags<'a> {
    fn from(global: &'a Global) -> Self {
        Self {
            store: global.store.as_deref(),
            model: global.model.as_deref(),
            embedder: global.embedder.as_deref(),
            reranker: global.reranker.as_deref(),
            search_index: global.search_index,
            cache: global.cache.as_deref(),
        }
    }
}
