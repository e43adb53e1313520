//! Guards functions of dates and times.

use graphwright_cypher::syntax::tree::{Expression, ExpressionKind, FunctionCall, Literal, Name};

use super::{
    Guard, Kind,
    checks::{fails, is, refuses},
    cypher,
    durations::Between,
};

const DURATIONS: [&str; 4] =
    ["duration.between", "duration.inmonths", "duration.indays", "duration.inseconds"];

impl Guard<'_, '_> {
    pub(super) fn temporal(
        &mut self,
        name: &str,
        call: &mut FunctionCall,
        kinds: &[Kind],
    ) -> Option<Expression> {
        let is_complete = match call.arguments.as_mut_slice() {
            [map] => self.is_made(name, map),
            [_, _, ..] if name.ends_with(".truncate") => self.cut(name, call, kinds),
            _ => true,
        };
        if !is_complete {
            return Some(fails(&format!("{name}() wants other fields or a smaller unit")));
        }
        match call.arguments.len() {
            2 if DURATIONS.contains(&name) => self.duration(name, call, kinds),
            2 | 3 if name.ends_with(".truncate") => self.truncation(name, call),
            1 if name == "datetime" => self.datetime(call),
            _ => None,
        }
    }

    fn duration(&mut self, name: &str, call: &mut FunctionCall, kinds: &[Kind]) -> Option<Expression> {
        if kinds.iter().all(|kind| matches!(kind, Kind::Date | Kind::LocalDateTime)) {
            return None;
        }
        let fresh = [self.context.fresh(), self.context.fresh()];
        let [from, to] = call.arguments.as_mut_slice() else { return None };
        let values = [std::mem::take(from), std::mem::take(to)];
        let between = Between { name, function: &call.name, fresh };
        Some(self.bind(values, |[from, to]| between.text(from, to)))
    }

    /// Guards truncation. Other fields count beside what is left of the second, but the engine sets
    /// them in its place. The engine makes no time of a zoned date and time.
    fn truncation(&mut self, name: &str, call: &mut FunctionCall) -> Option<Expression> {
        let is_empty =
            |map: &Expression| matches!(&map.kind, ExpressionKind::Map(entries) if entries.is_empty());
        if call.arguments.get(2).is_some_and(is_empty) {
            call.arguments.truncate(2);
        }
        let known =
            call.arguments.first().and_then(|unit| self.known_text(unit)).map(|unit| unit.to_lowercase());
        let is_fine = known.as_ref().is_none_or(|unit| unit == "millisecond" || unit == "microsecond");
        let added = match call.arguments.get(2).filter(|_| is_fine) {
            None => None,
            Some(map) => match smaller_parts(known.as_deref(), map) {
                None => return Some(refuses("truncate() to parts of a second with other fields")),
                parts => parts,
            },
        };
        if added.is_none() && name != "time.truncate" {
            return None;
        }
        if added.is_some() {
            call.arguments.truncate(2);
        }
        let value = call.arguments.get_mut(1).map(std::mem::take).unwrap_or_default();
        if !call.arguments.iter().all(|argument| self.context.may_grow(argument)) {
            return None;
        }
        let truncated = self.bind([value], |[value]| {
            let mut plain = call.clone();
            if let Some(slot) = plain.arguments.get_mut(1) {
                slot.clone_from(value);
            }
            let of = |call: FunctionCall| Expression::new(ExpressionKind::Call(Box::new(call)));
            if name != "time.truncate" {
                return of(plain);
            }
            let zoned =
                FunctionCall { name: vec![Name::new("datetime"), Name::new("truncate")], ..plain.clone() };
            cypher!(
                "CASE WHEN $is_zoned THEN time($zoned) ELSE $plain END",
                is_zoned = is(value, &["ZONED DATETIME"]),
                zoned = of(zoned),
                plain = of(plain),
            )
        });
        Some(match added {
            Some(parts) => cypher!("$truncated + duration($parts)", truncated = truncated, parts = parts),
            None => truncated,
        })
    }

    /// Guards `datetime({time: …, timezone: …})`. A time in a zone is moved into the named zone,
    /// which the engine does not do.
    fn datetime(&mut self, call: &mut FunctionCall) -> Option<Expression> {
        let map = call.arguments.first_mut().filter(|map| self.context.may_grow(map))?;
        let ExpressionKind::Map(entries) = &mut map.kind else { return None };
        let place = |wanted: &str| entries.iter().position(|(key, _)| key.text.eq_ignore_ascii_case(wanted));
        let (time, zone) = (place("time")?, place("timezone")?);
        let is_offset =
            |zone: &Expression| self.known_text(zone).is_some_and(|zone| zone.starts_with(['+', '-', 'Z']));
        if entries.get(zone).is_some_and(|(_, zone)| is_offset(zone)) {
            return None;
        }
        let mut taken = |place: usize| entries.get_mut(place).map(|(_, value)| std::mem::take(value));
        let values = [taken(time)?, taken(zone)?];
        let entries = std::mem::take(entries);
        Some(self.bind(values, |[time_value, zone_value]| {
            let map = |with_zone: bool| {
                let entries = entries.iter().enumerate().filter_map(|(at, (key, value))| match at {
                    _ if at == time => Some((key.clone(), time_value.clone())),
                    _ if at == zone => with_zone.then(|| (key.clone(), zone_value.clone())),
                    _ => Some((key.clone(), value.clone())),
                });
                Expression::new(ExpressionKind::Map(entries.collect()))
            };
            cypher!(
                "CASE WHEN $zoned THEN datetime({datetime: datetime($local), timezone: $zone}) \
                 ELSE datetime($whole) END",
                zoned = is(time_value, &["ZONED TIME", "ZONED DATETIME"]),
                local = map(false),
                zone = zone_value,
                whole = map(true),
            )
        }))
    }
}

/// Returns what `{microsecond: 2, nanosecond: 3}` adds to a time without such parts, as parts of a
/// duration.
fn smaller_parts(unit: Option<&str>, map: &Expression) -> Option<Expression> {
    let unit = unit?;
    let ExpressionKind::Map(entries) = &map.kind else { return None };
    let part = |(key, value): &(Name, Expression)| {
        let fits = &*key.text == "nanosecond" || &*key.text == "microsecond" && unit == "millisecond";
        let is_small =
            matches!(value.kind, ExpressionKind::Literal(Literal::Integer(amount)) if amount < 1000);
        (fits && is_small).then(|| (Name::new(format!("{}s", key.text)), value.clone()))
    };
    Some(Expression::new(ExpressionKind::Map(entries.iter().map(part).collect::<Option<_>>()?)))
}

/// Tests whether a value is a moment that the engine writes without its seconds, or with a fraction
/// in groups of three digits.
pub(super) fn is_written_otherwise(value: &Expression) -> Expression {
    cypher!(
        "$moment AND ($value.second = 0 OR $value.nanosecond <> 0)",
        moment = is(value, &["LOCAL TIME", "ZONED TIME", "LOCAL DATETIME", "ZONED DATETIME"]),
        value = value,
    )
}

/// Builds the text of a moment with its seconds and the shortest fraction.
pub(super) fn moment_text(value: &Expression) -> Expression {
    let fraction = cypher!(
        "reduce(_gw_t = right('00000000' + toString($value.nanosecond), 9), _gw_i IN range(1, 8) | \
         CASE WHEN _gw_t ENDS WITH '0' THEN left(_gw_t, size(_gw_t) - 1) ELSE _gw_t END)",
        value = value,
    );
    cypher!(
        "CASE WHEN $dated THEN toString(date($value)) + 'T' ELSE '' END \
         + right('0' + toString($value.hour), 2) + ':' + right('0' + toString($value.minute), 2) + ':' \
         + right('0' + toString($value.second), 2) \
         + CASE WHEN $value.nanosecond = 0 THEN '' ELSE '.' + $fraction END \
         + CASE WHEN $zoned THEN $value.offset ELSE '' END \
         + CASE WHEN toString($value) CONTAINS '[' THEN '[' + $value.timezone + ']' ELSE '' END",
        dated = is(value, &["LOCAL DATETIME", "ZONED DATETIME"]),
        value = value,
        fraction = fraction,
        zoned = is(value, &["ZONED TIME", "ZONED DATETIME"]),
    )
}
