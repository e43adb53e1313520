//! Values as Cypher knows them.
//!
//! [`Value`] converts from Rust's types with `From`, back with `as_str`, `as_integer` and the like,
//! and to and from JSON with serde.
//!
//! ```
//! use graphwright_core::Value;
//!
//! let value = Value::from(vec![1, 2]);
//! assert_eq!(value.as_list().map(<[Value]>::len), Some(2));
//! assert_eq!(serde_json::to_string(&value)?, "[1,2]");
//! # Ok::<_, serde_json::Error>(())
//! ```

mod json;
mod order;
mod temporal;

use std::collections::BTreeMap;

pub use json::{lost_number, parse_float};
pub use temporal::{CypherDuration, OffsetTime, TemporalParseError, parse_zoned, second_60, time_zone};

use crate::{Node, Path, Relationship};

/// A value as Cypher knows it.
///
/// Dates and times are [`jiff`]'s civil types (years −9999 to 9999). A zoned date-time keeps its
/// zone.
///
/// `PartialEq` is structural equality for tests and collections: `NaN` equals `NaN`, `1` differs
/// from `1.0`, and instants in different zones differ. Cypher's own comparison is
/// [`Value::cypher_eq`] and [`Value::cypher_cmp`], its sort order [`Value::order`].
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// No value.
    #[default]
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A 64-bit signed integer.
    Integer(i64),
    /// A 64-bit float.
    Float(f64),
    /// Text.
    String(String),
    /// A list; its elements may differ in type.
    List(Vec<Value>),
    /// A map with text keys.
    Map(BTreeMap<String, Value>),
    /// A node.
    Node(Box<Node>),
    /// A relationship.
    Relationship(Box<Relationship>),
    /// A path.
    Path(Box<Path>),
    /// A calendar date.
    Date(jiff::civil::Date),
    /// A time of day with an offset from UTC.
    Time(OffsetTime),
    /// A time of day.
    LocalTime(jiff::civil::Time),
    /// An instant with its zone.
    DateTime(Box<jiff::Zoned>),
    /// A date and time of day without a zone.
    LocalDateTime(jiff::civil::DateTime),
    /// An amount of time in months, days, seconds and nanoseconds.
    Duration(CypherDuration),
    /// A point.
    Point(Point),
}

fn entries_size(entries: &BTreeMap<String, Value>) -> usize {
    8 + entries.iter().map(|(name, value)| name.len() + value.size()).sum::<usize>()
}

fn node_size(node: &Node) -> usize {
    node.labels.iter().map(String::len).sum::<usize>() + entries_size(&node.properties)
}

fn relationship_size(relationship: &Relationship) -> usize {
    relationship.kind.len() + entries_size(&relationship.properties)
}

/// A point in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The spatial reference system: 4326 (WGS-84), 4979 (WGS-84 3D), 7203 (Cartesian) or 9157
    /// (Cartesian 3D).
    pub srid: u32,
    /// The longitude in degrees, or x.
    pub x: f64,
    /// The latitude in degrees, or y.
    pub y: f64,
    /// The height in metres, or z.
    pub z: Option<f64>,
}

impl Value {
    /// Estimates the bytes that the value takes when it is sent.
    ///
    /// Texts and names count their bytes, anything else counts eight.
    pub fn size(&self) -> usize {
        match self {
            Self::String(text) => text.len(),
            Self::List(elements) => 8 + elements.iter().map(Self::size).sum::<usize>(),
            Self::Map(entries) => entries_size(entries),
            Self::Node(node) => node_size(node),
            Self::Relationship(relationship) => relationship_size(relationship),
            Self::Path(path) => {
                path.nodes.iter().map(node_size).sum::<usize>()
                    + path.relationships.iter().map(relationship_size).sum::<usize>()
            }
            _ => 8,
        }
    }

    /// Returns the name of its type as Neo4j's schema writes it, as `ZONED DATETIME`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "NULL",
            Self::Boolean(_) => "BOOLEAN",
            Self::Integer(_) => "INTEGER",
            Self::Float(_) => "FLOAT",
            Self::String(_) => "STRING",
            Self::List(_) => "LIST",
            Self::Map(_) => "MAP",
            Self::Node(_) => "NODE",
            Self::Relationship(_) => "RELATIONSHIP",
            Self::Path(_) => "PATH",
            Self::Date(_) => "DATE",
            Self::Time(_) => "ZONED TIME",
            Self::LocalTime(_) => "LOCAL TIME",
            Self::DateTime(_) => "ZONED DATETIME",
            Self::LocalDateTime(_) => "LOCAL DATETIME",
            Self::Duration(_) => "DURATION",
            Self::Point(_) => "POINT",
        }
    }

    /// Returns whether it is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Returns the text, if it is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the integer, if it is one.
    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Self::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the number as a float, if it is an integer or a float.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Self::Integer(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Boolean(truth) => Some(*truth),
            _ => None,
        }
    }

    /// Returns the elements, if it is a list.
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the map, if it is one.
    pub fn as_map(&self) -> Option<&BTreeMap<String, Value>> {
        match self {
            Self::Map(map) => Some(map),
            _ => None,
        }
    }

    /// Returns the node, if it is one.
    pub fn as_node(&self) -> Option<&Node> {
        match self {
            Self::Node(node) => Some(node),
            _ => None,
        }
    }

    /// Returns the relationship, if it is one.
    pub fn as_relationship(&self) -> Option<&Relationship> {
        match self {
            Self::Relationship(relationship) => Some(relationship),
            _ => None,
        }
    }
}

macro_rules! from {
    ($($source:ty => |$value:ident| $made:expr),* $(,)?) => {
        $(impl From<$source> for Value {
            fn from($value: $source) -> Self {
                $made
            }
        })*
    };
}

from! {
    bool => |value| Self::Boolean(value),
    i64 => |value| Self::Integer(value),
    i32 => |value| Self::Integer(value.into()),
    u32 => |value| Self::Integer(value.into()),
    usize => |value| Self::Integer(i64::try_from(value).unwrap_or(i64::MAX)),
    f64 => |value| Self::Float(value),
    f32 => |value| Self::Float(value.into()),
    &str => |value| Self::String(value.to_owned()),
    String => |value| Self::String(value),
    BTreeMap<String, Value> => |value| Self::Map(value),
    jiff::civil::Date => |value| Self::Date(value),
    jiff::civil::DateTime => |value| Self::LocalDateTime(value),
    jiff::Zoned => |value| Self::DateTime(Box::new(value)),
    CypherDuration => |value| Self::Duration(value),
    Point => |value| Self::Point(value),
    Node => |value| Self::Node(Box::new(value)),
    Relationship => |value| Self::Relationship(Box::new(value)),
    Path => |value| Self::Path(Box::new(value)),
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}
