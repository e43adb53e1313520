//! Explains why a line is invalid.

use graphwright_core::Properties;
use serde::Deserialize;
use serde_json::{Map, Value as Json};

/// A kind of line: the member that identifies it, the members it requires, and those it may have.
type Kind = (&'static str, &'static [&'static str], &'static [&'static str]);

const KINDS: [Kind; 7] = [
    ("node", &[], &["labels", "properties"]),
    ("relationship", &["type", "from", "to"], &["properties"]),
    ("vector", &["property", "values"], &[]),
    ("constraint", &[], &[]),
    ("index", &[], &[]),
    ("graphwright", &["graph"], &[]),
    ("end", &[], &[]),
];

/// Describes what is wrong, with the column (from 1) if the line is not JSON.
pub(super) fn explain(line: &[u8]) -> (Option<usize>, String) {
    match serde_json::from_slice(line) {
        Err(error) => (Some(error.column().max(1)), format!("not JSON: {}", without_place(&error))),
        Ok(Json::Object(members)) => (None, explain_members(&members)),
        Ok(_) => (None, "not an object, as {\"node\": \"1\", \"labels\": [\"Service\"]}".to_owned()),
    }
}

fn explain_members(members: &Map<String, Json>) -> String {
    let Some((kind, needed, allowed)) = KINDS.iter().find(|(kind, ..)| members.contains_key(*kind)) else {
        let kinds = KINDS.map(|(kind, ..)| format!("`{kind}`")).join(", ");
        return format!("the line has none of the members that say what it is: {kinds}");
    };
    if let Some(missing) = needed.iter().find(|name| !members.contains_key(**name)) {
        return format!("a line with `{kind}` needs `{missing}`");
    }
    let is_known = |name: &str| name == *kind || needed.contains(&name) || allowed.contains(&name);
    if let Some(unknown) = members.keys().find(|name| !is_known(name)) {
        return format!("a line with `{kind}` has no member `{unknown}`");
    }
    let properties = members.get("properties").map(Properties::deserialize);
    match properties {
        Some(Err(error)) => format!("`properties` of the line cannot be read: {error}"),
        _ => format!("a member of the line with `{kind}` is not of its type"),
    }
}

/// Removes the position from a message of `serde_json`, since it counts within the line.
fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.split(" at line ").next().unwrap_or_default().to_owned()
}
