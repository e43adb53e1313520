//! The threads on which the engine runs.
//!
//! The engine recurses with the nesting of a query, and a stack that runs out ends the process. So
//! its calls run on threads with the stack that it asks for, which those of the async runtime do
//! not have. Its warnings come back as notices, and are not printed.

use graphwright_core::{Result, StoreError};
use kglite::api::{
    cypher::{QueryWarningSink, with_query_warning_sink},
    session::QUERY_THREAD_STACK_SIZE,
};
use tokio::sync::oneshot;

/// Starts `work` on a thread of its own.
pub(crate) fn spawn(work: impl FnOnce() + Send + 'static) -> Result<()> {
    std::thread::Builder::new()
        .name("graphwright-store".to_owned())
        .stack_size(QUERY_THREAD_STACK_SIZE)
        .spawn(|| with_query_warning_sink(QueryWarningSink::Silent, work))
        .map(drop)
        .map_err(|source| StoreError::Io {
            message: "cannot start a thread".to_owned(),
            source: Some(source),
        })
}

/// Runs `work` on a thread of its own and waits for its result.
pub(crate) async fn run<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let (sender, receiver) = oneshot::channel();
    spawn(move || {
        let _ = sender.send(work());
    })?;
    receiver.await.unwrap_or_else(|_| Err(stopped()))
}

/// Creates the error of a thread that ended without an answer: the engine panicked.
pub(crate) fn stopped() -> StoreError {
    StoreError::Engine {
        message: "the engine stopped in the middle of the call; this is a defect of it".to_owned(),
    }
}
