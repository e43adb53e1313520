//! Parses dates and times as people write them.

use std::sync::LazyLock;

use graphwright_core::{Value, value::parse_zoned};
use graphwright_english::dates::Days;
use jiff::civil::{Date, DateTime, Time};
use regex::Regex;

/// Maximum length of a span, in days, that may count as a date.
const LONGEST_SPAN: i32 = 366;

/// Parses a date ([`Days::parse`], and the basic format of ISO 8601: `20140526`), also with the midnight that databases write
/// behind it (`2014-05-26 00:00:00`).
///
/// Returns the first day if the text is less precise than a day, and `None` for spans of more than
/// a year.
pub(super) fn parse_date(text: &str) -> Option<Date> {
    if let Some(day) = basic(text.trim()) {
        return Some(day);
    }
    let days = Days::parse(text).or_else(|| Days::parse(before_midnight(text.trim())?))?;
    ((days.last - days.first).get_days() < LONGEST_SPAN).then_some(days.first)
}

/// What stands before a time of day that is midnight.
fn before_midnight(text: &str) -> Option<&str> {
    let (date, time) = text.rsplit_once(['T', ' '])?;
    let time = time.trim_end_matches('Z').trim_end_matches("+00:00");
    let is_zero = time.starts_with("00:00") && time.bytes().all(|sign| matches!(sign, b'0' | b':' | b'.'));
    is_zero.then_some(date)
}

/// A day of a year from 1000 to 2999 in eight figures.
fn basic(text: &str) -> Option<Date> {
    let is_basic =
        text.len() == 8 && text.starts_with(['1', '2']) && text.bytes().all(|sign| sign.is_ascii_digit());
    let part = |range: std::ops::Range<usize>| is_basic.then(|| text[range].parse::<i16>().ok()).flatten();
    let (month, day) = (i8::try_from(part(4..6)?).ok()?, i8::try_from(part(6..8)?).ok()?);
    Date::new(part(0..4)?, month, day).ok()
}

/// Parses a date with a time of day and an optional zone or offset.
pub(super) fn parse_datetime(text: &str) -> Option<Value> {
    static SHAPE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?ix)^ (?P<date>.+?) (?:T|,?\s+(?:at\s+)?) (?P<hour>\d{1,2}) :(?P<minute>\d{2}) (?: :(?P<second>\d{2}) (?:\.\d+)? )?
              \s* (?P<half>am|pm|a\.m\.|p\.m\.)? \s* (?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})? $",
        )
        .ok()
    });
    if let Ok(zoned) = parse_zoned(text) {
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
