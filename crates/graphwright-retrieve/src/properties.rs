//! Formats properties for people.

use graphwright_core::{Properties, Value, names, text::quotable};

/// Maximum length of a list for people. Longer ones are data.
const LONGEST_LIST: usize = 128;

/// Properties that Graphwright keeps for itself.
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

/// Returns the properties that say something: without our notes, without vectors, without empty
/// values.
pub fn telling(properties: &Properties) -> impl Iterator<Item = (&str, &Value)> {
    let shown = |name: &str| !names::is_reserved(name) && !OURS.contains(&name);
    let properties = properties.iter().map(|(name, value)| (name.as_str(), value));
    properties.filter(move |(name, value)| shown(name) && !in_words(value).is_empty())
}

/// Formats one item of a list, whose name or value may have several lines.
///
/// Lines after the first are quoted below it. So no text from a document can look like the next
/// item, a heading or a note.
pub fn one_item(text: &str) -> String {
    let quotable = quotable(text);
    let lines: Vec<&str> = quotable.split('\n').filter(|line| !line.trim().is_empty()).collect();
    lines.join("\n  > ")
}

/// Formats a value for people. Returns an empty text for long lists, maps and null.
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
