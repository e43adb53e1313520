//! Guards `=`, `=~` and `IN`.

use graphwright_cypher::syntax::tree::{ComparisonOperator, Expression, ExpressionKind, Literal};

use super::{
    Guard, Kind, Operand,
    checks::{compare, fails, is_or_null},
    cypher,
};

/// Tells whether the engine compares a kind as Cypher does, whatever is on the other side.
pub(super) fn is_harmless(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::Unknown
            | Kind::Text
            | Kind::List
            | Kind::Map
            | Kind::LocalTime
            | Kind::Time
            | Kind::Point
            | Kind::Date
            | Kind::LocalDateTime
            | Kind::DateTime
    )
}

/// Tells whether the engine may read a string as a date.
pub(super) fn is_like_a_date(text: &str) -> bool {
    text.trim_start().starts_with(|first: char| first.is_ascii_digit() || first == '-' || first == '+')
}

impl Guard<'_, '_> {
    /// Returns the text of a string that is written or given as a parameter.
    pub(super) fn known_text(&self, expression: &Expression) -> Option<String> {
        match &expression.kind {
            ExpressionKind::Literal(Literal::String(text)) => Some(text.to_string()),
            ExpressionKind::Parameter(name) => {
                self.context.rewritten.parameters.get(&*name.text)?.as_str().map(str::to_owned)
            }
            _ => None,
        }
    }

    /// Guards `left = right`. Returns `None` if the engine is right.
    pub(super) fn equal(&mut self, operands: &mut [Operand; 2]) -> Option<Expression> {
        let [left, right] = operands;
        if is_harmless(left.kind) || is_harmless(right.kind) {
            return None;
        }
        match (self.known_text(&left.value), self.known_text(&right.value)) {
            (Some(first), Some(second)) if !first.starts_with('[') && !second.starts_with('[') => {
                return None;
            }
            (_, Some(text)) => return Some(self.equal_text(left, right, &text)),
            (Some(text), _) => return Some(self.equal_text(right, left, &text)),
            _ => {}
        }
        let mixed = left.kind.mixed().or(right.kind.mixed());
        if let Some(kind) = mixed.filter(|kind| *kind != "ZONED DATETIME") {
            if left.kind == right.kind {
                return None;
            }
            let other = if left.kind.mixed().is_some() { &right.value } else { &left.value };
            if !self.context.may_grow(other) {
                return None;
            }
            let test = self.bind([other.clone()], |[other]| is_or_null(other, &[kind]));
            let equal = compare(ComparisonOperator::Equal, &left.value, &right.value);
            return Some(cypher!("$equal AND $test", equal = equal, test = test));
        }
        if matches!((left.kind, right.kind), (Kind::List, Kind::Map) | (Kind::Map, Kind::List)) {
            return None;
        }
        Some(self.bind([left.take(), right.take()], same))
    }

    /// Guards `value = 'text'`.
    fn equal_text(&mut self, value: &mut Operand, text: &mut Operand, known: &str) -> Expression {
        // `=` stands bare for the engine's indexes; `STARTS WITH` tells `x` from `["x"]`.
        let is_text = value.kind == Kind::Text || !is_like_a_date(known);
        let text = text.take();
        self.bind([value.take()], |[value]| {
            if is_text {
                cypher!("$value = $text AND $value STARTS WITH $text", value = value, text = text)
            } else {
                cypher!(
                    "$value = $text AND $value STARTS WITH $text AND $value IS :: STRING",
                    value = value,
                    text = text
                )
            }
        })
    }

    /// Guards `text =~ pattern`, which is null if the text is none.
    pub(super) fn matched(&mut self, operands: &mut [Operand; 2]) -> Option<Expression> {
        let [text, pattern] = operands;
        let known = |kind: Kind| matches!(kind, Kind::Text | Kind::Null | Kind::Ours);
        if known(text.kind) && known(pattern.kind) {
            return None;
        }
        let is_pattern = known(pattern.kind);
        Some(self.bind([text.take(), pattern.take()], |[text, pattern]| {
            let matched = cypher!("$text =~ $pattern", text = text, pattern = pattern);
            let matched = if is_pattern {
                matched
            } else {
                cypher!(
                    "CASE WHEN $pattern IS :: STRING THEN $matched ELSE $fail END",
                    pattern = pattern,
                    matched = matched,
                    fail = fails("=~ wants a string on its right"),
                )
            };
            cypher!("CASE WHEN $text IS :: STRING NOT NULL THEN $matched END", text = text, matched = matched)
        }))
    }

    /// Guards `value IN list`.
    pub(super) fn within(&mut self, operands: &mut [Operand; 2]) -> Option<Expression> {
        let [value, list] = operands;
        if list.kind == Kind::Unknown {
            self.list(&mut list.value, list.kind);
        }
        if is_harmless(value.kind) || value.kind == Kind::Map {
            return None;
        }
        if let ExpressionKind::List(items) = &list.value.kind {
            let plain = |item: &Expression| {
                matches!(
                    item.kind,
                    ExpressionKind::Literal(Literal::Integer(_) | Literal::Float(_) | Literal::Boolean(_))
                ) || self
                    .known_text(item)
                    .is_some_and(|text| !text.starts_with('[') && !is_like_a_date(&text))
            };
            if items.iter().all(plain) {
                let list = list.take();
                return Some(self.bind([value.take()], |[value]| {
                    cypher!(
                        "$value IN $list AND CASE WHEN $value STARTS WITH '[\"' THEN false ELSE true END",
                        value = value,
                        list = list,
                    )
                }));
            }
        }
        let item = self.context.fresh();
        Some(self.bind([value.take(), list.take()], |[value, list]| {
            let is_same = same([value, &super::Part::part(&item)]);
            cypher!(
                "$value IN $list AND any(item IN $list WHERE $same)",
                value = value,
                list = list,
                item = &item,
                same = is_same,
            )
        }))
    }
}

/// Tests two values of unknown kinds for equality. Values that the engine takes for equal must also
/// be of one type and read alike.
fn same([a, b]: [&Expression; 2]) -> Expression {
    // The items of lists are looked at, but not those of lists within.
    let (left, right) = (cypher!("$a[_gw_i]", a = a), cypher!("$b[_gw_i]", b = b));
    cypher!(
        "$a = $b AND CASE WHEN $a IS NULL OR $b IS NULL THEN true WHEN $a IS :: LIST<ANY> THEN \
         all(_gw_i IN range(0, size($a) - 1) WHERE CASE WHEN $left IS NULL OR $right IS NULL THEN null \
         ELSE $items END) ELSE $alike END",
        a = a,
        b = b,
        items = alike(&left, &right),
        left = left,
        right = right,
        alike = alike(a, b),
    )
}

/// Tests whether two values that the engine takes for equal are of one type.
fn alike(a: &Expression, b: &Expression) -> Expression {
    cypher!(
        "CASE WHEN $mixed THEN valueType($a) = valueType($b) AND toString($a) STARTS WITH toString($b) \
         AND toString($b) STARTS WITH toString($a) ELSE true END",
        mixed = is_or_null(a, &["STRING", "DATE", "LOCAL DATETIME", "ZONED DATETIME", "ZONED TIME"]),
        a = a,
        b = b,
    )
}
