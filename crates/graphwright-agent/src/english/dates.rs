//! Dates and spans of time as people write them.

use graphwright_core::Value;
use jiff::{ToSpan, civil::Date};

use super::{Token, tokenize};

/// A span of days, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Days {
    pub(crate) first: Date,
    pub(crate) last: Date,
}

impl Days {
    fn day(year: i16, month: i8, day: i8) -> Option<Self> {
        let date = Date::new(year, month, day).ok()?;
        Some(Self { first: date, last: date })
    }

    fn months(year: i16, first: i8, count: i32) -> Option<Self> {
        let first = Date::new(year, first, 1).ok()?;
        let last = first.checked_add(count.months()).ok()?.yesterday().ok()?;
        Some(Self { first, last })
    }

    fn years(first: i16, count: i16) -> Option<Self> {
        Some(Self {
            first: Date::new(first, 1, 1).ok()?,
            last: Date::new(first.checked_add(count - 1)?, 12, 31).ok()?,
        })
    }

    /// The days that a stored value stands for; text is read as a date is written.
    pub(crate) fn of_value(value: &Value) -> Option<Self> {
        match value {
            Value::Date(date) => Some(Self { first: *date, last: *date }),
            Value::LocalDateTime(moment) => Some(Self { first: moment.date(), last: moment.date() }),
            Value::DateTime(moment) => Some(Self { first: moment.date(), last: moment.date() }),
            Value::Integer(year) if (1000..=2999).contains(year) => {
                Self::years(i16::try_from(*year).ok()?, 1)
            }
            Value::String(text) if text.len() <= 40 => {
                let tokens = tokenize(text);
                let (days, length) = parse(&tokens)?;
                (length == tokens.len()).then_some(days)
            }
            _ => None,
        }
    }
}

/// Reads a date or span at the beginning of `tokens`; returns it with how many tokens it takes.
pub(crate) fn parse(tokens: &[Token]) -> Option<(Days, usize)> {
    let word = |at: usize| tokens.get(at).map(|token| token.lower.as_str());
    let first = word(0)?;
    if let Some(days) = iso(first) {
        return Some((days, 1));
    }
    if let Some(part) = part_of_year(first) {
        let skip = usize::from(word(1) == Some("of"));
        let year = year(word(1 + skip)?)?;
        return Some((Days::months(year, part.0, part.1)?, 2 + skip));
    }
    if let Some(quarter) = ordinal(first).filter(|_| matches!(word(1), Some("quarter" | "half"))) {
        let length = if word(1) == Some("half") { 6 } else { 3 };
        let skip = usize::from(word(2) == Some("of"));
        let year = year(word(2 + skip)?)?;
        return Some((Days::months(year, (quarter - 1) * length + 1, i32::from(length))?, 3 + skip));
    }
    if let Some(month) = month(first) {
        if let Some(day) = word(1).and_then(day_number)
            && let Some(year) = word(2).and_then(year)
        {
            return Some((Days::day(year, month, day)?, 3));
        }
        let skip = usize::from(word(1) == Some("of"));
        let year = year(word(1 + skip)?)?;
        return Some((Days::months(year, month, 1)?, 2 + skip));
    }
    if let Some(day) = day_number(first) {
        let skip = usize::from(word(1) == Some("of"));
        if let Some(month) = word(1 + skip).and_then(month)
            && let Some(year) = word(2 + skip).and_then(year)
        {
            return Some((Days::day(year, month, day)?, 3 + skip));
        }
    }
    if let Some(decade) = first.strip_suffix("0s").and_then(|decade| year(&format!("{decade}0"))) {
        return Some((Days::years(decade, 10)?, 1));
    }
    if word(1) == Some("century")
        && let Some(century) = ordinal_number(first)
    {
        return Some((Days::years((century - 1) * 100 + 1, 100)?, 2));
    }
    if let Some(year_found) = year(first) {
        if let Some(part) = word(1).and_then(part_of_year) {
            return Some((Days::months(year_found, part.0, part.1)?, 2));
        }
        return Some((Days::years(year_found, 1)?, 1));
    }
    None
}

fn iso(word: &str) -> Option<Days> {
    let separator = if word.contains('-') { '-' } else { '/' };
    let parts: Vec<&str> = word.split(separator).collect();
    match parts.as_slice() {
        [a, b, c] if a.len() == 4 => Days::day(a.parse().ok()?, b.parse().ok()?, c.parse().ok()?),
        [a, b] if a.len() == 4 && b.len() == 2 && separator == '-' => {
            Days::months(a.parse().ok()?, b.parse().ok()?, 1)
        }
        _ => None,
    }
}

fn year(word: &str) -> Option<i16> {
    let year: i16 = (word.len() == 4).then(|| word.parse().ok())??;
    (1000..=2999).contains(&year).then_some(year)
}

fn day_number(word: &str) -> Option<i8> {
    let digits = word.trim_end_matches(|letter: char| letter.is_alphabetic());
    if !matches!(&word[digits.len()..], "" | "st" | "nd" | "rd" | "th") {
        return None;
    }
    digits.parse().ok().filter(|day| (1..=31).contains(day))
}

fn month(word: &str) -> Option<i8> {
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
    let full = MONTHS.iter().position(|month| *month == word);
    let short = || MONTHS.iter().position(|month| word.len() == 3 && month.starts_with(word));
    let sept = || (word == "sept").then_some(8);
    full.or_else(short).or_else(sept).map(|position| position as i8 + 1)
}

/// First month and number of months of `Q1`, `H2`.
fn part_of_year(word: &str) -> Option<(i8, i32)> {
    match word {
        "q1" => Some((1, 3)),
        "q2" => Some((4, 3)),
        "q3" => Some((7, 3)),
        "q4" => Some((10, 3)),
        "h1" => Some((1, 6)),
        "h2" => Some((7, 6)),
        _ => None,
    }
}

fn ordinal(word: &str) -> Option<i8> {
    match word {
        "first" | "1st" => Some(1),
        "second" | "2nd" => Some(2),
        "third" | "3rd" => Some(3),
        "fourth" | "4th" => Some(4),
        _ => None,
    }
}

fn ordinal_number(word: &str) -> Option<i16> {
    let digits = word.trim_end_matches(|letter: char| letter.is_alphabetic());
    let ending = &word[digits.len()..];
    matches!(ending, "st" | "nd" | "rd" | "th").then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(text: &str) -> String {
        match parse(&tokenize(text)) {
            Some((days, length)) => format!("{}..{} {length}", days.first, days.last),
            None => "none".to_owned(),
        }
    }

    #[test]
    fn forms_of_dates() {
        assert_eq!(span("2023-03-01"), "2023-03-01..2023-03-01 1");
        assert_eq!(span("1 March 2023"), "2023-03-01..2023-03-01 3");
        assert_eq!(span("March 1st, 2023"), "2023-03-01..2023-03-01 3");
        assert_eq!(span("Feb 2024"), "2024-02-01..2024-02-29 2");
        assert_eq!(span("Q1 2024"), "2024-01-01..2024-03-31 2");
        assert_eq!(span("first quarter of 2024"), "2024-01-01..2024-03-31 4");
        assert_eq!(span("1990s"), "1990-01-01..1999-12-31 1");
        assert_eq!(span("19th century"), "1801-01-01..1900-12-31 2");
        assert_eq!(span("2019"), "2019-01-01..2019-12-31 1");
        assert_eq!(span("tier 1"), "none");
        assert_eq!(span("12"), "none");
    }

    #[test]
    fn stored_text_is_read_as_a_date_only_when_all_of_it_is_one() {
        assert!(Days::of_value(&Value::from("Q1 2024")).is_some());
        assert!(Days::of_value(&Value::from("2024 report")).is_none());
    }
}
