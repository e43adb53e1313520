//! Differences of dates as in SQL.

use super::{
    ChangeCode,
    draft::Draft,
    places,
    step::{Outcome, Step},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    syntax::tree::{BinaryOperator, Expression, ExpressionKind, Literal},
};

/// The unit of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Year,
    Month,
    Day,
    Hour,
    Minute,
    Second,
}

impl Unit {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().trim_end_matches('s') {
            "year" => Self::Year,
            "month" => Self::Month,
            "day" => Self::Day,
            "hour" => Self::Hour,
            "minute" => Self::Minute,
            "second" => Self::Second,
            _ => return None,
        })
    }

    /// Returns the expression for the whole units between two times.
    fn whole(self, from: &str, to: &str) -> String {
        let (function, part) = match self {
            Self::Year => ("inMonths", "years"),
            Self::Month => ("inMonths", "months"),
            Self::Day => ("inDays", "days"),
            Self::Hour => ("inSeconds", "hours"),
            Self::Minute => ("inSeconds", "minutes"),
            Self::Second => ("inSeconds", "seconds"),
        };
        format!("duration.{function}({from}, {to}).{part}")
    }

    /// Returns the expression for how often the unit changes between two dates, as `DATEDIFF`
    /// counts.
    fn changes(self, from: &str, to: &str) -> Option<String> {
        let (from, to) = (as_date(from), as_date(to));
        match self {
            Self::Year => Some(format!("({to}.year - {from}.year)")),
            Self::Month => Some(format!("(12 * ({to}.year - {from}.year) + {to}.month - {from}.month)")),
            Self::Day => Some(Self::Day.whole(&from, &to)),
            Self::Hour | Self::Minute | Self::Second => None,
        }
    }
}

fn as_date(text: &str) -> String {
    if text.to_ascii_lowercase().starts_with("date(") { text.to_owned() } else { format!("date({text})") }
}

/// Replaces the difference functions of SQL.
///
/// `DATEDIFF(day, a, b)`, `DATE_DIFF(b, a, DAY)` and `DATEDIFF(b, a)` → `duration.inDays(date(a),
/// date(b)).days`, likewise for months and years. `TIMESTAMPDIFF` counts whole units:
/// `duration.inMonths(a, b).years`.
pub(super) fn difference_function(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    if fault.code != Code::UnknownFunction {
        return None;
    }
    places::expression_at(&draft.tree, fault.span, |expression| {
        let ExpressionKind::Call(call) = &expression.kind else { return None };
        let [name] = call.name.as_slice() else { return None };
        let counts_whole = match name.text.to_ascii_lowercase().as_str() {
            "datediff" | "date_diff" => false,
            "timestampdiff" | "timestamp_diff" => true,
            _ => return None,
        };
        let (unit, from, to) = match call.arguments.as_slice() {
            [to, from] if !counts_whole => (Unit::Day, from, to),
            [first, second, third] => match (unit_of(draft, first), unit_of(draft, third)) {
                (Some(unit), None) => (unit, second, third),
                (None, Some(unit)) => (unit, second, first),
                _ => return None,
            },
            _ => return None,
        };
        let (from, to) = (draft.text.get(from.span.range())?, draft.text.get(to.span.range())?);
        let text = if counts_whole { unit.whole(from, to) } else { unit.changes(from, to)? };
        let message = format!("`{text}` in place of {}()", name.text);
        Some(Outcome::Step(Step::new(ChangeCode::ForeignFunction, message).replace(expression.span, text)))
    })
}

/// Returns the unit that an argument names, in quotes or not. A defined variable with such a name
/// is none.
fn unit_of(draft: &Draft<'_>, argument: &Expression) -> Option<Unit> {
    match &argument.kind {
        ExpressionKind::Literal(Literal::String(name)) => Unit::from_name(name),
        ExpressionKind::Variable(name) => {
            let is_undefined =
                |fault: &Diagnostic| fault.code == Code::UndefinedVariable && fault.span == argument.span;
            Unit::from_name(&name.text).filter(|_| draft.faults.iter().any(is_undefined))
        }
        _ => None,
    }
}

/// Replaces a subtraction of times, which Cypher does not have.
///
/// `(date() - n.born).years` → `duration.inMonths(n.born, date()).years`
pub(super) fn subtraction(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    if fault.code != Code::InvalidArgumentType {
        return None;
    }
    places::expression_around(&draft.tree, fault.span, |expression| {
        let ExpressionKind::Property { base, key } = &expression.kind else { return None };
        let ExpressionKind::Binary { operator: BinaryOperator::Subtract, left, right } = &base.kind else {
            return None;
        };
        let unit =
            Unit::from_name(&key.text).filter(|_| right.span == fault.span && key.text.ends_with('s'))?;
        let (from, to) = (draft.text.get(right.span.range())?, draft.text.get(left.span.range())?);
        let text = unit.whole(from, to);
        let message = format!("`{text}` in place of a subtraction");
        Some(Outcome::Step(Step::new(ChangeCode::ForeignFunction, message).replace(expression.span, text)))
    })
}
