//! `+ - * / % ^` and the sign.

use super::{Expression, Guard, Kind, Operand, Operator, Scope, Shape, fails, number, refuses};

impl<'b> Guard<'_, 'b> {
    /// An operation on two values; `None` where the engine is right.
    pub(super) fn arithmetic(
        &mut self,
        operator: Operator,
        left: &Operand<'_>,
        right: &Operand<'_>,
    ) -> Option<String> {
        let (a, b) = (left.kind, right.kind);
        if a == Kind::Ours || b == Kind::Ours {
            return None;
        }
        let numbers = a.is_number() && b.is_number();
        match operator {
            Operator::Divide | Operator::Modulo => {
                let whole = a == Kind::Integer && b == Kind::Integer;
                let safe = numbers && (whole || is_nonzero(self.source, right.expression));
                let zero = if operator == Operator::Divide { "1e999" } else { "0.0 * 1e999" };
                let symbol = if operator == Operator::Divide { "/" } else { "%" };
                (!safe).then(|| {
                    let nonzero = is_nonzero(self.source, right.expression);
                    self.bind([left, right], |[a, b]| {
                        let result = if nonzero {
                            format!("{a} {symbol} {b}")
                        } else {
                            format!("coalesce({a} {symbol} {b}, CASE WHEN {b} = 0 THEN {a} * {zero} END)")
                        };
                        if numbers { result } else { numeric(a, b, &result, "dividing a duration") }
                    })
                })
            }
            _ if numbers => None,
            Operator::Power => {
                Some(self.bind([left, right], |[a, b]| numeric(a, b, &format!("{a} ^ {b}"), "")))
            }
            Operator::Multiply => Some(self.bind([left, right], |[a, b]| {
                let whole = format!(
                    "{a} IS :: DURATION AND {b} IS :: INTEGER OR {a} IS :: INTEGER AND {b} IS :: DURATION"
                );
                let product = format!("{a} * {b}");
                let rest = numeric(a, b, &product, "multiplying a duration by a float");
                format!("CASE WHEN {whole} THEN {product} ELSE {rest} END")
            })),
            Operator::Subtract => Some(self.bind([left, right], |[a, b]| {
                format!(
                    "CASE WHEN {} AND {} THEN {a} - {b} WHEN {a} IS NULL OR {b} IS NULL THEN null \
                     WHEN {a} IS :: DATE AND {b} IS :: DURATION THEN {a} - {} \
                     WHEN {b} IS :: DURATION THEN coalesce({a} - {b}, {message}) ELSE {message} END",
                    number(a),
                    number(b),
                    whole_days(b),
                    message = fails("these values cannot be subtracted"),
                )
            })),
            _ => self.sum(left, right),
        }
    }

    /// `left + right`.
    fn sum(&mut self, left: &Operand<'_>, right: &Operand<'_>) -> Option<String> {
        let joins = |kind: Kind| matches!(kind, Kind::Text | Kind::Integer | Kind::Boolean);
        let is_moment =
            |kind: Kind| matches!(kind, Kind::LocalDateTime | Kind::DateTime | Kind::Duration | Kind::Other);
        match (left.kind, right.kind) {
            (Kind::Text, other) | (other, Kind::Text) if joins(other) || other.mixed().is_some() => {
                return None;
            }
            (Kind::List, Kind::List) => return None,
            (Kind::Duration, other) | (other, Kind::Duration) if is_moment(other) => return None,
            _ => {}
        }
        if left.kind == Kind::Text || right.kind == Kind::Text {
            return Some(self.bind([left, right], |[a, b]| {
                let (a, b) = if left.kind == Kind::Text {
                    (a.to_owned(), readable(b))
                } else {
                    (readable(a), b.to_owned())
                };
                format!("{a} + {b}")
            }));
        }
        let number_beside_unknown = left.kind.is_number() != right.kind.is_number()
            && [left.kind, right.kind].contains(&Kind::Unknown);
        Some(self.bind([left, right], |[a, b]| {
            let fail = fails("these values cannot be added");
            if number_beside_unknown {
                let unknown = if left.kind == Kind::Unknown { a } else { b };
                return format!(
                    "CASE WHEN {} THEN {a} + {b} WHEN {unknown} IS :: LIST<ANY> OR {unknown} IS :: STRING \
                     THEN {} + {} ELSE {fail} END",
                    number(unknown),
                    readable(a),
                    readable(b),
                );
            }
            format!(
                "CASE WHEN {a} IS NULL OR {b} IS NULL THEN null WHEN {} AND {} OR {a} IS :: LIST<ANY> \
                 OR {b} IS :: LIST<ANY> THEN {a} + {b} WHEN {a} IS :: STRING OR {b} IS :: STRING THEN {} + {} \
                 WHEN {a} IS :: DATE AND {b} IS :: DURATION THEN {a} + {} \
                 WHEN {b} IS :: DATE AND {a} IS :: DURATION THEN {b} + {} \
                 WHEN {a} IS :: DURATION OR {b} IS :: DURATION THEN coalesce({a} + {b}, {fail}) ELSE {fail} END",
                number(a),
                number(b),
                readable(a),
                readable(b),
                whole_days(b),
                whole_days(a),
            )
        }))
    }

    pub(super) fn sign(&mut self, expression: &Expression, inner: &Expression, scope: &Scope<'b>) -> String {
        let operand = self.operand(inner, scope);
        if operand.kind != Kind::Unknown {
            return self.spliced(expression, scope, &[operand.text]);
        }
        let sign = self.source.text(expression.tokens.start).to_owned();
        self.bind([&operand], |[value]| {
            let fail = fails("only numbers have a sign");
            format!("CASE WHEN {} THEN {sign}{value} ELSE {fail} END", number(value))
        })
    }
}

/// The result where both are numbers (or null); durations are refused, everything else fails.
fn numeric(a: &str, b: &str, result: &str, durations: &str) -> String {
    let fail = fails("numbers are wanted here");
    let refused = if durations.is_empty() {
        String::new()
    } else {
        format!(" WHEN {a} IS :: DURATION OR {b} IS :: DURATION THEN {}", refuses(durations))
    };
    format!(
        "CASE WHEN {} AND {} THEN {result} WHEN {a} IS NULL OR {b} IS NULL THEN null{refused} ELSE {fail} END",
        number(a),
        number(b),
    )
}

/// A duration for a date, which the engine moves by the days alone and Cypher by the days in the seconds too.
fn whole_days(duration: &str) -> String {
    format!("({duration} + duration({{days: ({duration}).seconds / 86400}}))")
}

/// A value as it is joined to a string: the engine writes some otherwise.
pub(super) fn readable(value: &str) -> String {
    format!(
        "CASE WHEN {value} IS :: FLOAT NOT NULL AND (abs({value}) >= 10000000.0 OR abs({value}) < 0.001 \
         AND {value} <> 0.0) THEN {} WHEN {value} IS :: DURATION NOT NULL THEN toString({value}) ELSE {value} END",
        refuses("a very large or very small float as a string"),
    )
}

fn is_nonzero(source: &crate::source::Source<'_>, expression: &Expression) -> bool {
    let bare = expression.bare();
    match &bare.shape {
        Shape::Sign(inner) => is_nonzero(source, inner),
        Shape::Integer => source.text(bare.tokens.start).bytes().any(|digit| matches!(digit, b'1'..=b'9')),
        Shape::Float => source.text(bare.tokens.start).parse::<f64>().is_ok_and(|value| value != 0.0),
        _ => false,
    }
}
