//! Uniqueness constraints on `__id__`, for each label that we write by.
//!
//! By them nodes are found by label and identifier. They also keep two writers from creating one
//! node twice.

use std::{
    collections::{BTreeSet, HashSet},
    sync::{Mutex, PoisonError},
};

use graphwright_core::{NodeKey, Result, names, store::Change};

use crate::{call::Call, index, server::Server};

/// The labels whose nodes are known to be found by their identifier.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    known: Mutex<HashSet<String>>,
}

impl Keys {
    /// Makes sure that nodes of these labels are found by their identifier.
    ///
    /// What is missing is made at once, because each change of the schema makes the server forget
    /// how it runs statements.
    pub(crate) fn ensure(
        &self,
        server: &Server,
        call: &Call,
        labels: impl IntoIterator<Item = String>,
    ) -> Result<()> {
        let is_new = |label: &String| !label.is_empty() && !self.lock().contains(label);
        let mut missing: BTreeSet<String> = labels.into_iter().filter(is_new).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let seen = missing.clone();
        for label in index::list_keys(server, call, names::ID)? {
            missing.remove(&label);
        }
        // Without the lock: if two calls make the same ones, `IF NOT EXISTS` lets the second pass.
        index::create_keys(server, call, &missing, names::ID)?;
        self.lock().extend(seen);
        Ok(())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashSet<String>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the labels by which changes name nodes.
pub(crate) fn labels_of(changes: &[Change]) -> HashSet<String> {
    let labels: HashSet<&str> = changes.iter().flat_map(keys_of).map(|key| key.label.as_str()).collect();
    labels.into_iter().map(str::to_owned).collect()
}

/// Returns the nodes that a change names.
fn keys_of(change: &Change) -> Vec<&NodeKey> {
    match change {
        Change::UpsertNode { key, .. } | Change::SetVector { key, .. } | Change::DeleteNode { key } => {
            vec![key]
        }
        Change::UpsertRelationship { key, .. } | Change::DeleteRelationship { key } => {
            vec![&key.from, &key.to]
        }
    }
}
