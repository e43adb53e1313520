//! Properties as people read them.

use graphwright_core::{Properties, Value, names};

/// Lists longer than this are data, not something to read.
const LONGEST_LIST: usize = 128;

/// What Graphwright keeps for itself beside what the graph says.
const OURS: &[&str] = &[
    names::CHUNKS,
    names::CONFIDENCE,
    names::CONFIDENCES,
    names::EMBEDDING,
    names::ENDS,
    names::ORIGINAL_FROM,
    names::ORIGINAL_TO,
    names::RECORDED_AT,
    names::STARTS,
    names::STATED,
    names::WEIGHT,
    "extractor",
    "format",
    "hash",
    "ingested_at",
];

/// The properties that say something, without our notes and without vectors; values never empty.
pub fn telling(properties: &Properties) -> impl Iterator<Item = (&str, &Value)> {
    let shown = |name: &str| !names::is_reserved(name) && !OURS.contains(&name);
    let properties = properties.iter().map(|(name, value)| (name.as_str(), value));
    properties.filter(move |(name, value)| shown(name) && !in_words(value).is_empty())
}

/// What is one item of a list, though a name or a value in it has several lines: those after the first are quoted below it, so that no text from a
/// document can look like the next item, a heading or a note.
pub fn one_item(text: String) -> String {
    if !text.contains(['\n', '\r']) {
        return text;
    }
    let lines: Vec<&str> = text.split(['\n', '\r']).filter(|line| !line.trim().is_empty()).collect();
    lines.join("\n  > ")
}

/// A value as people write it; empty for what is not for reading (long lists, maps, null).
pub fn in_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Boolean(truth) => truth.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Date(date) => date.to_string(),
        Value::LocalTime(time) => time.to_string(),
        Value::Time(time) => format!("{}{}", time.time, time.offset),
        Value::LocalDateTime(time) => time.to_string(),
        Value::DateTime(time) => time.to_string(),
        Value::Duration(duration) => duration.to_string(),
        Value::Point(point) => match point.z {
            Some(z) => format!("({}, {}, {z})", point.x, point.y),
            None => format!("({}, {})", point.x, point.y),
        },
        Value::List(items) if items.len() <= LONGEST_LIST => {
            let words: Vec<String> = items.iter().map(in_words).filter(|word| !word.is_empty()).collect();
            words.join(", ")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::properties;

    #[test]
    fn what_we_keep_of_a_fact_is_not_what_it_says() {
        let one = |value: &str| Value::List(vec![value.into()]);
        let fact = properties(&[
            ("since", 2024.into()),
            (names::CHUNKS, one("a.md#0")),
            (names::CONFIDENCES, Value::List(vec![1.0.into()])),
            (names::ORIGINAL_FROM, one("Service:gw")),
            (names::STATED, one("{}")),
        ]);
        assert_eq!(telling(&fact).map(|(name, _)| name).collect::<Vec<_>>(), ["since"]);
    }
}
