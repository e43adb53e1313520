//! Functions as tools, and the tools of a graph.

#![expect(clippy::unwrap_used, clippy::panic, reason = "what fails fails the test")]

mod bookshop;
mod cache;
mod functions;
mod graph;
mod moments;
mod town;
