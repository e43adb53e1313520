//! The Model Context Protocol (<https://modelcontextprotocol.io>): the tools, documents and prompts
//! of a graph for any assistant.
//!
//! [`McpServer::from_graph`] creates the service of a graph. Serve one client over standard input
//! and output with [`McpServer::serve_stdio`]; clones serve others. Serve many over HTTP with
//! [`McpServer::serve_http`], or mount [`McpServer::http`] in a server of your own.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use graphwright::Graph;
//! use graphwright_mcp::McpServer;
//!
//! # async fn serve(graph: Graph) -> graphwright_mcp::Result<()> {
//! let server = McpServer::from_graph(&Arc::new(graph), false)?;
//! server.serve_stdio(Default::default()).await
//! # }
//! ```
//!
//! The types of the protocol's library stay inside this crate.

mod compact;
mod error;
mod graph;
mod handler;
mod http;
mod library;
mod limits;
mod progress;
mod prompts;
mod server;
mod streams;
mod tools;

#[cfg(test)]
mod tests;

pub use error::{McpError, Result};
pub use http::{BearerToken, HTTP_PATH, HttpBody, HttpOptions, HttpService};
pub use library::{Library, Resource, ResourceText};
pub use limits::McpLimits;
pub use server::McpServer;
