//! Options of the service over HTTP: who may use it, and how much of it.

use std::{fmt, time::Duration};

use hyper::header::HeaderValue;

/// Names of this machine's loopback, by which pages of others cannot reach it.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// Options of the service over HTTP. The default is for programs on this machine.
///
/// ```
/// use graphwright_mcp::{BearerToken, HttpOptions};
///
/// let token = Some(BearerToken::new("correct horse battery"));
/// let options = HttpOptions { token, ..HttpOptions::default() };
/// assert!(!format!("{options:?}").contains("horse"));
/// ```
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// Hosts that a request may name in `Host`, with a port or for any port; by default the names
    /// of this machine's loopback. A browser that was tricked by a changed name ("DNS rebinding")
    /// names another host.
    pub hosts: Vec<String>,
    /// Origins, besides those of [`hosts`](Self::hosts), of pages whose requests are answered; none
    /// by default. An origin is what a request says in `Origin`, such as `https://example.org:443`,
    /// or `https://example.org:*` for any port. Requests that do not come from a page have no
    /// origin.
    pub origins: Vec<String>,
    /// Secret that clients must send. Without one, everybody who reaches the service may use it.
    pub token: Option<BearerToken>,
    /// Maximum bytes of a request; 1 MiB by default.
    pub body_bytes: usize,
    /// Maximum time in which the head of a request must come, from the connection or the answer
    /// before; 5 seconds by default.
    pub head_time: Duration,
    /// Maximum time for reading the body of a request; 30 seconds by default.
    pub read_time: Duration,
    /// Maximum number of open conversations; 100 by default. One more ends the one that has been
    /// silent longest, and is refused if a call is running in each.
    pub conversations: usize,
    /// Time for which a conversation without calls is kept; 30 minutes by default.
    pub idle: Duration,
    /// Maximum number of connections that [`McpServer::serve_http`](crate::McpServer::serve_http)
    /// holds; 256 by default. One more takes the place of one that waits for a request, of the address
    /// with the most of those, or waits if calls are running on all.
    pub connections: usize,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            hosts: LOOPBACK.map(str::to_owned).into(),
            origins: Vec::new(),
            token: None,
            body_bytes: 1 << 20,
            head_time: Duration::from_secs(5),
            read_time: Duration::from_secs(30),
            conversations: 100,
            idle: Duration::from_mins(30),
            connections: 256,
        }
    }
}

impl HttpOptions {
    /// Returns the origins of pages on the hosts, and the others.
    pub(super) fn all_origins(&self) -> Vec<String> {
        let of_hosts = self.hosts.iter().flat_map(|host| {
            // In an origin, an IPv6 address has brackets.
            let bare = host.parse::<std::net::Ipv6Addr>().is_ok();
            let host = if bare { format!("[{host}]") } else { host.clone() };
            let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
            let port = if has_port { "" } else { ":*" };
            ["http", "https"].map(|scheme| format!("{scheme}://{host}{port}"))
        });
        of_hosts.chain(self.origins.iter().cloned()).collect()
    }
}

/// A secret that clients send in `Authorization: Bearer …` (RFC 6750).
///
/// Only its hash is kept, and hashes are compared in constant time. So neither a log nor the time
/// of an answer reveals it.
#[derive(Clone, PartialEq, Eq)]
pub struct BearerToken {
    hash: blake3::Hash,
}

impl BearerToken {
    /// Creates a token from a secret.
    pub fn new(secret: &str) -> Self {
        Self { hash: blake3::hash(secret.as_bytes()) }
    }

    /// Returns whether a header `Authorization` holds the secret.
    pub(super) fn admits(&self, authorization: Option<&HeaderValue>) -> bool {
        let Some((scheme, secret)) =
            authorization.and_then(|value| value.to_str().ok()).and_then(|value| value.split_once(' '))
        else {
            return false;
        };
        scheme.eq_ignore_ascii_case("bearer") && *self == Self::new(secret.trim())
    }
}

impl fmt::Debug for BearerToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}
