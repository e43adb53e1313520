//! A part of a graph, and the changes from one to another.

use std::collections::BTreeMap;

use graphwright_core::{
    NodeKey, Properties, RelationshipKey, Value,
    store::{Change, ChangeSet, OnExisting},
};

use crate::report::Count;

/// Nodes and relationships that the store should hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Projection {
    pub nodes: BTreeMap<NodeKey, ProjectedNode>,
    pub relationships: BTreeMap<RelationshipKey, Properties>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ProjectedNode {
    /// Labels besides the key's.
    pub labels: Vec<String>,
    pub properties: Properties,
}

impl Projection {
    pub(crate) fn node(&mut self, key: NodeKey, labels: &[&str], properties: Properties) {
        let labels = labels.iter().map(|&label| label.to_owned()).collect();
        self.nodes.insert(key, ProjectedNode { labels, properties });
    }

    pub(crate) fn relationship(&mut self, key: RelationshipKey, properties: Properties) {
        self.relationships.insert(key, properties);
    }

    pub(crate) fn extend(&mut self, other: Self) {
        self.nodes.extend(other.nodes);
        self.relationships.extend(other.relationships);
    }
}

/// A part of the graph before and after a change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Delta {
    pub before: Projection,
    pub after: Projection,
}

impl Delta {
    pub(crate) fn extend(&mut self, other: Self) {
        self.before.extend(other.before);
        self.after.extend(other.after);
    }

    /// Returns the changes, ordered so that both ends of a relationship exist when it is written.
    pub(crate) fn changes(&self) -> ChangeSet {
        let mut changes = ChangeSet::new();
        for key in self.before.relationships.keys().filter(|key| !self.after.relationships.contains_key(*key))
        {
            changes.push(Change::DeleteRelationship { key: key.clone() });
        }
        for key in self.before.nodes.keys().filter(|key| !self.after.nodes.contains_key(*key)) {
            changes.push(Change::DeleteNode { key: key.clone() });
        }
        for (key, node) in &self.after.nodes {
            let before = self.before.nodes.get(key);
            if before != Some(node) {
                // Merged, not replaced: the node may have properties that no document gives.
                changes.push(Change::UpsertNode {
                    key: key.clone(),
                    labels: node.labels.clone(),
                    properties: difference(before.map(|before| &before.properties), &node.properties),
                    on_existing: OnExisting::Merge,
                });
            }
        }
        for (key, properties) in &self.after.relationships {
            let before = self.before.relationships.get(key);
            if before != Some(properties) {
                changes.push(Change::UpsertRelationship {
                    key: key.clone(),
                    properties: difference(before, properties),
                    on_existing: OnExisting::Merge,
                });
            }
        }
        changes
    }

    /// Counts how relationships change.
    pub(crate) fn count_relationships(&self) -> Count {
        count(&self.before.relationships, &self.after.relationships)
    }
}

fn count<K: Ord, V: PartialEq>(before: &BTreeMap<K, V>, after: &BTreeMap<K, V>) -> Count {
    let mut count = Count::default();
    for (key, value) in after {
        match before.get(key) {
            None => count.added += 1,
            Some(old) if old == value => count.unchanged += 1,
            Some(_) => count.changed += 1,
        }
    }
    count.removed = before.keys().filter(|key| !after.contains_key(*key)).count() as u64;
    count
}

/// Returns the properties to set, with null for those to remove.
fn difference(before: Option<&Properties>, after: &Properties) -> Properties {
    let Some(before) = before else { return after.clone() };
    let set = after.iter().filter(|(name, value)| before.get(*name) != Some(*value));
    let gone = before.keys().filter(|name| !after.contains_key(*name));
    set.map(|(name, value)| (name.clone(), value.clone()))
        .chain(gone.map(|name| (name.clone(), Value::Null)))
        .collect()
}
