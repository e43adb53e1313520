//! What finds our nodes by label and identifier: a uniqueness constraint on `__id__` for each label that we write by,
//! which also keeps two writers from making the same node twice.

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

use graphwright_core::{NodeKey, Result, names, store::Change};

use crate::{call::Call, index, server::Server};

/// Labels whose nodes are known to be found.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    known: Mutex<HashSet<String>>,
}

impl Keys {
    /// Sees to it that the nodes which the changes name are found without reading all of their label.
    pub(crate) fn ensure(&self, server: &Server, call: &Call, changes: &[Change]) -> Result<()> {
        let labels: HashSet<&str> = changes.iter().flat_map(keys_of).map(|key| key.label.as_str()).collect();
        for label in labels.into_iter().filter(|label| !label.is_empty()) {
            if self.lock().contains(label) {
                continue;
            }
            index::create_key(server, call, label, names::ID)?;
            self.lock().insert(label.to_owned());
        }
        Ok(())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashSet<String>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The nodes that a change names.
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
