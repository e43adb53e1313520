//! Writes nodes by key.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use graphwright_core::{
    NodeKey, Properties, Result, StoreError, Value, names,
    store::{Change, OnExisting},
};
use kglite::api::{InternedKey, NodeIndex, Value as EngineValue};

use super::{Work, engine_label, id_property, map, quoted, row, slot};
use crate::values;

struct Upsert {
    key: NodeKey,
    labels: Vec<String>,
    properties: Properties,
    on_existing: OnExisting,
}

type Rows<K> = BTreeMap<K, Vec<EngineValue>>;

impl Work<'_> {
    pub(super) fn upsert_nodes(&mut self, run: Vec<Change>) -> Result<()> {
        let mut seen = HashSet::new();
        let mut batch = Vec::new();
        for change in run {
            let Change::UpsertNode { key, labels, properties, on_existing } = change else { continue };
            // A query sees a node only as it was before it, so changes to one node go into queries
            // of their own.
            if !seen.insert(key.clone()) {
                self.upsert_distinct(std::mem::take(&mut batch))?;
                seen = HashSet::from([key.clone()]);
            }
            batch.push(Upsert { key, labels, properties, on_existing });
        }
        self.upsert_distinct(batch)
    }

    /// Creates or changes nodes of which each is named once.
    fn upsert_distinct(&mut self, batch: Vec<Upsert>) -> Result<()> {
        let mut created: Rows<(String, Vec<String>)> = Rows::new();
        let mut merged: Rows<String> = Rows::new();
        let mut replaced: Rows<String> = Rows::new();
        let mut labelled: Rows<(String, String)> = Rows::new();
        let mut keys: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for upsert in batch {
            let label = engine_label(&upsert.key.label);
            let mut properties = upsert.properties;
            properties.insert(names::ID.to_owned(), Value::String(upsert.key.id.clone()));
            let found = self.find(&upsert.key)?;
            if found.is_none() || upsert.on_existing == OnExisting::Replace {
                properties.retain(|_, value| !value.is_null());
            }
            let properties = values::properties_to_engine(properties)?;
            let set = properties.iter().filter(|(_, value)| !matches!(value, EngineValue::Null));
            keys.entry(label.clone()).or_default().extend(set.map(|(name, _)| name.clone()));
            let properties = map(properties);
            let labels: Vec<_> = upsert.labels.iter().map(|label| engine_label(label)).collect();
            let Some(node) = found else {
                self.counters.labels_changed += labels.len() as u64 + u64::from(!upsert.key.label.is_empty());
                let engine_id = self.free_engine_id(&label, &upsert.key.id);
                let row = row([("id", engine_id), ("properties", properties)]);
                created.entry((label, labels)).or_default().push(row);
                continue;
            };
            let row = node_row(&upsert.key, node, properties);
            let present = self.graph.node_labels(node);
            for extra in labels.into_iter().filter(|label| !present.contains(&InternedKey::from_str(label))) {
                self.counters.labels_changed += 1;
                labelled.entry((label.clone(), extra)).or_default().push(row.clone());
            }
            let rows = if upsert.on_existing == OnExisting::Replace { &mut replaced } else { &mut merged };
            rows.entry(label).or_default().push(row);
        }
        self.announce(keys)?;
        self.create(created)?;
        self.change(merged, "+=")?;
        // Replacing drops the vector with the other properties, and the index would still find it.
        for (label, rows) in &replaced {
            self.remove_from_vector_indexes(label, rows)?;
        }
        self.change(replaced, "=")?;
        self.add_labels(labelled)
    }

    /// Tells the engine all properties of the nodes to come at once. It keeps a copy of what a label has for each that it
    /// meets: 10,000 of them one by one take 2 GB.
    fn announce(&mut self, keys: BTreeMap<String, BTreeSet<String>>) -> Result<()> {
        for (label, names) in keys {
            let keys = names.iter().map(|name| self.graph.interner.try_get_or_intern(name));
            let keys: Vec<InternedKey> = keys
                .collect::<Result<_, _>>()
                .map_err(|collision| StoreError::Engine { message: collision.to_string() })?;
            self.graph.ensure_type_schema_keys(&label, &keys);
        }
        Ok(())
    }

    /// Returns the engine's identifier of a new node.
    ///
    /// It is ours, unless a node whose `__id__` was changed since has it.
    fn free_engine_id(&self, label: &str, id: &str) -> EngineValue {
        let mut candidate = EngineValue::String(id.to_owned());
        let mut number = 1;
        while self.graph.lookup_by_id_readonly(label, &candidate).is_some() {
            number += 1;
            candidate = EngineValue::String(format!("{id} ({number})"));
        }
        candidate
    }

    fn create(&mut self, rows: Rows<(String, Vec<String>)>) -> Result<()> {
        for ((label, labels), rows) in rows {
            let labels: Vec<_> = std::iter::once(&label).chain(&labels).map(|label| quoted(label)).collect();
            let labels = labels.join(":");
            self.query(
                format!("UNWIND $rows AS row CREATE (n:{labels} {{id: row.id}}) SET n += row.properties"),
                rows,
            )?;
        }
        Ok(())
    }

    fn change(&mut self, rows: Rows<String>, operator: &str) -> Result<()> {
        for (label, rows) in rows {
            let pattern = pattern(&label);
            self.query(format!("UNWIND $rows AS row MATCH {pattern} SET n {operator} row.properties"), rows)?;
        }
        Ok(())
    }

    fn add_labels(&mut self, rows: Rows<(String, String)>) -> Result<()> {
        for ((label, extra), rows) in rows {
            let (pattern, extra) = (pattern(&label), quoted(&extra));
            self.query(format!("UNWIND $rows AS row MATCH {pattern} SET n:{extra}"), rows)?;
        }
        Ok(())
    }

    pub(super) fn delete_nodes(&mut self, run: Vec<Change>) -> Result<()> {
        let mut nodes: Rows<String> = Rows::new();
        for change in run {
            let Change::DeleteNode { key } = change else { continue };
            if let Some(node) = self.find(&key)? {
                let row = node_row(&key, node, EngineValue::Null);
                nodes.entry(engine_label(&key.label)).or_default().push(row);
            }
        }
        for (label, rows) in nodes {
            let pattern = pattern(&label);
            self.query(format!("UNWIND $rows AS row MATCH {pattern} DETACH DELETE n"), rows)?;
        }
        Ok(())
    }
}

/// Writes the pattern that matches the node of a [`node_row`]: by the index, then exactly.
pub(super) fn pattern(label: &str) -> String {
    format!("(n:{} {{{}: row.id}}) WHERE elementId(n) = row.slot", quoted(label), quoted(&id_property()))
}

pub(super) fn node_row(key: &NodeKey, node: NodeIndex, properties: EngineValue) -> EngineValue {
    let id = EngineValue::String(key.id.clone());
    row([("id", id), ("slot", slot(node.index())), ("properties", properties)])
}
