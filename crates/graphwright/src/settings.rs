//! The settings for opening a graph.

mod variables;
mod written;

use std::{collections::BTreeMap, ffi::OsString, fmt, path::PathBuf, time::Duration};

use graphwright_answer::EvidenceOptions;
use graphwright_core::text::public_address;
use graphwright_llm::{CacheSettings, CircuitBreaker, PriceTable, Provider, RateLimits, ReasoningEffort};
use graphwright_text2cypher::Learning;
use secrecy::{ExposeSecret, SecretString};

pub use self::written::WrittenSettings;
use crate::{
    Result, WorkerSettings,
    address::{is_of_provider, is_this_machine},
};

/// The folder of a graph when no other is named.
pub(crate) const DEFAULT_STORE: &str = ".graphwright";

/// A key or token. Prints as `***`.
#[derive(Clone)]
pub struct Secret(SecretString);

impl Secret {
    /// Returns the text itself, to send it.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
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
    /// In a folder of this machine, as an embedded store.
    Folder(PathBuf),
    /// On a Neo4j server.
    Neo4j(Neo4jSettings),
}

impl fmt::Display for StoreSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => formatter.write_str(&public_address(&folder.to_string_lossy())),
            Self::Neo4j(settings) => {
                formatter.write_str(&public_address(&settings.address))?;
                settings.database.as_ref().map_or(Ok(()), |database| write!(formatter, " ({database})"))
            }
        }
    }
}

/// A graph on a Neo4j server, and the user who opens it.
#[derive(Clone)]
#[non_exhaustive]
pub struct Neo4jSettings {
    /// `bolt://host:port`, or `neo4j://` for a cluster, with `+s` or `+ssc` to encrypt.
    pub address: String,
    /// The user. `None` connects without one.
    pub user: Option<String>,
    /// The user's password.
    pub password: Option<Secret>,
    /// A single sign-on token, in place of user and password.
    pub token: Option<Secret>,
    /// The database. `None` takes the user's home database.
    pub database: Option<String>,
    /// The folder of this machine below which the search index and the routes of the graph are
    /// kept.
    pub data: PathBuf,
}

impl fmt::Debug for Neo4jSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { address, user, password, token, database, data } = self;
        let address = public_address(address);
        formatter
            .debug_struct("Neo4jSettings")
            .field("address", &address)
            .field("user", user)
            .field("password", password)
            .field("token", token)
            .field("database", database)
            .field("data", data)
            .finish()
    }
}

impl Neo4jSettings {
    /// Names a server that needs no password, with the home database. What is kept on this machine
    /// goes to `.graphwright`.
    ///
    /// ```
    /// use graphwright::Neo4jSettings;
    ///
    /// let server = Neo4jSettings::at("bolt://localhost").user("neo4j").password("secret");
    /// assert!(!format!("{server:?}").contains("secret"));
    /// ```
    pub fn at(address: impl Into<String>) -> Self {
        Self {
            address: address.into(),
            user: None,
            password: None,
            token: None,
            database: None,
            data: PathBuf::from(".graphwright"),
        }
    }

    /// Sets the user.
    #[must_use]
    pub fn user(mut self, name: impl Into<String>) -> Self {
        self.user = Some(name.into());
        self
    }

    /// Sets the user's password.
    #[must_use]
    pub fn password(mut self, password: impl Into<Secret>) -> Self {
        self.password = Some(password.into());
        self
    }

    /// Sets a single sign-on token, in place of user and password.
    #[must_use]
    pub fn token(mut self, token: impl Into<Secret>) -> Self {
        self.token = Some(token.into());
        self
    }

    /// Sets the database.
    #[must_use]
    pub fn database(mut self, name: impl Into<String>) -> Self {
        self.database = Some(name.into());
        self
    }

    /// Sets the folder of this machine for what is kept beside the graph.
    #[must_use]
    pub fn data(mut self, folder: impl Into<PathBuf>) -> Self {
        self.data = folder.into();
        self
    }
}

/// Settings of the calls to one provider. Fields that are absent have the defaults of
/// [`llm`](crate::llm).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ProviderLimits {
    /// Requests and tokens per minute.
    pub rate: RateLimits,
    /// The most concurrent calls.
    pub concurrency: Option<usize>,
    /// How often a call is retried when the provider is busy or away.
    pub retries: Option<usize>,
    /// How long the provider may be silent.
    pub timeout: Option<Duration>,
    /// When calls to a failing address pause.
    pub breaker: CircuitBreaker,
    /// The address, in place of the one that the provider's variable or the provider itself names.
    pub address: Option<String>,
    /// The effort of reasoning, in place of what each request asks for.
    pub effort: Option<ReasoningEffort>,
    /// The sampling temperature, in place of what each request asks for.
    pub temperature: Option<f64>,
    /// The most tokens of a reply, in place of what each request asks for.
    pub max_output_tokens: Option<u32>,
    /// The length of context that Ollama gives the model, in tokens.
    pub context: Option<u32>,
}

impl ProviderLimits {
    /// Sets the requests and tokens per minute.
    #[must_use]
    pub fn rate(mut self, rate: RateLimits) -> Self {
        self.rate = rate;
        self
    }

    /// Sets the most concurrent calls.
    #[must_use]
    pub fn concurrency(mut self, calls: usize) -> Self {
        self.concurrency = Some(calls);
        self
    }

    /// Sets how often a call is retried.
    #[must_use]
    pub fn retries(mut self, retries: usize) -> Self {
        self.retries = Some(retries);
        self
    }

    /// Sets how long the provider may be silent.
    #[must_use]
    pub fn timeout(mut self, time: Duration) -> Self {
        self.timeout = Some(time);
        self
    }

    /// Sets the address.
    #[must_use]
    pub fn address(mut self, address: impl Into<String>) -> Self {
        self.address = Some(address.into());
        self
    }

    /// Sets the effort of reasoning.
    #[must_use]
    pub fn effort(mut self, effort: ReasoningEffort) -> Self {
        self.effort = Some(effort);
        self
    }

    /// Sets the sampling temperature.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// Sets the most tokens of a reply.
    #[must_use]
    pub fn max_output_tokens(mut self, tokens: u32) -> Self {
        self.max_output_tokens = Some(tokens);
        self
    }

    /// Sets the length of context that Ollama gives the model, in tokens.
    #[must_use]
    pub fn context(mut self, tokens: u32) -> Self {
        self.context = Some(tokens);
        self
    }

    /// Sets when calls to a failing address pause.
    #[must_use]
    pub fn breaker(mut self, breaker: CircuitBreaker) -> Self {
        self.breaker = breaker;
        self
    }
}

/// Where texts and vectors are indexed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchPlace {
    /// On the server, if the graph is on one: machines and other tools share its indexes. Beside the
    /// store otherwise.
    #[default]
    Store,
    /// In files of this machine, which index facts as well.
    Local,
}

impl std::str::FromStr for SearchPlace {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "store" => Ok(Self::Store),
            "local" => Ok(Self::Local),
            _ => Err(()),
        }
    }
}

/// Where the graph is and what works on it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// Where the graph is.
    pub store: StoreSettings,
    /// The chat model as `provider/model`. With `None`, the graph alone answers.
    pub model: Option<String>,
    /// The chat model that judges whether the evidence supports what models write, as `provider/model`. With `None`, the check
    /// alone decides.
    pub judge: Option<String>,
    /// The embedder: `builtin`, a sentence-transformers folder (by its path, or by its name below
    /// `models`), or `provider/model`.
    pub embedder: String,
    /// What ranks anew the hits of searches: a cross-encoder's folder (by its path, or by its name below `models`),
    /// `provider/model`, or `model` or `judge` for one of the chat models. With `None` or `none` hits stay in the order of the
    /// search.
    pub reranker: Option<String>,
    /// The folder below which sentence-transformers models are looked for by name.
    pub models: Option<PathBuf>,
    /// Where texts and vectors are indexed.
    pub search_index: SearchPlace,
    /// The most US dollars that this graph handle may spend on models.
    pub budget: Option<f64>,
    /// Prices of models, which win over the built-in table.
    pub prices: PriceTable,
    /// Limits of calls to single providers.
    pub limits: BTreeMap<Provider, ProviderLimits>,
    /// Where replies of the chat model are remembered; `None` means nowhere. Results of queries and
    /// tools are remembered in memory, with a size limit of as many bytes again, as long as the
    /// store holds the same.
    pub cache: Option<CacheSettings>,
    /// The file that remembers, for four weeks, what models were found not to take. With `None` each process finds it out again.
    pub refusals: Option<PathBuf>,
    /// What evidence is gathered for questions, where a question has no options of its own.
    pub evidence: EvidenceOptions,
    /// Whether the calls of agents are recorded, in a [`RouteBook`](crate::RouteBook) on this
    /// machine.
    pub routes: bool,
    /// From whose questions flows learn examples, which are kept in an [`ExampleBook`](crate::ExampleBook) on this machine.
    pub learn: Learning,
    /// Whether traces and the log contain what is said to models and by them.
    pub trace_content: bool,
    /// Where queries and documents that may do harm are read, and the memory for it.
    pub workers: WorkerSettings,
    /// Keys and addresses of providers, by the names of their usual environment variables.
    pub credentials: BTreeMap<String, Secret>,
}

impl Settings {
    /// Returns how many calls of the model run at the same time, if it is set.
    pub(crate) fn model_concurrency(&self) -> Option<usize> {
        let (provider, _) = self.model.as_deref()?.split_once('/')?;
        self.limits.get(&provider.parse().ok()?)?.concurrency
    }

    /// Returns the variable whose key would go to an address that the settings have for a provider, if that is neither the
    /// provider's own host nor this machine. `None` if a variable names the address, which goes before.
    pub fn key_sent_abroad(&self, provider: Provider, address: &str) -> Option<&'static str> {
        let (keys, named) = variables::key_and_address(provider);
        let is_set = |name: &&str| self.credentials.contains_key(*name);
        let abroad = !is_of_provider(provider, address) && !is_this_machine(address);
        keys.iter().copied().find(is_set).filter(|_| abroad && named.is_none_or(|name| !is_set(&name)))
    }

    /// Reads the environment variables that docs/settings.md lists, over the defaults. Nothing else
    /// in this crate reads the environment.
    ///
    /// # Errors
    /// Fails as [`from_variables`](Self::from_variables) does.
    pub fn from_env() -> Result<Self> {
        Self::from_variables(variables::of_process)
    }

    /// Reads settings from variables of any source.
    ///
    /// They are `GRAPHWRIGHT_STORE` (else `NEO4J_URI`), `GRAPHWRIGHT_MODEL`, `NEO4J_USERNAME`,
    /// `OPENAI_API_KEY` and the others that docs/settings.md lists. An empty variable counts as not
    /// set.
    ///
    /// ```
    /// use graphwright::Settings;
    ///
    /// let variables = [("NEO4J_URI", "bolt://localhost"), ("NEO4J_PASSWORD", "secret")];
    /// let settings = Settings::from_variables(|name| {
    ///     variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
    /// })?;
    /// assert_eq!(settings.store.to_string(), "bolt://localhost");
    /// # Ok::<_, graphwright::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails with [`Error::Settings`](crate::Error::Settings) if a value has the wrong form or the
    /// file of prices cannot be read.
    pub fn from_variables(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self> {
        WrittenSettings::from_variables(&variable)?.settings(&variable)
    }
}

impl Settings {
    /// Creates the defaults for a graph in this folder: no model, the built-in embedder, replies
    /// remembered in memory, routes recorded.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self::new(StoreSettings::Folder(folder.into()))
    }

    /// Creates the defaults for a graph in any store: no model, the built-in embedder, replies
    /// remembered in memory, routes recorded.
    pub fn new(store: StoreSettings) -> Self {
        Self {
            store,
            model: None,
            judge: None,
            embedder: "builtin".to_owned(),
            reranker: None,
            models: None,
            search_index: SearchPlace::default(),
            budget: None,
            prices: PriceTable::default(),
            limits: BTreeMap::new(),
            cache: Some(CacheSettings::default()),
            refusals: None,
            evidence: EvidenceOptions::default(),
            routes: true,
            learn: Learning::default(),
            trace_content: false,
            workers: WorkerSettings::default(),
            credentials: BTreeMap::new(),
        }
    }

    /// Sets the chat model, as `provider/model`.
    #[must_use]
    pub fn model(mut self, name: impl Into<String>) -> Self {
        self.model = Some(name.into());
        self
    }

    /// Sets the chat model that judges whether the evidence supports what models write, as `provider/model`.
    #[must_use]
    pub fn judge(mut self, name: impl Into<String>) -> Self {
        self.judge = Some(name.into());
        self
    }

    /// Sets the embedder.
    #[must_use]
    pub fn embedder(mut self, name: impl Into<String>) -> Self {
        self.embedder = name.into();
        self
    }

    /// Sets what ranks anew the hits of searches.
    #[must_use]
    pub fn reranker(mut self, name: impl Into<String>) -> Self {
        self.reranker = Some(name.into());
        self
    }

    /// Sets the folder below which sentence-transformers models are looked for by name.
    #[must_use]
    pub fn models(mut self, folder: impl Into<PathBuf>) -> Self {
        self.models = Some(folder.into());
        self
    }

    /// Sets the most US dollars that may be spent on models.
    #[must_use]
    pub fn budget(mut self, dollars: f64) -> Self {
        self.budget = Some(dollars);
        self
    }

    /// Sets prices of models, which win over the built-in table.
    #[must_use]
    pub fn prices(mut self, prices: PriceTable) -> Self {
        self.prices = prices;
        self
    }

    /// Sets the limits of calls to a provider.
    #[must_use]
    pub fn limits(mut self, provider: Provider, limits: ProviderLimits) -> Self {
        self.limits.insert(provider, limits);
        self
    }

    /// Sets where replies of the chat model are remembered. `None` means nowhere.
    #[must_use]
    pub fn cache(mut self, cache: Option<CacheSettings>) -> Self {
        self.cache = cache;
        self
    }

    /// Sets what evidence is gathered for questions that have no options of their own.
    #[must_use]
    pub fn evidence(mut self, options: EvidenceOptions) -> Self {
        self.evidence = options;
        self
    }

    /// Sets whether the calls of agents are recorded.
    #[must_use]
    pub fn routes(mut self, record: bool) -> Self {
        self.routes = record;
        self
    }

    /// Sets from whose questions flows learn examples.
    #[must_use]
    pub fn learn(mut self, learn: Learning) -> Self {
        self.learn = learn;
        self
    }

    /// Sets whether traces and the log contain what is said to models and by them.
    #[must_use]
    pub fn trace_content(mut self, carry: bool) -> Self {
        self.trace_content = carry;
        self
    }

    /// Sets where queries and documents that may do harm are read, and the memory for it.
    #[must_use]
    pub fn workers(mut self, workers: WorkerSettings) -> Self {
        self.workers = workers;
        self
    }

    /// Sets a key or address of a provider, by the name of its usual variable, such as
    /// `OPENAI_API_KEY`.
    #[must_use]
    pub fn credential(mut self, variable: impl Into<String>, value: impl Into<Secret>) -> Self {
        self.credentials.insert(variable.into(), value.into());
        self
    }
}
