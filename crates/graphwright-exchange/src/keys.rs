//! Typed keys: forms that declare each property with one type before the first value.

use std::collections::BTreeMap;

use graphwright_core::{Node, Properties, Relationship, Value, names, store::ScanBatch};

use crate::csv::cell;

/// The type of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyType {
    Boolean,
    Integer,
    Float,
    Text,
}

impl KeyType {
    fn new(value: &Value) -> Self {
        match value {
            Value::Boolean(_) => Self::Boolean,
            Value::Integer(_) => Self::Integer,
            Value::Float(_) => Self::Float,
            _ => Self::Text,
        }
    }

    /// The type that holds the values of both.
    fn wider(self, other: Self) -> Self {
        match (self, other) {
            (one, other) if one == other => one,
            (Self::Integer | Self::Float, Self::Integer | Self::Float) => Self::Float,
            _ => Self::Text,
        }
    }

    /// The name that GraphML and GEXF have for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Integer => "long",
            Self::Float => "double",
            Self::Text => "string",
        }
    }
}

/// The keys of all nodes, or of all relationships.
#[derive(Debug, Default)]
pub(crate) struct Keys(BTreeMap<String, KeyType>);

impl Keys {
    fn survey(&mut self, properties: &Properties) {
        for (name, value) in told(properties) {
            let kind = KeyType::new(value);
            match self.0.get_mut(name) {
                Some(known) => *known = known.wider(kind),
                None => drop(self.0.insert(name.to_owned(), kind)),
            }
        }
    }

    /// Returns the keys in order, each with its identifier, name and type. `first` begins the identifiers, and `own` are
    /// names that the form gives values of its own.
    pub(crate) fn declared(&self, first: char, own: &[&str]) -> Vec<(String, String, KeyType)> {
        let declare = |(number, (name, kind)): (usize, (&String, &KeyType))| {
            let shown = if own.contains(&name.as_str()) { format!("property_{name}") } else { name.clone() };
            (format!("{first}{number}"), shown, *kind)
        };
        self.0.iter().enumerate().map(declare).collect()
    }

    /// Returns the properties that have a key, each with the identifier of the key and its text.
    pub(crate) fn values(&self, first: char, properties: &Properties) -> Vec<(String, String)> {
        let numbered = self.0.keys().enumerate();
        let value = |(number, name): (usize, &String)| {
            let value = properties.get(name).filter(|value| **value != Value::Null)?;
            Some((format!("{first}{number}"), text(value)))
        };
        numbered.filter_map(value).collect()
    }
}

/// The keys of a graph.
#[derive(Debug, Default)]
pub(crate) struct GraphKeys {
    pub(crate) nodes: Keys,
    pub(crate) relationships: Keys,
}

impl GraphKeys {
    pub(crate) fn survey(&mut self, batch: &ScanBatch) {
        for Node { properties, .. } in &batch.nodes {
            self.nodes.survey(properties);
        }
        for Relationship { properties, .. } in &batch.relationships {
            self.relationships.survey(properties);
        }
    }
}

/// The properties that other programs are told: none that is kept for ourselves but the identifier.
pub(crate) fn told(properties: &Properties) -> impl Iterator<Item = (&str, &Value)> {
    let properties = properties.iter().map(|(name, value)| (name.as_str(), value));
    properties
        .filter(|(name, value)| **value != Value::Null && (*name == names::ID || !names::is_reserved(name)))
}

/// The labels that other programs are told.
pub(crate) fn labels(node: &Node) -> String {
    let labels = node.labels.iter().filter(|label| !names::is_reserved(label));
    labels.map(String::as_str).collect::<Vec<_>>().join(":")
}

/// Formats a value: lists, maps and what else is no scalar as JSON.
pub(crate) fn text(value: &Value) -> String {
    let json = || serde_json::to_string(value).unwrap_or_default();
    match value {
        Value::List(_) => json(),
        scalar => cell(scalar, ';').map_or_else(json, |(_, text)| text),
    }
}
