//! Compares both stores. The server is the one that `NEO4J_URI`, `NEO4J_USERNAME` and
//! `NEO4J_PASSWORD` name. Its database is emptied.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking and prints its figures")]

mod lsqb;
mod random;
#[path = "../../../crates/graphwright-neo4j/tests/support/mod.rs"]
mod support;
mod walks;
mod zograscope;

use std::sync::Arc;

use graphwright_core::GraphStore;
use tokio::sync::MutexGuard;

/// Returns the emptied server, for one test at a time.
async fn server() -> (Arc<dyn GraphStore>, MutexGuard<'static, ()>) {
    let guard = support::alone().await;
    (support::emptied(&support::connect().await).await.unwrap(), guard)
}
