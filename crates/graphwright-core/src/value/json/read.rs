//! Reads values from their JSON form.

use std::{collections::BTreeMap, fmt};

use jiff::fmt::temporal::{Pieces, PiecesOffset};
use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};

use super::TAG;
use crate::{
    ElementId, Node, Path, Properties, Relationship,
    value::{Point, Value, parse_zoned, second_60},
};

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

macro_rules! deserialize_element {
    ($($element:ident),*) => {
        $(impl<'de> Deserialize<'de> for $element {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                match Value::deserialize(deserializer)? {
                    Value::$element(element) => Ok(*element),
                    other => Err(D::Error::custom(unexpected(stringify!($element), &other))),
                }
            }
        })*
    };
}

deserialize_element!(Node, Relationship, Path);

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Boolean(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Integer(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        let number = i64::try_from(number).map_err(|_| {
            E::custom(format_args!(
                "{number} is beyond the 64-bit integers; write a fraction if it is a float"
            ))
        })?;
        Ok(Value::Integer(number))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Float(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut members = Members::new();
        while let Some((key, value)) = access.next_entry()? {
            members.insert(key, value);
        }
        match members.remove(TAG) {
            None => Ok(Value::Map(members)),
            Some(Value::String(tag)) => read_tagged(&tag, members).map_err(A::Error::custom),
            Some(other) => Err(A::Error::custom(unexpected("a text in $type", &other))),
        }
    }
}

type Members = BTreeMap<String, Value>;

fn read_tagged(tag: &str, mut members: Members) -> Result<Value, String> {
    let members = &mut members;
    Ok(match tag {
        "node" => Value::from(Node {
            element_id: ElementId::new(take_text(members, "id")?),
            labels: take_list(members, "labels")?.into_iter().map(into_text).collect::<Result<_, _>>()?,
            properties: take_properties(members)?,
        }),
        "relationship" => Value::from(Relationship {
            element_id: ElementId::new(take_text(members, "id")?),
            kind: take_text(members, "type")?,
            start: ElementId::new(take_text(members, "start")?),
            end: ElementId::new(take_text(members, "end")?),
            properties: take_properties(members)?,
        }),
        "path" => Value::from(read_path(members)?),
        "date" => Value::Date(parse(members, "a date")?),
        "time" => {
            let text = take_text(members, "value")?;
            no_second_60(&text)?;
            Value::Time(text.parse().map_err(|error| format!("{error}"))?)
        }
        "local_time" => Value::LocalTime(parse(members, "a time")?),
        "datetime" => Value::DateTime(Box::new(read_zoned(&take_text(members, "value")?)?)),
        "local_datetime" => Value::LocalDateTime(parse(members, "a date and time")?),
        "duration" => {
            Value::Duration(take_text(members, "value")?.parse().map_err(|error| format!("{error}"))?)
        }
        "point" => Value::Point(read_point(members)?),
        "float" => Value::Float(match take_text(members, "value")?.as_str() {
            "NaN" => f64::NAN,
            "Infinity" => f64::INFINITY,
            "-Infinity" => f64::NEG_INFINITY,
            other => return Err(format!("a float is NaN, Infinity or -Infinity here, not `{other}`")),
        }),
        "map" => {
            Value::Map(take_list(members, "entries")?.into_iter().map(read_entry).collect::<Result<_, _>>()?)
        }
        other => return Err(format!("unknown $type `{other}`")),
    })
}

fn take(members: &mut Members, name: &str) -> Result<Value, String> {
    members.remove(name).ok_or_else(|| format!("member `{name}` is missing"))
}

fn take_text(members: &mut Members, name: &str) -> Result<String, String> {
    into_text(take(members, name)?)
}

fn take_list(members: &mut Members, name: &str) -> Result<Vec<Value>, String> {
    match take(members, name)? {
        Value::List(items) => Ok(items),
        other => Err(unexpected(&format!("a list in `{name}`"), &other)),
    }
}

fn take_properties(members: &mut Members) -> Result<Properties, String> {
    match take(members, "properties")? {
        Value::Map(properties) => Ok(properties),
        other => Err(unexpected("a map in `properties`", &other)),
    }
}

fn into_text(value: Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(unexpected("a text", &other)),
    }
}

fn unexpected(expected: &str, found: &Value) -> String {
    format!("expected {expected}, found {}", found.type_name())
}

fn read_entry(pair: Value) -> Result<(String, Value), String> {
    match pair {
        Value::List(pair) => match <[Value; 2]>::try_from(pair) {
            Ok([key, value]) => Ok((into_text(key)?, value)),
            Err(_) => Err("an entry is a pair of key and value".to_owned()),
        },
        other => Err(unexpected("a pair of key and value", &other)),
    }
}

fn parse<T: std::str::FromStr<Err = jiff::Error>>(members: &mut Members, what: &str) -> Result<T, String> {
    let text = take_text(members, "value")?;
    no_second_60(&text)?;
    text.parse().map_err(|error| format!("`{text}` is not {what}: {error}"))
}

fn no_second_60(text: &str) -> Result<(), String> {
    if second_60(text) { Err(format!("`{text}` has the second 60, which Cypher does not")) } else { Ok(()) }
}

fn read_path(members: &mut Members) -> Result<Path, String> {
    let nodes = take_list(members, "nodes")?.into_iter().map(|item| match item {
        Value::Node(node) => Ok(*node),
        other => Err(unexpected("a node", &other)),
    });
    let relationships = take_list(members, "relationships")?.into_iter().map(|item| match item {
        Value::Relationship(relationship) => Ok(*relationship),
        other => Err(unexpected("a relationship", &other)),
    });
    let path = Path {
        nodes: nodes.collect::<Result<_, _>>()?,
        relationships: relationships.collect::<Result<Vec<_>, _>>()?,
    };
    if path.nodes.len() != path.relationships.len() + 1 {
        return Err("a path has one node more than relationships".to_owned());
    }
    Ok(path)
}

fn read_point(members: &mut Members) -> Result<Point, String> {
    let number = |value: Value| value.as_float().ok_or_else(|| unexpected("a number", &value));
    let srid = take(members, "srid")?;
    Ok(Point {
        srid: srid
            .as_integer()
            .and_then(|srid| u32::try_from(srid).ok())
            .ok_or_else(|| unexpected("an srid", &srid))?,
        x: number(take(members, "x")?)?,
        y: number(take(members, "y")?)?,
        z: members.remove("z").map(number).transpose()?,
    })
}

fn read_zoned(text: &str) -> Result<jiff::Zoned, String> {
    no_second_60(text)?;
    let explain = |error: jiff::Error| format!("`{text}` is not a date and time with a zone: {error}");
    let pieces = Pieces::parse(text).map_err(explain)?;
    // Only text with brackets names a zone, and jiff reads a zoned time from nothing else.
    if pieces.time_zone_annotation().is_some() {
        return parse_zoned(text).map_err(explain);
    }
    let offset = match pieces.offset() {
        Some(PiecesOffset::Zulu) => jiff::tz::Offset::UTC,
        Some(PiecesOffset::Numeric(numeric)) => numeric.offset(),
        _ => return Err(format!("`{text}` has no offset from UTC")),
    };
    let time = pieces.time().ok_or_else(|| format!("`{text}` has no time of day"))?;
    pieces.date().to_datetime(time).to_zoned(offset.to_time_zone()).map_err(explain)
}
