//! The head of a text that is data: YAML, TOML or JSON that describes the document. A file may be a head and nothing else.

mod fields;
mod lines;

use std::ops::Range;

use graphwright_core::document::TextFormat;
use serde_json::{Map, Value};
use toml::de::{DeTable, DeValue};

use super::{Block, records};
use crate::{
    json::{self, Json},
    located::{locate, locate_entries},
};

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
        let wrong = |fault: Fault| {
            // The line of the mark before it.
            let shown = fault.shown(self, 1);
            format!("its front matter is {shown} and was read as text; correct it or take it out")
        };
        let value = self.parse(text).map_err(wrong)?;
        Ok(if let Value::Object(map) = value { map } else { Map::new() })
    }

    /// Reads a text; YAML of several documents is a list of them.
    fn parse(self, text: &str) -> Result<Value, Fault> {
        match self {
            Self::Yaml => {
                // `y`, `no` and `on` are words here. Site generators take the last of several values of a key.
                let options = serde_saphyr::options! {
                    strict_booleans: true,
                    duplicate_keys: serde_saphyr::options::DuplicateKeyPolicy::LastWins,
                };
                let read = serde_saphyr::from_multiple_with_options(text, options);
                let line = |error: serde_saphyr::Error| error.location().map(|location| location.line());
                let mut documents: Vec<Value> = read.map_err(|error| Fault { line: line(error) })?;
                Ok(if documents.len() == 1 { documents.remove(0) } else { Value::Array(documents) })
            }
            Self::Toml => DeTable::parse(text).map(|table| map(table.get_ref())).map_err(|error| {
                let before = error.span().and_then(|span| text.get(..span.start));
                Fault { line: before.map(|before| before.matches('\n').count() as u64 + 1) }
            }),
            Self::Json => serde_json::from_str(text).map_err(|_| Fault { line: None }),
        }
    }

    /// Returns the notation of files of a format.
    pub(crate) fn of_format(format: TextFormat) -> Option<Self> {
        match format {
            TextFormat::Yaml => Some(Self::Yaml),
            TextFormat::Toml => Some(Self::Toml),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Yaml => "YAML",
            Self::Toml => "TOML",
            Self::Json => "JSON",
        }
    }
}

/// Why a text cannot be read.
struct Fault {
    line: Option<u64>,
}

impl Fault {
    /// `not valid YAML (line 3)`, where so many lines stand before the text.
    fn shown(&self, notation: Notation, before: u64) -> String {
        let line = self.line.map(|line| format!(" (line {})", line + before)).unwrap_or_default();
        format!("not valid {}{line}", notation.name())
    }
}

/// Reads the head in a range of a text, and its fields.
pub(crate) fn read(text: &str, range: Range<usize>, notation: Notation) -> (Read, Vec<Block>) {
    let read = notation.read(&text[range.clone()]);
    let fields = match &read {
        Ok(map) => fields::of(&locate_entries(text, range, map)),
        Err(_) => lines::fields(text, range),
    };
    (read, fields)
}

/// Reads a file that is data: one record describes it as a head does, several are a table. Else tells what is wrong with it.
pub(crate) fn read_file(text: &str, notation: Notation) -> Result<Vec<Block>, String> {
    let wrong = |fault: Fault| format!("is {} and was read as text", fault.shown(notation, 0));
    let read = locate(text, 0..text.len(), &notation.parse(text).map_err(wrong)?);
    let lists = |record: &[(String, Json)]| {
        records::is_dictionary(&read) || record.iter().any(|(_, value)| lists_records(value))
    };
    Ok(match read.as_map() {
        Some(record) if is_titled(record) || !lists(record) => fields::of(record),
        _ => records::of(text, &read),
    })
}

/// Whether a record is what documents are: it has a title, or an identifier.
fn is_titled(record: &[(String, Json)]) -> bool {
    record.iter().any(|(key, value)| ["title", "id"].contains(&key.as_str()) && value.as_text().is_some())
}

fn lists_records(value: &Json) -> bool {
    let is_list = || match &value.value {
        json::Value::List(items) => items.iter().filter(|item| item.as_map().is_some()).nth(1).is_some(),
        _ => false,
    };
    is_list() || records::is_dictionary(value)
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
