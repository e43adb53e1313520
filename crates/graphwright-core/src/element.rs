//! Nodes, relationships and paths, and the keys by which Graphwright writes them.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

use crate::{Value, names};

/// Properties of a node or relationship, by name.
pub type Properties = BTreeMap<String, Value>;

/// The store's own identifier of a node or relationship.
///
/// Opaque, and valid for one store only.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ElementId(String);

impl ElementId {
    /// Wraps the store's identifier of an element.
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    /// Returns the identifier as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ElementId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A node as a store returned it.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The store's identifier.
    pub element_id: ElementId,
    /// The labels. On nodes that Graphwright wrote, the most specific comes first.
    pub labels: Vec<String>,
    /// The properties. A property that is null is absent.
    pub properties: Properties,
}

impl Node {
    /// Returns Graphwright's identifier (`__id__`) if the node has one, else the store's.
    pub fn id(&self) -> &str {
        text(&self.properties, names::ID).unwrap_or(self.element_id.as_str())
    }

    /// Returns the first label that is not reserved, else the first label, else `""`.
    pub fn kind(&self) -> &str {
        let open = self.labels.iter().find(|label| !names::is_reserved(label));
        open.or(self.labels.first()).map_or("", String::as_str)
    }

    /// Returns the property `name`, else `title`.
    pub fn name(&self) -> Option<&str> {
        text(&self.properties, names::NAME).or_else(|| text(&self.properties, "title"))
    }

    /// Returns the text to show for the node: its [`name`](Self::name), else its [`id`](Self::id).
    pub fn display_name(&self) -> &str {
        self.name().unwrap_or_else(|| self.id())
    }

    /// Returns what each of two documents tells that contradict each other, if this entity may be two; else nothing.
    pub fn may_be_two(&self) -> Vec<&str> {
        let told = self.properties.get(names::MAY_BE_TWO).and_then(Value::as_list).unwrap_or_default();
        told.iter().filter_map(Value::as_str).collect()
    }
}

/// A relationship as a store returned it.
#[derive(Clone, Debug, PartialEq)]
pub struct Relationship {
    /// The store's identifier.
    pub element_id: ElementId,
    /// The relationship type, as `DEPENDS_ON`.
    pub kind: String,
    /// The node where it starts.
    pub start: ElementId,
    /// The node where it ends.
    pub end: ElementId,
    /// The properties. A property that is null is absent.
    pub properties: Properties,
}

impl Relationship {
    /// Returns Graphwright's identifier (`__id__`) if the relationship has one, else the store's.
    pub fn id(&self) -> &str {
        text(&self.properties, names::ID).unwrap_or(self.element_id.as_str())
    }
}

/// A walk that alternates nodes and relationships: `nodes.len() == relationships.len() + 1`.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The nodes, in walking order.
    pub nodes: Vec<Node>,
    /// The relationships between neighbouring nodes. Each may point either way.
    pub relationships: Vec<Relationship>,
}

/// The key by which Graphwright writes a node: its first (most specific) label and its `__id__`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeKey {
    /// The most specific label. It does not change during the node's life.
    pub label: String,
    /// Graphwright's identifier, unique in the store.
    pub id: String,
}

impl NodeKey {
    /// Creates a key from its parts.
    pub fn new(label: impl Into<String>, id: impl Into<String>) -> Self {
        Self { label: label.into(), id: id.into() }
    }
}

/// The key by which Graphwright writes a relationship: its ends, its type and its `__id__`.
///
/// Two relationships of one type between the same ends differ in their identifier.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RelationshipKey {
    /// The relationship type.
    pub kind: String,
    /// The node where it starts.
    pub from: NodeKey,
    /// The node where it ends.
    pub to: NodeKey,
    /// Graphwright's identifier, unique among the relationships of that type between those ends.
    pub id: String,
}

fn text<'a>(properties: &'a Properties, name: &str) -> Option<&'a str> {
    match properties.get(name) {
        // An empty name is none: callers fall back to the next.
        Some(Value::String(text)) if !text.is_empty() => Some(text),
        _ => None,
    }
}
