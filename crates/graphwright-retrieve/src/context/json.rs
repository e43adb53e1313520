//! Renders one JSON object.

use graphwright_core::{Properties, names};
use serde_json::{Map, Value, json};

use super::{Item, LeftOut};
use crate::{GraphPath, NodeIndex, RelationshipIndex, Topology, properties::telling};

pub(super) fn all(topology: &Topology, items: &[&Item], left_out: LeftOut) -> String {
    let list = |belongs: fn(&Item) -> bool| -> Value {
        items.iter().filter(|item| belongs(item)).map(|item| self::item(topology, item)).collect()
    };
    let object = json!({
        "paths": list(|item| matches!(item, Item::Path(_))),
        "entities": list(|item| matches!(item, Item::Node(_))),
        "relationships": list(|item| matches!(item, Item::Relationship(_))),
        "passages": list(|item| matches!(item, Item::Passage(_))),
        "left_out": left_out,
    });
    object.to_string()
}

pub(super) fn item(topology: &Topology, item: &Item) -> Value {
    match item {
        Item::Path(path) => self::path(topology, path),
        Item::Node(node) => {
            let mut object = self::node(topology, *node);
            object.insert("properties".to_owned(), properties(&topology.node(*node).properties));
            Value::Object(object)
        }
        Item::Relationship(relationship) => {
            let mut object = self::relationship(topology, *relationship);
            object.insert("properties".to_owned(), properties(&topology.edge(*relationship).properties));
            Value::Object(object)
        }
        Item::Passage(passage) => json!(passage),
    }
}

fn node(topology: &Topology, node: NodeIndex) -> Map<String, Value> {
    let node = topology.node(node);
    let pairs = [("id", node.id()), ("name", node.display_name()), ("type", node.kind())];
    pairs.into_iter().map(|(name, text)| (name.to_owned(), text.into())).collect()
}

fn relationship(topology: &Topology, relationship: RelationshipIndex) -> Map<String, Value> {
    let edge = topology.edge(relationship);
    let id = |node| topology.node(node).id();
    let pairs = [("type", &*edge.kind), ("from", id(edge.start)), ("to", id(edge.end))];
    let mut object: Map<String, Value> =
        pairs.into_iter().map(|(name, text)| (name.to_owned(), text.into())).collect();
    object.extend(edge.confidence().map(|confidence| ("confidence".to_owned(), confidence.into())));
    object
}

fn path(topology: &Topology, path: &GraphPath) -> Value {
    let nodes: Vec<Value> = path.nodes().map(|node| Value::Object(self::node(topology, node))).collect();
    let steps = path.steps.iter().map(|step| Value::Object(relationship(topology, step.relationship)));
    json!({ "nodes": nodes, "relationships": steps.collect::<Vec<_>>() })
}

fn properties(properties: &Properties) -> Value {
    let telling = telling(properties).filter(|(name, _)| *name != names::NAME);
    telling.map(|(name, value)| (name.to_owned(), json!(value))).collect()
}
