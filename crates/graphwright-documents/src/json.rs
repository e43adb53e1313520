//! JSON text with the byte range of each value.

use std::ops::Range;

/// The deepest nesting of JSON that is read.
pub(crate) const DEEPEST: usize = 127;

/// A JSON value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Json {
    pub(crate) range: Range<usize>,
    pub(crate) value: Value,
}

/// What a JSON value is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    /// A string, unescaped.
    Text(String),
    /// A number or truth value, as it is written.
    Literal(String),
    List(Vec<Json>),
    /// Entries in the order of the text.
    Map(Vec<(String, Json)>),
}

impl Json {
    /// Reads a text that is valid JSON, as `load` has checked. `None` if it is not, or nested too deep.
    pub(crate) fn read(text: &str) -> Option<Self> {
        Self::read_in(text, 0..text.len())
    }

    /// Reads the part of a text in a range.
    pub(crate) fn read_in(text: &str, range: Range<usize>) -> Option<Self> {
        let deep = structure(&text[range.clone()]).any(|(_, _, depth)| depth > DEEPEST);
        (!deep).then(|| Reader { text: &text[..range.end], at: range.start }.value()).flatten()
    }

    /// Returns the entries of a map.
    pub(crate) fn as_map(&self) -> Option<&[(String, Json)]> {
        match &self.value {
            Value::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// Returns what stands under a key of a map.
    pub(crate) fn get(&self, key: &str) -> Option<&Json> {
        self.as_map()?.iter().find(|(own, _)| own == key).map(|(_, value)| value)
    }

    /// Returns that text with where it stands: without the quotation marks, where nothing is escaped.
    pub(crate) fn placed(&self) -> Option<(&str, Range<usize>)> {
        let text = self.as_text()?;
        let range = self.range.clone();
        let inner = range.start + 1..range.end - 1;
        let is_string = matches!(self.value, Value::Text(_));
        Some((text, if is_string && text.len() == inner.len() { inner } else { range }))
    }

    /// Returns the text of a string, number or truth value; `None` where there is nothing but white space.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) | Value::Literal(text) => Some(text.trim()).filter(|text| !text.is_empty()),
            _ => None,
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn value(&mut self) -> Option<Json> {
        self.space();
        let start = self.at;
        let value = match self.peek()? {
            b'{' => self.map()?,
            b'[' => self.list()?,
            b'"' => Value::Text(self.string()?),
            _ => self.literal()?,
        };
        Some(Json { range: start..self.at, value })
    }

    fn map(&mut self) -> Option<Value> {
        let mut entries = Vec::new();
        self.at += 1;
        while !self.take(b'}') {
            self.space();
            let key = self.string()?;
            if !self.take(b':') {
                return None;
            }
            entries.push((key, self.value()?));
            self.take(b',');
        }
        Some(Value::Map(entries))
    }

    fn list(&mut self) -> Option<Value> {
        let mut items = Vec::new();
        self.at += 1;
        while !self.take(b']') {
            items.push(self.value()?);
            self.take(b',');
        }
        Some(Value::List(items))
    }

    fn string(&mut self) -> Option<String> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut end = start + 1;
        while *bytes.get(end)? != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        self.at = end + 1;
        serde_json::from_str(self.text.get(start..self.at)?).ok()
    }

    fn literal(&mut self) -> Option<Value> {
        let rest = &self.text[self.at..];
        let length =
            rest.find(|letter: char| matches!(letter, ',' | ']' | '}') || letter.is_ascii_whitespace());
        let literal = &rest[..length.unwrap_or(rest.len())];
        self.at += literal.len();
        match literal {
            "" => None,
            "null" => Some(Value::Null),
            _ => Some(Value::Literal(literal.to_owned())),
        }
    }

    /// Passes white space and then this byte, if it is next.
    fn take(&mut self, byte: u8) -> bool {
        self.space();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}

/// Returns the bytes outside of strings, each with its offset and the number of lists and maps that are open behind it.
/// The text need not be valid.
pub(crate) fn structure(text: &str) -> impl Iterator<Item = (usize, u8, usize)> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    text.bytes().enumerate().filter_map(move |(offset, byte)| {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            _ => {
                match byte {
                    b'[' | b'{' => depth += 1,
                    b']' | b'}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                return Some((offset, byte, depth));
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_strings_is_left_out() {
        let found: Vec<_> = structure(r#"[{"a]\"":1}]"#).collect();
        assert_eq!(
            found,
            [(0, b'[', 1), (1, b'{', 2), (8, b':', 2), (9, b'1', 2), (10, b'}', 1), (11, b']', 0)]
        );
    }

    #[test]
    fn each_value_knows_where_it_stands() {
        let text = r#" {"a\n": ["ü\"]", -1.5e3 , null], "b": {} } "#;
        let read = Json::read(text).expect("reads");
        let entries = read.as_map().expect("a map");
        assert_eq!(entries[0].0, "a\n");
        let Value::List(items) = &entries[0].1.value else { panic!("a list") };
        let shown: Vec<_> = items.iter().map(|item| (&text[item.range.clone()], item.as_text())).collect();
        let expected = [(r#""ü\"]""#, Some("ü\"]")), ("-1.5e3", Some("-1.5e3")), ("null", None)];
        assert_eq!(shown, expected);
        assert_eq!(entries[1].1.as_map(), Some(&[][..]));
    }

    #[test]
    fn what_breaks_off_is_nothing() {
        let whole = r#"{"a": ["b", 1]}"#;
        assert!((0..whole.len()).all(|end| Json::read(&whole[..end]).is_none()), "{whole}");
        for text in ["", "{", "{\"a\"", "{\"a\" 1}", "[\"\\"] {
            assert_eq!(Json::read(text), None, "{text}");
        }
    }
}
