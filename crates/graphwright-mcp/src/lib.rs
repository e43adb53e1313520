//! The Model Context Protocol (<https://modelcontextprotocol.io>): the tools, documents and prompts of a graph for any assistant.
//!
//! An [`McpServer`] serves one client at a time over standard input and output; clones serve others. Over HTTP it serves many, by itself
//! ([`McpServer::serve_http`]) or mounted in a server ([`McpServer::http`]). The types of the protocol's library stay inside this crate.

mod error;
mod graph;
mod handler;
mod http;
mod library;
mod progress;
mod prompts;
mod server;
mod tools;

#[cfg(test)]
mod tests;

pub use error::{McpError, Result};
pub use graph::of_graph;
pub use http::{BearerToken, HTTP_PATH, HttpBody, HttpOptions, HttpService};
pub use library::{Library, Resource, ResourceText};
pub use server::{McpLimits, McpServer};
