//! Tells which facts are so at a moment.

use graphwright_core::{Properties, Value, names};
use jiff::civil::Date;

/// Returns whether a fact with these properties is so on a day: it has begun and has not ended.
///
/// What is only said to be over or planned has no date; a document must say so, since other graphs use the property for
/// what they like.
pub(super) fn holds_on(day: Date, properties: &Properties) -> bool {
    let at = |name: &str| properties.get(name).and_then(date);
    let stated = properties.contains_key(names::CHUNKS);
    let status = properties.get(names::STATUS).and_then(Value::as_str).filter(|_| stated);
    !matches!(status, Some(names::ENDED | names::PLANNED))
        && at(names::VALID_FROM).is_none_or(|from| from <= day)
        && at(names::VALID_TO).is_none_or(|to| to >= day)
}

fn date(value: &Value) -> Option<Date> {
    match value {
        Value::Date(date) => Some(*date),
        Value::LocalDateTime(moment) => Some(moment.date()),
        Value::DateTime(moment) => Some(moment.date()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_is_so_from_its_beginning_to_its_end() {
        let day = |text: &str| text.parse::<Date>().unwrap();
        let holds = |pairs: &[(&str, Value)]| {
            let properties = pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
            holds_on(day("2024-05-01"), &properties)
        };
        let chunks = (names::CHUNKS, Value::List(Vec::new()));
        assert!(holds(&[]));
        assert!(holds(&[
            ("valid_from", Value::Date(day("2024-05-01"))),
            ("valid_to", Value::Date(day("2024-05-01")))
        ]));
        assert!(!holds(&[("valid_to", Value::Date(day("2024-04-30")))]));
        assert!(!holds(&[("valid_from", Value::LocalDateTime(day("2024-05-02").at(8, 0, 0, 0)))]));
        assert!(!holds(&[("status", Value::from("ended")), chunks.clone()]));
        assert!(!holds(&[("status", Value::from("planned")), chunks]));
        assert!(holds(&[("status", Value::from("ended"))]), "of another graph, where it may mean anything");
    }
}
