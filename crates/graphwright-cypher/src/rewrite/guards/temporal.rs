//! Functions of dates and times.

use super::{Expression, Guard, Kind, Scope, Shape, refuses};

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
            [map] if name == "datetime" => self.datetime(map),
            _ => None,
        }
    }

    /// The engine counts by what the clocks show: right where both are in one offset, or neither is in a zone.
    fn duration(
        &mut self,
        expression: &Expression,
        from: &Expression,
        to: &Expression,
        scope: &Scope<'b>,
    ) -> String {
        let (from, to) = (self.operand(from, scope), self.operand(to, scope));
        if from.kind == Kind::Other || to.kind == Kind::Other {
            return refuses("a duration between times of day");
        }
        let plain = |kind: Kind| matches!(kind, Kind::Date | Kind::LocalDateTime);
        if plain(from.kind) && plain(to.kind) {
            return self.spliced(expression, scope, &[from.text, to.text]);
        }
        let name = self.source.text_of(&(expression.tokens.start..expression.tokens.start + 3)).to_owned();
        self.bind([&from, &to], |[from, to]| {
            let zoned = |value: &str| format!("{value} IS :: ZONED DATETIME NOT NULL");
            let (first, second) = (zoned(from), zoned(to));
            let refusal = refuses("a duration between zoned times of different offsets");
            let named = |value: &str| format!("toString({value}) CONTAINS '['");
            format!(
                "CASE WHEN {first} AND {second} THEN CASE WHEN ({from}).offset = ({to}).offset \
                 THEN {name}({from}, {to}) ELSE {refusal} END \
                 WHEN {first} AND {} OR {second} AND {} THEN {refusal} ELSE {name}({from}, {to}) END",
                named(from),
                named(to),
            )
        })
    }

    fn truncation(
        &mut self,
        expression: &Expression,
        name: &str,
        (unit, value): (&Expression, &Expression),
        rest: &[Expression],
        scope: &Scope<'b>,
    ) -> Option<String> {
        let fields = rest.first().is_some_and(|map| map.shape != Shape::Map(Vec::new()));
        let unit = self.known_text(unit).map(|unit| unit.to_lowercase());
        let fine = unit.is_none_or(|unit| unit == "millisecond" || unit == "microsecond");
        if fields && fine {
            return Some(refuses("truncate() to parts of a second with other fields"));
        }
        if name != "time.truncate" {
            return None;
        }
        let value = self.operand(value, scope);
        let text = self.spliced(expression, scope, &[]);
        Some(self.bind([&value], |[value]| {
            let refusal = refuses("time.truncate() of a zoned date and time");
            format!("CASE WHEN {value} IS :: ZONED DATETIME NOT NULL THEN {refusal} ELSE {text} END")
        }))
    }

    /// `datetime({time: …, timezone: …})` of a named zone does not move the time into the zone.
    fn datetime(&self, map: &Expression) -> Option<String> {
        let Shape::Map(values) = &map.shape else { return None };
        let value =
            |wanted: &str| values.iter().find(|value| self.source.is_word(value.tokens.start - 2, wanted));
        value("time")?;
        let zone = self.known_text(value("timezone")?);
        let offset = zone.is_some_and(|zone| zone.starts_with(['+', '-', 'Z']));
        (!offset).then(|| refuses("datetime() of a time in another named zone"))
    }
}
