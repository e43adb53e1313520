//! Types of CSV columns, and the values in them.

use std::collections::BTreeMap;

use graphwright_core::{
    Value,
    value::{CypherDuration, OffsetTime, Point, parse_float, second_60},
};

/// Type of a column's values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct ColumnType {
    pub(in super::super) base: BaseType,
    pub(in super::super) is_list: bool,
    /// Time zone of instants that name none.
    zone: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum BaseType {
    String,
    Integer,
    Float,
    Boolean,
    Date,
    LocalTime,
    Time,
    LocalDateTime,
    DateTime,
    Duration,
    Point,
    /// A node's vector, which is kept apart from its properties.
    Vector,
}

impl BaseType {
    /// Returns the type's name in headers, and a description of its values for messages.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::String => ("string", "text"),
            Self::Integer => ("long", "a whole number, as 42"),
            Self::Float => ("double", "a number, as 4.2"),
            Self::Boolean => ("boolean", "true or false"),
            Self::Date => ("date", "a date, as 2024-03-01"),
            Self::LocalTime => ("localtime", "a time, as 10:00:00"),
            Self::Time => ("time", "a time with an offset, as 10:00:00+02:00"),
            Self::LocalDateTime => ("localdatetime", "a date and time, as 2024-03-01T10:00:00"),
            Self::DateTime => ("datetime", "an instant, as 2024-03-01T10:00:00+02:00"),
            Self::Duration => ("duration", "a duration, as P1DT2H"),
            Self::Point => ("point", "a point, as {latitude: 48.1, longitude: 11.6}"),
            Self::Vector => ("vector", "numbers"),
        }
    }
}

impl ColumnType {
    pub(in super::super) fn text() -> Self {
        Self::new(BaseType::String, false)
    }

    pub(in super::super) fn new(base: BaseType, is_list: bool) -> Self {
        Self { base, is_list, zone: "UTC".to_owned() }
    }

    /// Parses the type in a header. Returns `None` for an unknown word.
    pub(in super::super) fn parse(name: &str, zone: Option<&str>) -> Option<Self> {
        let lower = name.trim().to_lowercase();
        let (word, is_list) = lower.strip_suffix("[]").map_or((lower.as_str(), false), |word| (word, true));
        let base = match word {
            "" | "string" | "char" => BaseType::String,
            "int" | "integer" | "long" | "short" | "byte" => BaseType::Integer,
            "float" | "double" => BaseType::Float,
            "boolean" | "bool" => BaseType::Boolean,
            "date" => BaseType::Date,
            "localtime" => BaseType::LocalTime,
            "time" => BaseType::Time,
            "localdatetime" => BaseType::LocalDateTime,
            "datetime" => BaseType::DateTime,
            "duration" => BaseType::Duration,
            "point" => BaseType::Point,
            "vector" => BaseType::Vector,
            _ => return None,
        };
        Some(Self { zone: zone.unwrap_or("UTC").to_owned(), ..Self::new(base, is_list) })
    }

    /// Returns the type's name in headers.
    pub(in super::super) fn name(&self) -> String {
        let list = if self.is_list { "[]" } else { "" };
        format!("{}{list}", self.base.names().0)
    }

    /// Parses a value. The error says what the text should have been.
    pub(in super::super) fn read(&self, text: &str, array_delimiter: char) -> Result<Value, &'static str> {
        if self.is_list || self.base == BaseType::Vector {
            if text.is_empty() {
                return Ok(Value::List(Vec::new()));
            }
            return text
                .split(array_delimiter)
                .map(|item| self.read_one(item))
                .collect::<Result<_, _>>()
                .map(Value::List);
        }
        self.read_one(text)
    }

    fn read_one(&self, text: &str) -> Result<Value, &'static str> {
        let trimmed = text.trim();
        let is_time = matches!(
            self.base,
            BaseType::LocalTime | BaseType::Time | BaseType::LocalDateTime | BaseType::DateTime
        );
        if is_time && second_60(trimmed) {
            return Err(self.base.names().1);
        }
        let value = match self.base {
            BaseType::String => Some(Value::from(text)),
            BaseType::Integer => trimmed.parse().ok().map(Value::Integer),
            BaseType::Float | BaseType::Vector => parse_float(trimmed).map(Value::Float),
            BaseType::Boolean => match trimmed.to_lowercase().as_str() {
                "true" => Some(Value::Boolean(true)),
                "false" => Some(Value::Boolean(false)),
                _ => None,
            },
            BaseType::Date => trimmed.parse().ok().map(Value::Date),
            BaseType::LocalTime => trimmed.parse().ok().map(Value::LocalTime),
            BaseType::Time => trimmed.parse::<OffsetTime>().ok().map(Value::Time),
            BaseType::LocalDateTime => trimmed.parse().ok().map(Value::LocalDateTime),
            BaseType::DateTime => self.instant(trimmed),
            BaseType::Duration => trimmed.parse::<CypherDuration>().ok().map(Value::Duration),
            BaseType::Point => point(trimmed).map(Value::Point),
        };
        value.ok_or(self.base.names().1)
    }

    fn instant(&self, text: &str) -> Option<Value> {
        let tagged = serde_json::json!({"$type": "datetime", "value": text});
        if let Ok(value @ Value::DateTime(_)) = serde_json::from_value(tagged) {
            return Some(value);
        }
        let local: jiff::civil::DateTime = text.parse().ok()?;
        local.in_tz(&self.zone).ok().map(Value::from)
    }
}

/// Formats a value as a cell and returns the cell's type. Returns `None` for a value that no column
/// can hold.
pub(in super::super) fn cell(value: &Value, array_delimiter: char) -> Option<(ColumnType, String)> {
    let plain = |base, text| Some((ColumnType::new(base, false), text));
    match value {
        Value::String(text) => plain(BaseType::String, text.clone()),
        Value::Integer(number) => plain(BaseType::Integer, number.to_string()),
        Value::Float(number) => plain(BaseType::Float, float_text(*number)),
        Value::Boolean(truth) => plain(BaseType::Boolean, truth.to_string()),
        Value::Date(date) => plain(BaseType::Date, date.to_string()),
        Value::LocalTime(time) => plain(BaseType::LocalTime, time.to_string()),
        Value::Time(time) => plain(BaseType::Time, time.to_string()),
        Value::LocalDateTime(datetime) => plain(BaseType::LocalDateTime, datetime.to_string()),
        Value::DateTime(_) => {
            let json = serde_json::to_value(value).ok()?;
            plain(BaseType::DateTime, json.get("value")?.as_str()?.to_owned())
        }
        Value::Duration(duration) => plain(BaseType::Duration, duration.to_string()),
        Value::Point(point) => plain(BaseType::Point, point_text(point)),
        Value::List(items) => list_cell(items, array_delimiter),
        Value::Null | Value::Map(_) | Value::Node(_) | Value::Relationship(_) | Value::Path(_) => None,
    }
}

/// Formats a list. Returns `None` if its items differ in type or hold the delimiter.
fn list_cell(items: &[Value], array_delimiter: char) -> Option<(ColumnType, String)> {
    let mut base = None;
    let mut texts = Vec::with_capacity(items.len());
    for item in items {
        let (kind, text) = cell(item, array_delimiter).filter(|(kind, _)| !kind.is_list)?;
        if *base.get_or_insert(kind.base) != kind.base || text.contains(array_delimiter) {
            return None;
        }
        texts.push(text);
    }
    // A list of one empty text would read back as an empty list.
    let ambiguous = texts.len() == 1 && texts.first().is_some_and(String::is_empty);
    if ambiguous {
        return None;
    }
    let text = texts.join(array_delimiter.encode_utf8(&mut [0; 4]));
    Some((ColumnType::new(base.unwrap_or(BaseType::String), true), text))
}

fn float_text(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    format!("{number:?}")
}

fn point_text(point: &Point) -> String {
    let crs = match point.srid {
        4326 => "WGS-84",
        4979 => "WGS-84-3D",
        9157 => "cartesian-3D",
        _ => "cartesian",
    };
    let z = point.z.map(|z| format!(", z: {z:?}")).unwrap_or_default();
    format!("{{x: {:?}, y: {:?}{z}, crs: {crs}}}", point.x, point.y)
}

/// Parses `{latitude: …, longitude: …[, height: …]}` or `{x: …, y: …[, z: …][, crs: …]}`.
fn point(text: &str) -> Option<Point> {
    let inner = text.strip_prefix('{')?.strip_suffix('}')?;
    let mut fields = BTreeMap::new();
    for field in inner.split(',') {
        let (name, value) = field.split_once(':')?;
        fields.insert(name.trim().to_lowercase(), value.trim().trim_matches(['"', '\'']).to_owned());
    }
    let number =
        |names: [&str; 2]| names.iter().find_map(|name| fields.get(*name)).map(|text| parse_float(text));
    let x = number(["x", "longitude"])??;
    let y = number(["y", "latitude"])??;
    let z = match number(["z", "height"]) {
        Some(parsed) => Some(parsed?),
        None => None,
    };
    let known = |crs: &String| ["wgs-84", "cartesian"].contains(&crs.to_lowercase().trim_end_matches("-3d"));
    let numbered = |srid: &String| matches!(srid.as_str(), "4326" | "4979" | "7203" | "9157");
    if !fields.get("crs").is_none_or(known) || !fields.get("srid").is_none_or(numbered) {
        return None;
    }
    let geographic = fields.contains_key("longitude")
        || fields.get("crs").is_some_and(|crs| crs.to_lowercase().starts_with("wgs"))
        || fields.get("srid").is_some_and(|srid| matches!(srid.as_str(), "4326" | "4979"));
    let srid = match (geographic, z.is_some()) {
        (true, false) => 4326,
        (true, true) => 4979,
        (false, false) => 7203,
        (false, true) => 9157,
    };
    Some(Point { srid, x, y, z })
}
