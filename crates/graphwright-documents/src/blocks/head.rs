//! The head of a text that is data: YAML, TOML or JSON that describes the document.

mod fields;
mod lines;

use std::ops::Range;

use serde_json::{Map, Value};
use toml::de::{DeTable, DeValue};

use super::Block;

/// What a head is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notation {
    Yaml,
    Toml,
    Json,
}

/// What a head says, or what is wrong with it.
pub(crate) type Read = Result<Map<String, Value>, String>;

impl Notation {
    /// Returns the notation that the mark of a fenced block names.
    pub(crate) fn of_fence(mark: &str) -> Option<Self> {
        match mark.split([' ', ',', '{']).next().unwrap_or_default().to_lowercase().as_str() {
            "yaml" | "yml" => Some(Self::Yaml),
            "toml" => Some(Self::Toml),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// Reads a head. One that is a list or a single value says nothing.
    fn read(self, text: &str) -> Read {
        let wrong = |name: &str, line: Option<u64>| {
            let line = line.map(|line| format!(" (line {line})")).unwrap_or_default();
            format!(
                "its front matter is not valid {name}{line} and was read as text; correct it or take it out"
            )
        };
        let value = match self {
            Self::Yaml => {
                // `y`, `no` and `on` are words here. Site generators take the last of several values of a key.
                let options = serde_saphyr::options! {
                    strict_booleans: true,
                    duplicate_keys: serde_saphyr::options::DuplicateKeyPolicy::LastWins,
                };
                serde_saphyr::from_str_with_options(text, options).map_err(|error| {
                    wrong("YAML", Some(error.location().map_or(1, |location| location.line() + 1)))
                })?
            }
            Self::Toml => DeTable::parse(text).map(|table| map(table.get_ref())).map_err(|error| {
                let before = error.span().and_then(|span| text.get(..span.start));
                wrong("TOML", before.map(|before| before.matches('\n').count() as u64 + 2))
            })?,
            Self::Json => serde_json::from_str(text).map_err(|_| wrong("JSON", None))?,
        };
        Ok(if let Value::Object(map) = value { map } else { Map::new() })
    }
}

/// Reads the head in a range of a text, and its fields.
pub(crate) fn read(text: &str, range: Range<usize>, notation: Notation) -> (Read, Vec<Block>) {
    let read = notation.read(&text[range.clone()]);
    let fields = match &read {
        Ok(map) => fields::of(text, range, map),
        Err(_) => lines::fields(text, range),
    };
    (read, fields)
}

fn map(table: &DeTable<'_>) -> Value {
    Value::Object(
        table.iter().map(|(key, value)| (key.get_ref().to_string(), json(value.get_ref()))).collect(),
    )
}

fn json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::from(text.as_ref()),
        DeValue::Integer(number) => {
            serde_json::from_str(number.as_str()).unwrap_or_else(|_| number.as_str().into())
        }
        DeValue::Float(number) => {
            serde_json::from_str(number.as_str()).unwrap_or_else(|_| number.as_str().into())
        }
        DeValue::Boolean(truth) => Value::Bool(*truth),
        DeValue::Datetime(date) => Value::from(date.to_string()),
        DeValue::Array(items) => Value::Array(items.iter().map(|item| json(item.get_ref())).collect()),
        DeValue::Table(table) => map(table),
    }
}

#[cfg(test)]
mod tests;
