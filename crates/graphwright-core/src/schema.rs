//! The schema of a graph: labels, types, properties, patterns, indexes and constraints.
//!
//! A store returns a [`GraphSchema`] from [`schema`](crate::GraphStore::schema);
//! [`GraphSchema::from_json`] reads one from a file. [`Index`] and [`Constraint`] are also what a
//! caller asks a store to create.

mod cypherbench;
mod fingerprint;
mod json;
mod observer;
pub(crate) mod options;

use serde::{Deserialize, Serialize};

pub use observer::Observer;

use crate::{Value, names};

/// The schema of a graph as it was found.
///
/// As JSON it has the form that `graphwright schema --json` prints: labels and types by name and
/// count, and the properties of all of them in one list.
///
/// ```
/// use graphwright_core::GraphSchema;
///
/// let schema: GraphSchema = serde_json::from_str(
///     r#"{"labels": [{"name": "Service"}],
///         "properties": [{
///             "on": "label", "of": "Service", "name": "tier", "types": ["INTEGER"]
///         }]}"#,
/// )?;
/// assert_eq!(schema.labels[0].properties[0].types, ["INTEGER"]);
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "json::Form", try_from = "json::Form")]
pub struct GraphSchema {
    /// The labels, most frequent first.
    pub labels: Vec<ElementSchema>,
    /// The relationship types, most frequent first.
    pub relationship_types: Vec<ElementSchema>,
    /// The labels that each type connects, most frequent first.
    pub patterns: Vec<Pattern>,
    /// The indexes.
    pub indexes: Vec<Index>,
    /// The constraints.
    pub constraints: Vec<Constraint>,
}

impl GraphSchema {
    /// Removes what Graphwright keeps for itself: everything with a [reserved](names::is_reserved)
    /// name.
    #[must_use]
    pub fn without_reserved(mut self) -> Self {
        let is_ours = |name: &String| names::is_reserved(name);
        for elements in [&mut self.labels, &mut self.relationship_types] {
            elements.retain(|element| !is_ours(&element.name));
            for element in elements {
                element.properties.retain(|property| !is_ours(&property.name));
            }
        }
        self.patterns.retain(|pattern| ![&pattern.from, &pattern.kind, &pattern.to].into_iter().any(is_ours));
        self.indexes.retain(|index| {
            let (Target::Label(on) | Target::RelationshipType(on)) = &index.target;
            !is_ours(on) && !index.properties.iter().any(is_ours)
        });
        self.constraints
            .retain(|constraint| !is_ours(&constraint.label) && !constraint.properties.iter().any(is_ours));
        self
    }
}

/// A label or relationship type with its properties.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ElementSchema {
    /// The label or type.
    pub name: String,
    /// The number of nodes or relationships that have it.
    pub count: u64,
    /// The number of them that were looked at for properties and values.
    ///
    /// If it is less than `count`, what was seen is no proof of what the others have.
    pub observed: u64,
    /// The properties, by name.
    pub properties: Vec<PropertySchema>,
}

impl ElementSchema {
    /// Sorts elements by count, most frequent first, then by name.
    #[must_use]
    pub fn sorted(mut elements: Vec<Self>) -> Vec<Self> {
        elements.sort_unstable_by(|one, other| {
            other.count.cmp(&one.count).then_with(|| one.name.cmp(&other.name))
        });
        elements
    }
}

/// A property of a label or relationship type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PropertySchema {
    /// The property's name.
    pub name: String,
    /// The types of the values seen ([`Value::type_name`]), most frequent first.
    #[serde(default)]
    pub types: Vec<String>,
    /// The number of elements looked at that have it.
    #[serde(default)]
    pub count: u64,
    /// A few values: the least of those looked at.
    #[serde(default)]
    pub samples: Vec<Value>,
    /// All values, if there are at most ten.
    #[serde(default)]
    pub values: Option<Vec<Value>>,
    /// The least value, for numbers and temporal values.
    #[serde(default)]
    pub min: Option<Value>,
    /// The greatest value, for numbers and temporal values.
    #[serde(default)]
    pub max: Option<Value>,
}

/// A kind of connection, `(:from)-[:kind]->(:to)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Pattern {
    /// The label of the start.
    pub from: String,
    /// The relationship type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The label of the end.
    pub to: String,
    /// The number of relationships.
    #[serde(default)]
    pub count: u64,
}

impl Pattern {
    /// Sorts patterns by count, most frequent first, then by name.
    pub fn sort(patterns: &mut [Self]) {
        patterns.sort_unstable_by(|one, other| {
            let names = |pattern: &Self| (pattern.from.clone(), pattern.kind.clone(), pattern.to.clone());
            other.count.cmp(&one.count).then_with(|| names(one).cmp(&names(other)))
        });
    }
}

/// The elements that an index covers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// Nodes with this label.
    Label(String),
    /// Relationships of this type.
    RelationshipType(String),
}

/// The measure by which a vector index compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Similarity {
    /// The cosine of the angle.
    #[default]
    Cosine,
    /// The Euclidean distance.
    Euclidean,
}

/// The purpose of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum IndexKind {
    /// Looks up equality and range on one property, or on several together (composite).
    Property,
    /// Looks up words in text.
    FullText,
    /// Finds the nearest vectors.
    Vector {
        /// The number of components.
        dimensions: usize,
        /// The measure by which two vectors are compared.
        similarity: Similarity,
    },
}

/// An index, as asked for or as found.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Index {
    /// The name. When empty, it is made from the rest.
    pub name: String,
    /// The elements that it covers.
    pub target: Target,
    /// The properties, in order. A store may list those of a composite index in another order.
    pub properties: Vec<String>,
    /// The purpose.
    #[serde(flatten)]
    pub kind: IndexKind,
}

impl Index {
    /// Returns whether both indexes do the same work, whatever their names.
    ///
    /// The properties of a composite index are looked up together, so their order does not matter.
    pub fn serves_same(&self, other: &Self) -> bool {
        self.target == other.target
            && self.kind == other.kind
            && are_same(&self.properties, &other.properties)
    }
}

/// A uniqueness constraint, as asked for or as found.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Constraint {
    /// The name. When empty, it is made from the rest.
    pub name: String,
    /// The label of the nodes.
    pub label: String,
    /// The properties that are unique together.
    pub properties: Vec<String>,
}

impl Constraint {
    /// Returns whether both constraints demand the same, whatever their names.
    pub fn demands_same(&self, other: &Self) -> bool {
        self.label == other.label && are_same(&self.properties, &other.properties)
    }
}

/// Returns whether both lists name the same properties, in whichever order.
fn are_same(one: &[String], other: &[String]) -> bool {
    let [mut one, mut other] = [one.to_vec(), other.to_vec()];
    one.sort_unstable();
    other.sort_unstable();
    one == other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_the_same_under_another_name_and_in_another_order() {
        let index = |name: &str, properties: &[&str], kind| Index {
            name: name.to_owned(),
            target: Target::Label("A".to_owned()),
            properties: properties.iter().map(|&property| property.to_owned()).collect(),
            kind,
        };
        let index_of = |properties| index("", properties, IndexKind::Property);
        assert!(index("x", &["a", "b"], IndexKind::Property).serves_same(&index_of(&["b", "a"])));
        assert!(!index_of(&["a", "b"]).serves_same(&index_of(&["a"])));
        assert!(!index_of(&["a"]).serves_same(&index("", &["a"], IndexKind::FullText)));
        let other = Index { target: Target::RelationshipType("A".to_owned()), ..index_of(&["a"]) };
        assert!(!index_of(&["a"]).serves_same(&other));
    }

    #[test]
    fn what_is_reserved_can_be_left_out() {
        let element = |name: &str, properties: &[&str]| ElementSchema {
            name: name.to_owned(),
            properties: properties
                .iter()
                .map(|name| PropertySchema { name: (*name).to_owned(), ..PropertySchema::default() })
                .collect(),
            ..ElementSchema::default()
        };
        let pattern = |from: &str| Pattern { from: from.into(), kind: "R".into(), to: "A".into(), count: 1 };
        let constraint = |label: &str, property: &str| Constraint {
            name: String::new(),
            label: label.to_owned(),
            properties: vec![property.to_owned()],
        };
        let schema = GraphSchema {
            labels: vec![element("A", &["__id__", "name"]), element(names::ENTITY, &["name"])],
            relationship_types: vec![element("R", &["since"])],
            patterns: vec![pattern("A"), pattern(names::ENTITY)],
            constraints: vec![
                constraint("A", "name"),
                constraint("A", names::ID),
                constraint(names::META, "name"),
            ],
            ..GraphSchema::default()
        };
        let shown = GraphSchema {
            labels: vec![element("A", &["name"])],
            relationship_types: vec![element("R", &["since"])],
            patterns: vec![pattern("A")],
            constraints: vec![constraint("A", "name")],
            ..GraphSchema::default()
        };
        assert_eq!(schema.without_reserved(), shown);
    }
}
