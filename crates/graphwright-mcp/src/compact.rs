//! Structured content that is no larger than the text beside it: clients put both before their model.

use serde_json::{Map, Value};

/// Structured content of at most so many bytes is left as it is, however short the text.
const SMALL: usize = 256;
/// What programs can do without, since the text has it.
const SPARE: [&str; 5] = ["text", "score", "confidence", "starts", "ends"];

/// Shortens a result to at most `most` bytes: paths are drawn, as `Ada -OWNS-> ledger`, texts of passages are left to the text,
/// and of lists that are still too long the first items stay; `left_out` counts the others.
pub(crate) fn compact(value: Value, most: usize) -> Value {
    let most = most.max(SMALL);
    if size(&value) <= most {
        return value;
    }
    let mut value = shortened(value);
    let mut left_out = 0;
    // Room for `left_out` itself.
    while size(&value) + 24 > most {
        let Some(list) = longest(&mut value) else { break };
        let kept = list.len() / 2;
        left_out += list.len() - kept;
        list.truncate(kept);
    }
    if left_out > 0
        && let Some(fields) = value.as_object_mut()
    {
        fields.insert("left_out".to_owned(), left_out.into());
    }
    value
}

fn size(value: &Value) -> usize {
    value.to_string().len()
}

fn shortened(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(shortened).collect(),
        Value::Object(fields) => {
            if let Some(path) = drawn(&fields) {
                return path.into();
            }
            let has_name = fields.contains_key("id") || fields.contains_key("document");
            let spare = |key: &str, value: &Value| value.is_null() || has_name && SPARE.contains(&key);
            let kept = fields.into_iter().filter(|(key, value)| !spare(key, value));
            Value::Object(kept.map(|(key, value)| (key, shortened(value))).collect())
        }
        other => other,
    }
}

/// Draws a path of nodes and relationships.
fn drawn(fields: &Map<String, Value>) -> Option<String> {
    let nodes = fields.get("nodes")?.as_array()?;
    let relationships = fields.get("relationships")?.as_array()?;
    let mut text = nodes.first()?.get("name")?.as_str()?.to_owned();
    for (relationship, pair) in relationships.iter().zip(nodes.windows(2)) {
        let kind = relationship.get("type")?.as_str()?;
        let forward = relationship.get("from")? == pair[0].get("id")?;
        let arrow = if forward { format!(" -{kind}-> ") } else { format!(" <-{kind}- ") };
        text.push_str(&arrow);
        text.push_str(pair[1].get("name")?.as_str()?);
    }
    Some(text)
}

/// The list that takes the most bytes.
fn longest(value: &mut Value) -> Option<&mut Vec<Value>> {
    match value {
        Value::Array(items) if !items.is_empty() => Some(items),
        Value::Object(fields) => {
            let lists = fields.values_mut().filter_map(longest);
            lists.max_by_key(|list| list.iter().map(size).sum::<usize>())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn structured_content_is_no_larger_than_the_text() {
        let node =
            |id: usize| json!({"id": format!("n{id}"), "name": format!("Service {id}"), "type": "Service"});
        let path = |id: usize| {
            json!({
                "nodes": [node(0), node(id)],
                "relationships": [{"type": "DEPENDS_ON", "from": format!("n{id}"), "to": "n0", "confidence": 0.9}],
            })
        };
        let value = json!({
            "entities": (1..60).map(node).collect::<Vec<_>>(),
            "paths": (1..60).map(path).collect::<Vec<_>>(),
            "truncated": false,
        });
        assert_eq!(compact(value.clone(), 1_000_000), value);
        let short = compact(value, 3_000);
        assert!(size(&short) <= 3_000, "{}", size(&short));
        assert_eq!(short["paths"][0], "Service 0 <-DEPENDS_ON- Service 1");
        assert!(short["left_out"].as_u64().unwrap() > 0);
    }

    #[test]
    fn what_is_small_stays() {
        assert_eq!(compact(json!({"result": [1, 2]}), 3), json!({"result": [1, 2]}));
    }
}
