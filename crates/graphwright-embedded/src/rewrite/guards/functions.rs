//! Guards functions whose arguments the engine reads more freely than Cypher, or that it answers
//! otherwise.

use graphwright_cypher::syntax::{
    is_function,
    tree::{CallForm, Expression, ExpressionKind, FunctionCall, Name},
};

use super::{
    Guard, Kind, Kinds, Scope,
    checks::{fails, is, number, refuses},
    cypher,
};
use crate::rewrite::{kinds::called, reserved::VECTOR_MARK};

/// Functions of a string.
const OF_TEXT: [&str; 15] = [
    "char_length",
    "character_length",
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
    "abs", "ceil", "floor", "isnan", "sign", "sqrt", "log", "log10", "exp", "sin", "cos", "tan", "cot",
    "asin", "acos", "atan", "degrees", "radians", "haversin",
];

impl Guard<'_, '_> {
    pub(super) fn call(&mut self, expression: &mut Expression, scope: &Scope) -> Kinds {
        let span = expression.span;
        let ExpressionKind::Call(call) = &mut expression.kind else { return Kinds::default() };
        let name = call.lower_name();
        if !name.contains('_') && !is_function(&name) {
            self.fault(&format!("there is no function {name}()"), span);
        }
        let mut kinds = Vec::with_capacity(call.arguments.len());
        for (place, argument) in call.arguments.iter_mut().enumerate() {
            let known = self.expression(argument, scope);
            let fits = matches!(known.own, Kind::Integer | Kind::Unknown | Kind::Ours | Kind::Null);
            if name == "range" && place > 0 && !fits {
                self.wrong("range() wants integers", argument);
            }
            kinds.push(known);
        }
        let known = called(&name, &kinds);
        if call.form == CallForm::Plain && !kinds.is_empty() {
            let of: Vec<_> = kinds.iter().map(|kinds| kinds.own).collect();
            let guarded = match self.temporal(&name, call, &of) {
                Some(guarded) => Some(guarded),
                None => self.guarded(&name, call, &of, span),
            };
            if let Some(guarded) = guarded {
                expression.kind = guarded.kind;
            }
        }
        known
    }

    fn guarded(
        &mut self,
        name: &str,
        call: &mut FunctionCall,
        kinds: &[Kind],
        span: graphwright_core::Span,
    ) -> Option<Expression> {
        let kind = kinds.first().copied().unwrap_or_default();
        match name {
            "sum" | "avg" | "min" | "max" | "collect" | "count" | "stdev" | "stdevp" | "percentilecont"
            | "percentiledisc" => self.aggregate(name, call, kind),
            "round" if !matches!(kinds, [Kind::Integer | Kind::Null]) => self.rounded(call),
            "atan2" => self.angle(call, kinds),
            "point" => Some(self.on_earth(call)),
            "vector.similarity.cosine" | "vector.similarity.euclidean" => self.similarity(call),
            "split" if let Some(split) = self.split(call, kinds) => Some(split),
            _ if let Some(converted) = self.converted(name, call, kind) => Some(converted),
            _ if OF_TEXT.contains(&name) => {
                self.text_arguments(name, call, kinds);
                self.of_text(name, call, kind)
            }
            _ if OF_NUMBER.contains(&name) => self.of_number(name, call, kind),
            _ if matches!(kind, Kind::Null | Kind::Ours) => None,
            _ => {
                if let Some(wants) = wanted(name, kind) {
                    self.fault(&format!("{name}() wants {wants}"), span);
                    return None;
                }
                self.of_value(name, call, kind)
            }
        }
    }

    /// Builds `body` over the first argument, and the call with it.
    fn over(
        &mut self,
        call: &mut FunctionCall,
        body: impl FnOnce(&Expression, Expression) -> Expression,
    ) -> Expression {
        let value = call.arguments.first_mut().map(std::mem::take).unwrap_or_default();
        self.bind([value], |[value]| {
            let mut call = call.clone();
            if let Some(first) = call.arguments.first_mut() {
                first.clone_from(value);
            }
            body(value, Expression::new(ExpressionKind::Call(Box::new(call))))
        })
    }

    fn of_text(&mut self, name: &str, call: &mut FunctionCall, kind: Kind) -> Option<Expression> {
        if matches!(kind, Kind::Text | Kind::Null | Kind::Ours) {
            return None;
        }
        let fail = fails(&format!("{name}() wants a string"));
        Some(self.over(call, |value, call| {
            cypher!(
                "CASE WHEN $value IS :: STRING THEN $call ELSE $fail END",
                value = value,
                call = call,
                fail = fail
            )
        }))
    }

    fn of_number(&mut self, name: &str, call: &mut FunctionCall, kind: Kind) -> Option<Expression> {
        let known = kind.is_number() || kind == Kind::Null;
        if known && !["sqrt", "log", "log10"].contains(&name) {
            return None;
        }
        let fail = fails(&format!("{name}() wants a number"));
        Some(self.over(call, |value, call| {
            let result = match name {
                "sqrt" => {
                    cypher!("CASE WHEN $value < 0 THEN NaN ELSE coalesce($call, $value + 0.0) END", value = value, call = call)
                }
                "log" | "log10" => cypher!(
                    "CASE WHEN $value < 0 THEN NaN WHEN $value = 0 THEN -INF ELSE coalesce($call, $value + 0.0) END",
                    value = value,
                    call = call
                ),
                _ => call,
            };
            if known {
                return result;
            }
            cypher!(
                "CASE WHEN $number THEN $result ELSE $fail END",
                number = number(value),
                result = result,
                fail = fail
            )
        }))
    }

    /// Guards `atan2(y, x)`.
    fn angle(&mut self, call: &mut FunctionCall, kinds: &[Kind]) -> Option<Expression> {
        if kinds.iter().all(|kind| kind.is_number()) {
            return None;
        }
        let [y, x] = call.arguments.as_mut_slice() else { return None };
        let values = [std::mem::take(y), std::mem::take(x)];
        Some(self.bind(values, |[y, x]| {
            cypher!(
                "CASE WHEN $y IS NULL OR $x IS NULL THEN null WHEN ($is_y) AND ($is_x) THEN atan2($y, $x) ELSE $fail END",
                y = y,
                x = x,
                is_y = number(y),
                is_x = number(x),
                fail = fails("atan2() wants numbers"),
            )
        }))
    }

    /// Guards `point({latitude: …, longitude: …})`. The engine takes places that are not on Earth.
    fn on_earth(&mut self, call: &FunctionCall) -> Expression {
        let point = Expression::new(ExpressionKind::Call(Box::new(call.clone())));
        self.bind([point], |[point]| {
            cypher!(
                "CASE WHEN abs($point.latitude) > 90 THEN $fail \
                 WHEN $point.longitude > 180 THEN point({latitude: $point.latitude, \
                 longitude: $point.longitude - 360 * ceil(($point.longitude - 180) / 360)}) \
                 WHEN $point.longitude < -180 THEN point({latitude: $point.latitude, \
                 longitude: $point.longitude + 360 * ceil((-180 - $point.longitude) / 360)}) ELSE $point END",
                point = point,
                fail = fails("a latitude lies between -90 and 90"),
            )
        })
    }

    /// Guards functions of how alike two vectors are. The vectors must have equally many
    /// components.
    fn similarity(&mut self, call: &mut FunctionCall) -> Option<Expression> {
        let name = call.name.clone();
        let [left, right] = call.arguments.as_mut_slice() else { return None };
        let values = [std::mem::take(left), std::mem::take(right)];
        Some(self.bind(values, |[left, right]| {
            let call = FunctionCall {
                name,
                distinct: false,
                arguments: vec![left.clone(), right.clone()],
                form: CallForm::Plain,
            };
            cypher!(
                "CASE WHEN $left IS NULL OR $right IS NULL THEN null WHEN size($left) = size($right) AND size($left) > 0 \
                 THEN coalesce($call, $fail) ELSE $fail END",
                left = left,
                right = right,
                call = Expression::new(ExpressionKind::Call(Box::new(call))),
                fail = fails("two vectors of numbers with as many components are wanted"),
            )
        }))
    }

    /// Guards functions of values of several types.
    fn of_value(&mut self, name: &str, call: &mut FunctionCall, kind: Kind) -> Option<Expression> {
        let fail = |wants: &str| fails(&format!("{name}() wants {wants}"));
        let element = matches!(kind, Kind::Node | Kind::Relationship);
        match name {
            "head" | "last" | "tail" | "reverse" if kind == Kind::List => None,
            "head" | "last" | "tail" => Some(self.over(call, |value, call| {
                let text = is(value, &["STRING"]);
                cypher!(
                    "CASE WHEN $text THEN $fail ELSE $call END",
                    text = text,
                    fail = fail("a list"),
                    call = call
                )
            })),
            "reverse" => Some(self.over(call, |value, call| {
                cypher!(
                    "CASE WHEN $value IS :: STRING AND $value STARTS WITH '[' THEN $refusal \
                     WHEN $value IS :: STRING OR $value IS :: LIST<ANY> THEN $call ELSE $fail END",
                    value = value,
                    refusal = refuses("reverse() of a string in brackets"),
                    call = call,
                    fail = fail("a string or a list"),
                )
            })),
            "length" | "nodes" | "relationships" if kind == Kind::Unknown => {
                Some(self.only(call, &["PATH"], &fail("a path")))
            }
            "type" | "startnode" | "endnode" if kind == Kind::Unknown => {
                Some(self.only(call, &["RELATIONSHIP"], &fail("a relationship")))
            }
            "size" if kind == Kind::Unknown => Some(self.over(call, |value, call| {
                cypher!(
                    "CASE WHEN $value IS :: MAP NOT NULL THEN $fail ELSE $call END",
                    value = value,
                    fail = fail("a list or a string"),
                    call = call,
                )
            })),
            "valuetype" if matches!(kind, Kind::List | Kind::Unknown) => Some(self.over(call, |value, call| {
                cypher!(
                    "CASE WHEN $value IS :: LIST<ANY> AND $call CONTAINS '|' THEN $refusal ELSE $call END",
                    value = value,
                    call = call,
                    refusal = refuses("valueType() of a list of several types"),
                )
            })),
            "datetime" | "localdatetime" if matches!(kind, Kind::Date | Kind::Unknown) => {
                Some(self.over(call, |value, call| {
                    cypher!(
                        "CASE WHEN $value IS :: DATE NOT NULL THEN $fail ELSE $call END",
                        value = value,
                        fail = fails("a date has no time: write {date: …}"),
                        call = call,
                    )
                }))
            }
            "duration" if matches!(kind, Kind::Duration | Kind::Unknown) => {
                Some(self.over(call, |value, call| {
                    cypher!(
                        "CASE WHEN $value IS :: DURATION NOT NULL THEN $fail ELSE $call END",
                        value = value,
                        fail = fail("a string or a map"),
                        call = call,
                    )
                }))
            }
            "datetime.fromepoch" | "datetime.fromepochmillis" if kind != Kind::Integer => {
                Some(self.over(call, |value, call| {
                    cypher!(
                        "CASE WHEN $value IS :: INTEGER NOT NULL THEN $call ELSE $fail END",
                        value = value,
                        call = call,
                        fail = fail("an integer"),
                    )
                }))
            }
            "labels" if kind != Kind::Node => Some(self.only(call, &["NODE"], &fail("a node"))),
            "properties" if self.hides && kind != Kind::Map && kind != Kind::Relationship => {
                Some(self.over(call, |value, call| {
                    cypher!(
                        "CASE WHEN $value IS :: NODE NOT NULL AND any(_gw_i IN keys($value) \
                         WHERE _gw_i STARTS WITH $mark) THEN $refusal \
                         WHEN $value IS :: NODE OR $value IS :: RELATIONSHIP OR $value IS :: MAP \
                         THEN $call ELSE $fail END",
                        value = value,
                        mark = VECTOR_MARK,
                        refusal = refuses("properties() within a query, of a node with a vector"),
                        call = call,
                        fail = fail("a node, a relationship or a map"),
                    )
                }))
            }
            "keys" | "properties" if !element && kind != Kind::Map => Some(self.only(
                call,
                &["NODE", "RELATIONSHIP", "MAP"],
                &fail("a node, a relationship or a map"),
            )),
            _ => None,
        }
    }

    /// Builds a call that takes only values of these types (or null).
    fn only(&mut self, call: &mut FunctionCall, types: &[&'static str], fail: &Expression) -> Expression {
        self.over(call, |value, call| {
            let fits = super::checks::is_or_null(value, types);
            cypher!("CASE WHEN $fits THEN $call ELSE $fail END", fits = fits, call = call, fail = fail)
        })
    }

    fn aggregate(&mut self, name: &str, call: &mut FunctionCall, kind: Kind) -> Option<Expression> {
        let unknown = kind == Kind::Unknown;
        let distinct = call.distinct;
        match name {
            "stdev" | "stdevp" | "percentilecont" | "percentiledisc" if kind.is_number() => return None,
            "sum" | "avg" if kind.is_number() && !distinct => return None,
            "min" | "max" if !unknown && kind != Kind::Duration => return None,
            "sum" if distinct => {
                let value = call.arguments.first_mut().map(std::mem::take).unwrap_or_default();
                let summed = self.bind([value], |[value]| summed(name, value));
                *call = FunctionCall { arguments: vec![summed], ..call.clone() };
                call.name = vec![Name::new("collect")];
                let values = Expression::new(ExpressionKind::Call(Box::new(call.clone())));
                let list = self.aggregate("collect", call, kind).unwrap_or(values);
                let (item, total) = (self.context.fresh(), self.context.fresh());
                return Some(cypher!(
                    "reduce(total = 0, item IN $list | total + item)",
                    total = &total,
                    item = &item,
                    list = list
                ));
            }
            "collect" if distinct && unknown => {
                let value = call.arguments.first_mut().map(std::mem::take).unwrap_or_default();
                let (list, item, place) = (self.context.fresh(), self.context.fresh(), self.context.fresh());
                return Some(cypher!(
                    "head([list IN [collect(DISTINCT $value)] | CASE \
                     WHEN any(item IN $list WHERE item IS :: INTEGER NOT NULL) \
                     AND any(item IN $list WHERE item IS :: FLOAT NOT NULL) THEN \
                     [place IN range(0, size($list) - 1) WHERE NOT $list[place] IN $list[0..place] \
                     | $list[place]] ELSE $list END])",
                    list = &list,
                    value = value,
                    item = &item,
                    place = &place,
                ));
            }
            "count" if !(distinct && unknown) => return None,
            "collect" => return None,
            _ => {}
        }
        let mut value = call.arguments.first_mut().map(std::mem::take).unwrap_or_default();
        if distinct && matches!(name, "sum" | "avg") {
            value = self.bind([value], |[value]| one_number(value));
        }
        let argument = self.bind([value], |[value]| match name {
            "sum" | "avg" => summed(name, value),
            "count" => one_number(value),
            "stdev" | "stdevp" | "percentilecont" | "percentiledisc" => cypher!(
                "CASE WHEN $number THEN $value ELSE $fail END",
                number = number(value),
                value = value,
                fail = fails(&format!("{name}() wants numbers")),
            ),
            _ => cypher!(
                "CASE WHEN $value IS :: DURATION NOT NULL THEN $refusal ELSE $value END",
                value = value,
                refusal = refuses(&format!("{name}() of durations")),
            ),
        });
        let mut call = call.clone();
        if let Some(first) = call.arguments.first_mut() {
            *first = argument;
        }
        Some(Expression::new(ExpressionKind::Call(Box::new(call))))
    }
}

/// Guards a value that is added up.
fn summed(name: &str, value: &Expression) -> Expression {
    cypher!(
        "CASE WHEN $number THEN $value WHEN $value IS :: DURATION THEN $refusal ELSE $fail END",
        number = number(value),
        value = value,
        refusal = refuses(&format!("{name}() of durations")),
        fail = fails(&format!("{name}() wants numbers")),
    )
}

/// Builds one form for numbers that are equal, because the engine keeps `1` and `1.0` apart.
pub(super) fn one_number(value: &Expression) -> Expression {
    cypher!(
        "CASE WHEN $value IS :: FLOAT NOT NULL AND $value = toInteger($value) THEN toInteger($value) ELSE $value END",
        value = value,
    )
}

/// Returns what a function wants instead of a kind that it never takes.
fn wanted(name: &str, kind: Kind) -> Option<&'static str> {
    let unknown = kind == Kind::Unknown;
    let scalar = kind.is_number() || matches!(kind, Kind::Boolean | Kind::Text | Kind::List);
    match name {
        "size" if matches!(kind, Kind::Node | Kind::Relationship | Kind::Map | Kind::Path) => {
            Some("a list or a string")
        }
        "length" | "nodes" | "relationships" if !unknown && !matches!(kind, Kind::Path | Kind::List) => {
            Some("a path")
        }
        "startnode" | "endnode" if !unknown && !matches!(kind, Kind::Relationship | Kind::Deleted) => {
            Some("a relationship")
        }
        "labels" | "keys" | "properties" if kind == Kind::Deleted => Some("what was not deleted"),
        "type" if !unknown && !matches!(kind, Kind::Relationship | Kind::Deleted) => Some("a relationship"),
        "labels" if !unknown && kind != Kind::Node => Some("a node"),
        "keys" | "properties" if scalar || kind == Kind::Path => Some("a node, a relationship or a map"),
        "range" if !unknown && kind != Kind::Integer => Some("integers"),
        _ => None,
    }
}
