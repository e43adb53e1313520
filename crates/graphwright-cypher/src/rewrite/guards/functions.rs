//! Functions whose arguments the engine reads more freely than Cypher, or answers otherwise.

use super::{Expression, Guard, Kind, Operand, Scope, fails, number, refuses};
use crate::rewrite::reserved::VECTOR_MARK;

/// Functions of a string.
const OF_TEXT: [&str; 13] = [
    "toupper",
    "tolower",
    "upper",
    "lower",
    "trim",
    "ltrim",
    "rtrim",
    "btrim",
    "split",
    "replace",
    "substring",
    "left",
    "right",
];

/// Functions of a number.
const OF_NUMBER: [&str; 19] = [
    "abs", "ceil", "floor", "round", "sign", "sqrt", "log", "log10", "exp", "sin", "cos", "tan", "cot",
    "asin", "acos", "atan", "degrees", "radians", "haversin",
];

impl<'b> Guard<'_, 'b> {
    pub(super) fn call(
        &mut self,
        expression: &Expression,
        name: &str,
        arguments: &[Expression],
        scope: &Scope<'b>,
    ) -> String {
        if !name.contains(['_', '`']) && !crate::gate::is_function(name) {
            return self.wrong(&format!("there is no function {name}()"), expression);
        }
        let Some(first) = arguments.first() else { return self.spliced(expression, scope, &[]) };
        let operand = self.operand(first, scope);
        let rest: Vec<String> = arguments.iter().skip(1).map(|argument| self.text(argument, scope)).collect();
        let distinct = self.source.is_word(first.tokens.start - 1, "DISTINCT");
        if name == "range" {
            for argument in arguments.iter().skip(1) {
                let kind = super::kind(self.source, argument, scope, self.parameters);
                if !matches!(kind, Kind::Integer | Kind::Unknown | Kind::Ours | Kind::Null) {
                    self.wrong("range() wants integers", argument);
                }
            }
        }
        if let Some(text) = self.temporal(expression, name, arguments, scope) {
            return text;
        }
        let guarded = match name {
            "sum" | "avg" | "min" | "max" | "collect" | "count" => self.aggregate(name, &operand, distinct),
            _ if OF_TEXT.contains(&name) => self.of_text(name, &operand, &rest),
            _ if OF_NUMBER.contains(&name) => self.of_number(name, &operand, &rest),
            _ => self.of_value(name, &operand),
        };
        guarded.unwrap_or_else(|| {
            let texts: Vec<String> = std::iter::once(operand.text).chain(rest).collect();
            self.spliced(expression, scope, &texts)
        })
    }

    fn of_text(&mut self, name: &str, operand: &Operand<'_>, rest: &[String]) -> Option<String> {
        if matches!(operand.kind, Kind::Text | Kind::Null | Kind::Ours) {
            return None;
        }
        let rest: String = rest.iter().map(|argument| format!(", {argument}")).collect();
        Some(self.bind([operand], |[value]| {
            let fail = fails(&format!("{name}() wants a string"));
            format!("CASE WHEN {value} IS :: STRING THEN {name}({value}{rest}) ELSE {fail} END")
        }))
    }

    fn of_number(&mut self, name: &str, operand: &Operand<'_>, rest: &[String]) -> Option<String> {
        let known = operand.kind.is_number() || operand.kind == Kind::Null;
        let rest: String = rest.iter().map(|argument| format!(", {argument}")).collect();
        let plain = !["round", "sqrt", "log", "log10"].contains(&name) || name == "round" && !rest.is_empty();
        if name == "round" && rest.matches(',').count() > 1 {
            return Some(refuses("round() with a mode"));
        }
        if known && plain {
            return None;
        }
        Some(self.bind([operand], |[value]| {
            let call = format!("{name}({value}{rest})");
            let result = match name {
                // Halves go up; the engine moves them away from zero.
                "round" if rest.is_empty() => {
                    format!("CASE WHEN {value} < 0 THEN floor({value} + 0.5) ELSE {call} END")
                }
                "sqrt" => format!("CASE WHEN {value} < 0 THEN 0.0 * 1e999 ELSE {call} END"),
                "log" | "log10" => format!(
                    "CASE WHEN {value} < 0 THEN 0.0 * 1e999 WHEN {value} = 0 THEN -1e999 ELSE {call} END"
                ),
                _ => call,
            };
            if known {
                return result;
            }
            format!(
                "CASE WHEN {} THEN {result} ELSE {} END",
                number(value),
                fails(&format!("{name}() wants a number"))
            )
        }))
    }

    /// Functions of values of several types.
    fn of_value(&mut self, name: &str, operand: &Operand<'_>) -> Option<String> {
        let fail = |wants: &str| fails(&format!("{name}() wants {wants}"));
        let kind = operand.kind;
        if matches!(kind, Kind::Null | Kind::Ours) {
            return None;
        }
        if let Some(wants) = wanted(name, kind) {
            return Some(self.wrong(&format!("{name}() wants {wants}"), operand.expression));
        }
        let element = matches!(kind, Kind::Node | Kind::Relationship);
        match name {
            "head" | "last" | "tail" | "reverse" if kind == Kind::List => None,
            "head" | "last" | "tail" => Some(self.bind([operand], |[value]| {
                format!(
                    "CASE WHEN {value} IS :: STRING NOT NULL THEN {} ELSE {name}({value}) END",
                    fail("a list")
                )
            })),
            "reverse" => Some(self.bind([operand], |[value]| {
                format!(
                    "CASE WHEN {value} IS :: STRING AND {value} STARTS WITH '[' THEN {} \
                     WHEN {value} IS :: STRING OR {value} IS :: LIST<ANY> THEN reverse({value}) ELSE {} END",
                    refuses("reverse() of a string in brackets"),
                    fail("a string or a list"),
                )
            })),
            "tostring" if !matches!(kind, Kind::Text | Kind::Integer | Kind::Boolean | Kind::Date) => {
                Some(self.bind([operand], |[value]| {
                    let bad = ["LIST<ANY>", "MAP", "NODE", "RELATIONSHIP", "PATH"]
                        .map(|kind| format!("{value} IS :: {kind} NOT NULL"))
                        .join(" OR ");
                    let text = super::arithmetic::readable(value);
                    let fail = fail("a simple value");
                    let (is_moment, moment) = super::temporal::moment_text(value);
                    format!(
                        "CASE WHEN {bad} THEN {fail} WHEN {is_moment} THEN {moment} ELSE toString({text}) END"
                    )
                }))
            }
            "tointeger" | "tofloat" if kind != Kind::Text && !kind.is_number() => {
                Some(self.bind([operand], |[value]| {
                    let boolean = if name == "tointeger" {
                        format!(" OR {value} IS :: BOOLEAN")
                    } else {
                        String::new()
                    };
                    format!(
                        "CASE WHEN {} OR {value} IS :: STRING{boolean} THEN {name}({value}) ELSE {} END",
                        number(value),
                        fail("a number or a string"),
                    )
                }))
            }
            "length" if kind != Kind::Path => Some(self.bind([operand], |[value]| {
                format!("CASE WHEN {value} IS :: PATH THEN length({value}) ELSE {} END", fail("a path"))
            })),
            "type" if kind == Kind::Unknown => Some(self.bind([operand], |[value]| {
                format!(
                    "CASE WHEN {value} IS :: RELATIONSHIP THEN type({value}) ELSE {} END",
                    fail("a relationship")
                )
            })),
            "labels" if kind != Kind::Node => Some(self.bind([operand], |[value]| {
                format!("CASE WHEN {value} IS :: NODE THEN labels({value}) ELSE {} END", fail("a node"))
            })),
            "properties" if self.hides && kind != Kind::Map && kind != Kind::Relationship => {
                Some(self.bind([operand], |[value]| {
                    let refusal = refuses("properties() within a query, of a node with a vector");
                    format!(
                        "CASE WHEN {value} IS :: NODE NOT NULL AND any(_gw_i IN keys({value}) \
                         WHERE _gw_i STARTS WITH '{VECTOR_MARK}') THEN {refusal} \
                         WHEN {value} IS :: NODE OR {value} IS :: RELATIONSHIP OR {value} IS :: MAP \
                         THEN properties({value}) ELSE {} END",
                        fail("a node, a relationship or a map"),
                    )
                }))
            }
            "keys" | "properties" if !element && kind != Kind::Map => {
                Some(self.bind([operand], |[value]| {
                    format!(
                        "CASE WHEN {value} IS :: NODE OR {value} IS :: RELATIONSHIP OR {value} IS :: MAP \
                     THEN {name}({value}) ELSE {} END",
                        fail("a node, a relationship or a map"),
                    )
                }))
            }
            _ => None,
        }
    }

    fn aggregate(&mut self, name: &str, operand: &Operand<'_>, distinct: bool) -> Option<String> {
        let value = &operand.text;
        let unknown = operand.kind == Kind::Unknown;
        match name {
            "sum" | "avg" if operand.kind.is_number() && !distinct => None,
            "min" | "max" if !unknown && operand.kind != Kind::Duration => None,
            "sum" if distinct => {
                let item = self.fresh();
                let list = self
                    .aggregate("collect", operand, true)
                    .unwrap_or_else(|| format!("collect(DISTINCT {value})"));
                let total = self.fresh();
                Some(format!("reduce({total} = 0, {item} IN {list} | {total} + {item})"))
            }
            "sum" | "avg" => {
                let value = if distinct { one_number(value) } else { value.clone() };
                let argument = Operand { expression: operand.expression, text: value, kind: operand.kind };
                let argument = self.bind([&argument], |[value]| {
                    format!(
                        "CASE WHEN {} THEN {value} WHEN {value} IS :: DURATION THEN {} ELSE {} END",
                        number(value),
                        refuses(&format!("{name}() of durations")),
                        fails(&format!("{name}() wants numbers")),
                    )
                });
                Some(format!("{name}({}{argument})", if distinct { "DISTINCT " } else { "" }))
            }
            "min" | "max" => {
                let argument = self.bind([operand], |[value]| {
                    let refusal = refuses(&format!("{name}() of durations"));
                    format!("CASE WHEN {value} IS :: DURATION NOT NULL THEN {refusal} ELSE {value} END")
                });
                Some(format!("{name}({argument})"))
            }
            "count" if distinct && unknown => {
                let argument = self.bind([operand], |[value]| one_number(value));
                Some(format!("count(DISTINCT {argument})"))
            }
            "collect" if distinct && unknown => {
                let (list, item, place) = (self.fresh(), self.fresh(), self.fresh());
                let has = |kind: &str| format!("any({item} IN {list} WHERE {item} IS :: {kind} NOT NULL)");
                Some(format!(
                    "head([{list} IN [collect(DISTINCT {value})] | CASE WHEN {} AND {} THEN \
                     [{place} IN range(0, size({list}) - 1) WHERE NOT {list}[{place}] IN {list}[0..{place}] \
                     | {list}[{place}]] ELSE {list} END])",
                    has("INTEGER"),
                    has("FLOAT"),
                ))
            }
            _ => None,
        }
    }
}

/// One form for numbers that are equal: the engine keeps `1` and `1.0` apart.
pub(super) fn one_number(value: &str) -> String {
    format!(
        "CASE WHEN {value} IS :: FLOAT NOT NULL AND {value} = toInteger({value}) THEN toInteger({value}) ELSE {value} END"
    )
}

/// What a function wants instead of a kind that it never takes.
fn wanted(name: &str, kind: Kind) -> Option<&'static str> {
    let unknown = kind == Kind::Unknown;
    let scalar = kind.is_number() || matches!(kind, Kind::Boolean | Kind::Text | Kind::List);
    match name {
        "size" if matches!(kind, Kind::Node | Kind::Relationship | Kind::Map | Kind::Path) => {
            Some("a list or a string")
        }
        "length" if !unknown && kind != Kind::Path => Some("a path"),
        "labels" | "keys" | "properties" if kind == Kind::Deleted => Some("what was not deleted"),
        "type" if !unknown && !matches!(kind, Kind::Relationship | Kind::Deleted) => Some("a relationship"),
        "labels" if !unknown && kind != Kind::Node => Some("a node"),
        "keys" | "properties" if scalar || kind == Kind::Path => Some("a node, a relationship or a map"),
        "range" if !unknown && kind != Kind::Integer => Some("integers"),
        _ => None,
    }
}
