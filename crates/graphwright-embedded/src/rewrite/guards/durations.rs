//! Guards `duration.between` and the like, for moments that the engine does not take, or between
//! which it counts by what their clocks show.

use graphwright_cypher::syntax::tree::{CallForm, Expression, ExpressionKind, FunctionCall, Name};

use super::{
    checks::{fails, is, refuses},
    cypher,
};

/// A function of two moments that may be of any temporal type.
pub(super) struct Between<'a> {
    /// Its name in lower case, such as `duration.indays`.
    pub(super) name: &'a str,
    /// Its name as it is written.
    pub(super) function: &'a [Name],
    /// Variables that may be bound.
    pub(super) fresh: [Name; 2],
}

impl Between<'_> {
    /// Computes the function.
    ///
    /// A time of day takes date and zone of the other moment, and a local moment its zone
    /// (`TemporalValue.until` of Neo4j). If both moments have zones, the second is moved into the
    /// zone of the first.
    pub(super) fn text(&self, from: &Expression, to: &Expression) -> Expression {
        let [first, second] = &self.fresh;
        let (from_bound, to_bound) = (super::Part::part(first), super::Part::part(second));
        cypher!(
            "CASE WHEN $from_time OR $to_time THEN $times \
             ELSE head([first IN [$from] | head([second IN [$to] | $moments])]) END",
            from_time = is_time(from),
            to_time = is_time(to),
            times = self.times(from, to),
            first = first,
            from = in_zone(from, to),
            second = second,
            to = moved(from, to),
            moments = self.moments(&from_bound, &to_bound),
        )
    }

    fn of(&self, from: Expression, to: Expression) -> Expression {
        Expression::new(ExpressionKind::Call(Box::new(FunctionCall {
            name: self.function.to_vec(),
            distinct: false,
            arguments: vec![from, to],
            form: CallForm::Plain,
        })))
    }

    fn counts_dates(&self) -> bool {
        ["duration.inmonths", "duration.indays"].contains(&self.name)
    }

    /// Computes the function if at least one of the two is a time of day.
    fn times(&self, from: &Expression, to: &Expression) -> Expression {
        if self.counts_dates() {
            return cypher!(
                "CASE WHEN $from_dated OR $to_dated THEN duration({seconds: 0}) \
                 WHEN $from IS NULL OR $to IS NULL THEN null ELSE $fail END",
                from_dated = is_dated(from),
                to_dated = is_dated(to),
                from = from,
                to = to,
                fail = fails("months and days are counted between dates"),
            );
        }
        let is_local = |value: &Expression| is(value, &["LOCAL TIME"]);
        let at = |time: &Expression, zoned: &Expression| {
            cypher!(
                "datetime({date: date($zoned), time: $time, timezone: $zoned.timezone})",
                zoned = zoned,
                time = time
            )
        };
        cypher!(
            "CASE WHEN $from_zoned AND $to_local THEN $to_moved WHEN $from_local AND $to_zoned THEN $from_moved \
             WHEN $from_temporal AND $to_temporal THEN $by_clock \
             WHEN $from IS NULL OR $to IS NULL THEN null ELSE $fail END",
            from_zoned = is_zoned(from),
            to_local = is_local(to),
            to_moved = exact(from, &at(to, from)),
            from_local = is_local(from),
            to_zoned = is_zoned(to),
            from_moved = exact(&at(from, to), to),
            from_temporal = is_temporal(from),
            to_temporal = is_temporal(to),
            by_clock = by_clock(from, to),
            from = from,
            to = to,
            fail = fails("a duration lies between temporal values"),
        )
    }

    /// Computes the function if both have a date.
    fn moments(&self, from: &Expression, to: &Expression) -> Expression {
        let local = |value: &Expression| cypher!("localdatetime($value)", value = value);
        let over_a_change = if self.name == "duration.inseconds" {
            exact(from, to)
        } else if self.counts_dates() {
            self.of(local(from), local(to))
        } else {
            cypher!(
                "CASE WHEN duration.inDays(localdatetime($from), localdatetime($to)).days = 0 \
                 THEN $exact ELSE $refusal END",
                from = from,
                to = to,
                exact = exact(from, to),
                refusal = refuses("a duration of days over a change of the clocks"),
            )
        };
        cypher!(
            "CASE WHEN $from_zoned AND $to_zoned AND $from.offset <> $to.offset THEN $over_a_change ELSE $plain END",
            from_zoned = is_zoned(from),
            to_zoned = is_zoned(to),
            from = from,
            to = to,
            over_a_change = over_a_change,
            plain = self.of(from.clone(), to.clone()),
        )
    }
}

/// Builds the first moment, in the named zone of the second if it has none.
fn in_zone(moment: &Expression, zoned: &Expression) -> Expression {
    cypher!(
        "CASE WHEN NOT ($is_zoned AND toString($zoned) CONTAINS '[') THEN $moment \
         WHEN $is_date THEN datetime({date: $moment, timezone: $zoned.timezone}) \
         WHEN $is_local THEN datetime({datetime: $moment, timezone: $zoned.timezone}) ELSE $moment END",
        is_zoned = is_zoned(zoned),
        zoned = zoned,
        moment = moment,
        is_date = is(moment, &["DATE"]),
        is_local = is(moment, &["LOCAL DATETIME"]),
    )
}

/// Builds the second moment in the zone of the first.
fn moved(from: &Expression, to: &Expression) -> Expression {
    cypher!(
        "CASE WHEN $from_zoned AND $to_zoned AND $from.offset <> $to.offset \
         THEN datetime({datetime: $to, timezone: $from.timezone}) ELSE $in_zone END",
        from_zoned = is_zoned(from),
        to_zoned = is_zoned(to),
        from = from,
        to = to,
        in_zone = in_zone(to, from),
    )
}

/// Computes the time that passes between two instants.
fn exact(from: &Expression, to: &Expression) -> Expression {
    cypher!(
        "duration({seconds: $to.epochSeconds - $from.epochSeconds, nanoseconds: $to.nanosecond - $from.nanosecond})",
        from = from,
        to = to,
    )
}

/// Computes the time between two times of day. A date counts as its midnight. Offsets count if both
/// have one.
fn by_clock(from: &Expression, to: &Expression) -> Expression {
    let seconds = |value: &Expression| {
        cypher!(
            "CASE WHEN $is_date THEN 0 ELSE $value.hour * 3600 + $value.minute * 60 + $value.second END",
            is_date = is(value, &["DATE"]),
            value = value,
        )
    };
    let nanoseconds = |value: &Expression| {
        let is_date = is(value, &["DATE"]);
        cypher!("CASE WHEN $is_date THEN 0 ELSE $value.nanosecond END", is_date = is_date, value = value)
    };
    let has_offset = |value: &Expression| is(value, &["ZONED TIME", "ZONED DATETIME"]);
    cypher!(
        "duration({seconds: $to_seconds - $from_seconds \
         + CASE WHEN $from_offset AND $to_offset THEN $from.offsetSeconds - $to.offsetSeconds ELSE 0 END, \
         nanoseconds: $to_nanoseconds - $from_nanoseconds})",
        to_seconds = seconds(to),
        from_seconds = seconds(from),
        from_offset = has_offset(from),
        to_offset = has_offset(to),
        from = from,
        to = to,
        to_nanoseconds = nanoseconds(to),
        from_nanoseconds = nanoseconds(from),
    )
}

fn is_time(value: &Expression) -> Expression {
    is(value, &["LOCAL TIME", "ZONED TIME"])
}

fn is_dated(value: &Expression) -> Expression {
    is(value, &["DATE", "LOCAL DATETIME", "ZONED DATETIME"])
}

fn is_temporal(value: &Expression) -> Expression {
    is(value, &["LOCAL TIME", "ZONED TIME", "DATE", "LOCAL DATETIME", "ZONED DATETIME"])
}

fn is_zoned(value: &Expression) -> Expression {
    is(value, &["ZONED DATETIME"])
}
