//! Errors of the service as a whole. Errors within a request are told to the client.

use std::net::SocketAddr;

use thiserror::Error;

/// A `Result` whose error is an [`McpError`] by default.
pub type Result<T, E = McpError> = std::result::Result<T, E>;

/// An error that ends the service.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum McpError {
    /// The graph cannot be read.
    #[error(transparent)]
    Graph(#[from] graphwright::Error),
    /// The client did not open the conversation as the protocol demands.
    #[error("the client did not open the conversation: {message}")]
    Handshake {
        /// What happened.
        message: String,
    },
    /// The service would be open to other machines without a token.
    #[error(
        "{address} can be reached from other machines, and no token keeps them out; set one, or listen on 127.0.0.1"
    )]
    NeedsToken {
        /// Address that it would listen on.
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
