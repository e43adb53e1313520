//! Examples of what a model is to find in a text.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A text with the entities and facts that a model is to find in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// One or two sentences, as the documents write.
    pub text: String,
    /// The entities.
    #[serde(default)]
    pub entities: Vec<ExampleEntity>,
    /// The facts, between these entities.
    #[serde(default)]
    pub facts: Vec<ExampleFact>,
}

/// An entity of an example.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExampleEntity {
    /// A type of the ontology.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its name, as the text has it.
    pub name: String,
    /// Properties that the text gives it.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    pub properties: IndexMap<String, serde_json::Value>,
}

/// A fact of an example.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExampleFact {
    /// Name of the entity that it goes from.
    pub from: String,
    /// A relationship type of the ontology.
    #[serde(rename = "type")]
    pub kind: String,
    /// Name of the entity that it goes to.
    pub to: String,
}
