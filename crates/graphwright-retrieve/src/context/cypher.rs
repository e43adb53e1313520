//! Renders nodes and patterns in the syntax of Cypher.

use std::fmt::Write;

use graphwright_core::{Properties, Value, names};

use super::{Item, LeftOut};
use crate::{
    GraphPath, NodeIndex, Passage, RelationshipIndex, Topology,
    properties::{in_words, telling},
};

pub(super) fn all(topology: &Topology, items: &[&Item], left_out: LeftOut) -> String {
    let mut text: String = items.iter().map(|item| self::item(topology, item)).collect();
    if !left_out.is_nothing() {
        let _ = writeln!(text, "// left out for length: {}", left_out.in_words());
    }
    text
}

pub(super) fn item(topology: &Topology, item: &Item) -> String {
    match item {
        Item::Path(path) => format!("{}\n", self::path(topology, path)),
        Item::Node(node) => {
            let content = topology.node(*node);
            format!("(:{} {})\n", quoted(content.kind()), properties(topology, *node))
        }
        Item::Relationship(relationship) => {
            let edge = topology.edge(*relationship);
            let arrow = self::relationship(topology, *relationship);
            format!("{}-{arrow}->{}\n", self::node(topology, edge.start), self::node(topology, edge.end))
        }
        Item::Passage(Passage { document, start, end, text, .. }) => {
            let text = literal(&Value::String(text.clone()));
            let document = literal(&Value::String(document.clone()));
            format!("(:Chunk {{document: {document}, start: {start}, end: {end}, text: {text}}})\n")
        }
    }
}

fn path(topology: &Topology, path: &GraphPath) -> String {
    let mut text = node(topology, path.start);
    for step in &path.steps {
        let arrow = relationship(topology, step.relationship);
        let next = node(topology, step.node);
        let _ =
            if step.forward { write!(text, "-{arrow}->{next}") } else { write!(text, "<-{arrow}-{next}") };
    }
    text
}

fn node(topology: &Topology, node: NodeIndex) -> String {
    let content = topology.node(node);
    let name = literal(&Value::String(content.display_name().to_owned()));
    format!("(:{} {{name: {name}}})", quoted(content.kind()))
}

fn relationship(topology: &Topology, relationship: RelationshipIndex) -> String {
    let edge = topology.edge(relationship);
    let confidence = edge.properties.get(names::CONFIDENCE).map(|value| (names::CONFIDENCE, value));
    let pairs = map(confidence.into_iter().chain(telling(&edge.properties)));
    let gap = if pairs.is_empty() { "" } else { " " };
    format!("[:{}{gap}{pairs}]", quoted(&edge.kind))
}

/// Formats the properties of a node, the name first.
fn properties(topology: &Topology, node: NodeIndex) -> String {
    let content = topology.node(node);
    let name = Value::String(content.display_name().to_owned());
    let first = std::iter::once((names::NAME, &name));
    map(first.chain(other_than_name(&content.properties)))
}

fn other_than_name(properties: &Properties) -> impl Iterator<Item = (&str, &Value)> {
    telling(properties).filter(|(property, _)| *property != names::NAME)
}

fn map<'a>(pairs: impl Iterator<Item = (&'a str, &'a Value)>) -> String {
    let pairs: Vec<String> =
        pairs.map(|(property, value)| format!("{}: {}", quoted(property), literal(value))).collect();
    if pairs.is_empty() { String::new() } else { format!("{{{}}}", pairs.join(", ")) }
}

/// Quotes a name if Cypher requires it.
fn quoted(name: &str) -> String {
    let plain = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && !name.is_empty();
    if plain { name.to_owned() } else { format!("`{}`", name.replace('`', "``")) }
}

fn literal(value: &Value) -> String {
    match value {
        Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => in_words(value),
        Value::List(items) => format!("[{}]", items.iter().map(literal).collect::<Vec<_>>().join(", ")),
        _ => serde_json::Value::String(in_words(value)).to_string(),
    }
}
