//! Side effects as the kit counts them: nodes, relationships, properties (element, name and value)
//! and labels of the graph that were added or removed.

use std::collections::{BTreeMap, BTreeSet};

use futures::StreamExt;
use graphwright_core::{ElementId, GraphStore, Properties, Result, store::ScanOptions};

/// Counts by the kit's names, as `+nodes`. A missing count is zero.
pub(crate) type Effects = BTreeMap<String, usize>;

/// The content of a graph.
#[derive(Debug, Default)]
pub(crate) struct State {
    nodes: BTreeSet<ElementId>,
    relationships: BTreeSet<ElementId>,
    /// Kind and identifier of the element, name and value of each property.
    properties: BTreeSet<(char, ElementId, String, String)>,
    labels: BTreeSet<String>,
}

impl State {
    /// Reads the content of a store's graph.
    pub(crate) async fn from_store(store: &dyn GraphStore) -> Result<Self> {
        let mut state = Self::default();
        let mut batches = store.scan(ScanOptions::default()).await?;
        while let Some(batch) = batches.next().await {
            let batch = batch?;
            for node in batch.nodes {
                state.add_properties('n', &node.element_id, &node.properties);
                state.labels.extend(node.labels);
                state.nodes.insert(node.element_id);
            }
            for relationship in batch.relationships {
                state.add_properties('r', &relationship.element_id, &relationship.properties);
                state.relationships.insert(relationship.element_id);
            }
        }
        Ok(state)
    }

    fn add_properties(&mut self, kind: char, id: &ElementId, properties: &Properties) {
        let triples =
            properties.iter().map(|(name, value)| (kind, id.clone(), name.clone(), format!("{value:?}")));
        self.properties.extend(triples);
    }

    /// Returns what was added and removed up to `after`.
    pub(crate) fn changes_to(&self, after: &Self) -> Effects {
        let mut effects = Effects::new();
        count(&mut effects, "nodes", &self.nodes, &after.nodes);
        count(&mut effects, "relationships", &self.relationships, &after.relationships);
        count(&mut effects, "properties", &self.properties, &after.properties);
        count(&mut effects, "labels", &self.labels, &after.labels);
        effects
    }
}

fn count<T: Ord>(effects: &mut Effects, what: &str, before: &BTreeSet<T>, after: &BTreeSet<T>) {
    for (sign, number) in [('+', after.difference(before).count()), ('-', before.difference(after).count())] {
        if number > 0 {
            effects.insert(format!("{sign}{what}"), number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(nodes: &[(&str, &str, i64)]) -> State {
        let mut state = State::default();
        for (id, label, value) in nodes {
            let id = ElementId::new(*id);
            state.add_properties('n', &id, &Properties::from([("p".to_owned(), (*value).into())]));
            state.labels.insert((*label).to_owned());
            state.nodes.insert(id);
        }
        state
    }

    #[test]
    fn a_changed_value_is_one_removed_and_one_added() {
        let before = state(&[("1", "A", 1), ("2", "B", 2)]);
        let after = state(&[("1", "A", 3), ("4", "A", 2)]);
        let expected = [("+nodes", 1), ("+properties", 2), ("-labels", 1), ("-nodes", 1), ("-properties", 2)];
        let expected: Effects = expected.map(|(name, number)| (name.to_owned(), number)).into();
        assert_eq!(before.changes_to(&after), expected);
        assert_eq!(after.changes_to(&after), Effects::new());
    }
}
