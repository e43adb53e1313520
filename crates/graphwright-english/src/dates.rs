//! Dates and spans of time as people write them in English: `1 March 2024`, `Q1 2024`, `the 1990s`.

use graphwright_core::Value;
use jiff::{
    ToSpan,
    civil::{Date, DateTime},
};

use crate::words;

/// A span of days, both ends included. A date of less than a day's precision stands for all its
/// days.
///
/// ```
/// use graphwright_english::dates::Days;
///
/// let quarter = Days::parse("Q1 2024").unwrap();
/// assert_eq!(quarter.first.to_string(), "2024-01-01");
/// assert_eq!(quarter.last.to_string(), "2024-03-31");
/// assert_eq!(Days::parse("March 1st, 2024"), Days::parse("2024-03-01"));
/// assert!(Days::parse("2024 report").is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Days {
    /// The first day.
    pub first: Date,
    /// The last day.
    pub last: Date,
}

impl Days {
    /// Reads a text that is a date or a span as a whole.
    ///
    /// The text may be
    ///
    /// - ISO 8601: `2024-03-01`, `2024-03`, `2024-Q1`, `2024`;
    /// - with a month's name in any usual order: `March 1st, 2024`, `1 Mar 2024`, `the 1st of March
    ///   2024`, `March 2024`;
    /// - a part of a year: `Q1 2024`, `first half of 2024`;
    /// - a decade or a century;
    /// - in figures where only one reading is possible: `25/12/2024`, `31.01.2024`.
    pub fn parse(text: &str) -> Option<Self> {
        let lower = text.trim().trim_end_matches('.').to_lowercase();
        let lower = lower.strip_prefix("the ").unwrap_or(&lower);
        if !lower.chars().any(char::is_alphabetic) {
            return in_figures(lower);
        }
        let words: Vec<&str> = lower
            .split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | '-' | '/'))
            .filter(|word| !word.is_empty() && *word != "of" && position_of_name("weekday", word).is_none())
            .collect();
        if let Some((days, length)) = Self::at_start_of(&words)
            && length == words.len()
        {
            return Some(days);
        }
        match words.as_slice() {
            [when, name, day] => Self::day(year(when)?, month(name)?, day_of_month(day)?),
            _ => None,
        }
    }

    /// Reads a date or span from the first of `words`, and returns it with how many words it takes.
    /// The words are in lower case and without punctuation around them.
    pub fn at_start_of(words: &[&str]) -> Option<(Self, usize)> {
        let word = |at: usize| words.get(at).copied();
        let first = word(0)?;
        if let Some(days) = iso(first) {
            return Some((days, 1));
        }
        let after = |at: usize| at + usize::from(word(at) == Some("of"));
        if let Some((start, months)) = part_of_year(first) {
            let at = after(1);
            return Some((Self::months(year(word(at)?)?, start, months)?, at + 1));
        }
        if let Some(part) = ordinal(first).filter(|_| matches!(word(1), Some("quarter" | "half"))) {
            let months = if word(1) == Some("half") { 6 } else { 3 };
            let at = after(2);
            let start = (part - 1) * months + 1;
            return Some((Self::months(year(word(at)?)?, start, i32::from(months))?, at + 1));
        }
        if let Some(month) = month(first) {
            if let Some(day) = word(1).and_then(day_of_month)
                && let Some(year) = word(2).and_then(year)
            {
                return Some((Self::day(year, month, day)?, 3));
            }
            let at = after(1);
            return Some((Self::months(year(word(at)?)?, month, 1)?, at + 1));
        }
        if let Some(day) = day_of_month(first) {
            let at = after(1);
            if let Some(month) = word(at).and_then(month)
                && let Some(year) = word(at + 1).and_then(year)
            {
                return Some((Self::day(year, month, day)?, at + 2));
            }
        }
        if let Some(decade) = first.strip_suffix("0s").and_then(|decade| year(&format!("{decade}0"))) {
            return Some((Self::years(decade, 10)?, 1));
        }
        if word(1) == Some("century")
            && let Some(century) = ordinal_number(first)
        {
            return Some((Self::years((century - 1).checked_mul(100)?.checked_add(1)?, 100)?, 2));
        }
        let when = year(first)?;
        match word(1).and_then(part_of_year) {
            Some((start, months)) => Some((Self::months(when, start, months)?, 2)),
            None => Some((Self::years(when, 1)?, 1)),
        }
    }

    /// Returns the days that a stored value stands for: a date, a moment, a year between 1000 and
    /// 2999, or a text that is a date or a moment as a whole.
    pub fn from_value(value: &Value) -> Option<Self> {
        /// The most bytes of a text that may be a date.
        const LONGEST: usize = 40;
        let single = |date: Date| Some(Self { first: date, last: date });
        match value {
            Value::Date(date) => single(*date),
            Value::LocalDateTime(moment) => single(moment.date()),
            Value::DateTime(moment) => single(moment.date()),
            Value::Integer(year) if (1000..=2999).contains(year) => {
                Self::years(i16::try_from(*year).ok()?, 1)
            }
            Value::String(text) if text.len() <= LONGEST => {
                let moment = || text.parse::<DateTime>().ok().and_then(|moment| single(moment.date()));
                Self::parse(text).or_else(moment)
            }
            _ => None,
        }
    }

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
}

fn iso(word: &str) -> Option<Days> {
    let separator = if word.contains('-') { '-' } else { '/' };
    let parts: Vec<&str> = word.split(separator).collect();
    match parts.as_slice() {
        [when, month, day] if when.len() == 4 => {
            Days::day(year(when)?, month.parse().ok()?, day.parse().ok()?)
        }
        [when, month] if when.len() == 4 && month.len() == 2 && separator == '-' => {
            Days::months(year(when)?, month.parse().ok()?, 1)
        }
        _ => None,
    }
}

fn in_figures(text: &str) -> Option<Days> {
    let parts: Vec<&str> = text.split(['-', '/', '.']).map(str::trim).collect();
    match parts.as_slice() {
        [when] => Days::years(year(when)?, 1),
        [when, month] if when.len() == 4 => Days::months(year(when)?, month.parse().ok()?, 1),
        [when, month, day] if when.len() == 4 => {
            Days::day(year(when)?, month.parse().ok()?, day.parse().ok()?)
        }
        [first, second, when] => {
            let (first, second): (i8, i8) = (first.parse().ok()?, second.parse().ok()?);
            let (day, month) = match (first > 12, second > 12) {
                (true, false) => (first, second),
                (false, true) => (second, first),
                (false, false) if first == second || text.contains('.') => (first, second),
                _ => return None,
            };
            Days::day(year(when)?, month, day)
        }
        _ => None,
    }
}

/// The order of day and month where a date is written in figures with the year behind them: `05/02/2018`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FigureOrder {
    /// `31/12/2018`.
    DayFirst,
    /// `12/31/2018`.
    MonthFirst,
}

impl FigureOrder {
    /// Returns the order that a date shows: one of its two numbers is above 12.
    ///
    /// ```
    /// use graphwright_english::dates::FigureOrder;
    ///
    /// assert_eq!(FigureOrder::shown_by("28/03/2018"), Some(FigureOrder::DayFirst));
    /// assert_eq!(FigureOrder::shown_by("05/02/2018"), None);
    /// assert_eq!(FigureOrder::DayFirst.read("05/02/18").unwrap().to_string(), "2018-02-05");
    /// ```
    pub fn shown_by(text: &str) -> Option<Self> {
        let (first, second, _) = with_slashes(text)?;
        match (first > 12, second > 12) {
            (true, false) => Some(Self::DayFirst),
            (false, true) => Some(Self::MonthFirst),
            _ => None,
        }
    }

    /// Reads a date in this order. A year of two figures is one from 1969 to 2068, as POSIX has it (`%y` of `strptime`).
    pub fn read(self, text: &str) -> Option<Date> {
        let (first, second, year) = with_slashes(text)?;
        let (day, month) = if self == Self::DayFirst { (first, second) } else { (second, first) };
        Date::new(year, month, day).ok()
    }
}

/// The numbers of `5/2/2018` or `05-02-18`, the last as a year.
fn with_slashes(text: &str) -> Option<(i8, i8, i16)> {
    let text = text.trim();
    let parts: Vec<&str> = text.split(if text.contains('/') { '/' } else { '-' }).map(str::trim).collect();
    let [first, second, last] = parts.as_slice() else { return None };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let short = |part: &str| matches!(part.len(), 1 | 2) && digits(part);
    let year = match last.len() {
        4 => year(last)?,
        2 if digits(last) => {
            last.parse().map(|of_two: i16| if of_two < 69 { 2000 + of_two } else { 1900 + of_two }).ok()?
        }
        _ => return None,
    };
    (short(first) && short(second)).then_some((first.parse().ok()?, second.parse().ok()?, year))
}

/// Reads a year of four figures, from 1000 to 2999.
fn year(word: &str) -> Option<i16> {
    let figures = word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|year| figures && (1000..=2999).contains(year))
}

fn day_of_month(word: &str) -> Option<i8> {
    let digits = word.trim_end_matches(|letter: char| letter.is_alphabetic());
    let ending = matches!(&word[digits.len()..], "" | "st" | "nd" | "rd" | "th");
    digits.parse().ok().filter(|day| ending && (1..=31).contains(day))
}

/// Returns the first month and the number of months of `q1` or `h2`.
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

/// Reads the name of a month in lower case, in full or shortened: its place in the year, from 1.
pub fn month(word: &str) -> Option<i8> {
    position_of_name("month", word).map(|position| position as i8 + 1)
}

/// Tells whether a word in lower case is the name of a month, in full or shortened.
pub fn is_month(word: &str) -> bool {
    month(word).is_some()
}

/// Tells whether a word in lower case is the full name of a month or of a day of the week.
pub fn is_calendar_name(word: &str) -> bool {
    words::is_month(word) || words::is_weekday(word)
}

/// Finds the name that `word` is, in full or shortened to three or four letters.
fn position_of_name(class: &str, word: &str) -> Option<usize> {
    let word = word.trim_end_matches('.');
    let short = (3..=4).contains(&word.len());
    words::list(class).iter().position(|name| *name == word || (short && name.starts_with(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(text: &str) -> String {
        Days::parse(text).map_or_else(|| "none".to_owned(), |days| format!("{}..{}", days.first, days.last))
    }

    #[test]
    fn forms_of_dates() {
        for (text, expected) in [
            ("2023-03-01", "2023-03-01..2023-03-01"),
            ("1 March 2023", "2023-03-01..2023-03-01"),
            ("Wednesday, March 1st, 2023", "2023-03-01..2023-03-01"),
            ("the 1st of March 2023", "2023-03-01..2023-03-01"),
            ("2023 March 1", "2023-03-01..2023-03-01"),
            ("1-Mar-2023", "2023-03-01..2023-03-01"),
            ("25/12/2024", "2024-12-25..2024-12-25"),
            ("31.01.2024", "2024-01-31..2024-01-31"),
            ("Feb 2024", "2024-02-01..2024-02-29"),
            ("2024-02", "2024-02-01..2024-02-29"),
            ("Q1 2024", "2024-01-01..2024-03-31"),
            ("2024-Q1", "2024-01-01..2024-03-31"),
            ("first quarter of 2024", "2024-01-01..2024-03-31"),
            ("second half of 2024", "2024-07-01..2024-12-31"),
            ("1990s", "1990-01-01..1999-12-31"),
            ("19th century", "1801-01-01..1900-12-31"),
            ("2019", "2019-01-01..2019-12-31"),
            ("03/04/2024", "none"),
            ("tier 1", "none"),
            ("12", "none"),
            ("2024 report", "none"),
        ] {
            assert_eq!(span(text), expected, "{text}");
        }
    }

    #[test]
    fn a_date_is_read_from_the_words_that_it_begins() {
        let read = Days::at_start_of(&["march", "2024", "in", "riverside"]);
        assert_eq!(
            read.map(|(days, length)| (days.last.to_string(), length)),
            Some(("2024-03-31".into(), 2))
        );
        assert_eq!(Days::at_start_of(&["tier", "1"]), None);
    }

    #[test]
    fn stored_values_are_days_where_they_are_dates() {
        assert!(Days::from_value(&Value::from("Q1 2024")).is_some());
        assert!(Days::from_value(&Value::from(1999_i64)).is_some());
        assert!(Days::from_value(&Value::from(12_i64)).is_none());
    }
}
