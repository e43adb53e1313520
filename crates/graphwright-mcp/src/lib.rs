//! The Model Context Protocol (<https://modelcontextprotocol.io>): the tools, documents and prompts of a graph for any assistant.
//!
//! An [`McpServer`] serves one client at a time over standard input and output; clones serve others. The types of the protocol stay inside this crate.

mod error;
mod graph;
mod handler;
mod library;
mod progress;
mod prompts;
mod server;
mod tools;

#[cfg(test)]
mod tests;

pub use error::{McpError, Result};
pub use graph::of_graph;
pub use library::{Library, Resource, ResourceText};
pub use server::{McpLimits, McpServer};
