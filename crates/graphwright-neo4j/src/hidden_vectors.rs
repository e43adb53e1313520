//! Remembers the names under which nodes have vectors.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Removes the vectors from nodes in results, as the embedded store has none there.
///
/// The names in the indexes are asked for when a node first has a list of floats under another name
/// than the usual one, and again when indexes have changed.
#[derive(Debug, Default)]
pub(crate) struct HiddenVectors(Mutex<Option<Vec<String>>>);

impl HiddenVectors {
    /// Asks for the names in the indexes again when they are needed next.
    pub(crate) fn forget(&self) {
        *self.lock() = None;
    }

    /// Returns the names in the indexes, if they are known.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Option<Vec<String>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
