//! The driver: connects, and runs statements in transactions that are tried again when it may help.

#![expect(clippy::result_large_err, reason = "the driver's closures fail with its own errors")]

use std::{
    fmt,
    net::ToSocketAddrs,
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use graphwright_core::{Record, Result, StoreError};
use neo4j::{
    bookmarks::{BookmarkManager, bookmark_managers},
    driver::{
        ConnectionConfig, Driver, DriverConfig, RoutingControl, auth::AuthToken, record_stream::RecordStream,
    },
    session::{Session, SessionConfig},
    summary::Summary,
    transaction::Transaction,
};
use secrecy::ExposeSecret;

use crate::{
    Address, ConnectOptions, Credentials,
    address::Encryption,
    call::Call,
    error::{self, Failure},
    hidden_vectors::HiddenVectors,
    values::{self, Parameters},
};

/// The least version of Neo4j: the first that sets vectors by a procedure.
const LEAST_VERSION: (u32, u32) = (5, 13);
/// The first pause before another attempt. Each is twice as long as the one before, up to the
/// longest.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// The ending of a transaction whose work has succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Commit,
    RollBack,
}

/// A server, or a cluster of them.
pub(crate) struct Server {
    driver: Driver,
    options: ConnectOptions,
    /// The database that is asked for, else, at a cluster, the one that answered first.
    ///
    /// Without a name the driver asks for the user's home database before each call.
    database: OnceLock<Arc<String>>,
    /// Lets each transaction see what those before it have committed, on whichever member of a
    /// cluster.
    bookmarks: Arc<dyn BookmarkManager>,
    pub(crate) hidden_vectors: HiddenVectors,
}

impl fmt::Debug for Server {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Server").field("address", &self.options.address).finish_non_exhaustive()
    }
}

/// A server's own description of itself.
#[derive(Clone, Debug)]
pub(crate) struct Greeting {
    /// Its name and version, as `Neo4j/5.26.12`.
    pub(crate) agent: String,
    /// The database that answers.
    pub(crate) database: Option<String>,
}

impl Server {
    pub(crate) fn new(options: &ConnectOptions) -> Result<Self> {
        let database = options.database.clone().filter(|name| !name.is_empty());
        Ok(Self {
            driver: Driver::new(connection(&options.address)?, driver_config(options)),
            database: database.map_or_else(OnceLock::new, |name| OnceLock::from(Arc::new(name))),
            bookmarks: Arc::new(bookmark_managers::simple(None)),
            options: options.clone(),
            hidden_vectors: HiddenVectors::default(),
        })
    }

    pub(crate) fn options(&self) -> &ConnectOptions {
        &self.options
    }

    pub(crate) fn address(&self) -> &Address {
        &self.options.address
    }

    /// Checks that the server is there, lets us in, has the database and is new enough.
    pub(crate) fn greet(&self, call: &Call) -> Result<Greeting> {
        let unavailable = |error| error::from_connecting(error, &self.options);
        let place = (self.options.address.host.as_str(), self.options.address.port);
        // Looked up first, for an error that names the host.
        place.to_socket_addrs().map_err(|cause| error::unknown_host(&self.options.address, &cause))?;
        if self.options.address.routing {
            // Asked for the cluster, the driver hides why the server could not be reached.
            let direct = ConnectionConfig::with_routing(connection(&self.options.address)?, false);
            Driver::new(direct, driver_config(&self.options)).get_server_info().map_err(unavailable)?;
        }
        let info = self.driver.get_server_info().map_err(unavailable)?;
        let agent = info.server_agent.to_string();
        if version_of(&agent).is_some_and(|version| version < LEAST_VERSION) {
            return Err(error::too_old(&self.options.address, &agent, LEAST_VERSION));
        }
        let mut database = None;
        let once = self.read_once(call, "RETURN 1", &Parameters::new(), &mut |stream| {
            database = stream.consume()?.and_then(|summary| summary.database);
            Ok(())
        });
        match once {
            Ok(()) => {
                if let Some(name) = database.as_ref().filter(|_| self.options.address.routing) {
                    self.database.get_or_init(|| Arc::new(name.clone()));
                }
                Ok(Greeting { agent, database })
            }
            Err(Failure::Driver(error)) => Err(unavailable(*error)),
            Err(Failure::Store(error)) => Err(error),
        }
    }

    fn session(&self) -> Session<'_> {
        let config = SessionConfig::new().with_bookmark_manager(Arc::clone(&self.bookmarks));
        self.driver.session(match self.database.get() {
            Some(database) => config.with_database(Arc::clone(database)),
            None => config,
        })
    }

    /// Returns the place of the database in the order of its transactions, as a text that another
    /// transaction changes.
    pub(crate) fn moment(&self, call: &Call) -> Result<String> {
        self.retrying(call, None, || {
            let mut session = self.session();
            let query = session.auto_commit("RETURN 1").with_routing_control(RoutingControl::Read);
            query.with_transaction_meta(call.meta()).run().map_err(error::read_failure)?;
            let bookmarks = session.last_bookmarks();
            let mut bookmarks: Vec<_> = bookmarks.raw().collect();
            bookmarks.sort_unstable();
            Ok(bookmarks.join(" "))
        })
    }

    /// Returns all rows of a statement of ours that reads.
    pub(crate) fn rows(&self, call: &Call, text: &str, parameters: &Parameters) -> Result<Vec<Record>> {
        self.read(call, text, parameters, |stream| {
            let mut rows = Vec::new();
            for record in &mut *stream {
                rows.push(values::record_from_driver(record?)?);
            }
            Ok(rows)
        })
    }

    /// Runs a statement where writing is refused, and lets `receive` take its rows.
    pub(crate) fn read<T>(
        &self,
        call: &Call,
        text: &str,
        parameters: &Parameters,
        mut receive: impl FnMut(&mut RecordStream<'_>) -> Result<T, Failure>,
    ) -> Result<T> {
        self.retrying(call, Some(text), || self.read_once(call, text, parameters, &mut receive))
    }

    fn read_once<T>(
        &self,
        call: &Call,
        text: &str,
        parameters: &Parameters,
        receive: &mut impl FnMut(&mut RecordStream<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut session = self.session();
        let query = session
            .auto_commit(text)
            .with_routing_control(RoutingControl::Read)
            .with_transaction_meta(call.meta())
            .with_transaction_timeout(call.timeout())
            .with_parameters(parameters)
            .with_receiver(|stream| crossing(receive(stream)));
        Ok(query.run().map_err(error::read_failure)??)
    }

    /// Runs `work` in one transaction that reads.
    pub(crate) fn read_transaction<T>(
        &self,
        call: &Call,
        mut work: impl for<'a> FnMut(&'a Transaction<'_, 'a>) -> Result<T, Failure>,
    ) -> Result<T> {
        self.retrying(call, None, || {
            let mut session = self.session();
            let transaction = session
                .transaction()
                .with_routing_control(RoutingControl::Read)
                .with_transaction_meta(call.meta())
                .with_transaction_timeout(call.timeout());
            Ok(transaction.run(|transaction| crossing(work(&transaction)))??)
        })
    }

    /// Runs `work` in one transaction that writes, and commits it.
    ///
    /// `text` is the statement for the place of errors.
    pub(crate) fn write<T>(
        &self,
        call: &Call,
        text: Option<&str>,
        work: impl for<'a> FnMut(&'a Transaction<'_, 'a>) -> Result<T, Failure>,
    ) -> Result<T> {
        self.transact(call, text, Ending::Commit, work)
    }

    /// Runs `work` in one transaction that may write, and ends it.
    pub(crate) fn transact<T>(
        &self,
        call: &Call,
        text: Option<&str>,
        ending: Ending,
        mut work: impl for<'a> FnMut(&'a Transaction<'_, 'a>) -> Result<T, Failure>,
    ) -> Result<T> {
        self.retrying(call, text, || {
            let mut session = self.session();
            let transaction = session
                .transaction()
                .with_routing_control(RoutingControl::Write)
                .with_transaction_meta(call.meta())
                .with_transaction_timeout(call.timeout());
            Ok(transaction.run(|transaction| {
                // What fails without a commit is rolled back.
                let outcome =
                    crossing(work(&transaction).and_then(|outcome| Ok(call.check().map(|()| outcome)?)))?;
                match (&outcome, ending) {
                    (Ok(_), Ending::Commit) => {
                        call.begin_commit();
                        transaction.commit()?;
                    }
                    (Ok(_), Ending::RollBack) => transaction.rollback()?,
                    (Err(_), _) => {}
                }
                Ok(outcome)
            })??)
        })
    }

    /// Tries again after failures that pass, with growing pauses.
    fn retrying<T>(
        &self,
        call: &Call,
        text: Option<&str>,
        mut attempt: impl FnMut() -> Result<T, Failure>,
    ) -> Result<T> {
        let started = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            call.check()?;
            let error = match attempt() {
                Ok(outcome) => return Ok(outcome),
                Err(Failure::Store(error)) => return Err(error),
                Err(Failure::Driver(error)) => error,
            };
            // A stop shows as some error of the server; the call knows the reason.
            call.check()?;
            if !error.is_retryable() || started.elapsed() + pause > self.options.retry_time {
                return Err(error::from_driver(*error, &self.options, text));
            }
            tracing::debug!(%error, "tried again");
            call.pause(pause);
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}

/// Carries our errors through the driver's closures as a value, since these may fail with its own
/// errors only.
fn crossing<T>(outcome: Result<T, Failure>) -> neo4j::Result<Result<T>> {
    match outcome {
        Ok(outcome) => Ok(Ok(outcome)),
        Err(Failure::Store(error)) => Ok(Err(error)),
        Err(Failure::Driver(error)) => Err(*error),
    }
}

/// Runs a statement of ours in a transaction, and returns its rows and the summary.
pub(crate) fn run<'a>(
    transaction: &'a Transaction<'_, 'a>,
    text: &str,
    parameters: &Parameters,
) -> Result<(Vec<Record>, Summary), Failure> {
    let mut rows = Vec::new();
    let summary = run_with(transaction, text, parameters, |_, row| {
        rows.extend(row);
        Ok(())
    })?;
    Ok((rows, summary))
}

/// Runs a statement in a transaction. `take` gets the names of the columns, then the rows.
pub(crate) fn run_with<'a>(
    transaction: &'a Transaction<'_, 'a>,
    text: &str,
    parameters: &Parameters,
    mut take: impl FnMut(Option<&[Arc<String>]>, Option<Record>) -> Result<(), Failure>,
) -> Result<Summary, Failure> {
    let mut stream = transaction.query(text).with_parameters(parameters).run()?;
    take(Some(&stream.keys()), None)?;
    for record in &mut stream {
        take(None, Some(values::record_from_driver(record?)?))?;
    }
    stream.consume()?.ok_or_else(|| {
        StoreError::Engine { message: "the server did not say how the statement ended".to_owned() }.into()
    })
}

fn token(credentials: &Credentials) -> AuthToken {
    match credentials {
        Credentials::None => AuthToken::new_none_auth(),
        Credentials::Basic { user, password } => AuthToken::new_basic_auth(user, password.expose_secret()),
        Credentials::Bearer(token) => AuthToken::new_bearer_auth(token.expose_secret()),
    }
}

fn driver_config(options: &ConnectOptions) -> DriverConfig {
    DriverConfig::new()
        .with_user_agent(concat!("graphwright/", env!("CARGO_PKG_VERSION")).to_owned())
        .with_auth(Arc::new(token(&options.credentials)))
        // One for each thread, blocked ones too, one for the terminator, and one for the thread
        // that asks for the names of vectors while its rows come.
        .with_max_connection_pool_size(options.connections.max(1) + options.spare_connections + 2)
        .with_connection_timeout(options.connect_timeout)
        .with_connection_acquisition_timeout(options.acquire_timeout)
        // A test costs one exchange; a connection that was lost meanwhile would cost a retry.
        .with_idle_time_before_connection_test(Duration::from_secs(30))
        .with_telemetry(false)
}

fn connection(address: &Address) -> Result<ConnectionConfig> {
    let mut config = ConnectionConfig::new((address.host.as_str(), address.port).into());
    if address.routing {
        let context = address.routing_context.iter().cloned().collect();
        config = config
            .with_routing_context(context)
            .map_err(|invalid| error::unusable(address, &invalid.to_string()))?;
    } else {
        config = config.with_routing(false);
    }
    if address.encryption != Encryption::None {
        // The driver takes what the process has chosen. Without a choice it would panic where two
        // could be meant.
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    }
    match address.encryption {
        Encryption::None => Ok(config),
        Encryption::AnyCertificate => Ok(config.with_encryption_trust_any_certificate()),
        Encryption::Verified => config.with_encryption_trust_default_cas().map_err(|failed| {
            error::unusable(address, &format!("the machine's certificates cannot be read: {failed}"))
        }),
    }
}

/// Reads the major and minor version in `Neo4j/5.26.12` or `Neo4j/5.27-aura`.
fn version_of(agent: &str) -> Option<(u32, u32)> {
    let version = agent.strip_prefix("Neo4j/")?.trim_start_matches('v');
    let mut numbers = version.split(|character: char| !character.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next().and_then(|minor| minor.parse().ok()).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(version_of("Neo4j/5.26.12"), Some((5, 26)));
        assert_eq!(version_of("Neo4j/5.27-aura"), Some((5, 27)));
        assert_eq!(version_of("Neo4j/2025.10.1"), Some((2025, 10)));
        assert_eq!(version_of("Neo4j/4.4.11"), Some((4, 4)));
        assert_eq!(version_of("Other/1"), None);
    }
}
