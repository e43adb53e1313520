//! Values as Cypher writes them.

use graphwright_core::Value;

/// The expression that gives a value of those that graphs have.
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
        Value::Date(date) => format!("date('{date}')"),
        Value::LocalDateTime(time) => format!("localdatetime('{time}')"),
        Value::DateTime(time) => format!("datetime('{}')", time.timestamp()),
        Value::Duration(duration) => format!("duration('{duration}')"),
        _ => "null".to_owned(),
    }
}
