//! How long lists are.

use super::Work;
use crate::syntax::tree::{
    BinaryOperator, Expression, ExpressionKind, FunctionCall, Literal, Reduce, UnaryOperator,
};

/// How many elements a list may have where each doubles a value.
pub(super) const MOST_DOUBLINGS: u64 = 10;

/// What may be said of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is written in the text.
    Known(i64),
    /// It counts what is there: the elements of a list, the relationships of a path.
    Count,
    /// Anything.
    Unknown,
}

impl Bound {
    fn larger(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Known(one), Self::Known(another)) => Self::Known(one.max(another)),
            (Self::Known(known), Self::Count) | (Self::Count, Self::Known(known)) => Self::Known(known),
            (Self::Count, Self::Count) => Self::Count,
        }
    }
}

pub(super) fn is_range(call: &FunctionCall) -> bool {
    is_function(call, &["range"])
}

fn is_function(call: &FunctionCall, names: &[&str]) -> bool {
    matches!(call.name.as_slice(), [name] if names.iter().any(|known| name.text.eq_ignore_ascii_case(known)))
}

/// Whether each element adds the value to itself.
pub(super) fn doubles(reduce: &Reduce) -> bool {
    struct Found<'a>(&'a str, bool);
    impl crate::syntax::visit::Visit for Found<'_> {
        fn visit_expression(&mut self, expression: &Expression) {
            if let ExpressionKind::Binary {
                operator: BinaryOperator::Add | BinaryOperator::Concatenate | BinaryOperator::Multiply,
                left,
                right,
            } = &expression.kind
            {
                self.1 |= names(left, self.0) && names(right, self.0);
            }
            if let ExpressionKind::List(elements) = &expression.kind {
                self.1 |= elements.iter().filter(|element| names(element, self.0)).count() > 1;
            }
            crate::syntax::visit::walk_expression(self, expression);
        }
    }
    let mut found = Found(&reduce.accumulator.text, false);
    crate::syntax::visit::Visit::visit_expression(&mut found, &reduce.value);
    found.1
}

/// Whether an expression holds a variable.
fn names(expression: &Expression, variable: &str) -> bool {
    struct Found<'a>(&'a str, bool);
    impl crate::syntax::visit::Visit for Found<'_> {
        fn visit_expression(&mut self, expression: &Expression) {
            self.1 |= matches!(&expression.kind, ExpressionKind::Variable(name) if *name.text == *self.0);
            crate::syntax::visit::walk_expression(self, expression);
        }
    }
    let mut found = Found(variable, false);
    crate::syntax::visit::Visit::visit_expression(&mut found, expression);
    found.1
}

impl Work {
    /// How many elements a list has; 1 where that is not in the text.
    pub(super) fn length(&self, list: &Expression) -> u64 {
        match &list.kind {
            ExpressionKind::List(elements) => u64::try_from(elements.len()).unwrap_or(u64::MAX),
            ExpressionKind::Call(call) if is_range(call) => self.range(call).unwrap_or(u64::MAX),
            ExpressionKind::Variable(name) => self.lengths.get(&name.text).copied().unwrap_or(1),
            ExpressionKind::ListComprehension(each) => self.length(&each.list),
            ExpressionKind::Binary {
                operator: BinaryOperator::Add | BinaryOperator::Concatenate,
                left,
                right,
            } => self.length(left).saturating_add(self.length(right)),
            _ => 1,
        }
    }

    /// How many elements a range has, if the text shows it.
    pub(super) fn range(&self, call: &FunctionCall) -> Option<u64> {
        let (first, last) = (self.end(call.arguments.first()?), self.end(call.arguments.get(1)?));
        let step = match call.arguments.get(2).map(|step| self.bound(step)) {
            Some(Bound::Known(step)) => step.unsigned_abs().max(1),
            _ => 1,
        };
        match (first, last) {
            (Bound::Known(first), Bound::Known(last)) => Some(first.abs_diff(last) / step + 1),
            (Bound::Unknown, _) | (_, Bound::Unknown) => None,
            _ => Some(1),
        }
    }

    /// One of the ends of a range. What can be no number is an error of the server, not a long list.
    fn end(&self, expression: &Expression) -> Bound {
        match &expression.kind {
            ExpressionKind::Literal(Literal::Integer(_)) => self.bound(expression),
            ExpressionKind::Literal(_) | ExpressionKind::List(_) | ExpressionKind::Map(_) => Bound::Count,
            _ => self.bound(expression),
        }
    }

    fn bound(&self, expression: &Expression) -> Bound {
        match &expression.kind {
            ExpressionKind::Literal(Literal::Integer(value)) => {
                i64::try_from(*value).map_or(Bound::Unknown, Bound::Known)
            }
            ExpressionKind::Unary { operator: UnaryOperator::Minus, operand } => match self.bound(operand) {
                Bound::Known(value) => Bound::Known(value.saturating_neg()),
                other => other,
            },
            ExpressionKind::Variable(name) => self.numbers.get(&name.text).copied().unwrap_or(Bound::Unknown),
            ExpressionKind::CountStar => Bound::Count,
            ExpressionKind::Call(call) if is_function(call, &["size", "length", "count"]) => Bound::Count,
            ExpressionKind::Call(call)
                if is_function(call, &["toInteger", "floor", "ceil", "round", "abs"]) =>
            {
                call.arguments.first().map_or(Bound::Unknown, |argument| self.bound(argument))
            }
            ExpressionKind::Binary { operator, left, right } => {
                arithmetic(*operator, self.bound(left), self.bound(right))
            }
            _ => Bound::Unknown,
        }
    }

    /// What may be said of the elements of a list.
    fn element(&self, list: &Expression) -> Bound {
        match &list.kind {
            ExpressionKind::Call(call) if is_range(call) => {
                call.arguments.get(1).map_or(Bound::Unknown, |last| self.bound(last))
            }
            ExpressionKind::List(elements) => {
                let bounds = elements.iter().map(|element| self.bound(element));
                bounds.reduce(Bound::larger).unwrap_or(Bound::Count)
            }
            ExpressionKind::Variable(name) => {
                self.elements.get(&name.text).copied().unwrap_or(Bound::Unknown)
            }
            _ => Bound::Unknown,
        }
    }

    /// Remembers what a name in `WITH` stands for.
    pub(super) fn alias(&mut self, name: &str, expression: &Expression) {
        let (length, bound, element) =
            (self.length(expression), self.bound(expression), self.element(expression));
        self.lengths.insert(name.into(), length);
        self.numbers.insert(name.into(), bound);
        self.elements.insert(name.into(), element);
    }

    /// Remembers what the variable that runs through a list stands for.
    pub(super) fn name(&mut self, variable: &str, list: &Expression) {
        let bound = self.element(list);
        let length = match &list.kind {
            ExpressionKind::List(elements) => elements.iter().map(|element| self.length(element)).max(),
            _ => None,
        };
        self.numbers.insert(variable.into(), bound);
        self.lengths.insert(variable.into(), length.unwrap_or(1));
        self.elements.insert(variable.into(), Bound::Unknown);
    }
}

fn arithmetic(operator: BinaryOperator, left: Bound, right: Bound) -> Bound {
    match (left, right) {
        (Bound::Known(left), Bound::Known(right)) => {
            let value = match operator {
                BinaryOperator::Add => left.checked_add(right),
                BinaryOperator::Subtract => left.checked_sub(right),
                BinaryOperator::Multiply => left.checked_mul(right),
                BinaryOperator::Divide => left.checked_div(right),
                BinaryOperator::Modulo => left.checked_rem(right),
                BinaryOperator::Power => u32::try_from(right).ok().and_then(|right| left.checked_pow(right)),
                _ => None,
            };
            value.map_or(Bound::Unknown, Bound::Known)
        }
        (Bound::Count, Bound::Count | Bound::Known(_)) | (Bound::Known(_), Bound::Count)
            if matches!(
                operator,
                BinaryOperator::Add
                    | BinaryOperator::Subtract
                    | BinaryOperator::Divide
                    | BinaryOperator::Modulo
            ) =>
        {
            Bound::Count
        }
        _ => Bound::Unknown,
    }
}
