//! Execution of a text that a model wrote.

use std::time::Duration;

use graphwright_core::{GraphStore, StoreError, Table, store::QueryOptions};
use graphwright_cypher::Gate;

use super::RunError;
use crate::Result;

/// The most rows that are compared, so that a store need not hold more.
const ROW_LIMIT: usize = 200_000;

/// Returns a gate that lets only reads pass. It adds no bounds, which would change the rows to
/// compare.
fn gate() -> Gate {
    Gate { row_limit: None, max_hops: None, max_work: None, ..Gate::default() }
}

/// Returns the rows of a text, or the error if it is the query's fault.
///
/// # Errors
///
/// Returns the errors of the store that any query would meet.
pub(crate) async fn execute(
    store: &dyn GraphStore,
    text: &str,
    time_limit: Duration,
) -> Result<std::result::Result<Table, RunError>> {
    let statement = match gate().check(text) {
        Ok(checked) => checked.statement,
        Err(refusal) => {
            let code = format!("gate {}", refusal.code.as_str());
            return Ok(Err(RunError { code, message: refusal.message }));
        }
    };
    let options =
        QueryOptions { time_limit: Some(time_limit), row_limit: Some(ROW_LIMIT), ..QueryOptions::default() };
    let rows = async { store.read(statement, options).await?.collect().await };
    match rows.await {
        Ok(table) => Ok(Ok(table)),
        // A failing store says nothing about the query, so the run must stop.
        Err(error) if is_of_the_store(&error) => Err(error.into()),
        Err(error) => Ok(Err(RunError { code: error.code().to_owned(), message: error.to_string() })),
    }
}

/// Returns whether another query would have failed as well.
fn is_of_the_store(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::Locked { .. }
            | StoreError::Unavailable { .. }
            | StoreError::Io { .. }
            | StoreError::Disconnected { .. }
            | StoreError::Corrupt { .. }
            | StoreError::Cancelled
    )
}
