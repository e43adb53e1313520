//! Reads the values of front matter.

use graphwright_core::{Properties, Value};

/// Reads the YAML at the head of a text: texts, numbers, truth values and lists of texts. Deeper
/// values are left out. The YAML stays in the text, so that what is read from it has a range.
pub(super) fn read(block: &str) -> Result<Properties, String> {
    // `y`, `no` and `on` are words here.
    let options = serde_saphyr::options! { strict_booleans: true };
    let read: serde_json::Value = serde_saphyr::from_str_with_options(block, options).map_err(|error| {
        let line = error.location().map_or(1, |location| location.line() + 1);
        format!("its front matter is not valid YAML (line {line}); correct it or take it out")
    })?;
    let serde_json::Value::Object(map) = read else { return Ok(Properties::new()) };
    Ok(map.iter().filter_map(|(key, value)| Some((key.clone(), simple(value)?))).collect())
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
