//! Where runs keep what they have done.

mod file;
mod memory;

use async_trait::async_trait;

pub use self::{file::FileCheckpoints, memory::MemoryCheckpoints};
use crate::{error::Result, run_id::RunId};

/// A place for the checkpoints of runs: for each run a log that only grows.
///
/// A record is JSON without control characters, which means nothing to the store. What
/// [`append`](CheckpointLog::append) has returned for must survive the end of the process, and with a store on disk the loss of power;
/// records come back whole and in their order. Those that were being appended when the process ended are all there or none is.
#[async_trait]
pub trait CheckpointStore: Send + Sync + 'static {
    /// Begins the log of a new run, for this caller alone.
    ///
    /// # Errors
    /// Fails with [`RunExists`](crate::FlowError::RunExists) if the run has a log.
    async fn begin(&self, run: &RunId) -> Result<Box<dyn CheckpointLog>>;

    /// Opens the log of a run for this caller alone, and returns its records.
    ///
    /// # Errors
    /// Fails with [`UnknownRun`](crate::FlowError::UnknownRun) if the run has no log, and with
    /// [`RunInUse`](crate::FlowError::RunInUse) while another caller has it open.
    async fn open(&self, run: &RunId) -> Result<(Vec<String>, Box<dyn CheckpointLog>)>;

    /// Reads the records of a run without opening its log.
    ///
    /// # Errors
    /// Fails with [`UnknownRun`](crate::FlowError::UnknownRun) if the run has no log.
    async fn read(&self, run: &RunId) -> Result<Vec<String>>;

    /// Lists all runs, in the order of their identifiers.
    async fn runs(&self) -> Result<Vec<RunId>>;

    /// Removes a run; it is fine if there is none.
    async fn remove(&self, run: &RunId) -> Result<()>;
}

/// The log of a run. Whoever has it is the only one; dropping it gives it up.
#[async_trait]
pub trait CheckpointLog: Send {
    /// Appends records and returns when they will survive.
    async fn append(&mut self, records: Vec<String>) -> Result<()>;
}
