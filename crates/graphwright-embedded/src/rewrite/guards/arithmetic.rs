//! Guards `+ - * / % ^`.

use graphwright_cypher::syntax::tree::{BinaryOperator, Expression, ExpressionKind, Literal};

use super::{
    Guard, Kind, Operand,
    checks::{fails, is, number, refuses},
    cypher,
    temporal::is_written_otherwise,
};

impl Guard<'_, '_> {
    /// Guards an operation on two values. Returns `None` if the engine is right.
    pub(super) fn arithmetic(
        &mut self,
        operator: BinaryOperator,
        operands: &mut [Operand; 2],
    ) -> Option<Expression> {
        let [left, right] = operands;
        let (a, b) = (left.kind, right.kind);
        if a == Kind::Ours || b == Kind::Ours {
            return None;
        }
        let numbers = a.is_number() && b.is_number();
        match operator {
            BinaryOperator::Divide | BinaryOperator::Modulo => self.division(operator, operands),
            _ if numbers => None,
            BinaryOperator::Power => Some(self.bind([left.take(), right.take()], |[a, b]| {
                numeric(a, b, cypher!("$a ^ $b", a = a, b = b), "")
            })),
            BinaryOperator::Multiply => Some(self.bind([left.take(), right.take()], |[a, b]| {
                cypher!(
                    "CASE WHEN $a IS :: DURATION AND $b IS :: INTEGER OR $a IS :: INTEGER AND $b IS :: DURATION \
                     THEN $a * $b ELSE $rest END",
                    a = a,
                    b = b,
                    rest = numeric(a, b, cypher!("$a * $b", a = a, b = b), "multiplying a duration by a float"),
                )
            })),
            BinaryOperator::Subtract => Some(self.bind([left.take(), right.take()], |[a, b]| {
                cypher!(
                    "CASE WHEN $first AND $second THEN $a - $b WHEN $a IS NULL OR $b IS NULL THEN null \
                     WHEN $a IS :: DATE AND $b IS :: DURATION THEN $a - $days \
                     WHEN $b IS :: DURATION THEN coalesce($a - $b, $fail) ELSE $fail END",
                    first = number(a),
                    second = number(b),
                    a = a,
                    b = b,
                    days = whole_days(b),
                    fail = fails("these values cannot be subtracted"),
                )
            })),
            _ => self.sum(operands),
        }
    }

    /// Guards a division. By zero, Cypher gives infinity or not-a-number for floats, and fails for
    /// integers.
    fn division(&mut self, operator: BinaryOperator, operands: &mut [Operand; 2]) -> Option<Expression> {
        let [left, right] = operands;
        let numbers = left.kind.is_number() && right.kind.is_number();
        let whole = left.kind == Kind::Integer && right.kind == Kind::Integer;
        let nonzero = is_nonzero(&right.value);
        if numbers && (whole || nonzero) {
            return None;
        }
        let is_given = right.kind != Kind::Unknown;
        let by_zero = |zero: &Expression| match operator {
            BinaryOperator::Divide => {
                let infinite =
                    cypher!("CASE WHEN toString($zero) STARTS WITH '-' THEN -INF ELSE INF END", zero = zero);
                if is_given {
                    return infinite;
                }
                cypher!(
                    "CASE WHEN $zero IS :: INTEGER THEN $fail ELSE $infinite END",
                    zero = zero,
                    fail = fails("division by zero"),
                    infinite = infinite,
                )
            }
            _ => Expression::new(ExpressionKind::Literal(Literal::NotANumber)),
        };
        Some(self.bind([left.take(), right.take()], |[a, b]| {
            let (left, right) = (Box::new(a.clone()), Box::new(b.clone()));
            let mut result = Expression::new(ExpressionKind::Binary { operator, left, right });
            if !nonzero {
                result = cypher!(
                    "coalesce($result, CASE WHEN $b = 0 THEN $a * $zero END)",
                    result = result,
                    a = a,
                    b = b,
                    zero = by_zero(b),
                );
            }
            if numbers { result } else { numeric(a, b, result, "dividing a duration") }
        }))
    }

    /// Guards `left || right`. The engine makes texts of lists and numbers.
    pub(super) fn joined(&mut self, operands: &mut [Operand; 2]) -> Option<Expression> {
        let [left, right] = operands;
        if left.kind == Kind::Text && right.kind == Kind::Text {
            return None;
        }
        Some(self.bind([left.take(), right.take()], |[a, b]| {
            cypher!(
                "CASE WHEN $a IS NULL OR $b IS NULL THEN null WHEN $a IS :: STRING AND $b IS :: STRING \
                 OR $a IS :: LIST<ANY> AND $b IS :: LIST<ANY> THEN $a + $b ELSE $fail END",
                a = a,
                b = b,
                fail = fails("|| joins two strings or two lists"),
            )
        }))
    }

    /// Guards `left + right`.
    fn sum(&mut self, operands: &mut [Operand; 2]) -> Option<Expression> {
        let [left, right] = operands;
        let joins = |kind: Kind| matches!(kind, Kind::Text | Kind::Integer | Kind::Boolean);
        let is_moment = |kind: Kind| {
            matches!(
                kind,
                Kind::LocalDateTime | Kind::DateTime | Kind::LocalTime | Kind::Time | Kind::Duration
            )
        };
        match (left.kind, right.kind) {
            (Kind::Text, other) | (other, Kind::Text) if joins(other) || other.mixed().is_some() => {
                return None;
            }
            (Kind::List, Kind::List) => return None,
            (Kind::Duration, other) | (other, Kind::Duration) if is_moment(other) => return None,
            _ => {}
        }
        let kinds = [left.kind, right.kind];
        let values = [left.take(), right.take()];
        Some(match kinds {
            [Kind::Text, _] => self.bind(values, |[a, b]| cypher!("$a + $b", a = a, b = readable(b))),
            [_, Kind::Text] => self.bind(values, |[a, b]| cypher!("$a + $b", a = readable(a), b = b)),
            [Kind::Unknown, known] if known.is_number() => {
                self.bind(values, |[a, b]| beside_number([a, b], a))
            }
            [known, Kind::Unknown] if known.is_number() => {
                self.bind(values, |[a, b]| beside_number([a, b], b))
            }
            _ => self.bind(values, any_sum),
        })
    }
}

/// Builds a sum of a number and a part of unknown kind.
fn beside_number([a, b]: [&Expression; 2], unknown: &Expression) -> Expression {
    cypher!(
        "CASE WHEN $number THEN $a + $b WHEN $unknown IS :: LIST<ANY> OR $unknown IS :: STRING \
         THEN $first + $second ELSE $fail END",
        number = number(unknown),
        a = a,
        b = b,
        unknown = unknown,
        first = readable(a),
        second = readable(b),
        fail = fails("these values cannot be added"),
    )
}

fn any_sum([a, b]: [&Expression; 2]) -> Expression {
    cypher!(
        "CASE WHEN $a IS NULL OR $b IS NULL THEN null WHEN $numbers OR $a IS :: LIST<ANY> \
         OR $b IS :: LIST<ANY> THEN $a + $b WHEN $a IS :: STRING OR $b IS :: STRING THEN $first + $second \
         WHEN $a IS :: DATE AND $b IS :: DURATION THEN $a + $right_days \
         WHEN $b IS :: DATE AND $a IS :: DURATION THEN $b + $left_days \
         WHEN $a IS :: DURATION OR $b IS :: DURATION THEN coalesce($a + $b, $fail) ELSE $fail END",
        a = a,
        b = b,
        numbers = cypher!("$left AND $right", left = number(a), right = number(b)),
        first = readable(a),
        second = readable(b),
        right_days = whole_days(b),
        left_days = whole_days(a),
        fail = fails("these values cannot be added"),
    )
}

/// Gives the result if both are numbers (or null). Durations are refused, everything else fails.
fn numeric(a: &Expression, b: &Expression, result: Expression, durations: &str) -> Expression {
    let fail = fails("numbers are wanted here");
    let otherwise = if durations.is_empty() {
        fail
    } else {
        cypher!(
            "CASE WHEN $a IS :: DURATION OR $b IS :: DURATION THEN $refusal ELSE $fail END",
            a = a,
            b = b,
            refusal = refuses(durations),
            fail = fail,
        )
    };
    cypher!(
        "CASE WHEN $first AND $second THEN $result WHEN $a IS NULL OR $b IS NULL THEN null ELSE $otherwise END",
        first = number(a),
        second = number(b),
        result = result,
        a = a,
        b = b,
        otherwise = otherwise,
    )
}

/// Makes whole days of a duration that is added to a date. The engine moves a date by the days
/// alone, Cypher by the days in the seconds too.
fn whole_days(duration: &Expression) -> Expression {
    cypher!("$duration + duration({days: $duration.seconds / 86400})", duration = duration)
}

/// Builds the text of a value that is joined to a string. The engine writes some values otherwise.
pub(super) fn readable(value: &Expression) -> Expression {
    cypher!(
        "CASE WHEN $value IS :: STRING OR $value IS :: INTEGER THEN $value \
         WHEN $value IS :: FLOAT THEN CASE WHEN abs($value) >= 10000000.0 OR abs($value) < 0.001 \
         AND $value <> 0.0 THEN $refusal ELSE $value END WHEN $value IS :: DURATION THEN toString($value) \
         WHEN $differs OR $is_point THEN $moment WHEN $others THEN $fail ELSE $value END",
        value = value,
        others = is(value, &["MAP", "NODE", "RELATIONSHIP", "PATH"]),
        fail = fails("these values cannot be added"),
        refusal = refuses("a very large or very small float as a string"),
        differs = is_written_otherwise(value),
        is_point = is(value, &["POINT"]),
        moment = refuses("a string plus a moment or a point without toString()"),
    )
}

fn is_nonzero(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Unary { operand, .. } => is_nonzero(operand),
        ExpressionKind::Literal(Literal::Integer(value)) => *value != 0,
        ExpressionKind::Literal(Literal::Float(value)) => *value != 0.0,
        _ => false,
    }
}
