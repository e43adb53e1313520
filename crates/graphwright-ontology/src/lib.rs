//! The ontology: types of entities and relationships, and the words that people use for them.
//!
//! [`Ontology::read`] reads and checks a file; [`Ontology::check`] returns what is wrong or
//! doubtful. The form of the file is described in `docs/ontology.md`.

mod check;
mod data_type;
mod date;
mod error;
pub mod example;
mod phrases;
mod read;
mod stored;
#[cfg(test)]
mod tests;
mod value;

use std::collections::BTreeMap;

pub use check::{Finding, Severity};
pub use error::{OntologyError, Result};
pub use example::Example;
pub use phrases::{Form, Origin, Phrase};

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An ontology as its file has it (design of the form: `docs/ontology.md`).
///
/// ```
/// use std::path::Path;
/// use graphwright_ontology::Ontology;
///
/// let text = "nodes:\n  Service:\n    properties:\n      tier: {type: integer}\n";
/// let ontology = Ontology::parse(text, Path::new("o.yaml"))?;
/// assert!(ontology.check().is_empty());
/// # Ok::<(), graphwright_ontology::OntologyError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ontology {
    /// A name for people.
    #[serde(default)]
    pub name: String,
    /// From how many documents it was inferred, if it was not written by a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inferred_from: Option<usize>,
    /// What a model is told besides, when it reads documents under this ontology.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub instructions: String,
    /// Texts with what a model is to find in them. Without any, a model is shown some made from the types.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example>,
    /// Types of entities by label.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, NodeType>")]
    pub nodes: IndexMap<String, NodeType>,
    /// Types of relationships.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, RelationshipType>")]
    pub relationships: IndexMap<String, RelationshipType>,
}

impl Ontology {
    /// Names what is declared to be complete: types, relationship types, and properties as `Service.language`.
    pub fn complete_names(&self) -> Vec<String> {
        let nodes = self.nodes.iter().map(|(name, node)| (name, node.complete, &node.properties));
        let relationships =
            self.relationships.iter().map(|(name, own)| (name, own.complete, &own.properties));
        let mut names = Vec::new();
        for (name, complete, properties) in nodes.chain(relationships) {
            names.extend(complete.then(|| name.clone()));
            let complete = properties.iter().filter(|(_, property)| property.complete);
            names.extend(complete.map(|(property, _)| format!("{name}.{property}")));
        }
        names
    }

    /// Declares that the graph holds all things, relationships and values of every type, as after an import of all
    /// that is known.
    #[must_use]
    pub fn complete(mut self) -> Self {
        for node in self.nodes.values_mut() {
            node.complete = true;
            node.properties.values_mut().for_each(|property| property.complete = true);
        }
        for relationship in self.relationships.values_mut() {
            relationship.complete = true;
            relationship.properties.values_mut().for_each(|property| property.complete = true);
        }
        self
    }
}

/// A type of entity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NodeType {
    /// What such a thing is, in a sentence.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Other words for the type, in text and in questions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<String>,
    /// The property that names an entity; `name` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Its properties.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    #[schemars(with = "BTreeMap<String, PropertyType>")]
    pub properties: IndexMap<String, PropertyType>,
    /// Other names of single entities, by their name.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    #[schemars(with = "BTreeMap<String, Vec<String>>")]
    pub aliases: IndexMap<String, Vec<String>>,
    /// Whether only the names in `aliases` are of this type; other names that a document seems to give it are dropped.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub closed: bool,
    /// Whether the graph holds all things of this type: one that it does not hold is none.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub complete: bool,
    /// Documents that are such things themselves: patterns of their paths within what is ingested, such as `rfcs/*.md`.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "read::one_or_many")]
    pub from: Vec<String>,
    /// Whether the type came in from passages while documents were read. Such types do not count in the hash of an ontology, so
    /// that no document is read again for them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub added: bool,
}

/// A type of relationship.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RelationshipType {
    /// What it says, in a sentence.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Types of entities it may start from; any when empty.
    pub from: Vec<String>,
    /// Types of entities it may end at; any when empty.
    pub to: Vec<String>,
    /// Other words for it, as nouns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<String>,
    /// Phrases between its start and its end: `start cue end`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cues: Vec<String>,
    /// Phrases between its end and its start: `end cue start`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inverse_cues: Vec<String>,
    /// Whether the graph holds all relationships of this type: what it does not hold is not so.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub complete: bool,
    /// Its properties.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    #[schemars(with = "BTreeMap<String, PropertyType>")]
    pub properties: IndexMap<String, PropertyType>,
    /// Whether the type came in from passages, as of a [`NodeType`].
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub added: bool,
}

/// A property of an entity or relationship.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PropertyType {
    /// `string`, `integer`, `float`, `boolean`, `date`, `datetime`, `duration`, `point` or `list of …`.
    #[serde(rename = "type")]
    pub kind: DataType,
    /// What it says.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Whether every entity must have it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// Whether the graph holds all its values: a value that it does not hold is none.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub complete: bool,
    /// The only values it may have.
    #[serde(rename = "enum", skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<serde_json::Value>,
    /// Other words for it, in text and in questions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<String>,
}

/// A type of property values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DataType {
    /// Text.
    #[default]
    String,
    /// A whole number.
    Integer,
    /// A number.
    Float,
    /// A truth value.
    Boolean,
    /// A calendar date.
    Date,
    /// An instant, with or without a time zone.
    DateTime,
    /// An amount of time.
    Duration,
    /// A point.
    Point,
    /// A list of values of one type.
    List(Box<DataType>),
}
