//! What the types of entities have, and what relationships connect.

use std::collections::HashMap;

use graphwright_core::{Node, Value, names};
use graphwright_english::dates::Days;
use serde::{Deserialize, Serialize};

use crate::{NodeIndex, Role, Topology};

/// The kind of values that a property has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Content {
    /// Texts, and whatever is nothing of the following.
    Text,
    /// Integers and floats.
    Number,
    /// Dates and moments.
    Date,
    /// True or false.
    Truth,
}

impl Content {
    /// Returns what a value is.
    pub fn of_value(value: &Value) -> Self {
        match value {
            Value::Integer(_) | Value::Float(_) => Self::Number,
            Value::Boolean(_) => Self::Truth,
            Value::Date(_) | Value::DateTime(_) | Value::LocalDateTime(_) => Self::Date,
            _ => Self::Text,
        }
    }
}

/// A property of entities.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertySummary {
    /// The name of the property.
    pub name: String,
    /// What its first value is.
    pub content: Content,
    /// The types that have it, by their places in [`Summary::types`].
    pub types: Vec<u32>,
    /// Whether all its values are dates, or numbers or texts that are years or dates.
    pub is_dated: bool,
}

/// Relationships of a kind between two types.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pattern {
    /// The type where they start, by its place in [`Summary::types`].
    pub from: u32,
    /// The relationship type.
    pub kind: String,
    /// The type where they end.
    pub to: u32,
    /// How many there are.
    pub count: usize,
}

/// What the types of entities have and connect, in the order of first appearance.
///
/// Relationships that are so on some days only are not in it ([`Topology::timed_relationships`]): it holds for every day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The types of entities.
    pub types: Vec<String>,
    /// Properties of entities.
    pub properties: Vec<PropertySummary>,
    /// What connects which types.
    pub patterns: Vec<Pattern>,
    /// Properties of relationships between entities: the relationship type, the property, and what its first value is.
    pub edge_properties: Vec<(String, String, Content)>,
}

/// Collects a summary.
#[derive(Debug, Default)]
pub(super) struct Summing {
    pub(super) summary: Summary,
    types: HashMap<String, u32>,
    properties: HashMap<String, usize>,
}

impl Summing {
    /// Adds an entity.
    pub(super) fn add(&mut self, node: &Node) {
        let kind = self.type_number(node.kind());
        for (name, value) in &node.properties {
            if names::is_reserved(name) {
                continue;
            }
            let number = self.property_number(name, value);
            let property = &mut self.summary.properties[number];
            if !property.types.contains(&kind) {
                property.types.push(kind);
            }
            property.is_dated = property.is_dated && Days::from_value(value).is_some();
        }
    }

    fn type_number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.types.get(name) {
            return number;
        }
        let number = self.summary.types.len() as u32;
        self.summary.types.push(name.to_owned());
        self.types.insert(name.to_owned(), number);
        number
    }

    pub(super) fn property_number(&mut self, name: &str, value: &Value) -> usize {
        if let Some(&number) = self.properties.get(name) {
            return number;
        }
        let number = self.summary.properties.len();
        self.summary.properties.push(PropertySummary {
            name: name.to_owned(),
            content: Content::of_value(value),
            types: Vec::new(),
            is_dated: true,
        });
        self.properties.insert(name.to_owned(), number);
        number
    }

    /// Adds the relationships between entities, after these.
    pub(super) fn add_relationships(&mut self, topology: &Topology) {
        let types: Vec<Option<u32>> = topology.nodes().map(|node| self.type_of(topology, node)).collect();
        let mut patterns: HashMap<(u32, u32, u32), usize> = HashMap::new();
        let mut seen: HashMap<u32, Vec<u32>> = HashMap::new();
        for relationship in topology.untimed_relationships() {
            let (start, end) = topology.ends(relationship);
            let (Some(from), Some(to)) = (types[start.position()], types[end.position()]) else { continue };
            let kind = topology.kind_number(relationship);
            let next = self.summary.patterns.len();
            let place = *patterns.entry((from, kind, to)).or_insert(next);
            if place == next {
                let kind = topology.kind_name(kind).to_owned();
                self.summary.patterns.push(Pattern { from, kind, to, count: 0 });
            }
            self.summary.patterns[place].count += 1;
            let seen = seen.entry(kind).or_default();
            if topology.has_other_keys(relationship, seen) {
                self.add_keys(topology, relationship, seen);
            }
        }
    }

    /// Adds the properties of a relationship whose names are not among those seen.
    fn add_keys(&mut self, topology: &Topology, relationship: crate::RelationshipIndex, seen: &mut Vec<u32>) {
        let edge = topology.read_edge(relationship);
        for (name, value) in &edge.properties {
            let Some(number) = topology.key_number(name) else { continue };
            if !seen.contains(&number) {
                seen.push(number);
                let content = Content::of_value(value);
                self.summary.edge_properties.push((edge.kind.to_string(), name.clone(), content));
            }
        }
    }

    fn type_of(&self, topology: &Topology, node: NodeIndex) -> Option<u32> {
        if topology.role(node) != Role::Entity {
            return None;
        }
        self.types.get(topology.kind_of(node)?).copied()
    }
}
