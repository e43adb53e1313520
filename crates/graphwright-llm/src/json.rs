//! JSON as models write it, and schemas as providers take them.

use serde_json::{Map, Value, json};

/// Finds the JSON object or array in a model's reply.
///
/// Skips the model's thoughts (`<think>…</think>`), a code fence and the words around it.
///
/// ```
/// use graphwright_llm::find_json;
///
/// let reply = "<think>A list, {maybe}.</think>Here:\n```json\n{\"names\": [\"Ada\"]}\n```\nMore?";
/// assert_eq!(find_json(reply), Some(serde_json::json!({"names": ["Ada"]})));
/// assert_eq!(find_json("I cannot do that."), None);
/// ```
pub fn find_json(reply: &str) -> Option<Value> {
    let text = without_thoughts(reply);
    let starts = text.match_indices(['{', '[']).map(|(start, _)| start);
    let mut skip_to = 0;
    for start in starts {
        if start < skip_to {
            continue;
        }
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        match values.next() {
            // A bracketed word in a sentence parses too, if it is a number or a string: [1].
            Some(Ok(value))
                if is_structured(&value) || text[start..].trim_end().len() == values.byte_offset() =>
            {
                return Some(value);
            }
            Some(Ok(_)) => skip_to = start + values.byte_offset(),
            _ => {}
        }
    }
    None
}

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
        assert_eq!(found("{\"a\": "), None);
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
