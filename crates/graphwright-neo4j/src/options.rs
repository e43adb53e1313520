//! Options for connecting to a server.

use std::{fmt, time::Duration};

use secrecy::SecretString;

use crate::Address;

/// Credentials of the user who connects.
#[derive(Clone, Default)]
pub enum Credentials {
    /// No credentials, for a server that asks for none.
    #[default]
    None,
    /// A user with a password.
    Basic {
        /// The user.
        user: String,
        /// The password.
        password: SecretString,
    },
    /// A token of single sign-on.
    Bearer(SecretString),
}

impl fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => formatter.write_str("None"),
            Self::Basic { user, .. } => write!(formatter, "Basic({user}, ***)"),
            Self::Bearer(_) => formatter.write_str("Bearer(***)"),
        }
    }
}

/// Options for connecting to a server.
///
/// ```
/// use graphwright_neo4j::{ConnectOptions, Credentials};
///
/// let user = "neo4j".to_owned();
/// let credentials = Credentials::Basic { user, password: "secret".to_owned().into() };
/// let options = ConnectOptions::new("bolt://localhost:7687".parse()?, credentials);
/// assert!(!format!("{options:?}").contains("secret"));
/// # Ok::<_, graphwright_core::StoreError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ConnectOptions {
    /// The address of the server.
    pub address: Address,
    /// The credentials of the user.
    pub credentials: Credentials,
    /// The name of the database. Defaults to the user's home database at the time of connecting.
    pub database: Option<String>,
    /// Whether to write. If not, every write is refused. Defaults to true.
    pub write: bool,
    /// The number of calls that run at once, each on a connection and a thread; more wait. Defaults
    /// to 8.
    pub connections: usize,
    /// The number of further threads that may replace those kept by a server that does not answer.
    /// Defaults to 8.
    pub spare_connections: usize,
    /// The longest time to open a connection. Defaults to 10 s.
    pub connect_timeout: Duration,
    /// The longest time that a call waits for a connection that is free or opened for it. Defaults
    /// to 30 s.
    pub acquire_timeout: Duration,
    /// The time during which a call is tried again after failures that pass. Defaults to 10 s.
    ///
    /// Such failures are a deadlock, a change of the cluster's leader, and a connection lost before
    /// the commit. Pauses between tries grow. A time limit of the call's own ends it sooner.
    pub retry_time: Duration,
}

impl ConnectOptions {
    /// Creates options with the defaults.
    pub fn new(address: Address, credentials: Credentials) -> Self {
        Self {
            address,
            credentials,
            database: None,
            write: true,
            connections: 8,
            spare_connections: 8,
            connect_timeout: Duration::from_secs(10),
            acquire_timeout: Duration::from_secs(30),
            retry_time: Duration::from_secs(10),
        }
    }
}
