//! Writes by key: nodes by first label and `__id__`, relationships by ends, type and `__id__`.
//!
//! Most changes go through the engine's queries. Relationships go in below them, because there are
//! many, and several of one type between the same nodes.

mod nodes;
mod relationships;
mod vectors;

use std::collections::{BTreeMap, HashMap};

use graphwright_core::{
    NodeKey, Result, StoreError,
    store::{Change, ChangeSet, Counters},
};
use kglite::api::{DirGraph, GraphRead, InternedKey, NodeIndex, PropMap, Value as EngineValue};

use crate::{
    query,
    query_text::{id_property, quoted},
    rewrite::reserved,
    translate::Translated,
};

/// Makes all changes, in order, on a working copy of the graph.
pub(crate) fn apply(graph: &mut DirGraph, changes: ChangeSet) -> Result<Counters> {
    let mut work = Work { graph, counters: Counters::default() };
    for run in changes.into_runs() {
        work.run(run)?;
    }
    Ok(work.counters)
}

struct Work<'a> {
    graph: &'a mut DirGraph,
    counters: Counters,
}

impl Work<'_> {
    /// Makes changes that are all of one kind.
    fn run(&mut self, run: Vec<Change>) -> Result<()> {
        match run.first() {
            Some(Change::UpsertNode { .. }) => self.upsert_nodes(run),
            Some(Change::UpsertRelationship { .. }) => self.upsert_relationships(run),
            Some(Change::SetVector { .. }) => self.set_vectors(run),
            Some(Change::DeleteNode { .. }) => self.delete_nodes(run),
            Some(Change::DeleteRelationship { .. }) => self.delete_relationships(run),
            None => Ok(()),
        }
    }

    /// Runs a query of ours with `rows` as its only parameter.
    fn query(&mut self, text: String, rows: Vec<EngineValue>) -> Result<()> {
        self.query_with(text, [("rows", EngineValue::List(rows))])
    }

    fn query_with<const N: usize>(
        &mut self,
        text: String,
        parameters: [(&str, EngineValue); N],
    ) -> Result<()> {
        let parameters = parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let outcome = query::run_on(self.graph, &Translated::own(text, parameters), None, None)?;
        if let Some(stats) = outcome.result.stats {
            self.counters.nodes_created += stats.nodes_created as u64;
            self.counters.nodes_deleted += stats.nodes_deleted as u64;
            self.counters.relationships_created += stats.relationships_created as u64;
            self.counters.relationships_deleted += stats.relationships_deleted as u64;
            self.counters.properties_set += (stats.properties_set + stats.properties_removed) as u64;
        }
        Ok(())
    }

    /// Finds the node of a key, if there is one.
    fn find(&mut self, key: &NodeKey) -> Result<Option<NodeIndex>> {
        let label = engine_label(&key.label);
        self.index_by_id(&label)?;
        let id = EngineValue::String(key.id.clone());
        let found = self.graph.lookup_by_index(&label, &id_property(), &id).unwrap_or_default();
        // The engine takes `x` for equal to `["x"]`, and a date for equal to its text.
        let property = InternedKey::from_str(&id_property());
        Ok(found
            .into_iter()
            .find(|node| self.graph.graph.str_prop_eq(*node, property, &key.id) == Some(true)))
    }

    /// Finds the node of a key. Its absence is an error.
    fn require(&mut self, key: &NodeKey) -> Result<NodeIndex> {
        self.find(key)?.ok_or_else(|| StoreError::NotFound {
            what: format!("the node `{}` with the label `{}`", key.id, key.label),
        })
    }

    /// Makes sure that nodes of a label are found by our identifier.
    fn index_by_id(&mut self, label: &str) -> Result<()> {
        let property = id_property();
        if !self.graph.has_index(label, &property) {
            self.graph
                .create_property_index_routed(label, &property)
                .map_err(|message| StoreError::Engine { message })?;
        }
        Ok(())
    }

    /// Returns the engine's own identifier of a node.
    fn engine_id(&self, node: NodeIndex) -> EngineValue {
        self.graph.graph.get_node_id(node).unwrap_or(EngineValue::Null)
    }
}

fn engine_label(label: &str) -> String {
    if label.is_empty() {
        reserved::UNLABELLED.to_owned()
    } else {
        reserved::label_to_engine(label).into_owned()
    }
}

/// Returns what `elementId()` gives for the element in a slot.
fn slot(index: usize) -> EngineValue {
    EngineValue::String(index.to_string())
}

fn row<const N: usize>(entries: [(&str, EngineValue); N]) -> EngineValue {
    let entries: BTreeMap<_, _> = entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    EngineValue::Map(PropMap::from(entries))
}

fn map(entries: HashMap<String, EngineValue>) -> EngineValue {
    EngineValue::Map(PropMap::from(entries.into_iter().collect::<BTreeMap<_, _>>()))
}
