//! Guards `round`. Halves go up, and with digits a float is rounded by its shortest text, as in
//! Neo4j: there `1.005` is a half, which no float is.

use graphwright_cypher::syntax::tree::{Expression, ExpressionKind, FunctionCall, Literal, Name};

use super::{
    Guard,
    checks::{fails, number, refuses},
    cypher,
};

/// The text of the digits that are cut off, and the number that is kept, in what decides between
/// the two neighbours.
struct Cut {
    rest: Name,
    kept: Name,
}

impl Guard<'_, '_> {
    /// Guards `round(value)`, `round(value, digits)` and `round(value, digits, mode)`. Values may
    /// be of any kind.
    pub(super) fn rounded(&mut self, call: &mut FunctionCall) -> Option<Expression> {
        let mut arguments = std::mem::take(&mut call.arguments).into_iter();
        let value = arguments.next()?;
        let Some(digits) = arguments.next() else {
            return Some(self.bind([value], |[value]| of_number(value, whole(value))));
        };
        let mode = match arguments.next() {
            None => None,
            Some(mode) => match self.known_text(&mode) {
                Some(mode) => Some(mode.to_uppercase()),
                None => return Some(refuses("round() with a mode that only the values show")),
            },
        };
        let cut = Cut { rest: self.context.fresh(), kept: self.context.fresh() };
        Some(self.bind([value, digits], |[value, digits]| {
            let Some(up) = cut.goes_up(mode.as_deref().unwrap_or("HALF_UP"), value) else {
                return fails("round() has no such mode");
            };
            let mut result = cut.rounded(value, digits, &up);
            if mode.is_none() && !matches!(digits.kind, ExpressionKind::Literal(Literal::Integer(1..))) {
                result = cypher!(
                    "CASE WHEN $digits = 0 THEN $whole ELSE $result END",
                    digits = digits,
                    whole = whole(value),
                    result = result,
                );
            }
            cypher!(
                "CASE WHEN $digits IS NULL THEN null WHEN $digits < 0 THEN $fail ELSE $rounded END",
                digits = digits,
                fail = fails("the digits of round() cannot be negative"),
                rounded = of_number(value, result),
            )
        }))
    }
}

impl Cut {
    /// Tests whether the neighbour that is further from zero is taken.
    fn goes_up(&self, mode: &str, value: &Expression) -> Option<Expression> {
        let (rest, kept) = (&self.rest, &self.kept);
        let not_zero = || cypher!("size(rest) > 1 OR NOT rest STARTS WITH '0'", rest = rest);
        Some(match mode {
            "HALF_UP" => cypher!("rest >= '5'", rest = rest),
            "HALF_DOWN" => cypher!("rest > '5'", rest = rest),
            "HALF_EVEN" => cypher!(
                "CASE WHEN kept % 2 = 0 THEN rest > '5' ELSE rest >= '5' END",
                rest = rest,
                kept = kept,
            ),
            "UP" => not_zero(),
            "DOWN" => cypher!("false"),
            "CEILING" => cypher!("$value > 0 AND ($not_zero)", value = value, not_zero = not_zero()),
            "FLOOR" => cypher!("$value < 0 AND ($not_zero)", value = value, not_zero = not_zero()),
            _ => return None,
        })
    }

    /// Rounds a number to digits. From 2 to the power of 52 on, all floats are whole.
    fn rounded(&self, value: &Expression, digits: &Expression, up: &Expression) -> Expression {
        cypher!(
            "CASE WHEN NOT abs($value) < 4503599627370496 THEN toFloat($value) ELSE \
             head([_gw_p IN [split(toString(abs(toFloat($value))), '.')] | \
             CASE WHEN size(_gw_p[1]) <= $digits THEN toFloat($value) + 0.0 ELSE \
             head([kept IN [toInteger(_gw_p[0] + left(_gw_p[1], toInteger($digits)))] | \
             head([rest IN [substring(_gw_p[1], toInteger($digits))] | \
             CASE WHEN $value < 0 THEN -1.0 ELSE 1.0 END \
             * toFloat(toString(kept + CASE WHEN $up THEN 1 ELSE 0 END) + 'e-' + toString(toInteger($digits))) + 0.0])]) \
             END]) END",
            value = value,
            digits = digits,
            kept = &self.kept,
            rest = &self.rest,
            up = up,
        )
    }
}

/// Gives the result of a number. Anything else fails.
fn of_number(value: &Expression, result: Expression) -> Expression {
    cypher!(
        "CASE WHEN $number THEN $result ELSE $fail END",
        number = number(value),
        result = result,
        fail = fails("round() wants a number"),
    )
}

/// Rounds to a whole number. The engine moves halves away from zero. There is no negative zero.
fn whole(value: &Expression) -> Expression {
    cypher!("CASE WHEN $value < 0 THEN floor($value + 0.5) ELSE round($value) END + 0.0", value = value)
}
