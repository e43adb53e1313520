//! The temporal types that [`jiff`] does not have.

mod parse;

use std::{fmt, str::FromStr, sync::LazyLock};

use jiff::tz::{Offset, TimeZone, TimeZoneDatabase};
use thiserror::Error;

/// Returns the time zone of that name in the IANA database that is compiled in.
///
/// A zone so means the same on every machine: databases of systems differ for the time before 1970.
pub fn time_zone(name: &str) -> Option<TimeZone> {
    time_zones().get(name).ok()
}

/// Reads a date and time of day with a zone in brackets, as `2024-03-01T10:00+01:00[Europe/Paris]`.
///
/// Zones are those of [`time_zone`].
///
/// # Errors
///
/// Returns an error for text that is no such value, as one whose offset its zone does not have at
/// that time.
pub fn parse_zoned(text: &str) -> Result<jiff::Zoned, jiff::Error> {
    jiff::fmt::temporal::DateTimeParser::new().parse_zoned_with(time_zones(), text)
}

/// Returns the database of [`time_zone`].
fn time_zones() -> &'static TimeZoneDatabase {
    static DATABASE: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);
    &DATABASE
}

/// An error for text that is not the expected temporal value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is not {expected}")]
pub struct TemporalParseError {
    text: String,
    expected: &'static str,
}

impl TemporalParseError {
    pub(super) fn new(text: &str, expected: &'static str) -> Self {
        Self { text: text.to_owned(), expected }
    }
}

/// A time of day with an offset from UTC (Cypher's `ZONED TIME`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffsetTime {
    /// The local time of day.
    pub time: jiff::civil::Time,
    /// The offset from UTC.
    pub offset: Offset,
}

impl fmt::Display for OffsetTime {
    /// Writes ISO 8601 as Neo4j does: `10:00:00+02:00`, `10:00:00Z`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.time, OffsetText(self.offset))
    }
}

impl FromStr for OffsetTime {
    type Err = TemporalParseError;

    /// Reads `10:00:00+02:00` or `10:00Z`. The offset is required.
    fn from_str(text: &str) -> Result<Self, TemporalParseError> {
        parse::offset_time(text)
            .ok_or_else(|| TemporalParseError::new(text, "a time with an offset, as 10:00:00+02:00"))
    }
}

/// An offset in ISO 8601: `Z`, `+02:00`, `-00:30:15`.
pub(super) struct OffsetText(pub(super) Offset);

impl fmt::Display for OffsetText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.seconds();
        if seconds == 0 {
            return formatter.write_str("Z");
        }
        let sign = if seconds < 0 { '-' } else { '+' };
        let seconds = seconds.abs();
        write!(formatter, "{sign}{:02}:{:02}", seconds / 3600, seconds / 60 % 60)?;
        if seconds % 60 != 0 {
            write!(formatter, ":{:02}", seconds % 60)?;
        }
        Ok(())
    }
}

/// An amount of time (Cypher's `DURATION`).
///
/// The four parts are kept apart, because a month has no fixed number of days and a day no fixed
/// number of seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CypherDuration {
    /// Months.
    pub months: i64,
    /// Days.
    pub days: i64,
    /// Seconds.
    pub seconds: i64,
    /// Nanoseconds, from 0 to 999,999,999 (`PT-0.5S` is −1 second and 500,000,000 nanoseconds).
    pub nanoseconds: i32,
}

impl CypherDuration {
    /// The mean length of a month in seconds, by which Cypher orders durations and splits fractions
    /// of months.
    pub(super) const SECONDS_PER_MONTH: i64 = 2_629_746;

    /// Creates a duration from its parts. Whole seconds in `nanoseconds` are carried over to
    /// `seconds`.
    ///
    /// Returns `None` when the seconds do not fit into 64 bits.
    pub fn new(months: i64, days: i64, seconds: i64, nanoseconds: i64) -> Option<Self> {
        let seconds = seconds.checked_add(nanoseconds.div_euclid(1_000_000_000))?;
        let nanoseconds = i32::try_from(nanoseconds.rem_euclid(1_000_000_000)).ok()?;
        Some(Self { months, days, seconds, nanoseconds })
    }
}

impl FromStr for CypherDuration {
    type Err = TemporalParseError;

    /// Reads ISO 8601 as Cypher does: `P1Y2M3W4DT5H6M7.8S`, every part optional, signed and with a
    /// fraction.
    ///
    /// A fraction of a month counts 30.436875 days of 24 hours to the month.
    ///
    /// ```
    /// use graphwright_core::value::CypherDuration;
    ///
    /// let duration: CypherDuration = "P0.75M".parse()?;
    /// assert_eq!(duration.to_string(), "P22DT19H51M49.5S");
    /// # Ok::<_, graphwright_core::value::TemporalParseError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, TemporalParseError> {
        parse::duration(text).ok_or_else(|| TemporalParseError::new(text, "a duration, as P1Y2M3DT4H5M6.7S"))
    }
}

impl fmt::Display for CypherDuration {
    /// Writes ISO 8601 as Neo4j does: `P1Y2M3DT4H5M6.7S`, and `PT0S` for no time.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::default() {
            return formatter.write_str("PT0S");
        }
        formatter.write_str("P")?;
        for (amount, unit) in [(self.months / 12, 'Y'), (self.months % 12, 'M'), (self.days, 'D')] {
            if amount != 0 {
                write!(formatter, "{amount}{unit}")?;
            }
        }
        if self.seconds == 0 && self.nanoseconds == 0 {
            return Ok(());
        }
        formatter.write_str("T")?;
        // In 128 bits: seconds of 64 bits in nanoseconds do not fit into 64.
        let total = i128::from(self.seconds) * 1_000_000_000 + i128::from(self.nanoseconds);
        let (hours, rest) = (total / 3_600_000_000_000, total % 3_600_000_000_000);
        let (minutes, rest) = (rest / 60_000_000_000, rest % 60_000_000_000);
        for (amount, unit) in [(hours, 'H'), (minutes, 'M')] {
            if amount != 0 {
                write!(formatter, "{amount}{unit}")?;
            }
        }
        if rest != 0 {
            let sign = if rest < 0 { "-" } else { "" };
            let (whole, fraction) = (rest.abs() / 1_000_000_000, rest.abs() % 1_000_000_000);
            let fraction = format!(".{fraction:09}");
            let fraction = fraction.trim_end_matches('0').trim_end_matches('.');
            write!(formatter, "{sign}{whole}{fraction}S")?;
        }
        Ok(())
    }
}

/// Returns whether a time of day, or a date with one, names the second 60. Cypher has none, and jiff
/// reads it as second 59.
///
/// ```
/// use graphwright_core::value::second_60;
///
/// assert!(second_60("23:59:60") && second_60("2016-12-31T235960Z"));
/// assert!(!second_60("23:59:59.60") && !second_60("2016-12-31T10:00:00+00:60"));
/// ```
pub fn second_60(text: &str) -> bool {
    let time = text.split_once(['T', 't', ' ']).map_or(text, |(_, time)| time);
    let time: String = time.chars().take_while(|part| part.is_ascii_digit() || *part == ':').collect();
    time.replace(':', "").get(4..6) == Some("60")
}
