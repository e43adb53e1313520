//! JSON as models write it, and schemas as providers take them.

mod lenient;

use serde_json::{Map, Value, json};

/// A JSON object or array in a model's reply.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FoundJson {
    /// The object or array. If the reply was cut off, without the element that was being written.
    pub value: Value,
    /// Whether the reply holds all of it.
    pub whole: bool,
}

/// Reads the JSON objects and arrays in a model's reply, in order.
///
/// Takes JSON as models write it: with single quotes, trailing or missing commas, comments, bare keys, Python's words. Skips the
/// model's thoughts (`<think>…</think>`), code fences, the words around and bracketed words in sentences, such as `[1]`.
///
/// ```
/// use graphwright_llm::read_json;
///
/// let read = read_json("As [1] says: {'names': ['Ada',]} {\"names\": [\"Bob\", \"Zo");
/// assert_eq!(read[0].value, serde_json::json!({"names": ["Ada"]}));
/// assert_eq!(read[1].value, serde_json::json!({"names": ["Bob"]}));
/// assert!(read[0].whole && !read[1].whole);
/// ```
pub fn read_json(reply: &str) -> Vec<FoundJson> {
    let found = lenient::values(without_thoughts(reply), |found| is_structured(&found.value));
    found.into_iter().map(|found| FoundJson { value: found.value, whole: found.whole }).collect()
}

/// Finds the first whole JSON object or array in a model's reply, read as by [`read_json`].
///
/// An array of plain values counts if the reply ends with it.
///
/// ```
/// use graphwright_llm::find_json;
///
/// let reply = "<think>A list, {maybe}.</think>Here:\n```json\n{\"names\": [\"Ada\"]}\n```\nMore?";
/// assert_eq!(find_json(reply), Some(serde_json::json!({"names": ["Ada"]})));
/// assert_eq!(find_json("I cannot do that."), None);
/// ```
pub fn find_json(reply: &str) -> Option<Value> {
    let first = read_json(reply).into_iter().find(|found| found.whole).map(|found| found.value);
    first.or_else(|| {
        let text = without_thoughts(reply).trim_end_matches('`').trim_end();
        lenient::values(text, |found| found.whole && found.end == text.len()).pop().map(|found| found.value)
    })
}

/// Returns whether a value can be more than a bracketed word in a sentence, as `[1]` is.
fn is_structured(value: &Value) -> bool {
    match value {
        Value::Object(_) => true,
        Value::Array(items) => {
            items.is_empty() || items.iter().any(|item| item.is_object() || item.is_array())
        }
        _ => false,
    }
}

/// Returns a model's reply without its thoughts. Unclosed thoughts go to the end.
pub fn without_thoughts(reply: &str) -> &str {
    let text = reply.trim();
    // The last mark counts: thoughts may name the mark themselves.
    match text.rfind("</think>") {
        Some(end) => text[end + "</think>".len()..].trim(),
        None if text.starts_with("<think>") => "",
        None => text,
    }
}

/// Returns the schema with each property that is not required also allowed to be null.
pub(crate) fn nullable_optionals(schema: &Value) -> Value {
    match schema {
        Value::Array(items) => items.iter().map(nullable_optionals).collect(),
        Value::Object(schema) => {
            let required: Vec<&str> = schema
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            let fields = schema.iter().map(|(keyword, value)| {
                let value = match (keyword.as_str(), value) {
                    ("properties", Value::Object(properties)) => nullable_properties(properties, &required),
                    // These keywords hold values or names, not schemas.
                    ("enum" | "const" | "default" | "examples" | "required", value) => value.clone(),
                    (_, value) => nullable_optionals(value),
                };
                (keyword.clone(), value)
            });
            Value::Object(fields.collect())
        }
        value => value.clone(),
    }
}

fn nullable_properties(properties: &Map<String, Value>, required: &[&str]) -> Value {
    let properties = properties.iter().map(|(name, schema)| {
        let schema = nullable_optionals(schema);
        let schema = if required.contains(&name.as_str()) || allows_null(&schema) {
            schema
        } else {
            json!({"anyOf": [schema, {"type": "null"}]})
        };
        (name.clone(), schema)
    });
    Value::Object(properties.collect())
}

fn allows_null(schema: &Value) -> bool {
    jsonschema::validator_for(schema).is_ok_and(|validator| validator.is_valid(&Value::Null))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_found_in_what_models_write() {
        let found = |reply: &str| find_json(reply).map(|value| value.to_string());
        let object = Some(r#"{"a":1}"#.to_owned());
        assert_eq!(found(r#"{"a": 1}"#), object);
        assert_eq!(found("Sure [1]:\n```json\n{\"a\": 1}\n```"), object);
        assert_eq!(found("<think>{\"a\": 2}</think>\n{\"a\": 1} Done."), object);
        assert_eq!(found("use {braces} like {\"a\": 1}"), object);
        assert_eq!(found("[]"), Some("[]".to_owned()));
        assert_eq!(found("[1, 2]"), Some("[1,2]".to_owned()));
        assert_eq!(found("<think>{\"a\": 1}"), None);
        assert_eq!(found("```json\n['Ada', 'Bob']\n```"), Some(r#"["Ada","Bob"]"#.to_owned()));
        assert_eq!(found("{'a': 1,}"), object);
        assert_eq!(found("{\"a\": "), None);
        assert_eq!(found("{\"list\": [{\"a\": 1}, {\"a\": 2"), None, "a part is not the whole");
    }

    #[test]
    fn optional_properties_become_nullable_at_every_depth() {
        let schema = json!({
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "tags": {"type": "array", "items": {"type": "object", "properties": {"tier": {"enum": ["a", "b"]}}}},
                "note": {"type": ["string", "null"]},
            },
            "required": ["name", "tags"],
        });
        insta::assert_json_snapshot!(nullable_optionals(&schema));
    }
}
