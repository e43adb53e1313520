//! Guards `<`, `<=`, `>` and `>=`.

use graphwright_cypher::syntax::tree::{ComparisonOperator, Expression, ExpressionKind, Literal};

use super::{
    Guard, Kind, Operand,
    checks::{compare, is, is_or_null, refuses},
    cypher,
    equality::{is_harmless, is_like_a_date},
};

const ORDER: &str = "the order of maps, nodes and relationships";

impl Guard<'_, '_> {
    /// Guards a comparison by order. Texts and other temporal types are not compared with temporal
    /// values.
    pub(super) fn order(
        &mut self,
        operator: ComparisonOperator,
        operands: &mut [Operand; 2],
    ) -> Option<Expression> {
        let [left, right] = operands;
        let is_list_given =
            |one: &Operand| one.kind == Kind::List && matches!(one.value.kind, ExpressionKind::Parameter(_));
        if is_list_given(left) || is_list_given(right) {
            // The engine compares a property with a parameter itself, but not with a list.
            let whole = |one: &mut Operand| cypher!("coalesce($value)", value = one.take());
            return Some(compare(operator, &whole(left), &whole(right)));
        }
        match (left.kind, right.kind) {
            (Kind::DateTime, Kind::DateTime) | (Kind::Time, Kind::Time) => {
                return Some(self.bind([left.take(), right.take()], |[a, b]| zoned(operator, a, b)));
            }
            (Kind::Map, Kind::Map) | (Kind::Node, Kind::Node) | (Kind::Relationship, Kind::Relationship) => {
                return Some(refuses(ORDER));
            }
            (Kind::Point, Kind::Point) => {
                return Some(self.bind([left.take(), right.take()], |[a, b]| points(operator, a, b)));
            }
            _ => {}
        }
        let apart = |kind: Kind| is_harmless(kind) || matches!(kind, Kind::List | Kind::LocalTime);
        if apart(left.kind) || apart(right.kind) || left.kind == right.kind && left.kind != Kind::Unknown {
            return None;
        }
        let is_word = |one: &Operand| self.known_text(&one.value).is_some_and(|text| !is_like_a_date(&text));
        if is_word(left) || is_word(right) {
            return None;
        }
        let one_sided = |known: Kind| if known == Kind::Text { Some("STRING") } else { known.mixed() };
        for (known, other) in [(&*left, &*right), (&*right, &*left)] {
            if let (Some(kind), Kind::Unknown) = (one_sided(known.kind), other.kind)
                && self.context.may_grow(&other.value)
            {
                let fits = self.bind([other.value.clone()], |[other]| is_or_null(other, &[kind]));
                let mut ordered = compare(operator, &left.value, &right.value);
                if kind == "ZONED DATETIME" && self.context.may_grow(&ordered) {
                    let tie =
                        self.bind([left.value.clone(), right.value.clone()], |[a, b]| tie(operator, a, b));
                    let weak = compare(weakened(operator), &left.value, &right.value);
                    ordered = cypher!("$weak AND $tie", weak = weak, tie = tie);
                }
                // The engine finds by an index what stands bare in a condition.
                return Some(if self.filters {
                    cypher!("$ordered AND $fits", ordered = ordered, fits = fits)
                } else {
                    cypher!("CASE WHEN $fits THEN $ordered END", ordered = ordered, fits = fits)
                });
            }
        }
        Some(self.bind([left.take(), right.take()], |[a, b]| {
            cypher!(
                "CASE WHEN $a IS :: INTEGER OR $a IS :: FLOAT THEN $ordered \
                 WHEN $a IS :: STRING THEN CASE WHEN $b IS :: STRING THEN $ordered END \
                 WHEN $mixed AND valueType($a) <> valueType($b) THEN null \
                 WHEN $is_zoned THEN $zoned WHEN $keyed THEN CASE WHEN valueType($a) = valueType($b) THEN $refusal END \
                 WHEN $a IS :: POINT AND $b IS :: POINT NOT NULL THEN $points ELSE $ordered END",
                mixed = is(a, &["DATE", "LOCAL DATETIME", "ZONED DATETIME", "ZONED TIME"]),
                a = a,
                b = b,
                is_zoned = is(a, &["ZONED DATETIME", "ZONED TIME"]),
                zoned = zoned(operator, a, b),
                keyed = is(a, &["MAP", "NODE", "RELATIONSHIP"]),
                refusal = refuses(ORDER),
                points = points(operator, a, b),
                ordered = compare(operator, a, b),
            )
        }))
    }
}

/// Returns the operator that also holds for equal values.
fn weakened(operator: ComparisonOperator) -> ComparisonOperator {
    match operator {
        ComparisonOperator::Less => ComparisonOperator::LessOrEqual,
        ComparisonOperator::Greater => ComparisonOperator::GreaterOrEqual,
        other => other,
    }
}

/// Compares moments with a zone. For one instant, Cypher compares the offsets
/// (`DateTimeValue.unsafeCompareTo` of Neo4j), while the engine takes the moments for equal.
fn zoned(operator: ComparisonOperator, a: &Expression, b: &Expression) -> Expression {
    let weak = compare(weakened(operator), a, b);
    cypher!("$weak AND $tie", weak = weak, tie = tie(operator, a, b))
}

fn tie(operator: ComparisonOperator, a: &Expression, b: &Expression) -> Expression {
    let offset = |value: &Expression| cypher!("$value.offsetSeconds", value = value);
    let text = |value: &Expression| cypher!("toString($value)", value = value);
    cypher!(
        "CASE WHEN NOT $a = $b THEN true WHEN $first <> $second THEN $offsets ELSE $texts END",
        a = a,
        b = b,
        first = offset(a),
        second = offset(b),
        offsets = compare(operator, &offset(a), &offset(b)),
        texts = compare(operator, &text(a), &text(b)),
    )
}

/// Compares points. They have no order, but may be equal.
fn points(operator: ComparisonOperator, a: &Expression, b: &Expression) -> Expression {
    match operator {
        ComparisonOperator::LessOrEqual | ComparisonOperator::GreaterOrEqual => {
            cypher!("CASE WHEN $a = $b THEN true END", a = a, b = b)
        }
        _ => Expression::new(ExpressionKind::Literal(Literal::Null)),
    }
}
