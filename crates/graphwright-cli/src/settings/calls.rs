//! Reads the settings for model calls: limits of providers, cache of replies, prices.

use std::{
    collections::BTreeMap,
    num::{NonZeroU32, NonZeroU64, NonZeroUsize},
    path::Path,
    time::Duration,
};

use anyhow::Result;
use graphwright::{
    ProviderLimits,
    llm::{CacheSettings, CircuitBreaker, PriceTable, Provider, RateLimits},
};
use serde::{Deserialize, Serialize};

use crate::failure::UsageError;

/// A table `[providers.NAME]`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Limits {
    requests_per_minute: Option<NonZeroU32>,
    tokens_per_minute: Option<NonZeroU32>,
    calls_at_once: Option<NonZeroUsize>,
    retries: Option<usize>,
    timeout_seconds: Option<NonZeroU64>,
    breaker_failures: Option<u32>,
    breaker_seconds: Option<NonZeroU64>,
}

impl From<Limits> for ProviderLimits {
    fn from(written: Limits) -> Self {
        let seconds = |number: NonZeroU64| Duration::from_secs(number.get());
        let Limits { requests_per_minute, tokens_per_minute, .. } = written;
        let default = CircuitBreaker::default();
        Self {
            rate: RateLimits { requests_per_minute, tokens_per_minute },
            concurrency: written.calls_at_once.map(NonZeroUsize::get),
            retries: written.retries,
            timeout: written.timeout_seconds.map(seconds),
            breaker: CircuitBreaker {
                failures: written.breaker_failures.unwrap_or(default.failures),
                pause: written.breaker_seconds.map_or(default.pause, seconds),
            },
        }
    }
}

/// Converts the tables, by the providers that they name.
pub(super) fn limits(tables: BTreeMap<String, Limits>) -> Result<BTreeMap<Provider, ProviderLimits>> {
    let provider = |name: &str| {
        name.parse::<Provider>().map_err(|error| {
            let hint = "write [providers.openai], as in docs/settings.md";
            UsageError::new(format!("[providers.{name}]: {error}"), hint)
        })
    };
    tables.into_iter().map(|(name, limits)| Ok((provider(&name)?, limits.into()))).collect()
}

/// Converts `memory`, `off` or a folder, with the limits of the cache.
pub(super) fn cache(
    place: &Path,
    megabytes: Option<NonZeroU64>,
    days: Option<NonZeroU32>,
) -> Option<CacheSettings> {
    let folder = match place.to_str() {
        Some("off") => return None,
        Some("memory") => None,
        _ => Some(place.to_owned()),
    };
    let mut cache = CacheSettings::default();
    if let Some(megabytes) = megabytes {
        let limit = if folder.is_some() { &mut cache.folder_bytes } else { &mut cache.memory_bytes };
        *limit = megabytes.get().saturating_mul(1_000_000);
    }
    if let Some(days) = days {
        cache.max_age = Duration::from_hours(24 * u64::from(days.get()));
    }
    Some(CacheSettings { folder, ..cache })
}

pub(super) fn read_prices(path: &Path) -> Result<PriceTable> {
    let hint = "a file of prices is {\"models\": [{\"name\": \"ollama/qwen3\", \"input\": 0, \"output\": 0}]}, in US \
                dollars for a million tokens";
    let failed = |error: String| UsageError::new(format!("prices, {}: {error}", path.display()), hint);
    let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    Ok(PriceTable::parse(&text).map_err(|error| failed(error.to_string()))?)
}
