//! Properties as bytes.
//!
//! Numbers are little-endian base 128 (LEB128), names of properties numbers of a list. What has no short form here (times,
//! durations, points) is written as the JSON of [`Value`].

use graphwright_core::{Properties, Value};
use rustc_hash::FxHashMap;

/// The deepest nesting of lists and maps that is read. Nothing deeper is written by stores.
const DEEPEST: usize = 64;

const NULL: u8 = 0;
const FALSE: u8 = 1;
const TRUE: u8 = 2;
const INTEGER: u8 = 3;
const FLOAT: u8 = 4;
const STRING: u8 = 5;
const LIST: u8 = 6;
const MAP: u8 = 7;
const JSON: u8 = 8;

/// Names by number, in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct Numbered {
    names: Vec<String>,
    numbers: FxHashMap<String, u32>,
}

impl Numbered {
    pub(crate) fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    pub(crate) fn into_names(self) -> Vec<String> {
        self.names
    }
}

pub(crate) fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

pub(crate) fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_number(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

pub(crate) fn put_properties(bytes: &mut Vec<u8>, properties: &Properties, keys: &mut Numbered) {
    put_number(bytes, properties.len() as u64);
    for (name, value) in properties {
        put_number(bytes, u64::from(keys.number(name)));
        put_value(bytes, value);
    }
}

fn put_value(bytes: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Null => bytes.push(NULL),
        Value::Boolean(truth) => bytes.push(if *truth { TRUE } else { FALSE }),
        Value::Integer(number) => {
            bytes.push(INTEGER);
            // The sign goes last, so that small numbers of either sign are short.
            put_number(bytes, (number << 1 ^ (number >> 63)) as u64);
        }
        Value::Float(number) => {
            bytes.push(FLOAT);
            bytes.extend_from_slice(&number.to_bits().to_le_bytes());
        }
        Value::String(text) => {
            bytes.push(STRING);
            put_text(bytes, text);
        }
        Value::List(items) => {
            bytes.push(LIST);
            put_number(bytes, items.len() as u64);
            for item in items {
                put_value(bytes, item);
            }
        }
        Value::Map(map) => {
            bytes.push(MAP);
            put_number(bytes, map.len() as u64);
            for (name, value) in map {
                put_text(bytes, name);
                put_value(bytes, value);
            }
        }
        other => {
            bytes.push(JSON);
            put_text(bytes, &serde_json::to_string(other).unwrap_or_default());
        }
    }
}

/// Reads what was put into a record, in the same order. `None` means that the bytes are no such thing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordReader<'a> {
    bytes: &'a [u8],
}

impl<'a> RecordReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(taken)
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn size(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let length = self.size()?;
        str::from_utf8(self.take(length)?).ok()
    }

    pub(crate) fn properties(&mut self, keys: &[String]) -> Option<Properties> {
        let count = self.size()?;
        let mut properties = Properties::new();
        for _ in 0..count {
            let name = keys.get(self.size()?)?;
            properties.insert(name.clone(), self.value(0)?);
        }
        Some(properties)
    }

    /// Reads only the wanted property.
    pub(crate) fn property(&mut self, wanted: u32) -> Option<Value> {
        let count = self.size()?;
        for _ in 0..count {
            if self.number()? == u64::from(wanted) {
                return self.value(0);
            }
            self.skip_value(0)?;
        }
        None
    }

    /// Goes behind the properties.
    pub(crate) fn skip_properties(&mut self) -> Option<()> {
        for _ in 0..self.size()? {
            self.number()?;
            self.skip_value(0)?;
        }
        Some(())
    }

    /// Returns whether the key of some property is as wanted. Reads no value.
    pub(crate) fn any_key(&mut self, is_wanted: impl Fn(u32) -> bool) -> Option<bool> {
        for _ in 0..self.size()? {
            if is_wanted(u32::try_from(self.number()?).ok()?) {
                return Some(true);
            }
            self.skip_value(0)?;
        }
        Some(false)
    }

    /// Returns what is left.
    pub(crate) fn rest(self) -> &'a [u8] {
        self.bytes
    }

    fn skip_value(&mut self, depth: usize) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        match *self.take(1)?.first()? {
            NULL | FALSE | TRUE => {}
            INTEGER => _ = self.number()?,
            FLOAT => _ = self.take(8)?,
            STRING | JSON => {
                let length = self.size()?;
                self.take(length)?;
            }
            tag @ (LIST | MAP) => {
                for _ in 0..self.size()? {
                    if tag == MAP {
                        self.text()?;
                    }
                    self.skip_value(depth + 1)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        let tag = *self.take(1)?.first()?;
        Some(match tag {
            NULL => Value::Null,
            FALSE => Value::Boolean(false),
            TRUE => Value::Boolean(true),
            INTEGER => {
                let number = self.number()?;
                Value::Integer((number >> 1) as i64 ^ -((number & 1) as i64))
            }
            FLOAT => Value::Float(f64::from_bits(u64::from_le_bytes(*self.take(8)?.first_chunk()?))),
            STRING => Value::String(self.text()?.to_owned()),
            LIST => {
                let count = self.size()?;
                // Not made room for at once: a count that is no count must not take all memory.
                let mut items = Vec::new();
                for _ in 0..count {
                    items.push(self.value(depth + 1)?);
                }
                Value::List(items)
            }
            MAP => {
                let count = self.size()?;
                let mut map = Properties::new();
                for _ in 0..count {
                    let name = self.text()?.to_owned();
                    map.insert(name, self.value(depth + 1)?);
                }
                Value::Map(map)
            }
            JSON => serde_json::from_str(self.text()?).ok()?,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use graphwright_core::value::{CypherDuration, Point};

    use super::*;

    #[test]
    fn every_value_is_read_as_it_was_written() {
        let numbers = [0, 1, -1, 63, -64, 64, i64::MAX, i64::MIN].map(Value::Integer);
        let duration = CypherDuration { months: 1, days: -2, seconds: 3, nanoseconds: 4 };
        let point = Point { srid: 4326, x: 1.5, y: -2.0, z: None };
        let mut all = vec![
            Value::Null,
            Value::Boolean(true),
            Value::Boolean(false),
            Value::Float(f64::NAN),
            Value::Float(-0.1),
            Value::Float(f64::INFINITY),
            "Å \u{1f600}".into(),
            "".into(),
            Value::Date("2024-02-29".parse().unwrap()),
            Value::LocalTime("10:00:00.5".parse().unwrap()),
            Value::LocalDateTime("2024-02-29T10:00:00".parse().unwrap()),
            Value::DateTime(Box::new("2024-02-29T10:00:00+01:00[Europe/Paris]".parse().unwrap())),
            Value::Duration(duration),
            Value::Point(point),
        ];
        all.extend(numbers);
        all.push(Value::Map(Properties::from([("a".into(), Value::List(all.clone()))])));
        all.push(Value::List(all.clone()));
        let named = all.into_iter().enumerate().map(|(number, value)| (format!("p{number}"), value));
        let properties: Properties = named.collect();
        let (mut bytes, mut keys) = (Vec::new(), Numbered::default());
        put_properties(&mut bytes, &properties, &mut keys);
        let wanted = keys.number("p10");
        let keys = keys.into_names();
        assert_eq!(RecordReader::new(&bytes).properties(&keys).unwrap(), properties);
        assert_eq!(RecordReader::new(&bytes).property(wanted).as_ref(), Some(&properties["p10"]));
        for end in 0..bytes.len() {
            assert_eq!(RecordReader::new(&bytes[..end]).properties(&keys), None, "cut at {end}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(0..12_u8, 0..80)) {
            let keys = ["a".to_owned(), "b".to_owned()];
            let _ = RecordReader::new(&bytes).properties(&keys);
        }
    }
}
