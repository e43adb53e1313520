//! Guards what a moment is made of or cut from. The engine fills in what Cypher wants to be given.

use graphwright_cypher::syntax::tree::{Expression, ExpressionKind, FunctionCall};

use super::{
    Guard, Kind,
    checks::{fails, is_or_null},
    cypher,
};

const DATED: [&str; 3] = ["DATE", "LOCAL DATETIME", "ZONED DATETIME"];
const TIMED: [&str; 4] = ["LOCAL TIME", "ZONED TIME", "LOCAL DATETIME", "ZONED DATETIME"];
const WHOLE: [&str; 2] = ["LOCAL DATETIME", "ZONED DATETIME"];

/// Units that are smaller than a day.
const OF_A_DAY: [&str; 5] = ["hour", "minute", "second", "millisecond", "microsecond"];

/// Each field with the one that must stand beside it.
const BESIDE: [(&str, &str); 8] = [
    ("day", "month"),
    ("dayofquarter", "quarter"),
    ("dayofweek", "week"),
    ("minute", "hour"),
    ("second", "minute"),
    ("millisecond", "second"),
    ("microsecond", "second"),
    ("nanosecond", "second"),
];

/// The fields that say which day of a year it is.
const DAYS: [&str; 4] = ["day", "dayofquarter", "dayofweek", "ordinalday"];

impl Guard<'_, '_> {
    /// Checks the fields of the map in `date({…})` and the like. Returns `false` if no value of
    /// them would do.
    pub(super) fn is_made(&mut self, name: &str, map: &mut Expression) -> bool {
        let ExpressionKind::Map(entries) = &mut map.kind else { return true };
        let keys: Vec<String> = entries.iter().map(|(key, _)| key.text.to_lowercase()).collect();
        let has = |wanted: &str| keys.iter().any(|key| key == wanted);
        let dated = ["date", "localdatetime", "datetime"].contains(&name);
        if !dated && !["time", "localtime"].contains(&name) || has("epochseconds") || has("epochmillis") {
            return name != "duration" || !keys.is_empty();
        }
        let (has_date, has_time) = (has("date") || has("datetime"), has("time") || has("datetime"));
        let is_of_time = |field: &str| OF_A_DAY.contains(&field) || field == "nanosecond";
        let lacks = BESIDE.iter().any(|(field, beside)| {
            let is_given = if is_of_time(field) { has_time } else { has_date };
            has(field) && !has(beside) && !is_given
        });
        let has_clock = has_time || keys.iter().any(|key| is_of_time(key));
        let is_partial = dated && has_clock && !has_date && !DAYS.iter().any(|day| has(day));
        for (key, value) in entries {
            let types: &[&'static str] = match &*key.text.to_lowercase() {
                "date" => &DATED,
                "time" => &TIMED,
                "datetime" => &WHOLE,
                _ => continue,
            };
            self.selected(value, Kind::Unknown, types);
        }
        !keys.is_empty() && !lacks && !is_partial
    }

    /// Guards a value from which the date, the time or both are taken.
    fn selected(&mut self, value: &mut Expression, kind: Kind, types: &[&'static str]) {
        let fail = || fails("this value has no such date or time");
        match kind.type_name() {
            Some(name) if types.contains(&name) => {}
            Some(_) => *value = fail(),
            None if kind == Kind::Unknown => self.change(value, |value| {
                cypher!(
                    "CASE WHEN $fits THEN $value ELSE $fail END",
                    fits = is_or_null(value, types),
                    value = value,
                    fail = fail(),
                )
            }),
            None => {}
        }
    }

    /// Guards `date.truncate(unit, value)` and the like. The value must have what is cut.
    pub(super) fn cut(&mut self, name: &str, call: &mut FunctionCall, kinds: &[Kind]) -> bool {
        let unit =
            call.arguments.first().and_then(|unit| self.known_text(unit)).map(|unit| unit.to_lowercase());
        let is_small = unit.as_ref().is_some_and(|unit| OF_A_DAY.contains(&unit.as_str()));
        let types: &[&'static str] = match name {
            "time.truncate" | "localtime.truncate" => {
                if unit.is_some_and(|unit| unit != "day" && !is_small) {
                    return false;
                }
                &TIMED
            }
            "date.truncate" => &DATED,
            _ if is_small => &WHOLE,
            _ => &DATED,
        };
        if let (Some(value), Some(kind)) = (call.arguments.get_mut(1), kinds.get(1)) {
            self.selected(value, *kind, types);
        }
        true
    }
}
