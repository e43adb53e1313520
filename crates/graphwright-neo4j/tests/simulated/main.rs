//! The store on servers that this process plays: a cluster whose leader changes, and one that looks
//! at credentials.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cluster;
mod credentials;
mod leader;
