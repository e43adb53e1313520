//! Guards `x.name` for parts of dates, times, durations and points. For values without such a part,
//! the engine gives null, zero or the value itself.

use graphwright_cypher::syntax::tree::{Expression, ExpressionKind, Name};

use super::{
    Guard, Kind, Scope,
    checks::{fails, is, is_or_null},
    cypher,
};
use crate::rewrite::make::property;

const DATES: &[&str] = &["DATE", "LOCAL DATETIME", "ZONED DATETIME"];
const TIMES: &[&str] = &["LOCAL TIME", "ZONED TIME", "LOCAL DATETIME", "ZONED DATETIME"];
const ZONED: &[&str] = &["ZONED TIME", "ZONED DATETIME"];

/// Parts that the engine lacks or rounds otherwise.
const SPECIAL: [&str; 3] = ["epochSeconds", "srid", "crs"];

/// Lists the types whose values have a part of that name.
///
/// Source: the sections on temporal values, durations and points of the Neo4j 5 Cypher manual.
fn owners(part: &str) -> &'static [&'static str] {
    match part {
        "year" | "quarter" | "month" | "week" | "weekYear" | "day" | "dayOfQuarter" | "dayOfWeek"
        | "weekDay" | "ordinalDay" => DATES,
        "hour" | "minute" | "second" | "millisecond" | "microsecond" | "nanosecond" => TIMES,
        "timezone" | "offset" | "offsetMinutes" | "offsetSeconds" => ZONED,
        "epochSeconds" | "epochMillis" => &["ZONED DATETIME"],
        "years"
        | "quarters"
        | "months"
        | "weeks"
        | "days"
        | "hours"
        | "minutes"
        | "seconds"
        | "milliseconds"
        | "microseconds"
        | "nanoseconds"
        | "quartersOfYear"
        | "monthsOfQuarter"
        | "monthsOfYear"
        | "daysOfWeek"
        | "minutesOfHour"
        | "secondsOfMinute"
        | "millisecondsOfSecond"
        | "microsecondsOfSecond"
        | "nanosecondsOfSecond" => &["DURATION"],
        "x" | "y" | "longitude" | "latitude" | "srid" | "crs" => &["POINT"],
        _ => &[],
    }
}

fn kind_of(part: &str) -> Kind {
    match part {
        "timezone" | "offset" | "crs" => Kind::Text,
        "x" | "y" | "longitude" | "latitude" => Kind::Float,
        _ => Kind::Integer,
    }
}

impl Guard<'_, '_> {
    pub(super) fn property(&mut self, expression: &mut Expression, scope: &Scope) -> Kind {
        let ExpressionKind::Property { base, key } = &mut expression.kind else { return Kind::Unknown };
        let kind = self.expression(base, scope).own;
        let owners = owners(&key.text);
        let fail =
            || fails("only nodes, relationships and maps have properties, and this value has no such part");
        match kind {
            Kind::Node | Kind::Relationship | Kind::Map | Kind::Ours | Kind::Null => Kind::Unknown,
            Kind::Deleted => {
                self.wrong("what was deleted has no properties", expression);
                Kind::Unknown
            }
            Kind::Unknown => {
                let (base, key) = (std::mem::take(&mut **base), key.clone());
                let guarded = self.bind([base], |[base]| {
                    let types = [&["NODE", "RELATIONSHIP", "MAP"], owners].concat();
                    cypher!(
                        "CASE WHEN $has THEN $part ELSE $fail END",
                        has = is_or_null(base, &types),
                        part = part(base, &key, kind),
                        fail = fail(),
                    )
                });
                expression.kind = guarded.kind;
                Kind::Unknown
            }
            _ if kind.type_name().is_some_and(|name| owners.contains(&name)) => {
                let known = kind_of(&key.text);
                if SPECIAL.contains(&&*key.text) {
                    let (base, key) = (std::mem::take(&mut **base), key.clone());
                    expression.kind = self.bind([base], |[base]| part(base, &key, kind)).kind;
                }
                known
            }
            _ => {
                expression.kind = fail().kind;
                Kind::Unknown
            }
        }
    }
}

/// Builds the part of a value that has it or, if its kind is unknown, may be a map.
fn part(base: &Expression, key: &Name, kind: Kind) -> Expression {
    let plain = property(base, key);
    let unless = |of: &'static str, special: Expression, plain: Expression| match kind {
        Kind::Unknown => cypher!(
            "CASE WHEN $is THEN $special ELSE $plain END",
            is = is(base, &[of]),
            special = special,
            plain = plain,
        ),
        _ => special,
    };
    match &*key.text {
        // Neo4j rounds towards zero.
        "epochSeconds" => {
            let rounded = cypher!(
                "CASE WHEN $seconds < 0 AND $base.nanosecond <> 0 THEN $seconds + 1 ELSE $seconds END",
                seconds = &plain,
                base = base,
            );
            unless("ZONED DATETIME", rounded, plain)
        }
        "srid" => unless("POINT", cypher!("CASE WHEN $base IS NOT NULL THEN 4326 END", base = base), plain),
        "crs" => {
            unless("POINT", cypher!("CASE WHEN $base IS NOT NULL THEN 'wgs-84' END", base = base), plain)
        }
        _ => plain,
    }
}
