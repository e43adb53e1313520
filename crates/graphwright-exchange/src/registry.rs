//! Registers the nodes of an import by the names that the files give them.

use std::collections::{HashMap, HashSet};

use graphwright_core::NodeKey;
use indexmap::IndexSet;

use super::item::{NodeItem, Reference};

/// A map from the names of nodes to their keys, by which relationships find their ends.
#[derive(Debug, Default)]
pub(super) struct Registry {
    labels: IndexSet<String>,
    spaces: HashMap<String, HashMap<Box<str>, Entry>>,
    /// Numbers of the items to leave out.
    skipped: HashSet<u64>,
}

#[derive(Debug)]
struct Entry {
    label: usize,
    /// Value of `__id__`; `None` if it is made from the reference.
    id: Option<Box<str>>,
}

impl Registry {
    /// Adds a node. Returns `false` if its name is taken.
    pub(super) fn add(&mut self, node: &NodeItem) -> bool {
        let Some(reference) = &node.reference else { return true };
        let label = node.labels.first().map_or("", String::as_str);
        self.insert(reference, label, &node.id)
    }

    pub(super) fn insert(&mut self, reference: &Reference, label: &str, id: &str) -> bool {
        let label = match self.labels.get_index_of(label) {
            Some(index) => index,
            None => self.labels.insert_full(label.to_owned()).0,
        };
        // An identifier that can be made again is not stored, which saves much memory in large
        // imports.
        let id = (id != own_id(reference)).then(|| Box::from(id));
        // `entry` would need an owned name for each node.
        if !self.spaces.contains_key(&reference.space) {
            self.spaces.insert(reference.space.clone(), HashMap::new());
        }
        let Some(space) = self.spaces.get_mut(&reference.space) else { return false };
        if space.contains_key(reference.id.as_str()) {
            return false;
        }
        space.insert(reference.id.as_str().into(), Entry { label, id });
        true
    }

    pub(super) fn knows(&self, reference: &Reference) -> bool {
        self.entry(reference).is_some()
    }

    /// Returns the key of a node in the store.
    pub(super) fn key(&self, reference: &Reference) -> Option<NodeKey> {
        let entry = self.entry(reference)?;
        let label = self.labels.get_index(entry.label)?;
        let id = entry.id.as_ref().map_or_else(|| own_id(reference), ToString::to_string);
        Some(NodeKey::new(label, id))
    }

    pub(super) fn skip(&mut self, item: u64) {
        self.skipped.insert(item);
    }

    pub(super) fn is_skipped(&self, item: u64) -> bool {
        !self.skipped.is_empty() && self.skipped.contains(&item)
    }

    fn entry(&self, reference: &Reference) -> Option<&Entry> {
        self.spaces.get(&reference.space)?.get(reference.id.as_str())
    }
}

/// Makes the `__id__` of a node that has none of its own.
pub(super) fn own_id(reference: &Reference) -> String {
    format!("{}:{}", reference.space, reference.id)
}
