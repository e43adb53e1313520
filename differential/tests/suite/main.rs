//! Both stores against each other. The server is the one that `NEO4J_URI`, `NEO4J_USERNAME` and `NEO4J_PASSWORD` name; its
//! database is emptied.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking and prints its figures")]

mod lsqb;
mod random;
mod server;
mod zograscope;
