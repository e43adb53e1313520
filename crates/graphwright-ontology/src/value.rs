//! Converts texts and values to the type of a property.

use graphwright_core::{
    Value,
    value::{CypherDuration, Point},
};

use super::{DataType, PropertyType, date};

impl PropertyType {
    /// Parses a text as a value of this property.
    ///
    /// With `enum`, ignores case and returns the spelling of the enum. Returns `None` if the text
    /// is not such a value.
    ///
    /// ```
    /// use graphwright_core::Value;
    /// use graphwright_ontology::PropertyType;
    ///
    /// let language = PropertyType { values: vec!["Go".into()], ..PropertyType::default() };
    /// assert_eq!(language.parse_value("go"), Some(Value::from("Go")));
    /// assert_eq!(language.parse_value("Rust"), None);
    /// ```
    pub fn parse_value(&self, text: &str) -> Option<Value> {
        self.spell(self.kind.parse_value(text)?)
    }

    /// Converts a value to this property's type, or returns `None` if it does not fit.
    ///
    /// Accepts an integer for a float, a text that parses as a date, and a single value for a list.
    pub fn accept(&self, value: &Value) -> Option<Value> {
        self.spell(self.kind.accept(value)?)
    }

    /// Returns the value in the spelling of the enum, or `None` if the enum does not hold it.
    fn spell(&self, value: Value) -> Option<Value> {
        if self.values.is_empty() {
            return Some(value);
        }
        if let Value::List(items) = value {
            let one = Self { kind: self.kind.item().clone(), ..self.clone() };
            return items
                .into_iter()
                .map(|item| one.spell(item))
                .collect::<Option<Vec<_>>>()
                .map(Value::List);
        }
        let allowed = self.values.iter().filter_map(|allowed| self.kind.item().parse_json(allowed));
        let same = |allowed: &Value| match (allowed, &value) {
            (Value::String(allowed), Value::String(value)) => allowed.to_lowercase() == value.to_lowercase(),
            _ => *allowed == value,
        };
        allowed.into_iter().find(same)
    }
}

impl DataType {
    /// Parses a text as a value of this type, in the ways people write it.
    ///
    /// Understands `1,234`, `2.5 million`, `yes`, `March 1st, 2024`, `2024-03-01` and `1 h 30 min`.
    /// A date less precise than a day (`March 2024`, `Q1 2024`, `2024`) becomes its first day, as
    /// in Cypher's `date()`. Returns `None` if the text is not such a value, or if a date in digits
    /// can be read both ways (`03/04/2024`).
    ///
    /// ```
    /// use graphwright_core::Value;
    /// use graphwright_ontology::DataType;
    ///
    /// assert_eq!(DataType::Integer.parse_value("1,234"), Some(Value::Integer(1234)));
    /// let day = jiff::civil::date(2024, 3, 1);
    /// assert_eq!(DataType::Date.parse_value("1 March 2024"), Some(Value::Date(day)));
    /// ```
    pub fn parse_value(&self, text: &str) -> Option<Value> {
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        match self {
            Self::String => Some(Value::from(text)),
            Self::Integer => integer(text).map(Value::Integer),
            Self::Float => number(text).map(Value::Float),
            Self::Boolean => boolean(text).map(Value::Boolean),
            Self::Date => date::parse_date(text).map(Value::Date),
            Self::DateTime => date::parse_datetime(text),
            Self::Duration => duration(text).map(Value::Duration),
            Self::Point => point(text).map(Value::Point),
            Self::List(item) => list(item, text),
        }
    }

    /// Converts a value to this type; see [`PropertyType::accept`].
    pub fn accept(&self, value: &Value) -> Option<Value> {
        match (self, value) {
            (Self::String, Value::String(text)) if !text.trim().is_empty() => Some(Value::from(text.trim())),
            (Self::String, Value::Integer(number)) => Some(Value::from(number.to_string())),
            (Self::String, Value::Float(number)) => Some(Value::from(number.to_string())),
            (Self::String, Value::Boolean(truth)) => Some(Value::from(truth.to_string())),
            // Above 9e15 not every integer has a float of its own.
            (Self::Integer, Value::Float(number)) if number.fract() == 0.0 && number.abs() < 9e15 => {
                Some(Value::Integer(*number as i64))
            }
            (Self::Float, Value::Integer(number)) => Some(Value::Float(*number as f64)),
            (Self::List(item), Value::List(items)) => {
                items.iter().map(|value| item.accept(value)).collect::<Option<Vec<_>>>().map(Value::List)
            }
            (Self::DateTime, Value::Date(day)) => Some(day.at(0, 0, 0, 0).into()),
            (_, Value::String(text)) => self.parse_value(text),
            (Self::Integer, Value::Integer(_))
            | (Self::Float, Value::Float(_))
            | (Self::Boolean, Value::Boolean(_))
            | (Self::Date, Value::Date(_))
            | (Self::DateTime, Value::DateTime(_) | Value::LocalDateTime(_))
            | (Self::Duration, Value::Duration(_))
            | (Self::Point, Value::Point(_)) => Some(value.clone()),
            (Self::List(item), single) if !single.is_null() => {
                item.accept(single).map(|value| Value::List(vec![value]))
            }
            _ => None,
        }
    }

    /// Parses a value from JSON, as an ontology file or a model writes it.
    pub fn parse_json(&self, json: &serde_json::Value) -> Option<Value> {
        let value = match json {
            serde_json::Value::Null | serde_json::Value::Object(_) => return None,
            serde_json::Value::Bool(truth) => Value::Boolean(*truth),
            serde_json::Value::Number(number) => number
                .as_i64()
                .map_or_else(|| number.as_f64().map(Value::Float), |whole| Some(Value::Integer(whole)))?,
            serde_json::Value::String(text) => Value::from(text.as_str()),
            serde_json::Value::Array(items) => {
                let items =
                    items.iter().map(|item| self.item().parse_json(item)).collect::<Option<Vec<_>>>()?;
                Value::List(items)
            }
        };
        self.accept(&value)
    }

    /// Returns the item type of a list, or the type itself if it is not a list.
    pub fn item(&self) -> &DataType {
        match self {
            Self::List(item) => item,
            other => other,
        }
    }
}

fn boolean(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "true" | "yes" | "y" | "on" | "1" => Some(true),
        "false" | "no" | "n" | "off" | "0" => Some(false),
        _ => None,
    }
}

fn integer(text: &str) -> Option<i64> {
    if let Ok(whole) = text.parse() {
        return Some(whole);
    }
    let value = number(text)?;
    (value.fract() == 0.0 && value.abs() < 9e15).then_some(value as i64)
}

const WORDS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];
const SCALES: [(&str, f64); 4] = [("thousand", 1e3), ("million", 1e6), ("billion", 1e9), ("trillion", 1e12)];

/// Parses a number, with an optional sign, currency sign, per cent sign, thousands separators, or
/// scale word.
fn number(text: &str) -> Option<f64> {
    let lower = text.to_lowercase();
    let mut figures = lower.trim_start_matches(['$', '€', '£', '¥']).trim_end_matches('%').trim();
    let mut factor = 1.0;
    for (word, scale) in SCALES {
        if let Some(before) = figures.strip_suffix(word) {
            figures = before.trim();
            factor = scale;
        }
    }
    if let Some(position) = WORDS.iter().position(|word| *word == figures) {
        return Some(position as f64 * factor);
    }
    let figures = figures.replace('\u{2212}', "-");
    plain_number(&figures).map(|value| value * factor)
}

/// Parses digits with an optional point, and one kind of separator between groups of three.
fn plain_number(figures: &str) -> Option<f64> {
    let (whole, fraction) = figures.split_once('.').unwrap_or((figures, ""));
    let unsigned = whole.strip_prefix(['-', '+']).unwrap_or(whole);
    let separators = [',', '_', ' ', '\'', '\u{a0}', '\u{202f}', '\u{2009}'];
    let whole = match unsigned.chars().find(|character| separators.contains(character)) {
        Some(separator) => {
            let groups: Vec<&str> = unsigned.split(separator).collect();
            let right = groups.iter().skip(1).all(|group| group.len() == 3)
                && (1..=3).contains(&groups.first().map_or(0, |group| group.len()));
            if !right {
                return None;
            }
            whole.replace(separator, "")
        }
        None => whole.to_owned(),
    };
    let text = if fraction.is_empty() { whole } else { format!("{whole}.{fraction}") };
    let figures_only =
        |character: char| character.is_ascii_digit() || matches!(character, '-' | '+' | '.' | 'e');
    if !text.contains(|character: char| character.is_ascii_digit()) || !text.chars().all(figures_only) {
        return None;
    }
    text.parse::<f64>().ok().filter(|value| value.is_finite())
}

/// Parses a duration in ISO 8601 (`PT1H30M`) or in words (`1 hour 30 minutes`, `2h30m`, `45 min`).
/// `3 business days` is not a duration.
fn duration(text: &str) -> Option<CypherDuration> {
    let span: jiff::Span = text.replace(" and ", " ").parse().ok()?;
    let months = i64::from(span.get_years()) * 12 + i64::from(span.get_months());
    let days = i64::from(span.get_weeks()) * 7 + i64::from(span.get_days());
    let seconds = i64::from(span.get_hours()) * 3600 + span.get_minutes() * 60 + span.get_seconds();
    // Whole seconds first: milliseconds and microseconds may be too many to count in nanoseconds.
    let (milliseconds, microseconds) = (span.get_milliseconds(), span.get_microseconds());
    let seconds = seconds + milliseconds / 1_000 + microseconds / 1_000_000;
    let fraction = (milliseconds % 1_000) * 1_000_000 + (microseconds % 1_000_000) * 1_000;
    CypherDuration::new(months, days, seconds, fraction.checked_add(span.get_nanoseconds())?)
}

/// Parses `latitude, longitude` in degrees (WGS-84), or `POINT(longitude latitude)`.
fn point(text: &str) -> Option<Point> {
    let upper = text.to_uppercase();
    let known_text = upper.strip_prefix("POINT").map(|rest| rest.trim().trim_matches(['(', ')']));
    let (first, second) = match known_text {
        Some(inner) => inner.trim().split_once(' ')?,
        None => upper.split_once(',')?,
    };
    let degrees = |part: &str| {
        let part = part.trim();
        let sign = if part.ends_with(['S', 'W']) { -1.0 } else { 1.0 };
        let figures = part.trim_end_matches(['N', 'S', 'E', 'W']).trim().trim_end_matches('°');
        figures.parse::<f64>().ok().map(|value| sign * value)
    };
    let (first, second) = (degrees(first)?, degrees(second)?);
    let (latitude, longitude) = if known_text.is_some() { (second, first) } else { (first, second) };
    (latitude.abs() <= 90.0 && longitude.abs() <= 180.0).then_some(Point {
        srid: 4326,
        x: longitude,
        y: latitude,
        z: None,
    })
}

/// Parses items between commas, semicolons or line breaks, with an optional `and` before the last.
fn list(item: &DataType, text: &str) -> Option<Value> {
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let separator: &[char] = if inner.contains(';') { &[';', '\n'] } else { &[',', '\n'] };
    let mut parts: Vec<&str> = inner.split(separator).collect();
    if let Some(last) = parts.pop() {
        let last = last.trim().strip_prefix("and ").unwrap_or(last);
        match last.rsplit_once(" and ") {
            Some((before, after)) => parts.extend([before, after]),
            None => parts.push(last),
        }
    }
    let parts = parts.iter().map(|part| part.trim().trim_matches('"')).filter(|part| !part.is_empty());
    let items = parts.map(|part| item.parse_value(part)).collect::<Option<Vec<_>>>()?;
    (!items.is_empty()).then_some(Value::List(items))
}
