//! Values of the graph, as models and programs read them.

use graphwright_core::{Node, Properties, Value, names};
use serde_json::{Map, Value as Json, json};

use crate::{in_words, telling};

/// The length above which a list of numbers is taken for a vector, which is no use to read.
const LONGEST_LIST: usize = 32;

/// Returns the properties that say something about a thing, without its name.
pub fn properties_json(properties: &Properties) -> Map<String, Json> {
    let telling = telling(properties).filter(|(name, _)| *name != names::NAME);
    telling.map(|(name, value)| (name.to_owned(), value_json(value))).collect()
}

/// Converts a value of a row: nodes in the form of the other tools, vectors by their length.
pub fn value_json(value: &Value) -> Json {
    match value {
        Value::Node(node) => shown_node(node),
        Value::Relationship(relationship) => {
            json!({"type": relationship.kind, "properties": properties_json(&relationship.properties)})
        }
        Value::Path(path) => {
            let nodes: Vec<Json> = path.nodes.iter().map(shown_node).collect();
            let kinds: Vec<&str> = path.relationships.iter().map(|step| step.kind.as_str()).collect();
            json!({"nodes": nodes, "relationship_types": kinds})
        }
        Value::List(items) if items.len() > LONGEST_LIST && items.iter().all(is_number) => {
            format!("({} numbers)", items.len()).into()
        }
        Value::List(items) => items.iter().filter(|item| !is_hidden(item)).map(value_json).collect(),
        Value::Map(map) => {
            let open = map.iter().filter(|(name, _)| *name != names::PATH);
            Json::Object(open.map(|(name, value)| (name.clone(), value_json(value))).collect())
        }
        Value::Null | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => {
            json!(value)
        }
        value => in_words(value).into(),
    }
}

fn shown_node(node: &Node) -> Json {
    json!({
        "id": node.id(), "name": node.display_name(), "type": node.kind(), "properties": properties_json(&node.properties),
    })
}

/// Tells whether a value is the name of what no model is told of, as in the keys of a node.
fn is_hidden(value: &Value) -> bool {
    matches!(value, Value::String(text) if text == names::PATH)
}

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Integer(_) | Value::Float(_))
}
