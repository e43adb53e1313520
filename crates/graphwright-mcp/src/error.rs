//! What can go wrong with the service as a whole; what goes wrong within a request is told to the client.

use std::net::SocketAddr;

use thiserror::Error;

/// `Result` with [`McpError`].
pub type Result<T, E = McpError> = std::result::Result<T, E>;

/// Why the service does not run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum McpError {
    /// The graph cannot be read.
    #[error(transparent)]
    Graph(#[from] graphwright::Error),
    /// The client did not open the conversation as the protocol says.
    #[error("the client did not open the conversation: {message}")]
    Handshake {
        /// What happened.
        message: String,
    },
    /// The service would be open to other machines without a secret.
    #[error(
        "{address} can be reached from other machines, and no token keeps them out; set one, or listen on 127.0.0.1"
    )]
    NeedsToken {
        /// Where it would listen.
        address: SocketAddr,
    },
    /// The conversation broke off.
    #[error("the conversation broke off: {message}")]
    Broken {
        /// What happened.
        message: String,
    },
}

impl From<graphwright::AgentError> for McpError {
    fn from(error: graphwright::AgentError) -> Self {
        Self::Graph(error.into())
    }
}
