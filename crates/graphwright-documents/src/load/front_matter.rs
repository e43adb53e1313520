//! The values of front matter as properties.

use graphwright_core::{Properties, Value};

/// Returns the texts, numbers, truth values and lists of texts of front matter. Deeper values are left out. The front matter
/// stays in the text, so that what is read from it has a range.
pub(super) fn properties(map: &serde_json::Map<String, serde_json::Value>) -> Properties {
    map.iter().filter_map(|(key, value)| Some((key.clone(), simple(value)?))).collect()
}

fn simple(json: &serde_json::Value) -> Option<Value> {
    Some(match json {
        serde_json::Value::String(text) => Value::from(text.as_str()),
        serde_json::Value::Bool(truth) => Value::Boolean(*truth),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(whole) => Value::Integer(whole),
            None => Value::Float(number.as_f64()?),
        },
        serde_json::Value::Array(items) => {
            let texts =
                items.iter().map(|item| item.as_str().map(Value::from)).collect::<Option<Vec<_>>>()?;
            Value::List(texts)
        }
        serde_json::Value::Null | serde_json::Value::Object(_) => return None,
    })
}
