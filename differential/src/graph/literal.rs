//! Values as Cypher literals.

use graphwright_core::{Properties, Value};

/// Returns the expression for a value of a property or a parameter.
pub(crate) fn literal(value: &Value) -> String {
    match value {
        Value::Boolean(truth) => truth.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::String(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        Value::List(items) => {
            let items: Vec<_> = items.iter().map(literal).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Map(map) => members(map),
        Value::Date(date) => format!("date('{date}')"),
        Value::Time(time) => format!("time('{time}')"),
        Value::LocalTime(time) => format!("localtime('{time}')"),
        Value::LocalDateTime(time) => format!("localdatetime('{time}')"),
        Value::DateTime(time) => {
            let zone = time.time_zone().iana_name().map(|zone| format!("[{zone}]")).unwrap_or_default();
            format!("datetime('{}{zone}')", time.strftime("%Y-%m-%dT%H:%M:%S%.f%:z"))
        }
        Value::Duration(duration) => format!("duration('{duration}')"),
        Value::Point(point) => {
            let z = point.z.map(|z| format!(", z: {z:?}")).unwrap_or_default();
            format!("point({{srid: {}, x: {:?}, y: {:?}{z}}})", point.srid, point.x, point.y)
        }
        // Properties and parameters have no other kinds.
        Value::Null | Value::Node(_) | Value::Relationship(_) | Value::Path(_) => "null".to_owned(),
    }
}

/// Returns the literal of a map of properties.
pub(crate) fn members(properties: &Properties) -> String {
    let members: Vec<_> =
        properties.iter().map(|(name, value)| format!("{name}: {}", literal(value))).collect();
    format!("{{{}}}", members.join(", "))
}
