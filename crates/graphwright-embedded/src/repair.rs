//! Goes on with what is whole of a damaged store.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use graphwright_core::{Result, StoreError};
use kglite::api::io::{GraphWriterLease, load_file};

use crate::{
    error,
    location::{Location, exists},
    log,
};

/// What a repair kept and what it did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The number of commits in the log that are whole, and stay.
    pub kept: usize,
    /// What was wrong, as the error said it.
    pub damage: String,
    /// The bytes of the log that are no longer part of the store.
    pub dropped_bytes: usize,
    /// The whole log as it was.
    pub copy: PathBuf,
}

/// Cuts the log of the store in a directory before its first damage. Keeps a copy of the log beside
/// it. Returns `None` if the log is whole. Waits up to `wait` for another writer to end.
///
/// # Errors
///
/// Returns [`Locked`](StoreError::Locked) when another process writes, and
/// [`Corrupt`](StoreError::Corrupt) when the checkpoint is missing or damaged: only a backup helps
/// then.
pub(crate) fn repair(directory: &Path, wait: Duration) -> Result<Option<Repair>> {
    let location = Location::new(directory);
    location.require()?;
    let path = location.checkpoint();
    let _lease = GraphWriterLease::acquire_labeled(&path, wait, Some("repair"))
        .map_err(|refusal| error::from_lease(refusal, &path))?;
    if !exists(&path)? {
        return Err(log::without_checkpoint(&location));
    }
    let checkpoint = load_file(&path.to_string_lossy()).map_err(|source| error::from_io(source, &path))?;
    let checkpoint = checkpoint.checkpoint_lsn;
    let damage = match log::read(&location, checkpoint) {
        Ok(_) => return Ok(None),
        Err(StoreError::Corrupt { message, .. }) => message,
        Err(error) => return Err(error),
    };
    let io = |source| error::from_io(source, &location.log());
    // One that is missing becomes an empty one.
    fs::OpenOptions::new().create(true).append(true).open(location.log()).map_err(io)?;
    let (kept, length) = log::whole_prefix(&location, checkpoint)?;
    let bytes = fs::metadata(location.log()).map_err(io)?.len();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let copy = directory.join(format!("graph.kgl-wal.damaged-{now}"));
    fs::copy(location.log(), &copy).map_err(io)?;
    let file = fs::OpenOptions::new().write(true).open(location.log()).map_err(io)?;
    file.set_len(length as u64).and_then(|()| file.sync_all()).map_err(io)?;
    let dropped_bytes = usize::try_from(bytes).unwrap_or(usize::MAX).saturating_sub(length);
    Ok(Some(Repair { kept, damage, dropped_bytes, copy }))
}
