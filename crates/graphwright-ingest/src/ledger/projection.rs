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

    /// Returns the number of nodes and relationships.
    fn len(&self) -> usize {
        self.nodes.len() + self.relationships.len()
    }
}

/// A part of the graph before and after a change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Delta {
    pub before: Projection,
    pub after: Projection,
}

impl Delta {
    /// Adds a later change. What is not written yet was never before it: the store's state counts.
    pub(crate) fn append(&mut self, later: Self) {
        append((&mut self.before.nodes, &mut self.after.nodes), (later.before.nodes, later.after.nodes));
        append(
            (&mut self.before.relationships, &mut self.after.relationships),
            (later.before.relationships, later.after.relationships),
        );
    }

    /// Returns the number of elements before and after the change.
    pub(crate) fn len(&self) -> usize {
        self.before.len() + self.after.len()
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

fn append<K: Ord, V>(
    first: (&mut BTreeMap<K, V>, &mut BTreeMap<K, V>),
    later: (BTreeMap<K, V>, BTreeMap<K, V>),
) {
    let (before, after) = first;
    for (key, value) in later.0 {
        if after.remove(&key).is_none() {
            before.entry(key).or_insert(value);
        }
    }
    after.extend(later.1);
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type State = BTreeMap<u8, i64>;

    fn projection(state: &State, touched: &[u8]) -> Projection {
        let mut projection = Projection::default();
        for (key, value) in state.iter().filter(|(key, _)| touched.contains(key)) {
            let properties = Properties::from([("value".to_owned(), (*value).into())]);
            projection.node(NodeKey::new("A", key.to_string()), &[], properties);
        }
        projection
    }

    fn state() -> impl Strategy<Value = State> {
        prop::collection::btree_map(0..6u8, 0..3i64, 0..6)
    }

    proptest! {
        #[test]
        fn changes_one_after_the_other_are_one_change(
            states in prop::collection::vec((state(), prop::collection::vec(0..6u8, 0..6)), 1..6),
            first in state(),
        ) {
            let (mut now, mut whole, mut all) = (first.clone(), Delta::default(), Vec::new());
            for (wanted, touched) in states {
                let before = projection(&now, &touched);
                for key in &touched {
                    match wanted.get(key) {
                        Some(value) => now.insert(*key, *value),
                        None => now.remove(key),
                    };
                }
                whole.append(Delta { before, after: projection(&now, &touched) });
                all.extend(touched);
            }
            prop_assert_eq!(whole.before, projection(&first, &all));
            prop_assert_eq!(whole.after, projection(&now, &all));
        }
    }
}
