//! Features of GeoJSON (RFC 7946) as records: their properties, with the place of a point.

use crate::json::{Json, Value};

/// The records that a collection of features is. `None` if the value is none.
pub(super) fn features(value: &Json) -> Option<Vec<Json>> {
    let Value::List(items) = &value.get("features").filter(|_| is(value, "FeatureCollection"))?.value else {
        return None;
    };
    Some(items.iter().map(|item| feature(item).unwrap_or_else(|| item.clone())).collect())
}

/// The record that a feature is. `None` if the value is none.
pub(super) fn feature(value: &Json) -> Option<Json> {
    let properties = value.get("properties").filter(|_| is(value, "Feature"))?;
    let mut entries: Vec<(String, Json)> = Vec::new();
    let id = value.get("id").map(|id| ("id".to_owned(), id.clone()));
    let place = value.get("geometry").filter(|geometry| is(geometry, "Point"));
    let place = place.and_then(|point| match &point.get("coordinates")?.value {
        // In this order (section 3.1.1).
        Value::List(axes) => Some(["longitude", "latitude"].map(str::to_owned).into_iter().zip(axes.clone())),
        _ => None,
    });
    let own = properties.as_map().unwrap_or_default().iter().cloned();
    for (key, value) in id.into_iter().chain(own).chain(place.into_iter().flatten()) {
        match entries.iter_mut().find(|(known, _)| *known == key) {
            // The feature's own property says more than the identifier beside it.
            Some((_, known)) if key == "id" => *known = value,
            Some(_) => {}
            None => entries.push((key, value)),
        }
    }
    Some(Json { range: value.range.clone(), value: Value::Map(entries) })
}

fn is(value: &Json, kind: &str) -> bool {
    value.get("type").and_then(Json::as_text) == Some(kind)
}
