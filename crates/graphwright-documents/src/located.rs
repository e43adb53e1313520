//! The places of values that a parser read without them, as those of YAML and TOML do.

use std::ops::Range;

use serde_json::{Map, Value as Parsed};

use crate::json::{Json, Value};

/// Returns what a parser read from a range of a text, with the places of all values. They are found by going through the text
/// in step; a text with escapes or folded lines has the rest of its line.
pub(crate) fn locate(text: &str, range: Range<usize>, parsed: &Parsed) -> Json {
    Places { text, at: range.start, end: range.end }.value(parsed)
}

/// Returns the entries of a map that was read from a range of a text, as [`locate`] does.
pub(crate) fn locate_entries(
    text: &str,
    range: Range<usize>,
    parsed: &Map<String, Parsed>,
) -> Vec<(String, Json)> {
    Places { text, at: range.start, end: range.end }.entries(parsed)
}

struct Places<'t> {
    text: &'t str,
    at: usize,
    end: usize,
}

impl Places<'_> {
    fn value(&mut self, parsed: &Parsed) -> Json {
        match parsed {
            Parsed::Null => Json { range: self.at..self.at, value: Value::Null },
            Parsed::Object(map) => {
                let start = self.at;
                let value = Value::Map(self.entries(map));
                Json { range: start..self.at, value }
            }
            Parsed::Array(items) => {
                let start = self.at;
                let value = Value::List(items.iter().map(|item| self.value(item)).collect());
                Json { range: start..self.at, value }
            }
            Parsed::String(text) => {
                let shown = text.trim();
                Json { range: self.find(shown), value: Value::Text(shown.to_owned()) }
            }
            Parsed::Bool(_) | Parsed::Number(_) => {
                let range = self.literal();
                Json { value: Value::Literal(self.text[range.clone()].to_owned()), range }
            }
        }
    }

    fn entries(&mut self, map: &Map<String, Parsed>) -> Vec<(String, Json)> {
        let entry = |(key, value): (&String, &Parsed)| {
            self.find(key);
            (key.clone(), self.value(value))
        };
        map.iter().map(entry).collect()
    }

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
