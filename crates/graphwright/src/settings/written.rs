//! Settings as files and variables write them, not yet checked.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs::File,
    num::{NonZeroU32, NonZeroU64, NonZeroUsize},
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use graphwright_answer::EvidenceOptions;
use graphwright_core::text::read_at_most;
use graphwright_llm::{CacheSettings, CircuitBreaker, PriceTable, Provider, RateLimits, ReasoningEffort};
use graphwright_text2cypher::Learning;
use serde::{Deserialize, Serialize};

use super::variables;
use crate::{
    Error, ProviderLimits, Result, Settings, StoreSettings,
    settings::{DEFAULT_STORE, SearchPlace},
};

/// A line for each model of all providers takes less than a megabyte.
const MOST_PRICES: u64 = 10_000_000;

/// Settings as files and variables write them.
///
/// Deserialize them with serde from any format; [`settings`](Self::settings) turns them into what
/// [`Graph::open`](crate::Graph::open) takes.
///
/// ```
/// use graphwright::WrittenSettings;
///
/// let written: WrittenSettings = serde_json::from_str(r#"{"store": "graph", "model": "ollama/qwen3"}"#)?;
/// let settings = written.settings(|variable| std::env::var_os(variable))?;
/// assert_eq!(settings.model.as_deref(), Some("ollama/qwen3"));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WrittenSettings {
    store: String,
    model: Option<String>,
    judge: Option<String>,
    embedder: String,
    reranker: Option<String>,
    models: Option<PathBuf>,
    search_index: SearchPlace,
    budget: Option<f64>,
    cache: PathBuf,
    cache_megabytes: Option<NonZeroU64>,
    cache_days: Option<NonZeroU32>,
    prices: Option<PathBuf>,
    routes: bool,
    learn: Learning,
    trace_content: bool,
    worker: Option<PathBuf>,
    query_megabytes: Option<NonZeroU64>,
    document_megabytes: Option<NonZeroU64>,
    worker_megabytes: Option<NonZeroU64>,
    evidence: WrittenEvidence,
    providers: BTreeMap<String, WrittenLimits>,
}

impl Default for WrittenSettings {
    fn default() -> Self {
        Self {
            store: DEFAULT_STORE.to_owned(),
            model: None,
            judge: None,
            embedder: "builtin".to_owned(),
            reranker: None,
            models: None,
            search_index: SearchPlace::default(),
            budget: None,
            cache: PathBuf::from("memory"),
            cache_megabytes: None,
            cache_days: None,
            prices: None,
            routes: true,
            learn: Learning::default(),
            trace_content: false,
            worker: None,
            query_megabytes: None,
            document_megabytes: None,
            worker_megabytes: None,
            evidence: WrittenEvidence::default(),
            providers: BTreeMap::new(),
        }
    }
}

impl WrittenSettings {
    /// Names of the settings that variables `GRAPHWRIGHT_…` may set. Other variables of that prefix
    /// belong to tests and tools.
    pub const KEYS: &[&str] = &[
        "store",
        "model",
        "judge",
        "embedder",
        "reranker",
        "models",
        "search_index",
        "budget",
        "cache",
        "cache_megabytes",
        "cache_days",
        "prices",
        "routes",
        "learn",
        "trace_content",
        "worker",
        "query_megabytes",
        "document_megabytes",
        "worker_megabytes",
    ];

    /// Names the page of the documentation that lists the settings, as a hint for errors.
    pub fn hint() -> String {
        let keys = Self::KEYS.join(", ");
        format!("the settings are {keys}, [evidence], [providers.NAME]; docs/settings.md says what they mean")
    }

    /// Finds the folder for the person's own settings of this program, as `~/.config/graphwright`.
    pub fn settings_folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
        variables::settings_folder(variable)
    }

    /// Finds the folder for the data of this program, as `~/.local/share/graphwright`.
    pub fn data_folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
        variables::data_folder(variable)
    }

    /// Reads the variables `GRAPHWRIGHT_…` over the defaults. `NEO4J_URI` counts where no store is
    /// named.
    pub(super) fn from_variables(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self> {
        let text = |key: &str| variables::text(&variable, &format!("GRAPHWRIGHT_{}", key.to_uppercase()));
        let path = |key: &str| text(key).map(PathBuf::from);
        let usual = Self::default();
        Ok(Self {
            store: text("store").or_else(|| variables::text(&variable, "NEO4J_URI")).unwrap_or(usual.store),
            model: text("model"),
            judge: text("judge"),
            embedder: text("embedder").unwrap_or(usual.embedder),
            reranker: text("reranker"),
            models: path("models"),
            search_index: parse("search_index", text("search_index"))?.unwrap_or(usual.search_index),
            budget: parse("budget", text("budget"))?,
            cache: path("cache").unwrap_or(usual.cache),
            cache_megabytes: parse("cache_megabytes", text("cache_megabytes"))?,
            cache_days: parse("cache_days", text("cache_days"))?,
            prices: path("prices"),
            routes: parse("routes", text("routes"))?.unwrap_or(usual.routes),
            learn: parse("learn", text("learn"))?.unwrap_or(usual.learn),
            trace_content: parse("trace_content", text("trace_content"))?.unwrap_or(usual.trace_content),
            worker: path("worker"),
            query_megabytes: parse("query_megabytes", text("query_megabytes"))?,
            document_megabytes: parse("document_megabytes", text("document_megabytes"))?,
            worker_megabytes: parse("worker_megabytes", text("worker_megabytes"))?,
            evidence: usual.evidence,
            providers: usual.providers,
        })
    }

    /// Turns what is written into settings.
    ///
    /// From `variable` come only the user of a server, the keys of providers, and the folder for
    /// the data of programs.
    ///
    /// # Errors
    /// Fails with [`Error::Settings`] if a provider is not known or the file of prices cannot be
    /// read.
    pub fn settings(self, variable: impl Fn(&str) -> Option<OsString>) -> Result<Settings> {
        let mut settings = Settings::new(StoreSettings::from_variables(self.store, &variable));
        settings.model = self.model.filter(|model| !model.is_empty());
        settings.judge = self.judge.filter(|model| !model.is_empty());
        settings.embedder = self.embedder;
        settings.reranker = self.reranker.filter(|name| !name.is_empty());
        settings.models = self.models.or_else(|| variables::models_folder(&variable));
        settings.search_index = self.search_index;
        settings.budget = self.budget;
        settings.cache = cache(&self.cache, self.cache_megabytes, self.cache_days);
        let replies = settings.cache.as_ref().and_then(|cache| cache.folder.clone());
        let folder = replies.or_else(|| variables::cache_folder(&variable));
        settings.refusals = folder.map(|folder| folder.join("refusals.json"));
        if let Some(path) = &self.prices {
            settings.prices = read_prices(path)?;
        }
        settings.limits = limits(self.providers)?;
        settings.evidence = self.evidence.options()?;
        settings.routes = self.routes;
        settings.learn = self.learn;
        settings.trace_content = self.trace_content;
        settings.workers.program = self.worker;
        let memory = &mut settings.workers;
        for (limit, megabytes) in [
            (&mut memory.query_memory, self.query_megabytes),
            (&mut memory.document_memory, self.document_megabytes),
            (&mut memory.total_memory, self.worker_megabytes),
        ] {
            *limit = megabytes.map_or(*limit, |megabytes| megabytes.get().saturating_mul(1_000_000));
        }
        settings.credentials = variables::credentials(&variable);
        Ok(settings)
    }
}

/// Parses the text of a variable, if it is set.
fn parse<T: FromStr>(key: &str, text: Option<String>) -> Result<Option<T>> {
    let Some(text) = text else { return Ok(None) };
    text.parse().map(Some).map_err(|_| Error::Settings {
        message: format!("the environment: `{key}` cannot be {text:?}"),
        hint: WrittenSettings::hint(),
    })
}

/// The table `[evidence]`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenEvidence {
    k: Option<NonZeroUsize>,
    depth: Option<NonZeroUsize>,
    minimum: Option<f64>,
    tokens: Option<NonZeroU64>,
}

impl WrittenEvidence {
    fn options(self) -> Result<EvidenceOptions> {
        let usual = EvidenceOptions::default();
        let minimum = self.minimum.unwrap_or(usual.minimum);
        if !(0.0..=1.0).contains(&minimum) {
            return Err(Error::Settings {
                message: format!("[evidence]: `minimum` cannot be {minimum}"),
                hint: "it is a product of weights, from 0 to 1".to_owned(),
            });
        }
        let k = self.k.map_or(usual.k, NonZeroUsize::get);
        let depth = self.depth.map_or(usual.depth, NonZeroUsize::get);
        let tokens = self.tokens.map_or(usual.tokens, NonZeroU64::get);
        Ok(usual.k(k).depth(depth).minimum(minimum).tokens(tokens))
    }
}

/// A table `[providers.NAME]`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLimits {
    requests_per_minute: Option<NonZeroU32>,
    tokens_per_minute: Option<NonZeroU32>,
    concurrency: Option<NonZeroUsize>,
    retries: Option<usize>,
    timeout_seconds: Option<NonZeroU64>,
    breaker_failures: Option<u32>,
    breaker_seconds: Option<NonZeroU64>,
    base_url: Option<String>,
    effort: Option<ReasoningEffort>,
    temperature: Option<f64>,
    max_output_tokens: Option<NonZeroU32>,
    context: Option<NonZeroU32>,
}

impl From<WrittenLimits> for ProviderLimits {
    fn from(written: WrittenLimits) -> Self {
        let seconds = |number: NonZeroU64| Duration::from_secs(number.get());
        let WrittenLimits { requests_per_minute, tokens_per_minute, .. } = written;
        let default = CircuitBreaker::default();
        Self {
            rate: RateLimits { requests_per_minute, tokens_per_minute },
            concurrency: written.concurrency.map(NonZeroUsize::get),
            retries: written.retries,
            timeout: written.timeout_seconds.map(seconds),
            breaker: CircuitBreaker {
                failures: written.breaker_failures.unwrap_or(default.failures),
                pause: written.breaker_seconds.map_or(default.pause, seconds),
            },
            address: written.base_url,
            effort: written.effort,
            temperature: written.temperature,
            max_output_tokens: written.max_output_tokens.map(NonZeroU32::get),
            context: written.context.map(NonZeroU32::get),
        }
    }
}

/// Reads the provider tables by the providers that they name.
fn limits(tables: BTreeMap<String, WrittenLimits>) -> Result<BTreeMap<Provider, ProviderLimits>> {
    let provider = |name: &str| {
        name.parse::<Provider>().map_err(|error| Error::Settings {
            message: format!("[providers.{name}]: {error}"),
            hint: "write [providers.openai], as in docs/settings.md".to_owned(),
        })
    };
    tables.into_iter().map(|(name, limits)| Ok((provider(&name)?, limits.into()))).collect()
}

/// Reads the place of the cache, with its limits: `memory`, `off` or a folder.
fn cache(place: &Path, megabytes: Option<NonZeroU64>, days: Option<NonZeroU32>) -> Option<CacheSettings> {
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

fn read_prices(path: &Path) -> Result<PriceTable> {
    let hint = "a file of prices is {\"models\": [{\"name\": \"ollama/qwen3\", \"input\": 0, \"output\": 0}]}, in US \
                dollars for a million tokens";
    let failed = |error: String| Error::Settings {
        message: format!("prices, {}: {error}", path.display()),
        hint: hint.to_owned(),
    };
    let read = File::open(path).and_then(|file| read_at_most(file, MOST_PRICES));
    let text = read.map_err(|error| failed(error.to_string()))?;
    PriceTable::parse(&text).map_err(|error| failed(error.to_string()))
}
