//! Translates values to the engine's and back, without loss.
//!
//! A value that the engine cannot hold as it is, is encoded (points other than WGS-84 in two
//! dimensions) or refused.

mod temporal;

use std::collections::{BTreeMap, HashMap};

use graphwright_core::{
    ElementId, Node, Path, Properties, Relationship, Result, StoreError, Value, value::Point,
};
use kglite::api::{NodeValue, PropMap, RelValue, Value as EngineValue, time_zone::ZoneId};

use crate::rewrite::reserved;

/// The key of the map that stands for a point which the engine's own point type cannot hold.
const POINT: &str = "__point__";
const WGS_84: u32 = 4326;

/// Translates a value to the engine's.
pub(crate) fn to_engine(value: Value) -> Result<EngineValue> {
    Ok(match value {
        Value::Null => EngineValue::Null,
        Value::Boolean(truth) => EngineValue::Boolean(truth),
        Value::Integer(number) => EngineValue::Int64(number),
        Value::Float(number) => EngineValue::Float64(number),
        Value::String(text) => EngineValue::String(text),
        Value::List(items) => EngineValue::List(items.into_iter().map(to_engine).collect::<Result<_>>()?),
        Value::Map(map) => EngineValue::Map(map_to_engine(map)?),
        Value::Date(date) => EngineValue::DateTime(temporal::date_to_engine(date)?),
        Value::Time(time) => temporal::time_to_engine(time),
        Value::LocalTime(time) => EngineValue::LocalTime(temporal::nanoseconds(time)),
        Value::DateTime(zoned) => temporal::zoned_to_engine(&zoned)?,
        Value::LocalDateTime(datetime) => {
            EngineValue::Timestamp(temporal::local_datetime_to_engine(datetime)?)
        }
        Value::Duration(duration) => temporal::duration_to_engine(duration)?,
        Value::Point(point) => point_to_engine(point),
        Value::Node(_) | Value::Relationship(_) | Value::Path(_) => {
            return Err(unsupported(
                "a node, relationship or path as a value to store or pass",
                "pass its `__id__` and match it in the query",
            ));
        }
    })
}

/// Translates properties and their names to the engine's. Nulls stay as they are.
pub(crate) fn properties_to_engine(properties: Properties) -> Result<HashMap<String, EngineValue>> {
    properties
        .into_iter()
        .map(|(name, value)| Ok((reserved::property_to_engine(&name).into_owned(), to_engine(value)?)))
        .collect()
}

fn map_to_engine(map: BTreeMap<String, Value>) -> Result<PropMap> {
    // Such a map would come back as a point.
    if map.contains_key(POINT) {
        return Err(unsupported(format!("a map with the key `{POINT}`"), "choose another key"));
    }
    let map: BTreeMap<_, _> = properties_to_engine(map)?.into_iter().collect();
    Ok(PropMap::from(map))
}

fn point_to_engine(point: Point) -> EngineValue {
    if point.srid == WGS_84 && point.z.is_none() {
        return EngineValue::Point { lat: point.y, lon: point.x };
    }
    let mut map = BTreeMap::from([
        (POINT.to_owned(), EngineValue::Int64(point.srid.into())),
        ("x".to_owned(), EngineValue::Float64(point.x)),
        ("y".to_owned(), EngineValue::Float64(point.y)),
    ]);
    if let Some(z) = point.z {
        map.insert("z".to_owned(), EngineValue::Float64(z));
    }
    EngineValue::Map(PropMap::from(map))
}

/// Translates a value of the engine.
pub(crate) fn from_engine(value: EngineValue) -> Result<Value> {
    Ok(match value {
        EngineValue::Null => Value::Null,
        EngineValue::Boolean(truth) => Value::Boolean(truth),
        EngineValue::Int64(number) => Value::Integer(number),
        EngineValue::UniqueId(number) => Value::Integer(number.into()),
        EngineValue::Float64(number) => Value::Float(number),
        EngineValue::String(text) => Value::String(text),
        EngineValue::List(items) => Value::List(items.into_iter().map(from_engine).collect::<Result<_>>()?),
        EngineValue::Map(map) => map_from_engine(map)?,
        EngineValue::Node(node) => Value::Node(Box::new(node_from_engine(*node)?)),
        EngineValue::Relationship(relationship) => {
            Value::Relationship(Box::new(relationship_from_engine(*relationship)?))
        }
        EngineValue::Path(path) => Value::Path(Box::new(Path {
            nodes: path.nodes.into_iter().map(node_from_engine).collect::<Result<_>>()?,
            relationships: path.rels.into_iter().map(relationship_from_engine).collect::<Result<_>>()?,
        })),
        EngineValue::DateTime(date) => Value::Date(temporal::date_from_engine(date)?),
        EngineValue::Timestamp(datetime) => {
            Value::LocalDateTime(temporal::local_datetime_from_engine(datetime)?)
        }
        EngineValue::LocalTime(nanoseconds) => {
            Value::LocalTime(temporal::time_from_nanoseconds(nanoseconds)?)
        }
        EngineValue::Time { nanos, offset_secs } => temporal::time_from_engine(nanos, offset_secs)?,
        EngineValue::ZonedDateTime { utc, offset_secs, zone } => {
            temporal::zoned_from_engine(utc, offset_secs, zone.map(ZoneId::name))?
        }
        EngineValue::Duration { months, days, seconds, nanos } => {
            temporal::duration_from_engine(months, days, seconds, nanos)
        }
        EngineValue::Point { lat, lon } => Value::Point(Point { srid: WGS_84, x: lon, y: lat, z: None }),
        EngineValue::NodeRef(_) => {
            return Err(StoreError::Engine {
                message: "the engine returned a bare node reference".to_owned(),
            });
        }
    })
}

/// Translates a row of the engine.
pub(crate) fn row_from_engine(row: Vec<EngineValue>) -> Result<Vec<Value>> {
    row.into_iter().map(from_engine).collect()
}

/// Translates properties of the engine and their names. The engine's own entries and nulls are left
/// out.
pub(crate) fn properties_from_engine(
    entries: impl IntoIterator<Item = (impl AsRef<str>, EngineValue)>,
) -> Result<Properties> {
    let mut properties = Properties::new();
    for (name, value) in entries {
        if matches!(value, EngineValue::Null) {
            continue;
        }
        if let Some(name) = reserved::property_from_engine(name.as_ref()) {
            properties.insert(name.to_owned(), from_engine(value)?);
        }
    }
    Ok(properties)
}

fn map_from_engine(map: PropMap) -> Result<Value> {
    if let Some(point) = point_from_map(&map) {
        return Ok(Value::Point(point));
    }
    let mut entries = BTreeMap::new();
    for (name, value) in map.into_pairs() {
        if let Some(name) = reserved::property_from_engine(name.as_ref()) {
            entries.insert(name.to_owned(), from_engine(value)?);
        }
    }
    Ok(Value::Map(entries))
}

fn point_from_map(map: &PropMap) -> Option<Point> {
    let float = |name: &str| match map.get(name) {
        Some(EngineValue::Float64(number)) => Some(*number),
        _ => None,
    };
    let EngineValue::Int64(srid) = map.get(POINT)? else { return None };
    Some(Point { srid: u32::try_from(*srid).ok()?, x: float("x")?, y: float("y")?, z: float("z") })
}

fn node_from_engine(node: NodeValue) -> Result<Node> {
    Ok(Node {
        element_id: element_id(node.id),
        labels: node.labels.iter().filter_map(|label| label_from_engine(label)).collect(),
        properties: properties_from_engine(pairs(node.properties))?,
    })
}

fn relationship_from_engine(relationship: RelValue) -> Result<Relationship> {
    Ok(Relationship {
        element_id: element_id(relationship.id),
        kind: relationship.rel_type,
        start: element_id(relationship.start_id),
        end: element_id(relationship.end_id),
        properties: properties_from_engine(pairs(relationship.properties))?,
    })
}

fn pairs(map: PropMap) -> impl Iterator<Item = (String, EngineValue)> {
    map.into_pairs().into_iter().map(|(name, value)| (AsRef::<str>::as_ref(&name).to_owned(), value))
}

/// Translates a label of the engine. Returns `None` for the one that it gives to unlabelled nodes.
pub(crate) fn label_from_engine(label: &str) -> Option<String> {
    reserved::label_from_engine(label).map(str::to_owned)
}

/// Returns the identifier that the engine's `elementId()` gives for the element in that slot.
pub(crate) fn element_id(slot: u32) -> ElementId {
    ElementId::new(slot.to_string())
}

pub(crate) fn unsupported(construct: impl Into<String>, hint: impl Into<String>) -> StoreError {
    StoreError::Unsupported { store: crate::KIND.into(), construct: construct.into(), hint: hint.into() }
}
