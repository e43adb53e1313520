//! Relationships by key.

use std::collections::{BTreeMap, HashMap, HashSet, hash_map::Entry};

use graphwright_core::{
    NodeKey, Properties, RelationshipKey, Result, Value, names,
    store::{Change, OnExisting},
};
use kglite::api::{
    Direction, EdgeData, EdgeIndex, GraphRead, GraphWrite, InternedKey, NodeIndex, Value as EngineValue,
};

use super::{Work, engine_label, id_property, map, quoted, row};
use crate::values;

/// A relationship as the engine's slots know it: type, ends and our identifier.
type Found = (InternedKey, NodeIndex, NodeIndex, String);

/// What is known of relationships while a run is made.
#[derive(Default)]
struct Known {
    nodes: HashMap<NodeKey, NodeIndex>,
    read: HashSet<NodeIndex>,
    relationships: HashMap<Found, Option<EdgeIndex>>,
    registered: HashSet<(String, String, String)>,
}

impl Work<'_> {
    pub(super) fn upsert_relationships(&mut self, run: Vec<Change>) -> Result<()> {
        let mut known = Known::default();
        let indexed = self.indexed_types()?;
        for change in run {
            let Change::UpsertRelationship { key, mut properties, on_existing } = change else { continue };
            properties.insert(names::ID.to_owned(), Value::String(key.id.clone()));
            let from = self.end(&mut known, &key.from)?;
            let to = self.end(&mut known, &key.to)?;
            self.read_relationships(&mut known, from);
            let found = (InternedKey::from_str(&key.kind), from, to, key.id.clone());
            match known.relationships.entry(found) {
                Entry::Occupied(_) => self.change_relationship(&key, properties, on_existing)?,
                Entry::Vacant(entry) => {
                    entry.insert(None);
                    properties.retain(|_, value| !value.is_null());
                    let labels =
                        (key.kind.clone(), engine_label(&key.from.label), engine_label(&key.to.label));
                    let first = known.registered.insert(labels);
                    if first || indexed.contains(&key.kind) {
                        self.create_relationship(&key, properties)?;
                    } else {
                        self.add_relationship(&key, from, to, properties)?;
                    }
                }
            }
        }
        self.graph.bump_version();
        Ok(())
    }

    fn end(&mut self, known: &mut Known, key: &NodeKey) -> Result<NodeIndex> {
        if let Some(node) = known.nodes.get(key) {
            return Ok(*node);
        }
        let node = self.require(key)?;
        known.nodes.insert(key.clone(), node);
        Ok(node)
    }

    /// Reads the relationships that leave a node, once in a run: asking for one pair of nodes at a time would
    /// read all of a busy node's relationships again for each.
    fn read_relationships(&mut self, known: &mut Known, from: NodeIndex) {
        if !known.read.insert(from) {
            return;
        }
        let id_key = InternedKey::from_str(&id_property());
        for edge in self.graph.graph.edges_directed(from, Direction::Outgoing) {
            if let Some(EngineValue::String(id)) = self.graph.graph.get_edge_property(edge.id(), id_key) {
                let found = (edge.connection_type(), edge.source(), edge.target(), id);
                known.relationships.insert(found, Some(edge.id()));
            }
        }
    }

    /// Makes a relationship by a query, which also tells the engine's catalogue and indexes of it.
    fn create_relationship(&mut self, key: &RelationshipKey, properties: Properties) -> Result<()> {
        let text = format!(
            "UNWIND $rows AS row MATCH {} MATCH {} CREATE (a)-[r:{}]->(b) SET r += row.properties",
            node("a", &key.from, "from"),
            node("b", &key.to, "to"),
            quoted(&key.kind),
        );
        let properties = map(values::properties_to_engine(properties)?);
        self.query(text, vec![relationship_row(key, Some(properties))])
    }

    /// Makes a relationship of a type and between labels that the engine knows to be connected by it.
    fn add_relationship(
        &mut self,
        key: &RelationshipKey,
        from: NodeIndex,
        to: NodeIndex,
        properties: Properties,
    ) -> Result<()> {
        let properties = values::properties_to_engine(properties)?;
        let types =
            properties.iter().map(|(name, value)| (name.clone(), value.type_name().to_owned())).collect();
        let (source, target) = (engine_label(&key.from.label), engine_label(&key.to.label));
        self.graph.upsert_connection_type_metadata(&key.kind, &source, &target, types);
        self.counters.relationships_created += 1;
        self.counters.properties_set += properties.len() as u64;
        let data = EdgeData::new(key.kind.clone(), properties, &mut self.graph.interner);
        self.graph.graph.add_edge(from, to, data);
        Ok(())
    }

    fn change_relationship(
        &mut self,
        key: &RelationshipKey,
        mut properties: Properties,
        on_existing: OnExisting,
    ) -> Result<()> {
        let operator = match on_existing {
            OnExisting::Merge => "+=",
            OnExisting::Replace => {
                properties.retain(|_, value| !value.is_null());
                "="
            }
        };
        let text = format!("UNWIND $rows AS row MATCH {} SET r {operator} row.properties", relationship(key));
        let properties = map(values::properties_to_engine(properties)?);
        self.query(text, vec![relationship_row(key, Some(properties))])
    }

    pub(super) fn delete_relationships(&mut self, run: Vec<Change>) -> Result<()> {
        let mut rows: BTreeMap<String, Vec<EngineValue>> = BTreeMap::new();
        for change in run {
            let Change::DeleteRelationship { key } = change else { continue };
            if self.find(&key.from)?.is_some() && self.find(&key.to)?.is_some() {
                rows.entry(relationship(&key)).or_default().push(relationship_row(&key, None));
            }
        }
        for (pattern, rows) in rows {
            self.query(format!("UNWIND $rows AS row MATCH {pattern} DELETE r"), rows)?;
        }
        Ok(())
    }

    /// Types of relationships with an index or constraint of their own.
    fn indexed_types(&mut self) -> Result<HashSet<String>> {
        crate::index::relationship_types(self.graph)
    }
}

fn node(variable: &str, key: &NodeKey, field: &str) -> String {
    format!("({variable}:{} {{{}: row.{field}}})", quoted(&engine_label(&key.label)), quoted(&id_property()))
}

fn relationship(key: &RelationshipKey) -> String {
    let (from, to) = (node("a", &key.from, "from"), node("b", &key.to, "to"));
    format!(
        "{from} MATCH {to} MATCH (a)-[r:{}]->(b) WHERE r.{} = row.id",
        quoted(&key.kind),
        quoted(&id_property())
    )
}

fn relationship_row(key: &RelationshipKey, properties: Option<EngineValue>) -> EngineValue {
    row([
        ("from", EngineValue::String(key.from.id.clone())),
        ("to", EngineValue::String(key.to.id.clone())),
        ("id", EngineValue::String(key.id.clone())),
        ("properties", properties.unwrap_or(EngineValue::Null)),
    ])
}
