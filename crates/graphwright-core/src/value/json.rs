//! The JSON form of values.
//!
//! Null, booleans, integers, strings, lists and maps are written as they are. A float always has a
//! fraction or an exponent, so that `1` and `1.0` stay apart. Everything else is an object with
//! `$type`:
//!
//! | `$type` | other members |
//! | --- | --- |
//! | `node` | `id` (the store's), `labels`, `properties` |
//! | `relationship` | `id`, `type`, `start`, `end`, `properties` |
//! | `path` | `nodes`, `relationships` |
//! | `date`, `time`, `local_time` | `value`: ISO 8601 text |
//! | `datetime`, `local_datetime`, `duration` | `value`: ISO 8601 text |
//! | `point` | `srid`, `x`, `y`, and `z` if it has one |
//! | `float` | `value`: `NaN`, `Infinity` or `-Infinity` |
//! | `map` | `entries`: pairs of key and value; for a map that itself has the key `$type` |

mod numbers;
mod read;
#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, fmt};

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{Point, Value, temporal::OffsetText};
use crate::{Node, Path, Relationship};

pub use numbers::{lost_number, parse_float};

const TAG: &str = "$type";

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Boolean(truth) => serializer.serialize_bool(*truth),
            Self::Integer(number) => serializer.serialize_i64(*number),
            Self::Float(number) => Float(*number).serialize(serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::List(items) => items.serialize(serializer),
            Self::Map(map) => Map(map).serialize(serializer),
            Self::Node(node) => node.serialize(serializer),
            Self::Relationship(relationship) => relationship.serialize(serializer),
            Self::Path(path) => path.serialize(serializer),
            Self::Date(date) => text(serializer, "date", date),
            Self::Time(time) => text(serializer, "time", time),
            Self::LocalTime(time) => text(serializer, "local_time", time),
            Self::DateTime(zoned) => text(serializer, "datetime", ZonedText(zoned)),
            Self::LocalDateTime(datetime) => text(serializer, "local_datetime", datetime),
            Self::Duration(duration) => text(serializer, "duration", duration),
            Self::Point(point) => serialize_point(serializer, point),
        }
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = tagged(serializer, "node")?;
        map.serialize_entry("id", &self.element_id)?;
        map.serialize_entry("labels", &self.labels)?;
        map.serialize_entry("properties", &Map(&self.properties))?;
        map.end()
    }
}

impl Serialize for Relationship {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = tagged(serializer, "relationship")?;
        map.serialize_entry("id", &self.element_id)?;
        map.serialize_entry("type", &self.kind)?;
        map.serialize_entry("start", &self.start)?;
        map.serialize_entry("end", &self.end)?;
        map.serialize_entry("properties", &Map(&self.properties))?;
        map.end()
    }
}

impl Serialize for Path {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = tagged(serializer, "path")?;
        map.serialize_entry("nodes", &self.nodes)?;
        map.serialize_entry("relationships", &self.relationships)?;
        map.end()
    }
}

fn tagged<S: Serializer>(serializer: S, tag: &str) -> Result<S::SerializeMap, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry(TAG, tag)?;
    Ok(map)
}

fn text<S: Serializer>(serializer: S, tag: &str, value: impl fmt::Display) -> Result<S::Ok, S::Error> {
    let mut map = tagged(serializer, tag)?;
    map.serialize_entry("value", &value.to_string())?;
    map.end()
}

fn serialize_point<S: Serializer>(serializer: S, point: &Point) -> Result<S::Ok, S::Error> {
    let mut map = tagged(serializer, "point")?;
    map.serialize_entry("srid", &point.srid)?;
    map.serialize_entry("x", &Float(point.x))?;
    map.serialize_entry("y", &Float(point.y))?;
    if let Some(height) = point.z {
        map.serialize_entry("z", &Float(height))?;
    }
    map.end()
}

struct Float(f64);

impl Serialize for Float {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            number if number.is_nan() => text(serializer, "float", "NaN"),
            f64::INFINITY => text(serializer, "float", "Infinity"),
            f64::NEG_INFINITY => text(serializer, "float", "-Infinity"),
            number => serializer.serialize_f64(number),
        }
    }
}

struct Map<'a>(&'a BTreeMap<String, Value>);

impl Serialize for Map<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A map with the tag among its keys would be read back as what the tag names.
        if !self.0.contains_key(TAG) {
            return self.0.serialize(serializer);
        }
        let mut map = tagged(serializer, "map")?;
        map.serialize_entry("entries", &self.0.iter().collect::<Vec<_>>())?;
        map.end()
    }
}

/// An instant as Neo4j writes it: `2020-01-01T10:00:00+01:00[Europe/Paris]`, without brackets for a
/// mere offset.
struct ZonedText<'a>(&'a jiff::Zoned);

impl fmt::Display for ZonedText<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.0.datetime(), OffsetText(self.0.offset()))?;
        match self.0.time_zone().iana_name() {
            // A mere offset of zero has this name too.
            Some(name) if name != "UTC" => write!(formatter, "[{name}]"),
            _ => Ok(()),
        }
    }
}
