//! Writing by key.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::{NodeKey, Properties, RelationshipKey, Table};

/// What to do with the properties of an element that is already there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnExisting {
    /// Set the given properties, keep the others; a null removes.
    #[default]
    Merge,
    /// Keep exactly the given properties (and vectors).
    Replace,
}

/// One change.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Makes or changes a node. `__id__` is set from the key.
    UpsertNode {
        /// Which node; the key's label comes first.
        key: NodeKey,
        /// Further labels; labels that an existing node has stay.
        labels: Vec<String>,
        /// Its properties.
        properties: Properties,
        /// What to do when it exists.
        on_existing: OnExisting,
    },
    /// Makes or changes a relationship; both ends must exist by then. `__id__` is set from the key.
    UpsertRelationship {
        /// Which relationship.
        key: RelationshipKey,
        /// Its properties.
        properties: Properties,
        /// What to do when it exists.
        on_existing: OnExisting,
    },
    /// Sets the vector of a node, kept apart from its properties.
    SetVector {
        /// Which node.
        key: NodeKey,
        /// Under which name, as `embedding`.
        property: String,
        /// The components; all vectors under one name and label have the same number.
        vector: Vec<f32>,
    },
    /// Deletes a node with its relationships. A node that is not there is not an error.
    DeleteNode {
        /// Which node.
        key: NodeKey,
    },
    /// Deletes a relationship. One that is not there is not an error.
    DeleteRelationship {
        /// Which relationship.
        key: RelationshipKey,
    },
}

/// Changes that are written together, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChangeSet {
    /// The changes.
    pub changes: Vec<Change>,
}

impl ChangeSet {
    /// No changes yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// How many changes.
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// Makes a node, or merges into the one that is there.
    pub fn upsert_node(&mut self, key: NodeKey, labels: &[&str], properties: Properties) {
        let labels = labels.iter().map(|&label| label.to_owned()).collect();
        self.changes.push(Change::UpsertNode { key, labels, properties, on_existing: OnExisting::Merge });
    }

    /// Makes a relationship, or merges into the one that is there.
    pub fn upsert_relationship(&mut self, key: RelationshipKey, properties: Properties) {
        self.changes.push(Change::UpsertRelationship { key, properties, on_existing: OnExisting::Merge });
    }

    /// Adds one change.
    pub fn push(&mut self, change: Change) {
        self.changes.push(change);
    }
}

/// What a write did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Nodes made.
    pub nodes_created: u64,
    /// Nodes deleted.
    pub nodes_deleted: u64,
    /// Relationships made.
    pub relationships_created: u64,
    /// Relationships deleted.
    pub relationships_deleted: u64,
    /// Properties set or removed.
    pub properties_set: u64,
    /// Labels added or removed.
    pub labels_changed: u64,
}

impl Counters {
    /// How many changes there were, of any kind.
    pub fn changes(&self) -> u64 {
        let Self {
            nodes_created,
            nodes_deleted,
            relationships_created,
            relationships_deleted,
            properties_set,
            labels_changed,
        } = self;
        [
            nodes_created,
            nodes_deleted,
            relationships_created,
            relationships_deleted,
            properties_set,
            labels_changed,
        ]
        .into_iter()
        .fold(0, |all, count| all.saturating_add(*count))
    }
}

impl AddAssign for Counters {
    fn add_assign(&mut self, more: Self) {
        self.nodes_created += more.nodes_created;
        self.nodes_deleted += more.nodes_deleted;
        self.relationships_created += more.relationships_created;
        self.relationships_deleted += more.relationships_deleted;
        self.properties_set += more.properties_set;
        self.labels_changed += more.labels_changed;
    }
}

/// What came back from a write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WriteResult {
    /// Rows of the `RETURN`, if it has one.
    pub table: Table,
    /// What was changed.
    pub counters: Counters,
}

impl From<Table> for WriteResult {
    /// Of a statement that changed nothing.
    fn from(table: Table) -> Self {
        Self { table, counters: Counters::default() }
    }
}
