//! Records whose fields stand under one key, beside what identifies them: fixtures of Django, resources of JSON:API 1.1, records of
//! Airtable, hits of Elasticsearch, edges of GraphQL connections.

use crate::json::{Json, Value};

/// The keys under which the fields stand.
const FIELDS: [&str; 4] = ["fields", "attributes", "_source", "node"];
/// Keys of what identifies a record.
const IDS: [&str; 3] = ["id", "pk", "_id"];
/// Keys of what a record is.
const KINDS: [&str; 3] = ["model", "type", "_type"];

/// Records of one kind.
#[derive(Debug)]
pub(super) struct Unwrapped {
    /// What they are, and where that stands.
    pub(super) kind: Option<(String, usize)>,
    pub(super) records: Vec<Json>,
}

/// The records of a list without what is around them, by kind. `None` if not all of its values are wrapped.
pub(super) fn unwrapped(values: &[Json]) -> Option<Vec<Unwrapped>> {
    let fields = FIELDS.into_iter().find(|fields| {
        let is_wrapped = |value: &Json| value.get(fields).is_some_and(|own| own.as_map().is_some());
        values.len() > 1 && values.iter().all(is_wrapped)
    })?;
    let mut groups: Vec<Unwrapped> = Vec::new();
    for value in values {
        let kind = KINDS.iter().find_map(|key| value.get(key));
        let kind = kind.and_then(|kind| {
            // `resources.planet` of an application's models.
            let name = kind.as_text()?.rsplit('.').next()?;
            Some((name.to_owned(), kind.range.start))
        });
        let name = |kind: &Option<(String, usize)>| kind.as_ref().map(|(name, _)| name.clone());
        let at = groups.iter().position(|group| name(&group.kind) == name(&kind)).unwrap_or_else(|| {
            groups.push(Unwrapped { kind, records: Vec::new() });
            groups.len() - 1
        });
        groups[at].records.push(record(value, fields));
    }
    Some(groups)
}

/// The fields of a record, what identifies it, and the identifiers of what it is related to.
fn record(value: &Json, fields: &str) -> Json {
    let mut entries: Vec<(String, Json)> = Vec::new();
    let mut add = |key: &str, value: &Json| {
        if !entries.iter().any(|(known, _)| known == key) {
            entries.push((key.to_owned(), value.clone()));
        }
    };
    for (key, value) in value.get(fields).and_then(Json::as_map).unwrap_or_default() {
        add(key, value);
    }
    for (key, value) in value.as_map().unwrap_or_default() {
        match key.as_str() {
            "relationships" => {
                for (key, related) in value.as_map().unwrap_or_default() {
                    if let Some(ids) = related.get("data").and_then(related_ids) {
                        add(key, &ids);
                    }
                }
            }
            key if IDS.contains(&key) => add("id", value),
            key if key == fields || KINDS.contains(&key) => {}
            key => add(key, value),
        }
    }
    Json { range: value.range.clone(), value: Value::Map(entries) }
}

/// The identifiers in resource linkage (JSON:API 1.1, section 7.4): `{"type": "people", "id": "9"}`, or a list of such.
fn related_ids(data: &Json) -> Option<Json> {
    match &data.value {
        Value::List(items) => {
            let ids = items.iter().filter_map(|item| item.get("id").cloned()).collect();
            Some(Json { range: data.range.clone(), value: Value::List(ids) })
        }
        _ => data.get("id").cloned(),
    }
}
