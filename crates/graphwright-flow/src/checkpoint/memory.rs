//! Checkpoints in memory.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;

use super::{CheckpointLog, CheckpointStore};
use crate::{
    error::{FlowError, Result},
    run_id::RunId,
};

/// Checkpoints in memory, for tests and for runs that outlive their handle but not the process.
#[derive(Clone, Debug, Default)]
pub struct MemoryCheckpoints {
    runs: Arc<Mutex<BTreeMap<RunId, Records>>>,
}

/// The records of a run. A log that is open holds a second reference to them.
type Records = Arc<Mutex<Vec<String>>>;

impl MemoryCheckpoints {
    /// Makes an empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn find(&self, run: &RunId) -> Result<Records> {
        let found = lock(&self.runs).get(run).cloned();
        found.ok_or_else(|| FlowError::UnknownRun { run: run.to_string() })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[async_trait]
impl CheckpointStore for MemoryCheckpoints {
    async fn begin(&self, run: &RunId) -> Result<Box<dyn CheckpointLog>> {
        let mut runs = lock(&self.runs);
        if runs.contains_key(run) {
            return Err(FlowError::RunExists { run: run.to_string() });
        }
        let records = Records::default();
        runs.insert(run.clone(), Arc::clone(&records));
        Ok(Box::new(MemoryLog(records)))
    }

    async fn open(&self, run: &RunId) -> Result<(Vec<String>, Box<dyn CheckpointLog>)> {
        let runs = lock(&self.runs);
        let records = runs.get(run).ok_or_else(|| FlowError::UnknownRun { run: run.to_string() })?;
        if Arc::strong_count(records) > 1 {
            return Err(FlowError::RunInUse { run: run.to_string() });
        }
        let written = lock(records).clone();
        Ok((written, Box::new(MemoryLog(Arc::clone(records)))))
    }

    async fn read(&self, run: &RunId) -> Result<Vec<String>> {
        let records = self.find(run)?;
        let written = lock(&records).clone();
        Ok(written)
    }

    async fn runs(&self) -> Result<Vec<RunId>> {
        Ok(lock(&self.runs).keys().cloned().collect())
    }

    async fn remove(&self, run: &RunId) -> Result<()> {
        lock(&self.runs).remove(run);
        Ok(())
    }
}

struct MemoryLog(Records);

#[async_trait]
impl CheckpointLog for MemoryLog {
    async fn append(&mut self, records: Vec<String>) -> Result<()> {
        lock(&self.0).extend(records);
        Ok(())
    }
}
