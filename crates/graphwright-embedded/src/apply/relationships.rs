//! Writes relationships by key.
//!
//! They are written below the engine's queries, which would merge or search too much. A type with
//! an index or a constraint goes through queries, which keep those.

use std::{
    collections::{HashMap, HashSet},
    sync::PoisonError,
};

use graphwright_core::{
    NodeKey, RelationshipKey, Result, Value, names,
    store::{Change, OnExisting},
};
use kglite::api::{
    Direction, EdgeData, EdgeIndex, GraphRead, GraphWrite, InternedKey, NodeIndex, Value as EngineValue,
};

use super::{Work, engine_label, id_property, map, quoted, row, slot};
use crate::values;

/// A relationship as the engine's slots know it: type, ends and our identifier.
type Place = (InternedKey, NodeIndex, NodeIndex, String);

/// The nodes and relationships found while a run is made.
struct Known {
    nodes: HashMap<NodeKey, Option<NodeIndex>>,
    read: HashSet<NodeIndex>,
    relationships: HashMap<Place, EdgeIndex>,
    /// The types with an index or constraint.
    indexed: HashSet<String>,
    /// The kinds of relationships that the engine's catalogue was told, by type.
    registered: HashMap<String, Vec<Registered>>,
}

/// A kind of relationship in the engine's catalogue.
struct Registered {
    from: String,
    to: String,
    /// The properties, with the names of their types.
    properties: HashMap<String, &'static str>,
}

impl Registered {
    fn covers(&self, key: &RelationshipKey, properties: &HashMap<String, EngineValue>) -> bool {
        self.from == key.from.label
            && self.to == key.to.label
            && properties.iter().all(|(name, value)| {
                matches!(value, EngineValue::Null) || self.properties.get(name) == Some(&value.type_name())
            })
    }
}

impl Work<'_> {
    pub(super) fn upsert_relationships(&mut self, run: Vec<Change>) -> Result<()> {
        let mut known = self.known()?;
        for change in run {
            let Change::UpsertRelationship { key, mut properties, on_existing } = change else { continue };
            properties.insert(names::ID.to_owned(), Value::String(key.id.clone()));
            let from = self.end(&mut known, &key.from)?;
            let to = self.end(&mut known, &key.to)?;
            let place = (InternedKey::from_str(&key.kind), from, to, key.id.clone());
            let found = self.find_relationship(&mut known, &place);
            if found.is_none() || on_existing == OnExisting::Replace {
                properties.retain(|_, value| !value.is_null());
            }
            let properties = values::properties_to_engine(properties)?;
            self.counters.properties_set += properties.len() as u64;
            match found {
                Some(edge) if known.indexed.contains(&key.kind) => {
                    self.change_by_query(&key, edge, properties, on_existing)?;
                }
                Some(edge) => {
                    self.register(&mut known, &key, &properties);
                    self.change_relationship(&key, edge, properties, on_existing);
                }
                None if known.indexed.contains(&key.kind) => {
                    self.create_by_query(&key, from, to, properties)?;
                    // The query wrote a relationship that `known` has not seen, so those of its
                    // start are read again.
                    known.read.remove(&from);
                }
                None => {
                    self.register(&mut known, &key, &properties);
                    self.counters.relationships_created += 1;
                    let data = EdgeData::new(key.kind, properties, &mut self.graph.interner);
                    let edge = self.graph.graph.add_edge(from, to, data);
                    known.relationships.insert(place, edge);
                }
            }
        }
        self.forget_counts();
        Ok(())
    }

    pub(super) fn delete_relationships(&mut self, run: Vec<Change>) -> Result<()> {
        let mut known = self.known()?;
        for change in run {
            let Change::DeleteRelationship { key } = change else { continue };
            let ends = (self.known_node(&mut known, &key.from)?, self.known_node(&mut known, &key.to)?);
            let (Some(from), Some(to)) = ends else { continue };
            let place = (InternedKey::from_str(&key.kind), from, to, key.id.clone());
            let Some(edge) = self.find_relationship(&mut known, &place) else { continue };
            known.relationships.remove(&place);
            if known.indexed.contains(&key.kind) {
                let text = format!("UNWIND $rows AS row MATCH {} DELETE r", pattern(&key));
                self.query(text, vec![relationship_row(&key, edge, HashMap::new())])?;
            } else {
                // The engine keeps slots stable: the others in `known` stay what they are.
                self.graph.graph.remove_edge(edge);
                self.counters.relationships_deleted += 1;
            }
        }
        self.forget_counts();
        Ok(())
    }

    fn known(&self) -> Result<Known> {
        let indexed = crate::index::relationship_types(self.graph)?;
        Ok(Known {
            nodes: HashMap::new(),
            read: HashSet::new(),
            relationships: HashMap::new(),
            indexed,
            registered: HashMap::new(),
        })
    }

    fn known_node(&mut self, known: &mut Known, key: &NodeKey) -> Result<Option<NodeIndex>> {
        if let Some(node) = known.nodes.get(key) {
            return Ok(*node);
        }
        let node = self.find(key)?;
        known.nodes.insert(key.clone(), node);
        Ok(node)
    }

    fn end(&mut self, known: &mut Known, key: &NodeKey) -> Result<NodeIndex> {
        match self.known_node(known, key)? {
            Some(node) => Ok(node),
            // Looks once more, only for its error.
            None => self.require(key),
        }
    }

    /// Finds a relationship, reading those that leave its start once in a run.
    ///
    /// Asking for one pair of nodes at a time would read all of a busy node's relationships again
    /// for each.
    fn find_relationship(&self, known: &mut Known, place: &Place) -> Option<EdgeIndex> {
        if known.read.insert(place.1) {
            let id_key = InternedKey::from_str(&id_property());
            for edge in self.graph.graph.edges_directed(place.1, Direction::Outgoing) {
                if let Some(EngineValue::String(id)) = self.graph.graph.get_edge_property(edge.id(), id_key) {
                    let place = (edge.connection_type(), edge.source(), edge.target(), id);
                    known.relationships.insert(place, edge.id());
                }
            }
        }
        known.relationships.get(place).copied()
    }

    fn change_relationship(
        &mut self,
        key: &RelationshipKey,
        edge: EdgeIndex,
        given: HashMap<String, EngineValue>,
        on_existing: OnExisting,
    ) {
        let mut properties = HashMap::new();
        if on_existing == OnExisting::Merge {
            for (name, value) in self.graph.graph.edge_property_list(edge).unwrap_or_default() {
                if let Some(name) = self.graph.interner.try_resolve(name) {
                    properties.insert(name.to_owned(), value);
                }
            }
        }
        properties.extend(given);
        properties.retain(|_, value| !matches!(value, EngineValue::Null));
        let data = EdgeData::new(key.kind.clone(), properties, &mut self.graph.interner);
        if let Some(stored) = self.graph.graph.edge_weight_mut(edge) {
            *stored = data;
        }
    }

    /// Tells the engine's catalogue of a relationship that it does not see being written, once for
    /// all alike.
    fn register(
        &mut self,
        known: &mut Known,
        key: &RelationshipKey,
        properties: &HashMap<String, EngineValue>,
    ) {
        let told = known.registered.get(&key.kind);
        if told.is_some_and(|told| told.iter().any(|registered| registered.covers(key, properties))) {
            return;
        }
        let types: HashMap<String, &'static str> = properties
            .iter()
            .filter(|(_, value)| !matches!(value, EngineValue::Null))
            .map(|(name, value)| (name.clone(), value.type_name()))
            .collect();
        let (source, target) = (engine_label(&key.from.label), engine_label(&key.to.label));
        let names = types.iter().map(|(name, kind)| (name.clone(), (*kind).to_owned())).collect();
        self.graph.register_connection_type(key.kind.clone());
        self.graph.upsert_connection_type_metadata(&key.kind, &source, &target, names);
        let (from, to) = (key.from.label.clone(), key.to.label.clone());
        known.registered.entry(key.kind.clone()).or_default().push(Registered {
            from,
            to,
            properties: types,
        });
    }

    /// Drops the counts of relationships that the engine remembers.
    fn forget_counts(&mut self) {
        *self.graph.edge_type_counts_cache.write().unwrap_or_else(PoisonError::into_inner) = None;
        *self.graph.type_connectivity_cache.write().unwrap_or_else(PoisonError::into_inner) = None;
        self.graph.bump_version();
    }

    fn create_by_query(
        &mut self,
        key: &RelationshipKey,
        from: NodeIndex,
        to: NodeIndex,
        properties: HashMap<String, EngineValue>,
    ) -> Result<()> {
        let text = format!(
            "UNWIND $rows AS row MATCH {}, {} WHERE elementId(a) = row.a AND elementId(b) = row.b \
             CREATE (a)-[r:{}]->(b) SET r += row.properties",
            node("a", &key.from, "from"),
            node("b", &key.to, "to"),
            quoted(&key.kind),
        );
        let row = row([
            ("from", EngineValue::String(key.from.id.clone())),
            ("to", EngineValue::String(key.to.id.clone())),
            ("a", slot(from.index())),
            ("b", slot(to.index())),
            ("properties", map(properties)),
        ]);
        self.query(text, vec![row])
    }

    fn change_by_query(
        &mut self,
        key: &RelationshipKey,
        edge: EdgeIndex,
        properties: HashMap<String, EngineValue>,
        on_existing: OnExisting,
    ) -> Result<()> {
        let operator = if on_existing == OnExisting::Merge { "+=" } else { "=" };
        let text = format!("UNWIND $rows AS row MATCH {} SET r {operator} row.properties", pattern(key));
        self.query(text, vec![relationship_row(key, edge, properties)])
    }
}

fn node(variable: &str, key: &NodeKey, field: &str) -> String {
    format!("({variable}:{} {{{}: row.{field}}})", quoted(&engine_label(&key.label)), quoted(&id_property()))
}

fn pattern(key: &RelationshipKey) -> String {
    format!(
        "{}, {} MATCH (a)-[r:{}]->(b) WHERE elementId(r) = row.slot",
        node("a", &key.from, "from"),
        node("b", &key.to, "to"),
        quoted(&key.kind),
    )
}

fn relationship_row(
    key: &RelationshipKey,
    edge: EdgeIndex,
    properties: HashMap<String, EngineValue>,
) -> EngineValue {
    row([
        ("from", EngineValue::String(key.from.id.clone())),
        ("to", EngineValue::String(key.to.id.clone())),
        ("slot", slot(edge.index())),
        ("properties", map(properties)),
    ])
}
