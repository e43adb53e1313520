//! Builds dates and times from forms that the engine does not read: quarters as text, epochs, the
//! clock in a time zone.

use graphwright_cypher::syntax::tree::{Expression, ExpressionKind, FunctionCall, Literal, Name};

use super::{Context, make::renamed, template::cypher};

const TYPES: [&str; 5] = ["date", "datetime", "localdatetime", "time", "localtime"];

pub(super) fn is_one(name: &str) -> bool {
    TYPES.contains(&name.split_once('.').map_or(name, |(kind, _)| kind))
}

pub(super) fn replacement(
    name: &str,
    call: &FunctionCall,
    arguments: &[Expression],
    context: &mut Context<'_>,
) -> Option<Expression> {
    let (kind, function) = name.split_once('.').unwrap_or((name, ""));
    match (function, arguments) {
        // The engine has one clock.
        ("transaction" | "statement" | "realtime", []) => Some(renamed(call, kind)),
        ("transaction" | "statement" | "realtime", [zone]) => Some(now(kind, zone)),
        ("", [Expression { kind: ExpressionKind::Literal(Literal::String(text)), .. }]) => {
            from_quarter(text, call)
        }
        ("", [Expression { kind: ExpressionKind::Map(entries), .. }]) => match entries.as_slice() {
            [(key, zone)] if key.text.eq_ignore_ascii_case("timezone") => Some(now(kind, zone)),
            _ if kind == "datetime" => from_epoch(entries),
            _ => None,
        },
        ("fromepochmillis", [value]) => Some(since_1970("milliseconds", value)),
        ("fromepoch", [seconds, nanoseconds]) => Some(context.bind([seconds.clone()], |[seconds]| {
            cypher!(
                "$moment + duration({nanoseconds: $nanoseconds})",
                moment = since_1970("seconds", seconds),
                nanoseconds = nanoseconds,
            )
        })),
        _ => None,
    }
}

/// Reads the clock in a time zone.
fn now(kind: &str, zone: &Expression) -> Expression {
    let moment = cypher!("datetime({datetime: datetime(), timezone: $zone})", zone = zone);
    let call =
        FunctionCall { name: vec![Name::new(kind)], arguments: vec![moment], ..FunctionCall::default() };
    Expression::new(ExpressionKind::Call(Box::new(call)))
}

/// Rewrites `date('2020-Q2-05')` as the first day of the quarter, and the days after it.
fn from_quarter(text: &str, call: &FunctionCall) -> Option<Expression> {
    let (year, rest) = text.split_at_checked(4)?;
    let rest = rest.strip_prefix('-').unwrap_or(rest).strip_prefix('Q')?;
    let (quarter, rest) = rest.split_at_checked(1)?;
    let month = ["01", "04", "07", "10"].get(quarter.parse::<usize>().ok()?.checked_sub(1)?)?;
    let (day, time) = match rest.strip_prefix('-').unwrap_or(rest) {
        time if time.is_empty() || time.starts_with('T') => ("1", time),
        rest => rest.split_at_checked(2)?,
    };
    let (year_number, day) = (year.parse::<u16>().ok()?, day.parse::<u16>().ok()?);
    let is_leap = year_number.is_multiple_of(4)
        && (!year_number.is_multiple_of(100) || year_number.is_multiple_of(400));
    let length = match quarter {
        "1" => 90 + u16::from(is_leap),
        "2" => 91,
        _ => 92,
    };
    if !(1..=length).contains(&day) {
        return None;
    }
    let first = super::template::Part::part(&*format!("{year}-{month}-01{time}"));
    let call = FunctionCall { arguments: vec![first], ..call.clone() };
    let days = Expression::new(ExpressionKind::Literal(Literal::Integer(u64::from(day - 1))));
    let first = Expression::new(ExpressionKind::Call(Box::new(call)));
    Some(cypher!("$first + duration({days: $days})", first = first, days = days))
}

/// Rewrites `datetime({epochSeconds: x, nanosecond: y, timezone: z})`.
fn from_epoch(entries: &[(Name, Expression)]) -> Option<Expression> {
    let mut moment = None;
    let mut parts = Vec::new();
    let mut zone = None;
    for (key, value) in entries {
        match key.text.to_lowercase().as_str() {
            "epochmillis" => moment = Some(since_1970("milliseconds", value)),
            "epochseconds" => moment = Some(since_1970("seconds", value)),
            "millisecond" => parts.push(("milliseconds", value)),
            "microsecond" => parts.push(("microseconds", value)),
            "nanosecond" => parts.push(("nanoseconds", value)),
            "timezone" => zone = Some(value),
            _ => return None,
        }
    }
    let moment = parts.into_iter().fold(moment?, |moment, (unit, value)| {
        cypher!("$moment + $duration", moment = moment, duration = duration(unit, value))
    });
    Some(match zone {
        Some(zone) => {
            cypher!("datetime({datetime: $moment, timezone: $zone})", moment = moment, zone = zone)
        }
        None => moment,
    })
}

fn since_1970(unit: &str, value: &Expression) -> Expression {
    cypher!("datetime('1970-01-01T00:00:00Z') + $duration", duration = duration(unit, value))
}

fn duration(unit: &str, value: &Expression) -> Expression {
    let map = ExpressionKind::Map(vec![(Name::new(unit), value.clone())]);
    cypher!("duration($map)", map = Expression::new(map))
}
