//! Documents whose facts and answers people wrote down: what to compare with.
//!
//! A corpus is a folder with `documents`, `ontology.yaml`, `gold.jsonl` (each fact with its document, and whether it holds) and
//! `questions.jsonl` (each with its answers). `examples/software-catalogue` is one.

mod verdict;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use serde::Serialize;
use serde_json::Value;

pub use self::verdict::{explain, is_right};
use crate::{Error, Result};

/// A fact or property in comparable form: document, relationship or `Type.property`, and two names or a name and a value.
pub type FactKey = (String, String, String, String);

/// A corpus. Gold facts and questions are kept as they are written.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// The folder of its documents.
    pub documents: PathBuf,
    /// The file of its ontology.
    pub ontology: PathBuf,
    /// The lines of `gold.jsonl`.
    pub gold: Vec<Value>,
    /// The lines of `questions.jsonl`.
    pub questions: Vec<Value>,
}

impl Corpus {
    /// Reads a folder.
    ///
    /// # Errors
    /// Fails if one of its files cannot be read.
    pub fn read(folder: &Path) -> Result<Self> {
        Ok(Self {
            documents: folder.join("documents"),
            ontology: folder.join("ontology.yaml"),
            gold: read_lines(&folder.join("gold.jsonl"))?,
            questions: read_lines(&folder.join("questions.jsonl"))?,
        })
    }

    /// Returns the gold facts that hold.
    pub fn facts(&self) -> BTreeSet<FactKey> {
        self.gold.iter().filter(|gold| gold["holds"] == Value::Bool(true)).filter_map(gold_key).collect()
    }
}

/// How many of the facts that were found are right, and of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FactScore {
    /// Found ones.
    pub found: usize,
    /// Found ones that are gold.
    pub right: usize,
    /// Gold facts.
    pub gold: usize,
}

impl FactScore {
    /// Compares facts with gold.
    pub fn of(found: &BTreeSet<FactKey>, gold: &BTreeSet<FactKey>) -> Self {
        Self { found: found.len(), right: found.intersection(gold).count(), gold: gold.len() }
    }

    /// Returns the share of the found facts that are right, in percent.
    pub fn precision(&self) -> f64 {
        percent(self.right, self.found)
    }

    /// Returns the share of the gold facts that were found, in percent.
    pub fn recall(&self) -> f64 {
        percent(self.right, self.gold)
    }
}

/// Returns a share in percent; 0 of nothing.
pub fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 }
}

/// Returns the key of a line of `gold.jsonl`. `None` if it is no gold fact.
pub fn gold_key(gold: &Value) -> Option<FactKey> {
    let document = gold["document"].as_str()?;
    if let Some(kind) = gold["type"].as_str() {
        return Some(fact_key(document, kind, gold["from"]["name"].as_str()?, gold["to"]["name"].as_str()?));
    }
    let entity = &gold["entity"];
    let (label, name) = (entity["type"].as_str()?, entity["name"].as_str()?);
    Some(property_key(document, label, gold["property"].as_str()?, name, &gold["value"]))
}

/// Returns the key of a fact between two named entities.
pub fn fact_key(document: &str, kind: &str, from: &str, to: &str) -> FactKey {
    (document.to_owned(), kind.to_owned(), normal(from), normal(to))
}

/// Returns the key of an entity's property.
pub fn property_key(document: &str, label: &str, property: &str, name: &str, value: &Value) -> FactKey {
    (document.to_owned(), format!("{label}.{property}"), normal(name), shown(value))
}

/// Normalises a value for comparison. Of a tagged value, the text counts.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => normal(text),
        Value::Number(number) => {
            number.as_f64().map_or_else(|| number.to_string(), |number| number.to_string())
        }
        Value::Array(items) => {
            let mut items: Vec<String> = items.iter().map(shown).collect();
            items.sort();
            items.join("; ")
        }
        Value::Object(tagged) => {
            tagged.values().filter_map(Value::as_str).next_back().map(normal).unwrap_or_default()
        }
        other => other.to_string(),
    }
}

/// Normalises a name: lower case, without article and punctuation.
fn normal(name: &str) -> String {
    let lower = name.to_lowercase().replace('&', " and ");
    let words: Vec<&str> = lower
        .split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '+' | '#'))
        .filter(|word| !word.is_empty())
        .collect();
    let words = if words.len() > 1 && words[0] == "the" { &words[1..] } else { &words[..] };
    words.join(" ")
}

/// Reads the objects of a JSON Lines file.
///
/// # Errors
/// Fails if the file cannot be read, or names the line that is none.
pub fn read_lines(path: &Path) -> Result<Vec<Value>> {
    let text = crate::read_text(path).map_err(|source| Error::cannot_read(path, source))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let parse = |(at, line)| {
        serde_json::from_str(line).map_err(|error: serde_json::Error| Error::Corpus {
            path: path.to_owned(),
            line: at + 1,
            message: error.to_string(),
        })
    };
    lines.map(parse).collect()
}
