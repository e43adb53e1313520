//! The temporal types that [`jiff`] does not have.

use std::fmt;

/// A time of day with an offset from UTC (Cypher's `ZONED TIME`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffsetTime {
    /// The time as read on the wall.
    pub time: jiff::civil::Time,
    /// The offset from UTC.
    pub offset: jiff::tz::Offset,
}

/// An amount of time (Cypher's `DURATION`). The four parts are apart because a month has no fixed number of
/// days and a day no fixed number of seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CypherDuration {
    /// Months.
    pub months: i64,
    /// Days.
    pub days: i64,
    /// Seconds.
    pub seconds: i64,
    /// Nanoseconds, less than a second.
    pub nanoseconds: i32,
}

impl fmt::Display for CypherDuration {
    /// ISO 8601, as Neo4j writes it: `P1Y2M3DT4H5M6.7S`, `PT0S` for none.
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
