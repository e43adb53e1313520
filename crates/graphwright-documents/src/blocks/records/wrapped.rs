//! Records whose fields stand under one key, beside what identifies them: fixtures of Django, resources of JSON:API 1.1, records of
//! Airtable, hits of Elasticsearch, edges of GraphQL connections.

use indexmap::IndexMap;

use crate::json::{Json, Value};

/// The keys under which the fields stand.
const FIELDS: [&str; 4] = ["fields", "attributes", "_source", "node"];
/// Keys of what identifies a record.
const IDS: [&str; 3] = ["id", "pk", "_id"];
/// Keys of what a record is.
const KINDS: [&str; 3] = ["model", "type", "_type"];
/// What else stands beside the fields. A record with other keys has a map of that name, and is not wrapped.
const BESIDE: [&str; 7] = ["relationships", "links", "meta", "createdTime", "_index", "_score", "cursor"];

/// Records of one kind.
#[derive(Debug, Default)]
pub(super) struct Unwrapped {
    /// Where it stands what they are.
    pub(super) start: usize,
    pub(super) records: Vec<Json>,
}

/// The records of a list without what is around them, by what they are. `None` if not all of its values are wrapped.
pub(super) fn unwrapped(values: &[Json]) -> Option<IndexMap<Option<&str>, Unwrapped>> {
    let is_wrapped = |value: &Json, fields: &str| {
        let is_known =
            |key: &str| key == fields || IDS.contains(&key) || KINDS.contains(&key) || BESIDE.contains(&key);
        let mut keys = value.as_map().unwrap_or_default().iter();
        value.get(fields).is_some_and(|own| own.as_map().is_some()) && keys.all(|(key, _)| is_known(key))
    };
    // A map that has nothing else is no record yet.
    let is_record = |value: &Json| IDS.iter().any(|key| value.get(key).is_some());
    let are_records = values.len() > 1 || values.iter().any(is_record);
    let are_wrapped = |fields: &&str| are_records && values.iter().all(|value| is_wrapped(value, fields));
    let fields = FIELDS.into_iter().find(are_wrapped)?;
    let mut groups: IndexMap<Option<&str>, Unwrapped> = IndexMap::new();
    for value in values {
        let kind = KINDS.iter().find_map(|key| value.get(key));
        // `resources.planet` of an application's models.
        let name = kind.and_then(|kind| kind.as_text()?.rsplit('.').next());
        let start = kind.map_or(0, |kind| kind.range.start);
        let group = groups.entry(name).or_insert_with(|| Unwrapped { start, ..Unwrapped::default() });
        group.records.push(record(value, fields));
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
