//! Parses a model's reply item by item. Complete items are used, whatever surrounds them.

use graphwright_llm::{find_json, without_thoughts};
use serde::Deserialize;
use serde_json::Value;

/// Items of a reply.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Reading {
    pub(super) entities: Vec<EntityItem>,
    pub(super) facts: Vec<FactItem>,
    /// Number of malformed items, and of replies that are not JSON.
    pub(super) malformed: u64,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct EntityItem {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) name: String,
    // `Option` for what may be missing, as some models write `null` for it.
    #[serde(default)]
    pub(super) aliases: Option<Vec<String>>,
    // Read one by one later, so that a malformed property does not cost the entity.
    #[serde(default)]
    pub(super) properties: Option<Vec<Value>>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct PropertyItem {
    pub(super) name: String,
    pub(super) value: Value,
    #[serde(default)]
    pub(super) evidence: Option<String>,
    #[serde(default)]
    pub(super) confidence: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct FactItem {
    pub(super) from: String,
    #[serde(default)]
    pub(super) from_type: Option<String>,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) to: String,
    #[serde(default)]
    pub(super) to_type: Option<String>,
    #[serde(default)]
    pub(super) evidence: Option<String>,
    #[serde(default)]
    pub(super) confidence: Option<f64>,
    #[serde(default)]
    pub(super) status: Option<Status>,
    #[serde(default)]
    pub(super) properties: Option<Vec<Value>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    Holds,
    Denied,
    NotCurrent,
}

/// Parses a reply. Never fails: a reply without items counts as malformed.
pub(super) fn read(text: &str) -> Reading {
    let mut reading = Reading::default();
    match find_json(text) {
        Some(Value::Object(reply)) if reply.contains_key("entities") || reply.contains_key("facts") => {
            for (list, value) in &reply {
                match (list.as_str(), value) {
                    ("entities", Value::Array(items)) => items.iter().for_each(|item| reading.entity(item)),
                    ("facts", Value::Array(items)) => items.iter().for_each(|item| reading.fact(item)),
                    ("entities" | "facts", value) if !value.is_null() => reading.malformed += 1,
                    _ => {}
                }
            }
        }
        // The reply is truncated, or a list without its frame: every complete object in it is an
        // item.
        _ => {
            reading.malformed += 1;
            for item in whole_objects(without_thoughts(text)) {
                if item.get("from").is_some() { reading.fact(&item) } else { reading.entity(&item) }
            }
        }
    }
    reading
}

impl Reading {
    fn entity(&mut self, item: &Value) {
        match EntityItem::deserialize(item) {
            Ok(item) => self.entities.push(item),
            Err(_) => self.malformed += 1,
        }
    }

    fn fact(&mut self, item: &Value) {
        match FactItem::deserialize(item) {
            Ok(item) => self.facts.push(item),
            Err(_) => self.malformed += 1,
        }
    }
}

/// Returns the outermost objects of a text that parse.
fn whole_objects(text: &str) -> Vec<Value> {
    let mut objects = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let mut values = serde_json::Deserializer::from_str(&rest[start..]).into_iter::<Value>();
        let after = match values.next() {
            Some(Ok(value)) => {
                objects.push(value);
                start + values.byte_offset()
            }
            _ => start + 1,
        };
        rest = &rest[after..];
    }
    objects
}
