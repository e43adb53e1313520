//! `=`, `<`, `IN` and `CASE x WHEN y`.

use super::{Expression, Guard, Kind, Operand, Scope, Shape};

/// Kinds that the engine compares as Cypher does, whatever is on the other side.
fn is_harmless(kind: Kind) -> bool {
    !matches!(kind, Kind::Unknown | Kind::Text | Kind::List | Kind::Map | Kind::Other)
        && kind.mixed().is_none()
}

/// Whether the engine may read a string as a date.
fn is_like_a_date(text: &str) -> bool {
    text.trim_start().starts_with(|first: char| first.is_ascii_digit() || first == '-' || first == '+')
}

impl<'b> Guard<'_, 'b> {
    /// `left = right`; `None` where the engine is right.
    pub(super) fn equal(&mut self, left: &Operand<'_>, right: &Operand<'_>) -> Option<String> {
        if is_harmless(left.kind) || is_harmless(right.kind) {
            return None;
        }
        let known = |one: &Operand<'_>| self.known_text(one.expression);
        match (known(left), known(right)) {
            (Some(left), Some(right)) if !left.starts_with('[') && !right.starts_with('[') => return None,
            (_, Some(text)) => return Some(self.equal_text(left, right, &text)),
            (Some(text), _) => return Some(self.equal_text(right, left, &text)),
            _ => {}
        }
        let mixed = left.kind.mixed().or(right.kind.mixed());
        if let Some(kind) = mixed.filter(|kind| *kind != "ZONED DATETIME") {
            if left.kind == right.kind {
                return None;
            }
            let other = if left.kind.mixed().is_some() { right } else { left };
            let (a, b) = (&left.text, &right.text);
            let test = self.bind([other], |[other]| format!("{other} IS :: {kind}"));
            return Some(format!("({a} = {b} AND {test})"));
        }
        if matches!((left.kind, right.kind), (Kind::List, Kind::Map) | (Kind::Map, Kind::List)) {
            return None;
        }
        Some(self.bind([left, right], same))
    }

    /// `value = 'text'`.
    fn equal_text(&mut self, value: &Operand<'_>, text: &Operand<'_>, known: &str) -> String {
        let written = text.text.clone();
        let is_text = value.kind == Kind::Text || !is_like_a_date(known);
        self.bind([value], |[value]| {
            let kind = if is_text { String::new() } else { format!(" AND {value} IS :: STRING") };
            format!("{value} = {written} AND {value} STARTS WITH {written}{kind}")
        })
    }

    /// `<`, `<=`, `>`, `>=`: texts and other temporal types are not compared with temporal values.
    pub(super) fn order(
        &mut self,
        expression: &Expression,
        left: &Operand<'_>,
        right: &Operand<'_>,
    ) -> Option<String> {
        let source = self.source;
        let between = left.expression.tokens.end..right.expression.tokens.start;
        let operator = between.clone().find(|&index| source.is_any_symbol(index, &["<", "<=", ">", ">="]));
        let operator = source.text(operator.unwrap_or(expression.tokens.start));
        let is_list_given = |one: &Operand<'_>| {
            one.kind == Kind::List && matches!(one.expression.bare().shape, Shape::Parameter)
        };
        if is_list_given(left) || is_list_given(right) {
            // The engine compares a property with a parameter itself, but not with a list.
            let (a, b) = (&left.text, &right.text);
            return Some(format!("(coalesce({a}) {operator} coalesce({b}))"));
        }
        let apart = |kind: Kind| is_harmless(kind) || matches!(kind, Kind::List | Kind::Map | Kind::Other);
        if apart(left.kind) || apart(right.kind) || left.kind == right.kind && left.kind != Kind::Unknown {
            return None;
        }
        let is_word =
            |one: &Operand<'_>| self.known_text(one.expression).is_some_and(|text| !is_like_a_date(&text));
        if is_word(left) || is_word(right) {
            return None;
        }
        let one_sided = |known: Kind| if known == Kind::Text { Some("STRING") } else { known.mixed() };
        for (known, other) in [(left, right), (right, left)] {
            if let (Some(kind), Kind::Unknown) = (one_sided(known.kind), other.kind) {
                let (a, b) = (&left.text, &right.text);
                let test =
                    self.bind([other], |[other]| format!("CASE WHEN {other} IS :: {kind} THEN true END"));
                return Some(format!("({a} {operator} {b} AND {test})"));
            }
        }
        Some(self.bind([left, right], |[a, b]| {
            let mixed = ["STRING", "DATE", "LOCAL DATETIME", "ZONED DATETIME"]
                .map(|kind| format!("{a} IS :: {kind}"))
                .join(" OR ");
            format!(
                "CASE WHEN ({mixed}) AND valueType({a}) <> valueType({b}) THEN null ELSE {a} {operator} {b} END"
            )
        }))
    }

    /// `value IN list`.
    pub(super) fn within(&mut self, value: &Operand<'_>, list: &Operand<'_>) -> Option<String> {
        if is_harmless(value.kind) || value.kind == Kind::Map {
            return None;
        }
        if let Shape::List(items) = &list.expression.bare().shape {
            let plain = |item: &Expression| {
                matches!(item.shape, Shape::Integer | Shape::Float | Shape::Boolean)
                    || self
                        .known_text(item)
                        .is_some_and(|text| !text.starts_with('[') && !is_like_a_date(&text))
            };
            if items.iter().all(plain) {
                let written = list.text.clone();
                return Some(self.bind([value], |[value]| {
                    format!("{value} IN {written} AND CASE WHEN {value} STARTS WITH '[\"' THEN false ELSE true END")
                }));
            }
        }
        let name = self.fresh();
        Some(self.bind([value, list], |[value, list]| {
            format!("{value} IN ({list}) AND any({name} IN ({list}) WHERE {})", same([value, &name]))
        }))
    }

    /// `CASE x WHEN y`, written with a condition.
    pub(super) fn case(
        &mut self,
        expression: &Expression,
        operand: &Expression,
        branches: &[(Expression, Expression)],
        otherwise: Option<&Expression>,
        scope: &Scope<'b>,
    ) -> String {
        let value = self.operand(operand, scope);
        let harmless = |kind: Kind| is_harmless(kind) && kind != Kind::Null;
        let wanted: Vec<_> = branches.iter().map(|(wanted, _)| self.operand(wanted, scope)).collect();
        if harmless(value.kind) || wanted.iter().all(|wanted| harmless(wanted.kind)) {
            return self.spliced(expression, scope, &[]);
        }
        let results: Vec<_> = branches.iter().map(|(_, result)| self.text(result, scope)).collect();
        let otherwise = otherwise.map_or_else(|| "null".to_owned(), |result| self.text(result, scope));
        let name = self.fresh();
        let local = Operand { expression: operand, text: name.clone(), kind: value.kind };
        let mut text = format!("head([{name} IN [{}] | CASE", value.text);
        for (wanted, result) in wanted.iter().zip(results) {
            let condition = match self.equal(&local, wanted) {
                Some(condition) => condition,
                None => format!("{name} = {}", wanted.text),
            };
            text.push_str(&format!(" WHEN {condition} THEN {result}"));
        }
        text.push_str(&format!(" ELSE {otherwise} END])"));
        text
    }
}

/// Equality of two values of unknown kinds: what the engine takes for equal must be of one type and read the same.
fn same([a, b]: [&str; 2]) -> String {
    // The items of lists are looked at, but not those of lists within.
    let (left, right) = (format!("{a}[_gw_i]"), format!("{b}[_gw_i]"));
    let items = alike(&left, &right);
    format!(
        "{a} = {b} AND CASE WHEN {a} IS NULL OR {b} IS NULL THEN true WHEN {a} IS :: LIST<ANY> THEN \
         all(_gw_i IN range(0, size({a}) - 1) WHERE CASE WHEN {left} IS NULL OR {right} IS NULL THEN null ELSE {items} END) \
         ELSE {} END",
        alike(a, b),
    )
}

/// Whether two equal values are of one type, where the engine would take several for the same.
fn alike(a: &str, b: &str) -> String {
    let mixed = ["STRING", "DATE", "LOCAL DATETIME", "ZONED DATETIME", "ZONED TIME"]
        .map(|kind| format!("{a} IS :: {kind}"))
        .join(" OR ");
    format!(
        "CASE WHEN {mixed} THEN valueType({a}) = valueType({b}) AND toString({a}) STARTS WITH toString({b}) \
         AND toString({b}) STARTS WITH toString({a}) ELSE true END"
    )
}
