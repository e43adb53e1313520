//! How a store is connected.

use std::{fmt, time::Duration};

use secrecy::SecretString;

use crate::Address;

/// Who connects.
#[derive(Clone, Default)]
pub enum Credentials {
    /// Nobody; for a server that asks for nobody.
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

/// How a store is connected.
///
/// ```
/// use graphwright_neo4j::{ConnectOptions, Credentials};
///
/// let credentials = Credentials::Basic { user: "neo4j".to_owned(), password: "secret".to_owned().into() };
/// let options = ConnectOptions::new("bolt://localhost:7687".parse()?, credentials);
/// assert!(!format!("{options:?}").contains("secret"));
/// # Ok::<_, graphwright_core::StoreError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ConnectOptions {
    /// Where.
    pub address: Address,
    /// Who.
    pub credentials: Credentials,
    /// Which database; when none is named, the one that is the user's home database when the store is connected.
    pub database: Option<String>,
    /// Whether to write; else every write is refused. On by default.
    pub write: bool,
    /// How many calls run at once, each on a connection and a thread; more wait. The default is 8.
    pub connections: usize,
    /// How many threads beyond these may be started for ones that a server which does not answer keeps. The default is 8.
    pub spare_connections: usize,
    /// How long a connection may take to be made. The default is 10 s.
    pub connect_timeout: Duration,
    /// How long a call waits for one of the connections, or for one to be made. The default is 30 s.
    pub acquire_timeout: Duration,
    /// How long a call is tried again, with growing pauses, after failures that pass (a deadlock, a change of the cluster's
    /// leader, a lost connection before the commit); a time limit of its own ends it sooner. The default is 10 s.
    pub retry_time: Duration,
}

impl ConnectOptions {
    /// The defaults for an address.
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
