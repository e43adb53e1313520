//! The store beyond the conformance suite: connecting, ending work on the server, and what happens
//! when the server fails.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod connecting;
mod exchange;
mod failures;
mod plans;
mod reading;
mod speed;
mod stopping;
#[path = "../support/mod.rs"]
mod support;
mod writing;
