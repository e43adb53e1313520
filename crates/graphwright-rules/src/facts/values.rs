//! Values as the ontology wants them, read from text.

use graphwright_core::{
    Value,
    value::{CypherDuration, parse_zoned},
};
use graphwright_english::dates::Days;
use graphwright_ontology::{DataType, PropertyType};
use jiff::civil::Date;

use super::words;

mod measure;

pub(super) use measure::{Measure, unit};

/// Reads a value of a property whose numbers are in a measure. `None` when the text is not one.
pub(super) fn read_measured(text: &str, property: &PropertyType, measure: Measure) -> Option<Value> {
    let numeric = matches!(property.kind, DataType::Integer | DataType::Float);
    if !numeric || !property.values.is_empty() {
        return read(text, property);
    }
    let (amount, magnitude, unit) = quantity(text)?;
    let number = measure.convert(amount, magnitude, &unit)?;
    match property.kind {
        DataType::Integer => (number.fract() == 0.0).then_some(Value::Integer(number as i64)),
        _ => Some(Value::Float(number)),
    }
}

/// Reads a value of a property. `None` when the text is not one.
pub(super) fn read(text: &str, property: &PropertyType) -> Option<Value> {
    let text = text.trim().trim_matches(['*', '`', '"', '“', '”']).trim();
    // `Pending` is no value, unless the ontology has it for one.
    if !property.values.is_empty() {
        return allowed(text, property);
    }
    if words::is_no_value(&text.to_lowercase()) && !(property.kind == DataType::Boolean) {
        return None;
    }
    of_type(text, &property.kind)
}

/// The allowed value that the text names.
fn allowed(text: &str, property: &PropertyType) -> Option<Value> {
    if let DataType::List(_) = property.kind {
        let single = PropertyType {
            kind: DataType::String,
            values: property.values.clone(),
            ..PropertyType::default()
        };
        let found: Option<Vec<Value>> = pieces(text).map(|piece| allowed(piece, &single)).collect();
        return found.filter(|found| !found.is_empty()).map(Value::List);
    }
    let find = |text: &str| {
        let wanted = super::names::key(text);
        property.values.iter().find_map(|value| {
            let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            (super::names::key(&shown) == wanted).then(|| from_json(value))
        })
    };
    find(text).or_else(|| find(without_signs(text)))
}

/// A text without signs and pictures around it: `✅ Accepted`.
pub(super) fn without_signs(text: &str) -> &str {
    text.trim_matches(|letter: char| !letter.is_alphanumeric())
}

/// A value of the ontology file as a value of the graph.
pub(super) fn from_json(value: &serde_json::Value) -> Value {
    match value {
        serde_json::Value::Bool(truth) => Value::Boolean(*truth),
        serde_json::Value::Number(number) => {
            number.as_i64().map_or_else(|| Value::Float(number.as_f64().unwrap_or(f64::NAN)), Value::Integer)
        }
        serde_json::Value::String(text) => Value::String(text.clone()),
        other => Value::String(other.to_string()),
    }
}

fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ';', '\n'])
        .flat_map(|piece| piece.split(" and "))
        .map(str::trim)
        .filter(|piece| !piece.is_empty())
}

fn of_type(text: &str, kind: &DataType) -> Option<Value> {
    match kind {
        DataType::String => {
            let shown = text.trim_end_matches(['.', ';', ',']).trim();
            (!shown.is_empty()).then(|| Value::String(shown.to_owned()))
        }
        DataType::Integer => {
            number(text).filter(|number| number.fract() == 0.0).map(|number| Value::Integer(number as i64))
        }
        DataType::Float => number(text).map(Value::Float),
        DataType::Boolean => boolean(text).map(Value::Boolean),
        DataType::Date => date(text).map(Value::Date).or_else(|| day_of_moment(text)),
        DataType::DateTime => date_time(text),
        DataType::Duration => duration(text).map(Value::Duration),
        DataType::Point => None,
        DataType::List(item) => {
            let found: Option<Vec<Value>> = pieces(text).map(|piece| of_type(piece, item)).collect();
            found.filter(|found| !found.is_empty()).map(Value::List)
        }
    }
}

fn boolean(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "yes" | "true" | "y" | "✓" | "✔" | "x" | "on" => Some(true),
        "no" | "false" | "n" | "✗" | "✘" | "off" => Some(false),
        _ => None,
    }
}

/// A number with thousands separators, a number word, a magnitude or a unit: `1,200 t`, `3 million`, `€ 5`.
pub(super) fn number(text: &str) -> Option<f64> {
    quantity(text).map(|(amount, magnitude, _)| amount * magnitude)
}

/// A number with its magnitude (`million`) and the word for its unit.
pub(super) fn quantity(text: &str) -> Option<(f64, f64, String)> {
    let text = text.trim();
    let bare = text.trim_start_matches(['€', '$', '£', '~', '≈', '#']).trim_start();
    let lower = bare.to_lowercase();
    let leads = [
        "about ",
        "approximately ",
        "around ",
        "roughly ",
        "some ",
        "nearly ",
        "us$",
        "usd ",
        "eur ",
        "gbp ",
        "chf ",
    ];
    let lower = leads.iter().fold(lower.as_str(), |rest, lead| rest.strip_prefix(lead).unwrap_or(rest));
    let money = lower.len() < text.len();
    let end = lower
        .char_indices()
        .find(|(at, letter)| {
            !(letter.is_ascii_digit()
                || (matches!(letter, ',' | '.' | ' ' | '\u{a0}' | '\u{202f}')
                    && lower[at + letter.len_utf8()..].starts_with(|next: char| next.is_ascii_digit()))
                || (*at == 0 && matches!(letter, '-' | '+' | '−')))
        })
        .map_or(lower.len(), |(at, _)| at);
    let (digits, rest) = lower.split_at(end);
    let (amount, rest) = if digits.chars().any(|letter| letter.is_ascii_digit()) {
        (plain_number(digits)?, rest.trim())
    } else {
        let (word, rest) = lower.split_once([' ', '-', '\u{a0}']).unwrap_or((lower, ""));
        let rest = rest.trim();
        let longer = rest.split([' ', '-']).next().is_some_and(words::is_number_word);
        (words::number(word).filter(|_| !longer)?, rest)
    };
    let glued = rest.starts_with('-');
    let rest = rest.trim_start_matches('-');
    let mut words = rest.split([' ', '\u{a0}']);
    let first = words.next().unwrap_or("");
    let magnitude = match first.trim_end_matches('.') {
        "thousand" | "k" => 1e3,
        "million" | "mn" => 1e6,
        "m" if money => 1e6,
        "billion" | "bn" => 1e9,
        _ => 1.0,
    };
    let unit = if magnitude > 1.0 { words.next().unwrap_or("") } else { first };
    // Two numbers are a range or a date, not one number.
    let other_number =
        rest.split([' ', '\u{a0}']).any(|word| word.starts_with(|letter: char| letter.is_ascii_digit()));
    let plain = unit.is_empty() || is_unit(unit) || unit.chars().all(char::is_alphabetic);
    let clean = !rest.starts_with(['–', '/', ':', '.']) && (!glued || unit.chars().all(char::is_alphabetic));
    (!other_number && plain && clean).then(|| (amount, magnitude, unit.to_owned()))
}

fn is_unit(word: &str) -> bool {
    word.chars().next().is_some_and(|letter| letter.is_alphabetic() || letter == '%' || letter == '°')
        && word.len() <= 5
}

fn plain_number(digits: &str) -> Option<f64> {
    let compact: String =
        digits.chars().filter(|letter| !matches!(letter, ' ' | '\u{a0}' | '\u{202f}')).collect();
    let compact = compact.replace('−', "-");
    let groups: Vec<&str> = compact.split(',').collect();
    let grouped = groups.len() > 1
        && groups[1..].iter().all(|group| group.split('.').next().is_some_and(|whole| whole.len() == 3));
    let shown = if grouped { compact.replace(',', "") } else { compact.clone() };
    if shown.matches('.').count() > 1 || shown.contains(',') {
        return None;
    }
    shown.parse().ok()
}

/// A whole date: `2021-05-03`, `3 May 2021`, `May 3rd, 2021`, `3.5.2021`, `2021/05/03`; also with other words behind it.
pub(super) fn date(text: &str) -> Option<Date> {
    let text = text.trim().trim_end_matches(['.', ',']);
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|letter: char| letter.is_whitespace() || letter == ',')
        .filter(|word| !word.is_empty() && *word != "the")
        .collect();
    let days = Days::parse(text).or_else(|| Days::at_start_of(&words).map(|(days, _)| days))?;
    (days.first == days.last).then_some(days.first)
}

fn date_time(text: &str) -> Option<Value> {
    if let Ok(zoned) = parse_zoned(text) {
        return Some(Value::from(zoned));
    }
    if let Ok(instant) = text.parse::<jiff::Timestamp>() {
        return Some(Value::from(instant.to_zoned(jiff::tz::TimeZone::UTC)));
    }
    let local =
        text.parse::<jiff::civil::DateTime>().ok().or_else(|| date(text).map(|date| date.at(0, 0, 0, 0)))?;
    Some(Value::from(local))
}

/// The day of a date with a time of day, as it is written.
pub(super) fn day_of_moment(text: &str) -> Option<Value> {
    match DataType::DateTime.parse_value(text)? {
        Value::DateTime(moment) => Some(Value::Date(moment.date())),
        Value::LocalDateTime(moment) => Some(Value::Date(moment.date())),
        _ => None,
    }
}

fn duration(text: &str) -> Option<CypherDuration> {
    let amount = number(text)? as i64;
    let unit = text
        .split(' ')
        .find(|word| word.chars().all(char::is_alphabetic) && word.len() > 2)
        .or_else(|| text.split(' ').nth(1))?;
    let mut found = CypherDuration::default();
    match super::inflection::singular(&unit.to_lowercase()).as_ref() {
        "year" => found.months = amount * 12,
        "month" => found.months = amount,
        "week" => found.days = amount * 7,
        "day" => found.days = amount,
        "hour" | "h" => found.seconds = amount * 3600,
        "minute" | "min" => found.seconds = amount * 60,
        "second" | "s" => found.seconds = amount,
        _ => return None,
    }
    Some(found)
}

/// The years of `1812–1870`.
pub(super) fn year_range(text: &str) -> Option<(i64, i64)> {
    let (from, to) = text.split_once(['–', '-', '—'])?;
    let year = |part: &str| {
        let part = part.trim();
        (part.len() == 4)
            .then(|| part.parse::<i64>().ok())
            .flatten()
            .filter(|year| (1000..2200).contains(year))
    };
    Some((year(from)?, year(to)?)).filter(|(from, to)| from < to)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("3 May 2021", "2021-05-03")]
    #[case("May 3rd, 2021", "2021-05-03")]
    #[case("2021-05-03", "2021-05-03")]
    #[case("03.05.2021", "2021-05-03")]
    #[case("2021/05/03", "2021-05-03")]
    #[case("the 3rd of May 2021", "2021-05-03")]
    fn dates(#[case] text: &str, #[case] iso: &str) {
        assert_eq!(date(text).map(|date| date.to_string()).as_deref(), Some(iso));
    }

    #[test]
    fn no_dates() {
        for text in ["May 2021", "2021", "Q1 2024", "1.2.3", "5/6/2021"] {
            assert_eq!(date(text), None, "{text}");
        }
    }

    #[rstest]
    #[case("1,200 t", Some(1200.0))]
    #[case("3 million", Some(3e6))]
    #[case("twelve beds", Some(12.0))]
    #[case("two hundred and fifty", None)]
    #[case("240-metre", Some(240.0))]
    #[case("£3m", Some(3e6))]
    #[case("EUR 40,000", Some(40000.0))]
    #[case("4.5", Some(4.5))]
    #[case("€ 1 500", Some(1500.0))]
    #[case("40%", Some(40.0))]
    #[case("10 to 20", None)]
    #[case("1.2.3", None)]
    #[case("beds", None)]
    fn numbers(#[case] text: &str, #[case] value: Option<f64>) {
        assert_eq!(number(text), value);
    }

    #[test]
    fn allowed_values() {
        let property =
            PropertyType { values: vec!["In Progress".into(), "Done".into()], ..PropertyType::default() };
        assert_eq!(read("in-progress", &property), Some(Value::from("In Progress")));
        assert_eq!(read("✅ Done", &property), Some(Value::from("Done")));
        assert_eq!(read("open", &property), None);
    }
}
