//! The fields of a head, with the places of their values.

use std::{collections::HashMap, ops::Range};

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::super::{Block, text::BlockText};

/// The values of a field, with their places.
type Values = Vec<(String, Range<usize>)>;

/// The reader of a head that was parsed. A parser tells what is said; the places are found by going through the text in step.
struct Places<'t> {
    text: &'t str,
    at: usize,
    end: usize,
    found: IndexMap<String, Values>,
    /// Fields that only groups of maps stand above, by their paths, with the names that say enough.
    short: HashMap<String, String>,
}

/// Returns the fields of a head that stands in a range of a text. A map in it is a part of the document, as in records:
/// `author: {name: Ada}` is the field `author name`. A map that has only maps says where its content belongs:
/// `menu: {docs: {parent: runbook}}` is the field `parent`, unless there is another one.
pub(super) fn of(text: &str, range: Range<usize>, map: &Map<String, Value>) -> Vec<Block> {
    let short = short_names(map);
    let mut places = Places { text, at: range.start, end: range.end, found: IndexMap::new(), short };
    places.map("", map);
    let field = |(key, values): (String, Values)| {
        let listed = values.iter().map(|(value, place)| (value.as_str(), place.clone()));
        let mut value = BlockText::list(listed);
        if values.len() == 1 {
            value.items.clear();
        }
        Block::Field { key, value }
    };
    places.found.into_iter().map(field).collect()
}

/// The fields in maps within maps of maps, where each has a name of its own, by their paths.
fn short_names(map: &Map<String, Value>) -> HashMap<String, String> {
    let mut found: Vec<(String, &str)> = Vec::new();
    for (outer, groups) in map {
        let groups: Option<Vec<(&String, &Map<String, Value>)>> = groups
            .as_object()
            .and_then(|groups| groups.iter().map(|(name, group)| Some((name, group.as_object()?))).collect());
        for (inner, group) in groups.into_iter().flatten() {
            found.extend(group.keys().map(|key| (format!("{outer} {inner} {key}"), key.as_str())));
        }
    }
    let mut counts: HashMap<&str, usize> = map.keys().map(|key| (key.as_str(), 1)).collect();
    for (_, key) in &found {
        *counts.entry(key).or_default() += 1;
    }
    let own = found.iter().filter(|(_, key)| counts.get(key) == Some(&1));
    own.map(|(path, key)| (path.clone(), (*key).to_owned())).collect()
}

impl Places<'_> {
    fn map(&mut self, path: &str, map: &Map<String, Value>) {
        for (key, value) in map {
            self.find(key);
            let path = if path.is_empty() { key.clone() } else { format!("{path} {key}") };
            self.value(&path, value);
        }
    }

    fn value(&mut self, path: &str, value: &Value) {
        match value {
            Value::Null => {}
            Value::Object(map) => self.map(path, map),
            Value::Array(items) => items.iter().for_each(|item| self.value(path, item)),
            Value::String(text) => {
                let shown = text.trim();
                let place = self.find(shown);
                self.add(path, shown.to_owned(), place);
            }
            Value::Bool(_) | Value::Number(_) => {
                let place = self.literal();
                let shown = self.text[place.clone()].to_owned();
                self.add(path, shown, place);
            }
        }
    }

    fn add(&mut self, path: &str, value: String, place: Range<usize>) {
        if !value.is_empty() {
            let path = self.short.get(path).map_or(path, String::as_str);
            self.found.entry(path.to_owned()).or_default().push((value, place));
        }
    }

    /// The next place where some text stands; a text with escapes or folded lines has the rest of its line.
    fn find(&mut self, wanted: &str) -> Range<usize> {
        let rest = &self.text[self.at..self.end];
        let place = match rest.find(wanted) {
            Some(from) => self.at + from..self.at + from + wanted.len(),
            None => self.at..self.at + rest.find('\n').unwrap_or(rest.len()),
        };
        self.at = place.end;
        place
    }

    /// The next number or truth value, as it is written.
    fn literal(&mut self) -> Range<usize> {
        let rest = &self.text[self.at..self.end];
        let inner = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '+' | '-' | '_');
        let lead = |letter: char| !inner(letter);
        let start = rest.find(|letter: char| letter.is_alphanumeric()).unwrap_or(rest.len());
        // The sign or point before the first digit.
        let start = rest[..start]
            .trim_end_matches(['-', '+', '.'])
            .len()
            .max(rest[..start].rfind(' ').map_or(0, |at| at + 1));
        let length = rest[start..].find(lead).unwrap_or(rest.len() - start);
        let place = self.at + start..self.at + start + length;
        self.at = place.end;
        place
    }
}
