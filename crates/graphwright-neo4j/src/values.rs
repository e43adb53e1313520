//! Translates values to the driver's and back.

mod temporal;

use std::collections::{BTreeMap, HashMap};

use graphwright_core::{
    ElementId, Node, Path, Properties, Record, Relationship, Result, StoreError, Value, names, value::Point,
};
use neo4j::{
    ValueReceive, ValueSend,
    value::{graph, spatial},
};

/// Parameters as the driver takes them.
pub(crate) type Parameters = HashMap<String, ValueSend>;

pub(crate) const CARTESIAN: u32 = 7203;
pub(crate) const CARTESIAN_3D: u32 = 9157;
pub(crate) const WGS_84: u32 = 4326;
pub(crate) const WGS_84_3D: u32 = 4979;

/// Translates a value to send.
pub(crate) fn to_driver(value: Value) -> Result<ValueSend> {
    Ok(match value {
        Value::Null => ValueSend::Null,
        Value::Boolean(truth) => ValueSend::Boolean(truth),
        Value::Integer(number) => ValueSend::Integer(number),
        Value::Float(number) => ValueSend::Float(number),
        Value::String(text) => ValueSend::String(text),
        Value::List(items) => ValueSend::List(items.into_iter().map(to_driver).collect::<Result<_>>()?),
        Value::Map(map) => ValueSend::Map(map_to_driver(map)?),
        Value::Point(point) => point_to_driver(&point)?,
        Value::Node(_) | Value::Relationship(_) | Value::Path(_) => {
            return Err(wrong("a node, relationship or path cannot be sent as a value"));
        }
        Value::Date(_)
        | Value::Time(_)
        | Value::LocalTime(_)
        | Value::DateTime(_)
        | Value::LocalDateTime(_)
        | Value::Duration(_) => temporal::to_driver(&value)?,
    })
}

pub(crate) fn map_to_driver(map: BTreeMap<String, Value>) -> Result<HashMap<String, ValueSend>> {
    map.into_iter().map(|(name, value)| Ok((name, to_driver(value)?))).collect()
}

/// Translates the parameters of a statement.
pub(crate) fn parameters_to_driver(parameters: &Properties) -> Result<Parameters> {
    parameters.iter().map(|(name, value)| Ok((name.clone(), to_driver(value.clone())?))).collect()
}

/// Estimates the bytes that a value takes on the wire.
pub(crate) fn wire_size(value: &ValueSend) -> usize {
    match value {
        ValueSend::String(text) => text.len() + 5,
        ValueSend::List(items) => 5 + items.iter().map(wire_size).sum::<usize>(),
        ValueSend::Map(map) => {
            5 + map.iter().map(|(name, value)| name.len() + 5 + wire_size(value)).sum::<usize>()
        }
        _ => 9,
    }
}

/// Translates a row that was received.
pub(crate) fn record_from_driver(record: neo4j::driver::Record) -> Result<Record> {
    record.into_values().map(from_driver).collect()
}

/// Translates a value that was received.
pub(crate) fn from_driver(value: ValueReceive) -> Result<Value> {
    Ok(match value {
        ValueReceive::Null => Value::Null,
        ValueReceive::Boolean(truth) => Value::Boolean(truth),
        ValueReceive::Integer(number) => Value::Integer(number),
        ValueReceive::Float(number) => Value::Float(number),
        ValueReceive::String(text) => Value::String(text),
        // Cypher itself reads an array of bytes as a list of signed numbers.
        ValueReceive::Bytes(bytes) => {
            Value::List(bytes.into_iter().map(|byte| i64::from(byte.cast_signed()).into()).collect())
        }
        ValueReceive::List(items) => Value::List(items.into_iter().map(from_driver).collect::<Result<_>>()?),
        ValueReceive::Map(map) => Value::Map(properties_from_driver(map)?),
        ValueReceive::Node(node) => node_from_driver(node)?.into(),
        ValueReceive::Relationship(relationship) => Relationship {
            element_id: ElementId::new(relationship.element_id),
            kind: relationship.type_,
            start: ElementId::new(relationship.start_node_element_id),
            end: ElementId::new(relationship.end_node_element_id),
            properties: properties_from_driver(relationship.properties)?,
        }
        .into(),
        ValueReceive::Path(path) => path_from_driver(&path)?.into(),
        ValueReceive::Cartesian2D(point) => {
            Point { srid: CARTESIAN, x: point.x(), y: point.y(), z: None }.into()
        }
        ValueReceive::Cartesian3D(point) => {
            Point { srid: CARTESIAN_3D, x: point.x(), y: point.y(), z: Some(point.z()) }.into()
        }
        ValueReceive::WGS84_2D(point) => {
            Point { srid: WGS_84, x: point.longitude(), y: point.latitude(), z: None }.into()
        }
        ValueReceive::WGS84_3D(point) => {
            let (x, y, z) = (point.longitude(), point.latitude(), Some(point.altitude()));
            Point { srid: WGS_84_3D, x, y, z }.into()
        }
        ValueReceive::BrokenValue(broken) => {
            return Err(wrong(format!("a value came that cannot be read: {}", broken.reason())));
        }
        other => temporal::from_driver(&other)?,
    })
}

pub(crate) fn properties_from_driver(map: HashMap<String, ValueReceive>) -> Result<Properties> {
    map.into_iter().map(|(name, value)| Ok((name, from_driver(value)?))).collect()
}

fn node_from_driver(node: graph::Node) -> Result<Node> {
    Ok(Node {
        element_id: ElementId::new(node.element_id),
        labels: specific_first(node.labels),
        properties: properties_from_driver(node.properties)?,
    })
}

/// Puts our labels behind the others. The server orders labels by when it first saw them.
pub(crate) fn specific_first(mut labels: Vec<String>) -> Vec<String> {
    labels.sort_by_key(|label| names::is_reserved(label));
    labels
}

fn path_from_driver(path: &graph::Path) -> Result<Path> {
    let (start, hops) = path.traverse();
    let mut nodes = vec![node_from_driver(start.clone())?];
    let mut relationships = Vec::with_capacity(hops.len());
    let mut here = start;
    for (direction, relationship, next) in hops {
        let (from, to) = match direction {
            graph::RelationshipDirection::To => (here, next),
            graph::RelationshipDirection::From => (next, here),
        };
        relationships.push(Relationship {
            element_id: ElementId::new(relationship.element_id.as_str()),
            kind: relationship.type_.clone(),
            start: ElementId::new(from.element_id.as_str()),
            end: ElementId::new(to.element_id.as_str()),
            properties: properties_from_driver(relationship.properties.clone())?,
        });
        nodes.push(node_from_driver(next.clone())?);
        here = next;
    }
    Ok(Path { nodes, relationships })
}

fn point_to_driver(point: &Point) -> Result<ValueSend> {
    Ok(match (point.srid, point.z) {
        (CARTESIAN, None) => spatial::Cartesian2D::new(point.x, point.y).into(),
        (CARTESIAN_3D, Some(z)) => spatial::Cartesian3D::new(point.x, point.y, z).into(),
        (WGS_84, None) => spatial::WGS84_2D::new(point.x, point.y).into(),
        (WGS_84_3D, Some(z)) => spatial::WGS84_3D::new(point.x, point.y, z).into(),
        (srid, z) => {
            let dimensions = if z.is_some() { "three" } else { "two" };
            return Err(wrong(format!("there is no point of {dimensions} coordinates with srid {srid}")));
        }
    })
}

fn wrong(message: impl Into<String>) -> StoreError {
    StoreError::Evaluation { message: message.into() }
}

#[cfg(test)]
mod tests;
