//! The content of a model, whatever its version.

use graphwright_core::{
    Value,
    schema::{Constraint, Index},
};
use serde::Deserialize;

use super::super::csv::{BaseType, ColumnType};

/// A model: tables, and what their rows become.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) nodes: Vec<NodeMapping>,
    pub(super) relationships: Vec<RelationshipMapping>,
    pub(super) constraints: Vec<Constraint>,
    pub(super) indexes: Vec<Index>,
    /// Keys that name no node, such as `NULL`.
    pub(super) ignored_ids: Vec<String>,
}

/// Settings of a model that all versions share.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Configurations {
    pub(super) ids_to_ignore: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) struct NodeMapping {
    pub(super) table: String,
    pub(super) labels: Vec<String>,
    pub(super) key: Key,
    pub(super) properties: Vec<Mapped>,
}

#[derive(Clone, Debug)]
pub(super) struct RelationshipMapping {
    pub(super) table: String,
    pub(super) kind: String,
    pub(super) from: Key,
    pub(super) to: Key,
    pub(super) properties: Vec<Mapped>,
}

/// Column that holds a node's key.
#[derive(Clone, Debug)]
pub(super) struct Key {
    /// The first label; keys are unique among the nodes that have it.
    pub(super) label: String,
    pub(super) field: String,
    pub(super) kind: PropertyKind,
}

/// A column that becomes a property.
#[derive(Clone, Debug)]
pub(super) struct Mapped {
    pub(super) field: String,
    pub(super) property: String,
    pub(super) kind: PropertyKind,
}

impl Mapped {
    /// Creates a mapping. `kind` is the type's name in the model.
    pub(super) fn new(field: &str, property: &str, kind: &str) -> Result<Self, String> {
        let kind = PropertyKind::parse(kind)?;
        Ok(Self { field: field.to_owned(), property: property.to_owned(), kind })
    }
}

/// Returns `part`, or an error that says the model refers to a part it does not have.
pub(super) fn require<T>(part: Option<T>, id: &str) -> Result<T, String> {
    part.ok_or_else(|| format!("it refers to `{id}`, which it does not have"))
}

/// Type of a property in the model.
#[derive(Clone, Debug)]
pub(super) struct PropertyKind(ColumnType);

impl PropertyKind {
    pub(super) fn parse(name: &str) -> Result<Self, String> {
        ColumnType::parse(name, None)
            .map(Self)
            .ok_or_else(|| format!("`{name}` is not a type that can be imported"))
    }

    /// Parses a value as the Data Importer's own statements do.
    ///
    /// Those use `toInteger(trim(…))` for integers, and take `1`, `true` and `yes` as true.
    pub(super) fn read(&self, text: &str) -> Result<Value, &'static str> {
        match self.0.base {
            BaseType::Boolean => {
                let lower = text.trim().to_lowercase();
                Ok(Value::Boolean(matches!(lower.as_str(), "1" | "true" | "yes")))
            }
            BaseType::Integer => {
                // `toInteger` also takes decimals, and cuts them off.
                let whole = self.0.read(text, ';');
                let float = || text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
                whole.or_else(|expected| float().map(|number| Value::Integer(number as i64)).ok_or(expected))
            }
            // Exports of databases often put a space between date and time.
            BaseType::DateTime => self.0.read(&text.trim().replacen(' ', "T", 1), ';'),
            _ => self.0.read(text, ';'),
        }
    }
}
