//! Changes that are written by key.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::{NodeKey, Properties, RelationshipKey, Table};

/// What to do with the properties of an element that already exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnExisting {
    /// Sets the given properties and keeps the others. A null removes a property.
    #[default]
    Merge,
    /// Keeps exactly the given properties (and vectors).
    Replace,
}

/// A change to a node or relationship, found by its key.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Creates or changes a node. `__id__` is set from the key.
    UpsertNode {
        /// The node. The key's label comes first.
        key: NodeKey,
        /// Further labels. Labels that an existing node has stay.
        labels: Vec<String>,
        /// The properties to set.
        properties: Properties,
        /// What to do when the node exists.
        on_existing: OnExisting,
    },
    /// Creates or changes a relationship. `__id__` is set from the key.
    ///
    /// Both ends must exist by then, or be created by the upserts around it.
    UpsertRelationship {
        /// The relationship.
        key: RelationshipKey,
        /// The properties to set.
        properties: Properties,
        /// What to do when the relationship exists.
        on_existing: OnExisting,
    },
    /// Sets the vector of a node, which is kept apart from its properties.
    SetVector {
        /// The node.
        key: NodeKey,
        /// The name of the vector, as `embedding`.
        property: String,
        /// The components. All vectors under one name and label have the same number.
        vector: Vec<f32>,
    },
    /// Deletes a node with its relationships. A node that does not exist is not an error.
    DeleteNode {
        /// The node.
        key: NodeKey,
    },
    /// Deletes a relationship. One that does not exist is not an error.
    DeleteRelationship {
        /// The relationship.
        key: RelationshipKey,
    },
}

impl Change {
    fn is_upsert(&self) -> bool {
        matches!(self, Self::UpsertNode { .. } | Self::UpsertRelationship { .. })
    }
}

/// Changes that are written together, in order.
///
/// Of upserts that follow each other, those of nodes are written first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChangeSet {
    /// The changes, in the order in which they were added.
    pub changes: Vec<Change>,
}

impl ChangeSet {
    /// Creates a set without changes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns the number of changes.
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// Creates a node, or merges into the one that exists.
    pub fn upsert_node(&mut self, key: NodeKey, labels: &[&str], properties: Properties) {
        let labels = labels.iter().map(|&label| label.to_owned()).collect();
        self.changes.push(Change::UpsertNode { key, labels, properties, on_existing: OnExisting::Merge });
    }

    /// Creates a relationship, or merges into the one that exists.
    pub fn upsert_relationship(&mut self, key: RelationshipKey, properties: Properties) {
        self.changes.push(Change::UpsertRelationship { key, properties, on_existing: OnExisting::Merge });
    }

    /// Returns the changes in the order in which a store makes them, in runs of one kind.
    pub fn into_runs(self) -> Vec<Vec<Change>> {
        let mut runs: Vec<Vec<Change>> = Vec::new();
        let mut changes = self.changes.into_iter().peekable();
        while changes.peek().is_some() {
            let upserts = std::iter::from_fn(|| changes.next_if(Change::is_upsert));
            // Nodes go first, so that a relationship may come before its ends in the same run of
            // upserts.
            let (nodes, relationships): (Vec<_>, Vec<_>) =
                upserts.partition(|change| matches!(change, Change::UpsertNode { .. }));
            runs.extend([nodes, relationships].into_iter().filter(|run| !run.is_empty()));
            if let Some(first) = changes.next_if(|change| !change.is_upsert()) {
                let kind = std::mem::discriminant(&first);
                let same =
                    std::iter::from_fn(|| changes.next_if(|change| std::mem::discriminant(change) == kind));
                runs.push(std::iter::once(first).chain(same).collect());
            }
        }
        runs
    }

    /// Adds a change.
    pub fn push(&mut self, change: Change) {
        self.changes.push(change);
    }
}

/// The number of changes that a write made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Nodes created.
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
    /// Returns the number of changes of any kind.
    pub fn changes(&self) -> u64 {
        // Taken apart by name, so that a new counter cannot be forgotten here.
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

/// The result of a write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WriteResult {
    /// The rows of its `RETURN`, if it has one.
    pub table: Table,
    /// What was changed.
    pub counters: Counters,
}

impl From<Table> for WriteResult {
    /// Creates the result of a statement that changed nothing.
    fn from(table: Table) -> Self {
        Self { table, counters: Counters::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_go_in_runs_with_nodes_before_relationships() {
        let node = |id: &str| NodeKey::new("A", id);
        let link =
            |id: &str| RelationshipKey { kind: "R".into(), from: node("1"), to: node("2"), id: id.into() };
        let mut changes = ChangeSet::new();
        changes.upsert_relationship(link("a"), Properties::new());
        changes.upsert_node(node("1"), &[], Properties::new());
        changes.upsert_relationship(link("b"), Properties::new());
        changes.upsert_node(node("2"), &[], Properties::new());
        changes.push(Change::DeleteNode { key: node("3") });
        changes.push(Change::DeleteNode { key: node("4") });
        changes.push(Change::DeleteRelationship { key: link("c") });
        changes.upsert_node(node("3"), &[], Properties::new());
        let runs =
            changes.into_runs().into_iter().map(|run| run.iter().map(name).collect::<Vec<_>>().join(" "));
        assert_eq!(
            runs.collect::<Vec<_>>(),
            ["node 1 node 2", "link a link b", "no node 3 no node 4", "no link c", "node 3"]
        );
        assert!(ChangeSet::new().into_runs().is_empty());
    }

    fn name(change: &Change) -> String {
        match change {
            Change::UpsertNode { key, .. } => format!("node {}", key.id),
            Change::UpsertRelationship { key, .. } => format!("link {}", key.id),
            Change::SetVector { key, .. } => format!("vector {}", key.id),
            Change::DeleteNode { key } => format!("no node {}", key.id),
            Change::DeleteRelationship { key } => format!("no link {}", key.id),
        }
    }
}
