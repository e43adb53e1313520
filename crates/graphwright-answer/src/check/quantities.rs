//! Numbers, amounts and dates in any form, so that `April 8, 2019` is `2019-04-08` and `1.2 million` is `1,203,331` rounded.

use std::ops::Range;

use graphwright_english::{
    dates::Days,
    prose::{self, Token},
    words,
};
use jiff::civil::Date;

/// A number of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Amount {
    /// What it may stand for: `1.200` is one in English and another in German.
    values: Vec<f64>,
    /// The unit of its last figure: 100,000 for `1.2 million`.
    unit: f64,
    percent: bool,
    /// Whether it counts things: `three services`.
    pub(super) counts: bool,
    pub(super) range: Range<usize>,
}

/// A date of a text, or the day and month of one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct When {
    days: Vec<Days>,
    day_of_year: Option<(i8, i8)>,
    pub(super) range: Range<usize>,
}

/// All numbers and dates of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Quantities {
    pub(super) amounts: Vec<Amount>,
    pub(super) dates: Vec<When>,
}

impl Quantities {
    pub(super) fn read(text: &str) -> Self {
        let tokens = prose::tokenise(text);
        let words: Vec<(&str, Range<usize>)> = tokens
            .iter()
            .filter(|token| !token.punctuation)
            .map(|token| (token.lower.trim_end_matches('.'), token.start..token.end))
            .collect();
        let mut found = Self::default();
        let mut at = 0;
        while at < words.len() {
            if let Some((date, length)) = date(&words[at..]) {
                found.dates.push(date);
                at += length;
            } else {
                at += 1;
            }
        }
        for at in 0..tokens.len() {
            // A year may also be a number, as `1200 people`; a day of a month is none.
            let in_date = found.dates.iter().find(|date| date.range.contains(&tokens[at].start));
            let is_year =
                |date: &When| date.range == (tokens[at].start..tokens[at].end) && tokens[at].lower.len() == 4;
            let is_part = found.amounts.last().is_some_and(|last: &Amount| tokens[at].start < last.range.end);
            if !is_part && in_date.is_none_or(is_year) {
                found.amounts.extend(amount(text, &tokens, at));
            }
        }
        found
    }

    /// Tells whether a number stands here, exactly or before it was rounded.
    pub(super) fn have_amount(&self, claimed: &Amount) -> bool {
        self.amounts.iter().any(|known| known.bears_out(claimed))
            || claimed.values.iter().any(|value| self.dates.iter().any(|date| date.has_year(*value)))
    }

    /// Tells whether a date stands here, exactly or with more precision.
    pub(super) fn have_date(&self, claimed: &When) -> bool {
        self.dates.iter().any(|known| known.bears_out(claimed))
    }
}

impl Amount {
    fn bears_out(&self, claimed: &Self) -> bool {
        self.values.iter().any(|known| {
            claimed.values.iter().any(|value| {
                let ratio = claimed.percent && !self.percent && close(known * 100.0, *value, 0.0);
                let rounded = claimed.unit > 1.0 || claimed.unit < 1.0 && claimed.unit > self.unit;
                ratio || close(*known, *value, if rounded { claimed.unit / 2.0 } else { 0.0 })
            })
        })
    }

    /// Tells whether it is one of these counts.
    pub(super) fn is_any_of(&self, counts: &[usize]) -> bool {
        counts.iter().any(|count| self.values.iter().any(|value| close(*count as f64, *value, 0.0)))
    }

    /// Tells whether it says nothing, as `one` in `this one`.
    pub(super) fn is_trivial(&self, text: &str) -> bool {
        text[self.range.clone()].starts_with(char::is_alphabetic)
            && self.values.iter().all(|value| *value <= 1.0)
    }
}

fn close(known: f64, value: f64, most: f64) -> bool {
    (known - value).abs() <= most + known.abs().max(value.abs()) * 1e-9
}

impl When {
    fn bears_out(&self, claimed: &Self) -> bool {
        let within = |known: &Days| {
            claimed.days.iter().any(|days| days.first <= known.first && known.last <= days.last)
                || claimed.day_of_year == Some((known.first.month(), known.first.day()))
                    && known.first == known.last
        };
        self.days.iter().any(within)
            || claimed.day_of_year.is_some() && self.day_of_year == claimed.day_of_year
    }

    fn has_year(&self, value: f64) -> bool {
        let year = |days: &Days| {
            days.first.year() == days.last.year() && close(f64::from(days.first.year()), value, 0.0)
        };
        self.days.iter().any(year)
    }
}

/// Reads the date that the words begin with, and returns it with how many words it takes.
fn date(words: &[(&str, Range<usize>)]) -> Option<(When, usize)> {
    /// The most words of a date: `the first quarter of 2024`.
    const LONGEST: usize = 6;
    let lower: Vec<&str> = words.iter().take(LONGEST).map(|(word, _)| *word).collect();
    let span = |length: usize| words[0].1.start..words[length - 1].1.end;
    let whole =
        |days: Vec<Days>, length| Some((When { days, day_of_year: None, range: span(length) }, length));
    let first = *lower.first()?;
    if first.starts_with(|letter: char| letter.is_ascii_digit()) && first.contains(['-', '/', '.']) {
        let day = first.split(['t', ' ']).next().unwrap_or(first);
        let either = in_either_order(day);
        if !either.is_empty() {
            return whole(either, 1);
        }
        return Days::parse(day).and_then(|days| whole(vec![days], 1));
    }
    if let Some((days, length)) = Days::at_start_of(&lower) {
        return whole(vec![days], length);
    }
    let (day_of_year, length) = day_of_year(&lower)?;
    Some((When { days: Vec::new(), day_of_year: Some(day_of_year), range: span(length) }, length))
}

/// Reads `04/08/2019` as the 8th of April and as the 4th of August.
fn in_either_order(text: &str) -> Vec<Days> {
    let parts: Vec<&str> = text.split('/').collect();
    let [first, second, year] = parts.as_slice() else { return Vec::new() };
    let (Ok(first), Ok(second), Ok(year)) = (first.parse::<i8>(), second.parse::<i8>(), year.parse::<i16>())
    else {
        return Vec::new();
    };
    let dates = [(first, second), (second, first)].map(|(month, day)| Date::new(year, month, day));
    dates.into_iter().flatten().map(|date| Days { first: date, last: date }).collect()
}

/// Reads `8 April`, `April 8th`.
fn day_of_year(words: &[&str]) -> Option<((i8, i8), usize)> {
    let (first, second) = (*words.first()?, *words.get(1)?);
    let ((month, day), length) = match (second, words.get(2)) {
        ("of", Some(month)) => ((*month, first), 3),
        _ if first.starts_with(|letter: char| letter.is_ascii_digit()) => ((second, first), 2),
        _ => ((first, second), 2),
    };
    // A leap year has all days.
    let days = Days::at_start_of(&[month, day, "2024"])?.0;
    (days.first == days.last).then_some(((days.first.month(), days.first.day()), length))
}

/// Reads the number at a token, with the words that scale it.
fn amount(text: &str, tokens: &[Token], at: usize) -> Option<Amount> {
    let token = &tokens[at];
    // `1.200,5`: a comma before less than three digits ends a word of English.
    let decimals = text[token.end..]
        .strip_prefix(',')
        .map_or(0, |rest| rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len()));
    let is_decimal = decimals > 0 && token.lower.ends_with(|letter: char| letter.is_ascii_digit());
    let token_end = token.end + if is_decimal { decimals + 1 } else { 0 };
    let lower = text[token.start..token_end].to_lowercase();
    let lower = lower.trim_end_matches('.');
    let at = tokens[at..].iter().take_while(|other| other.start < token_end).count() + at - 1;
    let (mut values, mut unit, suffix) = in_figures(lower).or_else(|| in_words(lower))?;
    let next = tokens.get(at + 1);
    let next_word = next.map_or("", |next| next.lower.as_str());
    let symbol_before = text[..token.start].trim_end().ends_with(['$', '€', '£']);
    let scale = scale(suffix).or_else(|| scale(next_word).filter(|_| suffix.is_empty()));
    let mut end = token_end;
    if let Some(scale) = scale.filter(|_| !matches!(suffix, "m") || symbol_before) {
        for value in &mut values {
            *value *= scale;
        }
        unit *= scale;
        end = if suffix.is_empty() { next.map_or(end, |next| next.end) } else { end };
    }
    let percent = suffix == "%" || matches!(next_word, "%" | "percent" | "per");
    let counts =
        next.is_some_and(|next| next.singular.is_some()) || text[..token.start].trim_end().ends_with("all");
    Some(Amount { values, unit, percent, counts, range: token.start..end })
}

/// Reads `1,200.5kg`: its values, the unit of its last figure, what follows the figures.
fn in_figures(lower: &str) -> Option<(Vec<f64>, f64, &str)> {
    let figures = lower
        .find(|letter: char| !letter.is_ascii_digit() && !matches!(letter, '.' | ','))
        .unwrap_or(lower.len());
    let (figures, suffix) = lower.split_at(figures);
    let figures = figures.trim_end_matches(['.', ',']);
    let is_number = figures.starts_with(|letter: char| letter.is_ascii_digit());
    // `2.1.3` is a version and `3-a` a name.
    if !is_number || suffix.contains(|letter: char| !letter.is_alphabetic() && letter != '%') {
        return None;
    }
    let mut values = Vec::new();
    let mut unit = 1.0;
    let mut add = |text: String| {
        if let Ok(value) = text.parse::<f64>() {
            let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
            unit = 10_f64.powi(-i32::try_from(decimals).unwrap_or(0));
            values.push(value);
        }
    };
    let groups = |separator| figures.split(separator).skip(1).all(|group: &str| group.len() == 3);
    if figures.contains('.') && groups('.') && !figures.contains(',') {
        add(figures.replace('.', ""));
    }
    if figures.contains(',') {
        add(figures.replace('.', "").replace(',', "."));
    }
    if groups(',') || !figures.contains(',') {
        add(figures.replace(',', ""));
    }
    (!values.is_empty()).then_some((values, unit, suffix))
}

/// Reads `three`, `twenty-five`.
fn in_words(lower: &str) -> Option<(Vec<f64>, f64, &str)> {
    const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    let tens = |word: &str| TENS.iter().position(|tens| *tens == word).map(|at| (at as f64 + 2.0) * 10.0);
    let value = words::number(lower).or_else(|| tens(lower)).or_else(|| match lower.split_once('-') {
        Some((left, right)) => Some(tens(left)? + words::number(right)?),
        None => (lower == "hundred").then_some(100.0),
    })?;
    Some((vec![value], 1.0, ""))
}

fn scale(word: &str) -> Option<f64> {
    match word {
        "k" | "thousand" => Some(1e3),
        "m" | "mn" | "mio" | "million" => Some(1e6),
        "b" | "bn" | "billion" => Some(1e9),
        "t" | "tn" | "trillion" => Some(1e12),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stands(claim: &str, evidence: &str) -> bool {
        let (claim, evidence) = (Quantities::read(claim), Quantities::read(evidence));
        assert!(!claim.amounts.is_empty() || !claim.dates.is_empty());
        claim.dates.iter().all(|date| evidence.have_date(date))
            && claim.amounts.iter().all(|amount| evidence.have_amount(amount))
    }

    #[test]
    fn numbers_and_dates_agree_in_all_forms() {
        for (claim, evidence) in [
            ("on April 8, 2019", "2019-04-08"),
            ("on 8 April 2019", "2019-04-08T10:00:00Z"),
            ("on 04/08/2019", "8 April 2019"),
            ("on April 8", "2019-04-08"),
            ("in April 2019", "2019-04-08"),
            ("in 2019", "8 April 2019"),
            ("in 2019", "since: 2019"),
            ("in the 1990s", "1994"),
            ("1,200 people", "1200"),
            ("1.200,5 kg", "1200.5kg"),
            ("1.2 million", "1203331"),
            ("$1.2M", "1,200,000 dollars"),
            ("50%", "50 percent"),
            ("50 %", "0.5"),
            ("three services", "3"),
            ("twenty-five", "25"),
            ("2 services", "two"),
        ] {
            assert!(stands(claim, evidence), "{claim}: {evidence}");
        }
        for (claim, evidence) in [
            ("on April 9, 2019", "2019-04-08"),
            ("on April 8, 2019", "2019"),
            ("in 2018", "2019-04-08"),
            ("1,300 people", "1200"),
            ("1.4 million", "1203331"),
            ("tier 3", "tier 1"),
            ("in 1994", "the 1990s"),
        ] {
            assert!(!stands(claim, evidence), "{claim}: {evidence}");
        }
    }
}
