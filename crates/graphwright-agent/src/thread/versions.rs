//! Versions of a store that differ only in conversations.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

/// A record of which versions of a store hold the same graph, because only conversations were
/// written between them.
///
/// Whoever caches something made from the graph need not make it again for such a version, and need
/// not report that the graph has changed.
///
/// ```
/// use graphwright_agent::Versions;
///
/// let versions = Versions::default();
/// versions.only_conversations("1", "2".to_owned());
/// versions.only_conversations("2", "3".to_owned());
/// assert_eq!(versions.canonical("3".to_owned()), "1");
/// assert_eq!(versions.canonical("4".to_owned()), "4");
/// ```
#[derive(Debug, Default)]
pub struct Versions {
    /// The first version with the same graph, for each version known to repeat it.
    first: Mutex<HashMap<String, String>>,
}

impl Versions {
    /// Returns the first version that holds the same graph as this one.
    pub fn canonical(&self, version: String) -> String {
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        first.get(&version).cloned().unwrap_or(version)
    }

    /// Notes that only conversations were written between two versions.
    pub fn only_conversations(&self, before: &str, after: String) {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        let same = first.get(before).cloned().unwrap_or_else(|| before.to_owned());
        first.insert(after, same);
    }
}
