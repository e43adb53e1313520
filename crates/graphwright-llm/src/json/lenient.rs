//! Reads JSON as models write it: with single quotes, trailing or missing commas, comments, bare keys, Python's words, and
//! cut off in the middle.
//!
//! What is cut off is never completed: an array loses the element that was being written.

use serde_json::{Map, Value};

/// Deepest nesting that is read.
const DEEPEST: usize = 32;
/// Number of brackets that may turn out to begin no value.
const MOST_TRIES: usize = 200;

/// A value that stands in a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) value: Value,
    /// Whether the text holds all of it.
    pub(super) whole: bool,
    /// Where the text goes on after the value, in bytes.
    pub(super) end: usize,
}

/// Returns the objects and arrays that a text holds outside of others, and that the condition takes.
pub(super) fn values(text: &str, takes: impl Fn(&Found) -> bool) -> Vec<Found> {
    let mut found = Vec::new();
    let (mut at, mut tries) = (0, MOST_TRIES);
    while let Some(start) = text[at..].find(['{', '[']).map(|offset| at + offset) {
        match parse(text, start).filter(&takes) {
            Some(value) => {
                at = value.end;
                found.push(value);
            }
            None if tries == 0 => break,
            None => (at, tries) = (start + 1, tries - 1),
        }
    }
    found
}

fn parse(text: &str, start: usize) -> Option<Found> {
    let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
    if let Some(Ok(value)) = values.next() {
        return Some(Found { value, whole: true, end: start + values.byte_offset() });
    }
    let mut reader = Reader { text, at: start };
    let (value, whole) = reader.value(0)?;
    Some(Found { value, whole, end: reader.at })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self, letter: char) -> bool {
        let taken = self.rest().starts_with(letter);
        self.at += if taken { letter.len_utf8() } else { 0 };
        taken
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            let comment = match rest[blank..].get(..2) {
                Some("//") => rest[blank..].find('\n').unwrap_or(rest.len() - blank),
                Some("/*") => rest[blank..].find("*/").map_or(rest.len() - blank, |end| end + 2),
                _ => 0,
            };
            self.at += blank + comment;
            if comment == 0 {
                return;
            }
        }
    }

    /// Reads a value, and tells whether it is whole. `None` if there is no value here.
    fn value(&mut self, depth: usize) -> Option<(Value, bool)> {
        if depth > DEEPEST {
            return None;
        }
        self.skip();
        match self.peek()? {
            '{' => self.object(depth),
            '[' => self.array(depth),
            quote if closing(quote).is_some() => {
                let (text, whole) = self.quoted()?;
                Some((Value::String(text), whole))
            }
            _ => self.word(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<(Value, bool)> {
        self.take('{');
        let mut map = Map::new();
        loop {
            self.skip_separators();
            if self.take('}') {
                return Some((Value::Object(map), true));
            }
            if self.rest().is_empty() {
                return Some((Value::Object(map), false));
            }
            let Some(key) = self.key() else {
                // Only the end of the text may stand where a key should.
                return self.rest().is_empty().then_some((Value::Object(map), false));
            };
            let Some((value, whole)) = self.value(depth + 1) else {
                return self.rest().is_empty().then_some((Value::Object(map), false));
            };
            if whole || value.is_array() || value.is_object() {
                map.insert(key, value);
            }
            if !whole {
                return Some((Value::Object(map), false));
            }
        }
    }

    fn key(&mut self) -> Option<String> {
        let (key, whole) = match self.peek()? {
            quote if closing(quote).is_some() => self.quoted()?,
            _ => {
                let length = self.rest().find(|letter: char| !letter.is_alphanumeric() && letter != '_');
                let length = length.filter(|length| *length > 0)?;
                let key = self.rest()[..length].to_owned();
                self.at += length;
                (key, true)
            }
        };
        self.skip();
        (whole && self.take(':')).then_some(key)
    }

    fn array(&mut self, depth: usize) -> Option<(Value, bool)> {
        self.take('[');
        let mut items = Vec::new();
        loop {
            self.skip_separators();
            if self.take(']') {
                return Some((Value::Array(items), true));
            }
            if self.rest().is_empty() {
                return Some((Value::Array(items), false));
            }
            match self.value(depth + 1) {
                Some((value, true)) => items.push(value),
                Some(_) => return Some((Value::Array(items), false)),
                None => return None,
            }
        }
    }

    fn skip_separators(&mut self) {
        self.skip();
        while self.take(',') {
            self.skip();
        }
    }

    /// Reads a quoted text. A quote within it ends it only where the frame can go on, so that an apostrophe does not.
    fn quoted(&mut self) -> Option<(String, bool)> {
        let close = closing(self.peek()?)?;
        self.at += self.peek()?.len_utf8();
        let mut read = String::new();
        while let Some(letter) = self.peek() {
            self.at += letter.len_utf8();
            match letter {
                '\\' => {
                    let Some(escaped) = self.peek() else { return Some((read, false)) };
                    self.at += escaped.len_utf8();
                    self.escape(escaped, &mut read);
                }
                _ if letter == close && self.text_ends_here() => return Some((read, true)),
                _ => read.push(letter),
            }
        }
        Some((read, false))
    }

    fn escape(&mut self, escaped: char, read: &mut String) {
        let unit = |reader: &Self| u32::from_str_radix(reader.rest().get(..4)?, 16).ok();
        match escaped {
            'n' => read.push('\n'),
            't' => read.push('\t'),
            'r' | 'b' | 'f' => {}
            'u' => match unit(self) {
                Some(code) => {
                    self.at += 4;
                    let low = self
                        .rest()
                        .strip_prefix("\\u")
                        .and_then(|rest| u32::from_str_radix(rest.get(..4)?, 16).ok());
                    let pair =
                        low.filter(|low| (0xD800..0xDC00).contains(&code) && (0xDC00..0xE000).contains(low));
                    if let Some(low) = pair {
                        self.at += 6;
                        read.extend(char::from_u32(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)));
                    } else {
                        read.extend(char::from_u32(code));
                    }
                }
                None => read.push('u'),
            },
            // Markdown's escapes among them: `production\_company`.
            other => read.push(other),
        }
    }

    /// Returns whether what follows a quote can follow the end of a text.
    fn text_ends_here(&self) -> bool {
        let rest = self.rest().trim_start();
        let Some(next) = rest.chars().next() else { return true };
        // A key may follow without a comma.
        let key = || {
            let after = rest[next.len_utf8()..]
                .trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
            after.strip_prefix(next).is_some_and(|after| after.trim_start().starts_with(':'))
        };
        matches!(next, ',' | '}' | ']' | ':') || (closing(next).is_some() && key())
    }

    fn word(&mut self) -> Option<(Value, bool)> {
        let length = self.rest().find([',', '}', ']', '\n']).unwrap_or(self.rest().len());
        let word = self.rest()[..length].trim();
        let at_end = length == self.rest().len();
        let value = match word.to_lowercase().as_str() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" | "none" | "nan" | "undefined" => Value::Null,
            _ => serde_json::from_str::<serde_json::Number>(word.trim_start_matches('+'))
                .map(Value::Number)
                .ok()
                .or_else(
                    // Half a word says nothing.
                    || at_end.then_some(Value::Null),
                )?,
        };
        self.at += length;
        Some((value, !at_end))
    }
}

fn closing(quote: char) -> Option<char> {
    match quote {
        '"' | '\'' | '`' => Some(quote),
        '“' => Some('”'),
        '‘' => Some('’'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let shown = |found: &Found| format!("{}{}", found.value, if found.whole { "" } else { " …" });
        values(text, |found| crate::json::is_structured(&found.value))
            .iter()
            .map(shown)
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn json_as_models_write_it() {
        for (text, wanted) in [
            ("{'a': 'Moira's room', 'b': None,}", r#"{"a":"Moira's room","b":null}"#),
            ("{a: 1, // one\n b: [1, 2,],}", r#"{"a":1,"b":[1,2]}"#),
            ("{\"a\": \"the \"big\" one\" \"b\": True}", r#"{"a":"the \"big\" one","b":true}"#),
            ("{\"a\": \"two\nlines\"}", r#"{"a":"two\nlines"}"#),
            ("{“a”: ‘b’}", r#"{"a":"b"}"#),
            (r#"{"a": "production\_company \ud83d\ude00",}"#, r#"{"a":"production_company 😀"}"#),
            ("As [1] says, {maybe}: [{\"a\": 1}] and {\"b\": 2}", "[{\"a\":1}]\n{\"b\":2}"),
        ] {
            assert_eq!(read(text), wanted, "{text}");
        }
    }

    #[test]
    fn what_is_cut_off_is_left_out() {
        for (text, wanted) in [
            (r#"{"facts": [{"from": "a"}, {"from": "b", "to": "c"#, r#"{"facts":[{"from":"a"}]} …"#),
            (r#"{"facts": [{"in": [1, 2"#, r#"{"facts":[]} …"#),
            (r#"{"entities": [], "fac"#, r#"{"entities":[]} …"#),
            (r#"{"entities": [{"a": 1}"#, r#"{"entities":[{"a":1}]} …"#),
            (r#"[{"a": 1}, {"b": tr"#, r#"[{"a":1}] …"#),
        ] {
            assert_eq!(read(text), wanted, "{text}");
        }
    }

    #[test]
    fn nesting_has_an_end() {
        assert_eq!(read(&"[".repeat(100_000)), "");
    }
}
