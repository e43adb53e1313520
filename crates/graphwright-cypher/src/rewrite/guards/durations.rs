//! `duration.between` and its like, of moments that the engine does not take, or counts between by what their clocks show.

use super::{fails, refuses};

/// A function over two moments that may be of any temporal type.
pub(super) struct Between<'a> {
    /// As it is written, as `duration.inDays`.
    pub(super) function: &'a str,
    /// Variables that the text may bind.
    pub(super) fresh: [&'a str; 2],
}

impl Between<'_> {
    /// A time of day takes date and zone of the other moment, and a local moment its zone (`TemporalValue.until` of
    /// Neo4j). Of two zoned moments the second is moved into the zone of the first.
    pub(super) fn text(&self, from: &str, to: &str) -> String {
        let [first, second] = self.fresh;
        format!(
            "CASE WHEN {} OR {} THEN {} ELSE head([{first} IN [{}] | head([{second} IN [{}] | {}])]) END",
            is_time(from),
            is_time(to),
            self.times(from, to),
            in_zone(from, to),
            moved(from, to),
            self.moments(first, second),
        )
    }

    fn is(&self, name: &str) -> bool {
        self.function.eq_ignore_ascii_case(name)
    }

    fn counts_dates(&self) -> bool {
        self.is("duration.inMonths") || self.is("duration.inDays")
    }

    /// Of which at least one is a time of day.
    fn times(&self, from: &str, to: &str) -> String {
        let otherwise =
            |message| format!("WHEN {from} IS NULL OR {to} IS NULL THEN null ELSE {} END", fails(message));
        if self.counts_dates() {
            return format!(
                "CASE WHEN {} OR {} THEN duration({{seconds: 0}}) {}",
                is_dated(from),
                is_dated(to),
                otherwise("months and days are counted between dates"),
            );
        }
        let is_local = |value: &str| is(value, &["LOCAL TIME"]);
        let at = |time: &str, zoned: &str| {
            format!("datetime({{date: date({zoned}), time: {time}, timezone: ({zoned}).timezone}})")
        };
        format!(
            "CASE WHEN {} AND {} THEN {} WHEN {} AND {} THEN {} WHEN {} AND {} THEN {} {}",
            is_zoned(from),
            is_local(to),
            exact(from, &at(to, from)),
            is_local(from),
            is_zoned(to),
            exact(&at(from, to), to),
            is_temporal(from),
            is_temporal(to),
            by_clock(from, to),
            otherwise("a duration lies between temporal values"),
        )
    }

    /// Which both have a date.
    fn moments(&self, from: &str, to: &str) -> String {
        let local = format!("localdatetime({from}), localdatetime({to})");
        let over_a_change = if self.is("duration.inSeconds") {
            exact(from, to)
        } else if self.counts_dates() {
            format!("{}({local})", self.function)
        } else {
            format!(
                "CASE WHEN duration.inDays({local}).days = 0 THEN {} ELSE {} END",
                exact(from, to),
                refuses("a duration of days over a change of the clocks"),
            )
        };
        format!(
            "CASE WHEN {} AND {} AND {from}.offset <> {to}.offset THEN {over_a_change} ELSE {}({from}, {to}) END",
            is_zoned(from),
            is_zoned(to),
            self.function,
        )
    }
}

/// The first moment, in the named zone of the second if it has none.
fn in_zone(moment: &str, zoned: &str) -> String {
    format!(
        "CASE WHEN {} THEN {moment} WHEN {} THEN datetime({{date: {moment}, timezone: ({zoned}).timezone}}) \
         WHEN {} THEN datetime({{datetime: {moment}, timezone: ({zoned}).timezone}}) ELSE {moment} END",
        format_args!("NOT ({} AND toString({zoned}) CONTAINS '[')", is_zoned(zoned)),
        is(moment, &["DATE"]),
        is(moment, &["LOCAL DATETIME"]),
    )
}

/// The second moment in the zone of the first.
fn moved(from: &str, to: &str) -> String {
    format!(
        "CASE WHEN {} AND {} AND ({from}).offset <> ({to}).offset \
         THEN datetime({{datetime: {to}, timezone: ({from}).timezone}}) ELSE {} END",
        is_zoned(from),
        is_zoned(to),
        in_zone(to, from),
    )
}

/// The time that passes between two instants.
fn exact(from: &str, to: &str) -> String {
    format!(
        "duration({{seconds: ({to}).epochSeconds - ({from}).epochSeconds, nanoseconds: ({to}).nanosecond - ({from}).nanosecond}})"
    )
}

/// The time between two times of day; a date is its midnight. Offsets count if both have one.
fn by_clock(from: &str, to: &str) -> String {
    let of = |value: &str, parts: &str| {
        let parts = parts.replace('_', &format!("({value})"));
        format!("CASE WHEN {} THEN 0 ELSE {parts} END", is(value, &["DATE"]))
    };
    let seconds = |value: &str| of(value, "_.hour * 3600 + _.minute * 60 + _.second");
    let nanoseconds = |value: &str| of(value, "_.nanosecond");
    let has_offset = |value: &str| is(value, &["ZONED TIME", "ZONED DATETIME"]);
    format!(
        "duration({{seconds: {} - {} + CASE WHEN {} AND {} THEN ({from}).offsetSeconds - ({to}).offsetSeconds ELSE 0 END, \
         nanoseconds: {} - {}}})",
        seconds(to),
        seconds(from),
        has_offset(from),
        has_offset(to),
        nanoseconds(to),
        nanoseconds(from),
    )
}

fn is_time(value: &str) -> String {
    is(value, &["LOCAL TIME", "ZONED TIME"])
}

fn is_dated(value: &str) -> String {
    is(value, &["DATE", "LOCAL DATETIME", "ZONED DATETIME"])
}

fn is_temporal(value: &str) -> String {
    is(value, &["LOCAL TIME", "ZONED TIME", "DATE", "LOCAL DATETIME", "ZONED DATETIME"])
}

pub(super) fn is_zoned(value: &str) -> String {
    is(value, &["ZONED DATETIME"])
}

/// Whether a value is of one of the types.
pub(super) fn is(value: &str, types: &[&str]) -> String {
    let tests: Vec<_> = types.iter().map(|kind| format!("{value} IS :: {kind} NOT NULL")).collect();
    if tests.len() == 1 { tests.concat() } else { format!("({})", tests.join(" OR ")) }
}
