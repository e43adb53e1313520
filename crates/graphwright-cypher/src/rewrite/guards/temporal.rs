//! Functions of dates and times.

use super::{
    Expression, Guard, Kind, Scope, Shape,
    durations::{Between, is, is_zoned},
    refuses,
};

const DURATIONS: [&str; 4] =
    ["duration.between", "duration.inmonths", "duration.indays", "duration.inseconds"];

impl<'b> Guard<'_, 'b> {
    pub(super) fn temporal(
        &mut self,
        expression: &Expression,
        name: &str,
        arguments: &[Expression],
        scope: &Scope<'b>,
    ) -> Option<String> {
        match arguments {
            [from, to] if DURATIONS.contains(&name) => Some(self.duration(expression, from, to, scope)),
            [unit, value, rest @ ..] if name.ends_with(".truncate") => {
                self.truncation(expression, name, (unit, value), rest, scope)
            }
            [map] if name == "datetime" => self.datetime(map, scope),
            _ => None,
        }
    }

    fn duration(
        &mut self,
        expression: &Expression,
        from: &Expression,
        to: &Expression,
        scope: &Scope<'b>,
    ) -> String {
        let (from, to) = (self.operand(from, scope), self.operand(to, scope));
        let plain = |kind: Kind| matches!(kind, Kind::Date | Kind::LocalDateTime);
        if plain(from.kind) && plain(to.kind) {
            return self.spliced(expression, scope, &[from.text, to.text]);
        }
        let (first, second) = (self.fresh(), self.fresh());
        let between = Between { function: self.function(expression), fresh: [&first, &second] };
        self.bind([&from, &to], |[from, to]| between.text(from, to))
    }

    /// The name of a function with a namespace, as it is written.
    fn function(&self, expression: &Expression) -> &'b str {
        self.source.text_of(&(expression.tokens.start..expression.tokens.start + 3))
    }

    /// Other fields count beside what is left of the second; the engine sets them in its place. Of a zoned date and time
    /// the engine makes no time.
    fn truncation(
        &mut self,
        expression: &Expression,
        name: &str,
        (unit, value): (&Expression, &Expression),
        rest: &[Expression],
        scope: &Scope<'b>,
    ) -> Option<String> {
        let fields = rest.first().filter(|map| map.shape != Shape::Map(Vec::new()));
        let known = self.known_text(unit).map(|unit| unit.to_lowercase());
        let is_fine = known.as_ref().is_none_or(|unit| unit == "millisecond" || unit == "microsecond");
        let added = match fields.filter(|_| is_fine) {
            None => None,
            Some(map) => match self.smaller_parts(known.as_deref(), map) {
                None => return Some(refuses("truncate() to parts of a second with other fields")),
                parts => parts,
            },
        };
        if added.is_none() && name != "time.truncate" {
            return None;
        }
        let map = fields.filter(|_| added.is_none()).map(|map| self.text(map, scope));
        let rest = map.map_or(String::new(), |map| format!(", {map}"));
        let (unit, value) = (self.text(unit, scope), self.operand(value, scope));
        let function = self.function(expression);
        let truncated = self.bind([&value], |[value]| {
            let plain = format!("{function}({unit}, {value}{rest})");
            if name != "time.truncate" {
                return plain;
            }
            let zoned = is_zoned(value);
            format!("CASE WHEN {zoned} THEN time(datetime.truncate({unit}, {value}{rest})) ELSE {plain} END")
        });
        Some(match added {
            Some(parts) => format!("({truncated} + duration({{{parts}}}))"),
            None => truncated,
        })
    }

    /// What `{microsecond: 2, nanosecond: 3}` adds to a time without such parts, as parts of a duration.
    fn smaller_parts(&self, unit: Option<&str>, map: &Expression) -> Option<String> {
        let Shape::Map(values) = &map.shape else { return None };
        let part = |value: &Expression| {
            let key = self.source.text(value.tokens.start - 2);
            let fits = key == "nanosecond" || key == "microsecond" && unit == Some("millisecond");
            let amount = self.source.text(value.tokens.start);
            let is_small =
                value.shape == Shape::Integer && amount.parse().is_ok_and(|amount: u16| amount < 1000);
            (fits && is_small).then(|| format!("{key}s: {amount}"))
        };
        unit?;
        Some(values.iter().map(part).collect::<Option<Vec<_>>>()?.join(", "))
    }

    /// `datetime({time: …, timezone: …})` of a time in a zone moves it into the named zone; the engine does not.
    fn datetime(&mut self, map: &Expression, scope: &Scope<'b>) -> Option<String> {
        let Shape::Map(values) = &map.shape else { return None };
        let key = |value: &Expression| self.source.text(value.tokens.start - 2);
        let find = |wanted: &str| values.iter().find(|value| key(value).eq_ignore_ascii_case(wanted));
        let (time, zone) = (find("time")?, find("timezone")?);
        if self.known_text(zone).is_some_and(|zone| zone.starts_with(['+', '-', 'Z'])) {
            return None;
        }
        let others = values.iter().filter(|value| *value != time && *value != zone);
        let others: Vec<_> =
            others.map(|value| format!(", {}: {}", key(value), self.source.text_of(&value.tokens))).collect();
        let others = others.concat();
        let (time, zone) = (self.operand(time, scope), self.operand(zone, scope));
        Some(self.bind([&time, &zone], |[time, zone]| {
            let zoned = is(time, &["ZONED TIME", "ZONED DATETIME"]);
            format!(
                "CASE WHEN {zoned} THEN datetime({{datetime: datetime({{time: {time}{others}}}), timezone: {zone}}}) \
                 ELSE datetime({{time: {time}{others}, timezone: {zone}}}) END"
            )
        }))
    }
}

/// Whether a value is a moment that the engine writes without its seconds or with a fraction in groups of three digits, and
/// its text with the seconds and the shortest fraction.
pub(super) fn moment_text(value: &str) -> (String, String) {
    let dated = is(value, &["LOCAL DATETIME", "ZONED DATETIME"]);
    let zoned = is(value, &["ZONED TIME", "ZONED DATETIME"]);
    let moment = is(value, &["LOCAL TIME", "ZONED TIME", "LOCAL DATETIME", "ZONED DATETIME"]);
    let two = |part: &str| format!("right('0' + toString(({value}).{part}), 2)");
    let fraction = format!(
        "reduce(_gw_t = right('00000000' + toString(({value}).nanosecond), 9), _gw_i IN range(1, 8) | \
         CASE WHEN _gw_t ENDS WITH '0' THEN left(_gw_t, size(_gw_t) - 1) ELSE _gw_t END)"
    );
    let text = format!(
        "CASE WHEN {dated} THEN toString(date({value})) + 'T' ELSE '' END + {} + ':' + {} + ':' + {} \
         + CASE WHEN ({value}).nanosecond = 0 THEN '' ELSE '.' + {fraction} END \
         + CASE WHEN {zoned} THEN ({value}).offset ELSE '' END \
         + CASE WHEN toString({value}) CONTAINS '[' THEN '[' + ({value}).timezone + ']' ELSE '' END",
        two("hour"),
        two("minute"),
        two("second"),
    );
    (format!("{moment} AND (({value}).second = 0 OR ({value}).nanosecond <> 0)"), text)
}
