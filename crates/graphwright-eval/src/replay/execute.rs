//! Runs a text that a model wrote, and says how that went.

use std::time::Duration;

use graphwright_core::{GraphStore, StoreError, Table, store::QueryOptions};
use graphwright_cypher::Gate;

use super::RunError;
use crate::Result;

/// More rows than this are not compared; a store holds them for nobody else.
const ROW_LIMIT: usize = 200_000;

/// Only reads pass. The gate adds no bounds: they would change the rows that are compared.
fn gate() -> Gate {
    Gate { row_limit: None, max_hops: None, max_work: None, ..Gate::default() }
}

/// Rows, or why there are none. What is not the query's fault is an error.
pub(super) async fn execute(
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
        Err(error) if is_of_the_store(&error) => Err(error.into()),
        Err(error) => Ok(Err(RunError { code: error.code().to_owned(), message: error.to_string() })),
    }
}

/// Whether another query would have failed as well.
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
