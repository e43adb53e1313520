//! Values as numbers and dates, and whether they pass tests.

use std::borrow::Cow;

use graphwright_core::Value;
use graphwright_english::dates::Days;

use crate::{
    question::{
        Compare,
        plan::{Aggregate, Test},
    },
    schema::is_date_name,
};

/// Whether a value compares so with another, by number, by date or, for equality, as it stands.
pub(super) fn ranks(compare: Compare, value: &Value, other: &Value) -> bool {
    if compare == Compare::Is {
        return value == other;
    }
    if let (Some(left), Some(right)) = (value.as_float(), other.as_float()) {
        return compares(compare, left, right);
    }
    match Days::from_value(other) {
        Some(days) => holds(&Test::Time(compare, days), value),
        None => number(value).zip(number(other)).is_some_and(|(left, right)| compares(compare, left, right)),
    }
}

/// Whether a value passes a test, or one of a list does.
pub(super) fn holds(test: &Test, value: &Value) -> bool {
    if let Value::List(items) = value {
        return items.iter().any(|item| holds(test, item));
    }
    match test {
        Test::OneOf(values) => values.contains(value),
        // Compared with a value of another entity, where that is known.
        Test::Than(..) | Test::SameYear(_) => false,
        Test::Month(month) => Days::from_value(value).is_some_and(|own| {
            own.first.month() == *month && own.last.month() == *month && own.first.year() == own.last.year()
        }),
        Test::Present => {
            let is_none = value.as_float().is_some_and(|number| number.abs() < f64::EPSILON);
            *value != Value::Boolean(false) && !value.is_null() && !is_none
        }
        Test::Number(compare, amount) => {
            number(value).is_some_and(|number| compares(*compare, number, *amount))
        }
        Test::Between(low, high) => number(value).is_some_and(|number| (*low..=*high).contains(&number)),
        Test::Time(compare, days) => Days::from_value(value).is_some_and(|own| match compare {
            Compare::Is => own.first >= days.first && own.last <= days.last,
            Compare::Below => own.last < days.first,
            Compare::AtMost => own.last <= days.last,
            Compare::Above => own.first > days.last,
            Compare::AtLeast => own.first >= days.first,
        }),
    }
}

pub(super) fn compares(compare: Compare, left: f64, right: f64) -> bool {
    match compare {
        Compare::Is => (left - right).abs() < 1e-9,
        Compare::Below => left < right,
        Compare::AtMost => left <= right,
        Compare::Above => left > right,
        Compare::AtLeast => left >= right,
    }
}

/// A value as a date where it is a moment in seconds or milliseconds since 1970 (Unix time), as numbers in properties of dates are.
pub(super) fn dated<'v>(name: &str, value: &'v Value) -> Cow<'v, Value> {
    /// From here on, a number is no year and no count of days: three years after 1970.
    const LEAST_SECONDS: i64 = 100_000_000;
    let Value::Integer(moment) = value else { return Cow::Borrowed(value) };
    let seconds = if *moment >= LEAST_SECONDS * 1000 { *moment / 1000 } else { *moment };
    if seconds < LEAST_SECONDS || !is_date_name(name) {
        return Cow::Borrowed(value);
    }
    let date = jiff::Timestamp::from_second(seconds)
        .map(|moment| jiff::tz::TimeZone::UTC.to_datetime(moment).date());
    date.map_or(Cow::Borrowed(value), |date| Cow::Owned(Value::Date(date)))
}

/// Makes one number of several, if there are any.
pub(crate) fn aggregated(how: Aggregate, numbers: &[f64]) -> Option<Value> {
    let sum: f64 = numbers.iter().sum();
    let number = match how {
        Aggregate::Sum | Aggregate::Length => sum,
        Aggregate::Average => sum / numbers.len() as f64,
        Aggregate::Greatest => numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        Aggregate::Least => numbers.iter().copied().fold(f64::INFINITY, f64::min),
    };
    // Floating-point errors behind the ninth place are no part of the answer.
    let number = (number * 1e9).round() / 1e9;
    let whole = number.fract() == 0.0 && number.abs() < 9e15;
    let value = if whole { Value::Integer(number as i64) } else { Value::Float(number) };
    (!numbers.is_empty()).then_some(value)
}

/// Whether two dates are of one year.
pub(super) fn are_of_one_year(value: &Value, other: &Value) -> bool {
    let year = |value| {
        let Days { first, last } = Days::from_value(value)?;
        (first.year() == last.year()).then(|| first.year())
    };
    year(value).is_some_and(|own| year(other) == Some(own))
}

/// Reads the number that a value is or begins with.
pub(crate) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => {
            let digits: String = text
                .chars()
                .take_while(|letter| letter.is_ascii_digit() || matches!(letter, '.' | ','))
                .collect();
            digits.replace(',', "").parse().ok()
        }
        other => other.as_float(),
    }
}

pub(super) fn days_since_epoch(days: Days) -> i32 {
    let epoch = jiff::civil::Date::constant(1970, 1, 1);
    (days.first - epoch).get_days()
}
