//! Functions as tools.

#![expect(clippy::unwrap_used, clippy::panic, reason = "what fails fails the test")]

mod bookshop;
mod functions;
