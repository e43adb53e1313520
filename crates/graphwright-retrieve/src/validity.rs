//! The days on which facts are so, for the snapshot of the graph and for the search index.

use graphwright_core::{Properties, Value, names};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// The days on which a fact is so: from the first to the last, as days since 1970. None if the first is behind the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Interval {
    pub(crate) first: i32,
    pub(crate) last: i32,
}

impl Interval {
    const NEVER: Self = Self { first: i32::MAX, last: i32::MIN };

    pub(crate) fn holds_on(self, day: i32) -> bool {
        self.first <= day && day <= self.last
    }
}

/// Returns the days on which a fact with these properties is so, or `None` if it always is.
///
/// What is said to be over was so until its `valid_to`, and without one on no day that is known; what is planned is not so, since
/// a plan's day may pass without it. A document must say so, since other graphs use `status` for what they like.
pub(crate) fn interval(properties: &Properties) -> Option<Interval> {
    let at = |name: &str| properties.get(name).and_then(date).map(day_number);
    let (first, last) = (at(names::VALID_FROM), at(names::VALID_TO));
    let stated = properties.contains_key(names::CHUNKS);
    let status = properties.get(names::STATUS).and_then(Value::as_str).filter(|_| stated);
    match (status, first, last) {
        (Some(names::PLANNED), ..) | (Some(names::ENDED), _, None) => Some(Interval::NEVER),
        (_, None, None) => None,
        _ => Some(Interval { first: first.unwrap_or(i32::MIN), last: last.unwrap_or(i32::MAX) }),
    }
}

/// Returns the number of days since 1970.
pub(crate) fn day_number(date: Date) -> i32 {
    // Both are civil dates of the years −9999 to 9999, which are some seven million days apart.
    date.duration_since(Date::constant(1970, 1, 1)).as_hours().div_euclid(24) as i32
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

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    #[test]
    fn a_fact_is_so_from_its_beginning_to_its_end() {
        let holds = |pairs: &[(&str, Value)]| {
            let properties = pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
            interval(&properties).is_none_or(|interval| interval.holds_on(day_number(day("2024-05-01"))))
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
        let until = ("valid_to", Value::Date(day("2024-05-01")));
        let ended = ("status", Value::from("ended"));
        assert!(holds(&[ended, chunks.clone(), until]), "it was so until then");
        assert!(!holds(&[("status", Value::from("planned")), chunks.clone()]));
        let begun = ("valid_from", Value::Date(day("2024-04-01")));
        assert!(
            !holds(&[("status", Value::from("planned")), chunks, begun]),
            "nobody says that it came to pass"
        );
        assert!(holds(&[("status", Value::from("ended"))]), "of another graph, where it may mean anything");
    }

    #[test]
    fn days_are_counted_from_1970() {
        for (text, number) in
            [("1970-01-01", 0), ("1969-12-31", -1), ("2024-03-01", 19_783), ("-009999-01-01", -4_371_587)]
        {
            assert_eq!(day_number(day(text)), number, "{text}");
        }
    }
}
