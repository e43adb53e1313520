//! A parser for the kit's notation of values: `(:A {p: 1})`, `[:T]`, `<(:A)-[:T]->(:B)>`, `'text'`,
//! `[1, 2.5]`, `{key: null}`.
//!
//! Temporal values are strings here. [`compare`](crate::compare) reads them as the type of value
//! that they are compared with.

use std::collections::BTreeMap;

use graphwright_core::{ElementId, Node, Path, Properties, Relationship, Value};

/// Parses one value. The notation has no identifiers for nodes and relationships, so they get their
/// places in a path.
///
/// # Errors
///
/// Returns a message if the text is no value.
pub(crate) fn parse(text: &str) -> Result<Value, String> {
    let mut parser = ValueParser { rest: text };
    let value = parser.value().filter(|_| parser.rest.trim_start().is_empty());
    value.ok_or_else(|| format!("`{text}` is no value of the kit's notation"))
}

/// A parser of the text that is left.
struct ValueParser<'a> {
    rest: &'a str,
}

impl<'a> ValueParser<'a> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn takes(&mut self, symbol: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(symbol) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, symbol: &str) -> Option<()> {
        self.takes(symbol).then_some(())
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|character| !wanted(character)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn value(&mut self) -> Option<Value> {
        match self.peek()? {
            '\'' => self.string().map(Value::String),
            '(' => self.node(0).map(Value::from),
            '<' => self.path().map(Value::from),
            '{' => self.map().map(Value::Map),
            // A relationship is written like a list that begins with a colon.
            '[' if self.rest[1..].trim_start().starts_with(':') => {
                self.relationship().map(|(kind, properties)| relationship(kind, properties, (0, 0)).into())
            }
            '[' => self.list().map(Value::List),
            _ => self.literal(),
        }
    }

    fn literal(&mut self) -> Option<Value> {
        let word = self.take_while(|character| !character.is_whitespace() && !",]}".contains(character));
        Some(match word {
            "null" => Value::Null,
            "true" => Value::Boolean(true),
            "false" => Value::Boolean(false),
            "NaN" => Value::Float(f64::NAN),
            "Inf" => Value::Float(f64::INFINITY),
            "-Inf" => Value::Float(f64::NEG_INFINITY),
            number => match number.parse() {
                Ok(integer) => Value::Integer(integer),
                Err(_) => Value::Float(number.parse().ok()?),
            },
        })
    }

    fn string(&mut self) -> Option<String> {
        self.expect("'")?;
        let mut text = String::new();
        let mut characters = self.rest.char_indices();
        while let Some((at, character)) = characters.next() {
            match character {
                '\'' => {
                    self.rest = &self.rest[at + 1..];
                    return Some(text);
                }
                '\\' => text.push(characters.next()?.1),
                other => text.push(other),
            }
        }
        None
    }

    fn list(&mut self) -> Option<Vec<Value>> {
        self.expect("[")?;
        let mut items = Vec::new();
        while !self.takes("]") {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(self.value()?);
        }
        Some(items)
    }

    fn map(&mut self) -> Option<BTreeMap<String, Value>> {
        self.expect("{")?;
        let mut map = BTreeMap::new();
        while !self.takes("}") {
            if !map.is_empty() {
                self.expect(",")?;
            }
            let key = self.name()?;
            self.expect(":")?;
            map.insert(key, self.value()?);
        }
        Some(map)
    }

    fn name(&mut self) -> Option<String> {
        let name = if self.takes("`") {
            let name = self.take_while(|character| character != '`');
            self.expect("`")?;
            name
        } else {
            self.rest = self.rest.trim_start();
            self.take_while(|character| character.is_alphanumeric() || character == '_')
        };
        (!name.is_empty()).then(|| name.to_owned())
    }

    fn properties(&mut self) -> Option<Properties> {
        if self.peek() == Some('{') { self.map() } else { Some(Properties::new()) }
    }

    fn node(&mut self, place: usize) -> Option<Node> {
        self.expect("(")?;
        let mut labels = Vec::new();
        while self.takes(":") {
            labels.push(self.name()?);
        }
        let properties = self.properties()?;
        self.expect(")")?;
        Some(Node { element_id: id(place), labels, properties })
    }

    fn relationship(&mut self) -> Option<(String, Properties)> {
        self.expect("[")?;
        self.expect(":")?;
        let kind = self.name()?;
        let properties = self.properties()?;
        self.expect("]")?;
        Some((kind, properties))
    }

    fn path(&mut self) -> Option<Path> {
        self.expect("<")?;
        let mut nodes = vec![self.node(0)?];
        let mut relationships = Vec::new();
        while !self.takes(">") {
            let place = nodes.len();
            let is_backward = self.takes("<-");
            if !is_backward {
                self.expect("-")?;
            }
            let (kind, properties) = self.relationship()?;
            self.expect(if is_backward { "-" } else { "->" })?;
            let ends = if is_backward { (place, place - 1) } else { (place - 1, place) };
            relationships.push(relationship(kind, properties, ends));
            nodes.push(self.node(place)?);
        }
        Some(Path { nodes, relationships })
    }
}

fn id(place: usize) -> ElementId {
    ElementId::new(place.to_string())
}

fn relationship(kind: String, properties: Properties, (start, end): (usize, usize)) -> Relationship {
    Relationship { element_id: id(start.min(end)), kind, start: id(start), end: id(end), properties }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_hold_any_value() {
        let list = parse(r"[null, true, -1, 2.5, 1e3, NaN, 'it\'s', {a: [], `b c`: {}}]").unwrap();
        let Value::List(items) = list else { panic!("no list") };
        assert_eq!(items[..5], [Value::Null, true.into(), (-1).into(), 2.5.into(), 1000.0.into()]);
        assert!(matches!(items[5], Value::Float(number) if number.is_nan()));
        assert_eq!(items[6], "it's".into());
        let empty = |name: &str, value| (name.to_owned(), value);
        let map =
            BTreeMap::from([empty("a", Value::List(Vec::new())), empty("b c", Value::Map(BTreeMap::new()))]);
        assert_eq!(items[7], Value::Map(map));
    }

    #[test]
    fn a_path_keeps_the_directions() {
        let Value::Path(path) = parse("<(:A:B)<-[:T {n: 1}]-({s: 'x'})-[:U]->()>").unwrap() else {
            panic!("no path")
        };
        assert_eq!(path.nodes[0].labels, ["A", "B"]);
        assert_eq!(path.nodes[1].properties["s"], "x".into());
        let [first, second] = path.relationships.as_slice() else { panic!("not two") };
        assert_eq!((first.kind.as_str(), &first.start), ("T", &path.nodes[1].element_id));
        assert_eq!((second.kind.as_str(), &second.start), ("U", &path.nodes[1].element_id));
    }

    #[test]
    fn nonsense_is_an_error() {
        for text in ["", "[1", "1 2", "(:)", "<()-[]->()>", "'open", "{1}"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
