//! Reads ISO 8601 text.

use jiff::tz::Offset;

use super::{CypherDuration, OffsetTime};

const BILLION: i128 = 1_000_000_000;

pub(super) fn offset_time(text: &str) -> Option<OffsetTime> {
    let split = text.find(['Z', 'z', '+', '-'])?;
    let (time, offset) = text.split_at(split);
    Some(OffsetTime { time: time.parse().ok()?, offset: self::offset(offset)? })
}

/// Reads an offset: `Z`, `+02`, `+02:00`, `+0200`, `+02:00:30`.
fn offset(text: &str) -> Option<Offset> {
    if text.eq_ignore_ascii_case("Z") {
        return Some(Offset::UTC);
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let digits: String = text.get(1..)?.chars().filter(|&character| character != ':').collect();
    if !matches!(digits.len(), 2 | 4 | 6) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part = |from: usize| digits.get(from..from + 2).map_or(Some(0), |part| part.parse::<i32>().ok());
    let (hours, minutes, seconds) = (part(0)?, part(2)?, part(4)?);
    if minutes > 59 || seconds > 59 {
        return None;
    }
    Offset::from_seconds(sign * (hours * 3600 + minutes * 60 + seconds)).ok()
}

pub(super) fn duration(text: &str) -> Option<CypherDuration> {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let rest = rest.strip_prefix(['P', 'p'])?;
    let (dates, times) = match rest.split_once(['T', 't']) {
        Some((_, "")) => return None,
        Some((dates, times)) => (dates, times),
        None => (rest, ""),
    };
    if dates.is_empty() && times.is_empty() {
        return None;
    }
    let mut parts = Parts::default();
    read_components(dates, "YMWD", |unit, amount| parts.add_date(unit, amount))?;
    read_components(times, "HMS", |unit, amount| parts.add_time(unit, amount))?;
    if negative {
        parts = parts.negate();
    }
    parts.finish()
}

/// Sums in billionths of a month, of a day and of a second.
#[derive(Default)]
struct Parts {
    months: i128,
    days: i128,
    seconds: i128,
}

impl Parts {
    fn add_date(&mut self, unit: u8, amount: i128) -> Option<()> {
        match unit {
            b'Y' => self.months = self.months.checked_add(amount.checked_mul(12)?)?,
            b'M' => self.months = self.months.checked_add(amount)?,
            b'W' => self.days = self.days.checked_add(amount.checked_mul(7)?)?,
            _ => self.days = self.days.checked_add(amount)?,
        }
        Some(())
    }

    fn add_time(&mut self, unit: u8, amount: i128) -> Option<()> {
        let factor = match unit {
            b'H' => 3600,
            b'M' => 60,
            _ => 1,
        };
        self.seconds = self.seconds.checked_add(amount.checked_mul(factor)?)?;
        Some(())
    }

    fn negate(self) -> Self {
        Self { months: -self.months, days: -self.days, seconds: -self.seconds }
    }

    /// Carries fractions of months over to days, and of days over to seconds.
    fn finish(self) -> Option<CypherDuration> {
        let month_rest = self.months % BILLION * i128::from(CypherDuration::SECONDS_PER_MONTH);
        let day = 86_400 * BILLION;
        let days = self.days / BILLION + month_rest / day;
        let nanoseconds = self.days % BILLION * 86_400 + month_rest % day + self.seconds;
        CypherDuration::new(
            i64::try_from(self.months / BILLION).ok()?,
            i64::try_from(days).ok()?,
            i64::try_from(nanoseconds.div_euclid(BILLION)).ok()?,
            i64::try_from(nanoseconds.rem_euclid(BILLION)).ok()?,
        )
    }
}

/// Reads `amount unit` pairs with the units in the given order, each at most once.
fn read_components(text: &str, units: &str, mut add: impl FnMut(u8, i128) -> Option<()>) -> Option<()> {
    let mut rest = text;
    let mut units = units.as_bytes();
    while !rest.is_empty() {
        let end = rest.find(|character: char| character.is_ascii_alphabetic())?;
        let unit = rest.as_bytes().get(end)?.to_ascii_uppercase();
        let place = units.iter().position(|&candidate| candidate == unit)?;
        add(unit, billionths(&rest[..end])?)?;
        units = &units[place + 1..];
        rest = &rest[end + 1..];
    }
    Some(())
}

/// Reads a decimal number in billionths. More than nine decimal places are cut.
fn billionths(text: &str) -> Option<i128> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    let (whole, fraction) = digits.split_once(['.', ',']).unwrap_or((digits, "0"));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) {
        return None;
    }
    let kept = &fraction[..fraction.len().min(9)];
    let scale = 10_i128.pow(9 - u32::try_from(kept.len()).ok()?);
    let whole = whole.parse::<i128>().ok()?.checked_mul(BILLION)?;
    Some(sign * whole.checked_add(kept.parse::<i128>().ok()? * scale)?)
}
