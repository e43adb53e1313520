//! What opening a graph needs to know.

use std::{collections::BTreeMap, fmt, path::PathBuf, time::Duration};

use graphwright_llm::{CacheSettings, CircuitBreaker, PriceTable, Provider, RateLimits};
use secrecy::{ExposeSecret, SecretString};

/// A key or token; prints as `***`.
#[derive(Clone)]
pub struct Secret(SecretString);

impl Secret {
    /// The text itself, to send it.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("***")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("***")
    }
}

/// Where a graph is.
#[derive(Clone, Debug)]
pub enum StoreSettings {
    /// In a folder of this machine: the embedded store.
    Folder(PathBuf),
    /// On a Neo4j server.
    Neo4j(Neo4jSettings),
}

impl fmt::Display for StoreSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => folder.display().fmt(formatter),
            Self::Neo4j(settings) => {
                // What stands before an @ may be a password.
                match settings.address.rsplit_once('@') {
                    Some((_, host)) => write!(formatter, "***@{host}")?,
                    None => formatter.write_str(&settings.address)?,
                }
                settings.database.as_ref().map_or(Ok(()), |database| write!(formatter, " ({database})"))
            }
        }
    }
}

/// A graph on a Neo4j server, and who opens it.
#[derive(Clone, Debug)]
pub struct Neo4jSettings {
    /// `bolt://host:port`, or `neo4j://` for a cluster, with `+s` or `+ssc` to encrypt.
    pub address: String,
    /// The user; nobody without one.
    pub user: Option<String>,
    /// The user's password.
    pub password: Option<Secret>,
    /// A token of single sign-on, in place of user and password.
    pub token: Option<Secret>,
    /// The database; the user's home database without one.
    pub database: Option<String>,
    /// The folder of this machine below which the search index of the graph is kept, and the routes beside it.
    pub data: PathBuf,
}

/// Limits of the calls to one provider; what is absent has the default of [`llm`](crate::llm).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProviderLimits {
    /// Requests and tokens a minute.
    pub rate: RateLimits,
    /// Calls of one model at the same time.
    pub concurrency: Option<usize>,
    /// How often a call is tried again when the provider is busy or away.
    pub retries: Option<usize>,
    /// How long the provider may be silent.
    pub timeout: Option<Duration>,
    /// When calls to an address that fails stop for a while.
    pub breaker: CircuitBreaker,
}

/// Where the graph is and what works on it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the graph is.
    pub store: StoreSettings,
    /// `provider/model`; without one the graph alone answers.
    pub model: Option<String>,
    /// `builtin`, a sentence-transformers folder (by its path, or by its name below `models`), or `provider/model`.
    pub embedder: String,
    /// The folder below which sentence-transformers models are looked for by name.
    pub models: Option<PathBuf>,
    /// The most US dollars that this graph handle may spend on models.
    pub budget: Option<f64>,
    /// Prices of models, over those of the built-in table.
    pub prices: PriceTable,
    /// Limits of calls to single providers.
    pub limits: BTreeMap<Provider, ProviderLimits>,
    /// Where replies of the chat model are remembered; none: nowhere. Results of queries and tools are remembered in memory, so many bytes of them
    /// again, for as long as the store holds the same.
    pub cache: Option<CacheSettings>,
    /// Whether it is recorded what agents do for their answers, in a [`RouteBook`](crate::RouteBook) on this machine.
    pub routes: bool,
    /// Whether traces and the log carry what is said to models and by them.
    pub trace_content: bool,
    /// Keys and addresses of providers, by the names of their usual environment variables.
    pub credentials: BTreeMap<String, Secret>,
}

impl Settings {
    /// The defaults for a graph in this folder: no model, the built-in embedder, replies remembered in memory, routes recorded.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self::of(StoreSettings::Folder(folder.into()))
    }

    /// The defaults for a graph: no model, the built-in embedder, replies remembered in memory, routes recorded.
    pub fn of(store: StoreSettings) -> Self {
        Self {
            store,
            model: None,
            embedder: "builtin".to_owned(),
            models: None,
            budget: None,
            prices: PriceTable::default(),
            limits: BTreeMap::new(),
            cache: Some(CacheSettings::default()),
            routes: true,
            trace_content: false,
            credentials: BTreeMap::new(),
        }
    }
}

/// The usual environment variables of providers, the only ones that [`Settings::credentials`] reads.
const CREDENTIAL_VARIABLES: &[&str] = &[
    "ANTHROPIC_API_KEY",
    "AZURE_OPENAI_AD_TOKEN",
    "AZURE_OPENAI_API_KEY",
    "AZURE_OPENAI_API_VERSION",
    "AZURE_OPENAI_ENDPOINT",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "OLLAMA_HOST",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
];

/// Whether a variable holds a key or address of a provider.
pub fn is_credential_variable(name: &str) -> bool {
    CREDENTIAL_VARIABLES.contains(&name)
}
