//! Dates and times as people write them.

use std::sync::LazyLock;

use graphwright_core::Value;
use jiff::civil::{Date, DateTime, Time};
use regex::Regex;

/// Reads a date: ISO 8601 (`2024-03-01`, `2024-03`, `2024-Q1`, `2024`), with a month's name in any usual order
/// (`March 1st, 2024`, `1 Mar 2024`, `the 1st of March 2024`, `March 2024`), or in figures where only one reading is
/// possible (`25/12/2024`, `31.01.2024`). Less than a day's precision gives the first day.
pub(super) fn parse_date(text: &str) -> Option<Date> {
    let lower = text.trim().trim_end_matches('.').to_lowercase();
    let lower = lower.strip_prefix("the ").unwrap_or(&lower);
    if lower.chars().any(char::is_alphabetic) { with_words(lower) } else { in_figures(lower) }
}

/// Reads a date with a time of day and, if there is one, a zone or an offset.
pub(super) fn parse_datetime(text: &str) -> Option<Value> {
    static SHAPE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?ix)^ (?P<date>.+?) (?:T|,?\s+(?:at\s+)?) (?P<hour>\d{1,2}) :(?P<minute>\d{2}) (?: :(?P<second>\d{2}) (?:\.\d+)? )?
              \s* (?P<half>am|pm|a\.m\.|p\.m\.)? \s* (?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})? $",
        )
        .ok()
    });
    if let Ok(zoned) = text.parse::<jiff::Zoned>() {
        return Some(zoned.into());
    }
    let Some(parts) = SHAPE.as_ref()?.captures(text) else {
        return parse_date(text).map(|day| day.at(0, 0, 0, 0).into());
    };
    let figure = |name: &str| parts.name(name).map_or(Some(0), |part| part.as_str().parse::<i8>().ok());
    let mut hour = figure("hour")?;
    if let Some(half) = parts.name("half") {
        let afternoon = half.as_str().starts_with(['p', 'P']);
        hour = match (hour, afternoon) {
            (12, false) => 0,
            (12, true) => 12,
            (1..=11, true) => hour + 12,
            (1..=11, false) => hour,
            _ => return None,
        };
    }
    let time = Time::new(hour, figure("minute")?, figure("second")?, 0).ok()?;
    let moment = DateTime::from_parts(parse_date(&parts["date"])?, time);
    let Some(zone) = parts.name("zone") else { return Some(moment.into()) };
    let offset = match zone.as_str().to_uppercase().as_str() {
        "Z" | "UTC" | "GMT" => return moment.to_zoned(jiff::tz::TimeZone::UTC).ok().map(Value::from),
        offset => offset.replace(':', ""),
    };
    let (sign, figures) = offset.split_at(1);
    let hours: i32 = figures.get(..2)?.parse().ok()?;
    let minutes: i32 = figures.get(2..)?.parse().ok()?;
    let seconds = (hours * 60 + minutes) * 60 * if sign == "-" { -1 } else { 1 };
    let offset = jiff::tz::Offset::from_seconds(seconds).ok()?;
    moment.to_zoned(offset.to_time_zone()).ok().map(Value::from)
}

fn with_words(text: &str) -> Option<Date> {
    let words: Vec<&str> = text
        .split(|character: char| character.is_whitespace() || matches!(character, ',' | '-' | '/'))
        .filter(|word| !word.is_empty() && *word != "of" && weekday(word).is_none())
        .collect();
    match words.as_slice() {
        [first, second, third] => {
            let (month, day) = match (month(first), month(second)) {
                (Some(month), _) => (month, day_of_month(second)?),
                (None, Some(month)) if first.len() < 4 => (month, day_of_month(first)?),
                (None, Some(month)) => return Date::new(year(first)?, month, day_of_month(third)?).ok(),
                _ => return None,
            };
            Date::new(year(third)?, month, day).ok()
        }
        [first, second] => {
            let (period, when) = if year(second).is_some() { (first, second) } else { (second, first) };
            let month = month(period).or_else(|| first_month_of_quarter(period))?;
            Date::new(year(when)?, month, 1).ok()
        }
        [one] => {
            let (when, quarter) = one.split_at_checked(4)?;
            Date::new(year(when)?, first_month_of_quarter(quarter)?, 1).ok()
        }
        _ => None,
    }
}

fn in_figures(text: &str) -> Option<Date> {
    let parts: Vec<&str> = text.split(['-', '/', '.']).map(str::trim).collect();
    match parts.as_slice() {
        [year_only] => Date::new(year(year_only)?, 1, 1).ok(),
        [when, month] if when.len() == 4 => Date::new(year(when)?, month.parse().ok()?, 1).ok(),
        [when, month, day] if when.len() == 4 => {
            Date::new(year(when)?, month.parse().ok()?, day.parse().ok()?).ok()
        }
        [first, second, when] => {
            let (first, second): (i8, i8) = (first.parse().ok()?, second.parse().ok()?);
            let (day, month) = match (first > 12, second > 12) {
                (true, false) => (first, second),
                (false, true) => (second, first),
                (false, false) if first == second || text.contains('.') => (first, second),
                _ => return None,
            };
            Date::new(year(when)?, month, day).ok()
        }
        _ => None,
    }
}

/// A year of four figures.
fn year(word: &str) -> Option<i16> {
    let figures = word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|year| figures && *year >= 1000)
}

fn day_of_month(word: &str) -> Option<i8> {
    let figures =
        word.trim_end_matches("st").trim_end_matches("nd").trim_end_matches("rd").trim_end_matches("th");
    figures.parse().ok().filter(|day| (1..=31).contains(day))
}

fn first_month_of_quarter(word: &str) -> Option<i8> {
    match word {
        "q1" => Some(1),
        "q2" => Some(4),
        "q3" => Some(7),
        "q4" => Some(10),
        _ => None,
    }
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

fn month(word: &str) -> Option<i8> {
    position_of_name(&MONTHS, word).map(|position| position as i8 + 1)
}

fn weekday(word: &str) -> Option<usize> {
    position_of_name(&WEEKDAYS, word)
}

/// The name that `word` is, in full or shortened to three or four letters.
fn position_of_name(names: &[&str], word: &str) -> Option<usize> {
    let word = word.trim_end_matches('.');
    names.iter().position(|name| *name == word || ((3..=4).contains(&word.len()) && name.starts_with(word)))
}
