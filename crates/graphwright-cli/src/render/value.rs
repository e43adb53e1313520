//! Formats values for tables in the syntax of Cypher.

use graphwright::{Node, Path, Properties, Relationship, Value};

/// Formats a value. Strings are bare at the top, and quoted inside lists and maps.
pub(crate) fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => inner(other),
    }
}

fn inner(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Boolean(truth) => truth.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::String(text) => format!("{text:?}"),
        Value::List(items) => format!("[{}]", join(items.iter().map(inner))),
        Value::Map(map) => properties(map),
        Value::Node(node) => node_text(node),
        Value::Relationship(relationship) => relationship_text(relationship),
        Value::Path(path) => path_text(path),
        Value::Date(date) => date.to_string(),
        Value::Time(time) => format!("{}{}", time.time, time.offset),
        Value::LocalTime(time) => time.to_string(),
        Value::DateTime(instant) => instant.to_string(),
        Value::LocalDateTime(instant) => instant.to_string(),
        Value::Duration(duration) => duration.to_string(),
        Value::Point(point) => match point.z {
            Some(z) => format!("point({}, {}, {z})", point.x, point.y),
            None => format!("point({}, {})", point.x, point.y),
        },
    }
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

fn properties(map: &Properties) -> String {
    format!("{{{}}}", join(map.iter().map(|(name, value)| format!("{name}: {}", inner(value)))))
}

fn open_properties(map: &Properties) -> String {
    if map.is_empty() { String::new() } else { format!(" {}", properties(map)) }
}

fn node_text(node: &Node) -> String {
    let labels: String = node.labels.iter().map(|label| format!(":{label}")).collect();
    format!("({})", format!("{labels}{}", open_properties(&node.properties)).trim_start())
}

fn relationship_text(relationship: &Relationship) -> String {
    format!("[:{}{}]", relationship.kind, open_properties(&relationship.properties))
}

fn path_text(path: &Path) -> String {
    let mut text = String::new();
    for (index, node) in path.nodes.iter().enumerate() {
        text.push_str(&format!("(:{} {:?})", node.kind(), node.display_name()));
        if let Some(relationship) = path.relationships.get(index) {
            let forward = relationship.start == node.element_id;
            let (left, right) = if forward { ("-", "->") } else { ("<-", "-") };
            text.push_str(&format!("{left}[:{}]{right}", relationship.kind));
        }
    }
    text
}
