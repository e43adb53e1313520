//! What is known of a value: the length of lists and strings, the size in bytes and the bound of numbers.

use graphwright_core::Value;

use crate::syntax::tree::{BinaryOperator, FunctionCall, Literal};

/// The most text of a regular expression that is read, in bytes.
const LONGEST_TEXT: usize = 4_096;

/// The bytes of a number, and of a value that is not in the text.
const NUMBER: u64 = 8;

/// The length with which a range counts whose length is not known.
const ASSUMED_LENGTH: u64 = 100;

/// An estimate of a value.
#[derive(Clone, Debug)]
pub(super) struct Estimate {
    /// The number of elements or characters; 1 if that is not in the text.
    pub(super) length: u64,
    /// The number of elements or characters of each element.
    pub(super) inner: u64,
    /// The bytes of the value.
    pub(super) size: u64,
    /// The bytes of each element.
    pub(super) inner_size: u64,
    /// The bound of the value, if it is a number.
    pub(super) number: Bound,
    /// The bound of each element.
    pub(super) element: Bound,
    /// All the text in the value, one string after another.
    pub(super) text: String,
}

/// An estimate of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The number is written in the text.
    Known(i64),
    /// The number counts what is there: the elements of a list, the relationships of a path.
    Count,
    /// The number may be anything.
    Unknown,
}

impl Bound {
    fn larger(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Known(one), Self::Known(another)) => {
                Self::Known(if one.unsigned_abs() > another.unsigned_abs() { one } else { another })
            }
            (Self::Known(known), Self::Count) | (Self::Count, Self::Known(known)) => Self::Known(known),
            (Self::Count, Self::Count) => Self::Count,
        }
    }
}

impl Default for Estimate {
    /// Returns the estimate of a value of which nothing is known.
    fn default() -> Self {
        Self {
            length: 1,
            inner: 1,
            size: NUMBER,
            inner_size: NUMBER,
            number: Bound::Unknown,
            element: Bound::Unknown,
            text: String::new(),
        }
    }
}

impl Estimate {
    pub(super) fn number(number: Bound) -> Self {
        Self { number, ..Self::default() }
    }

    /// Returns the estimate of a list of numbers, or of unknown values.
    pub(super) fn list(length: u64) -> Self {
        Self { length, size: length.saturating_mul(NUMBER), ..Self::default() }
    }

    /// Returns the estimate of a list of `length` values like this one.
    pub(super) fn times(self, length: u64) -> Self {
        Self {
            length,
            inner: self.length,
            size: length.saturating_mul(self.size),
            inner_size: self.size,
            number: Bound::Unknown,
            element: self.number,
            text: self.text,
        }
    }

    /// Returns the estimate of each element.
    pub(super) fn into_element(self) -> Self {
        let Self { inner, inner_size, element, text, .. } = self;
        let size = inner_size;
        Self { length: inner, inner, size, inner_size, number: element, element: Bound::Unknown, text }
    }

    /// Returns the estimate of one of two values.
    pub(super) fn or(mut self, other: Self) -> Self {
        let Self { length, inner, size, inner_size, number, element, text } = other;
        self.append_text(&text);
        Self {
            length: self.length.max(length),
            inner: self.inner.max(inner),
            size: self.size.max(size),
            inner_size: self.inner_size.max(inner_size),
            number: self.number.larger(number),
            element: self.element.larger(element),
            text: self.text,
        }
    }

    pub(super) fn append_text(&mut self, text: &str) {
        if self.text.len() + text.len() <= LONGEST_TEXT {
            self.text.push_str(text);
        }
    }

    /// Returns the estimate of two strings or lists joined, or of the sum of two numbers.
    pub(super) fn and(self, other: Self) -> Self {
        let number = arithmetic(BinaryOperator::Add, self.number, other.number);
        if number != Bound::Unknown {
            return Self::number(number);
        }
        let length = self.length.saturating_add(other.length);
        let size = self.size.saturating_add(other.size);
        Self { length, size, number, element: Bound::Unknown, ..self.or(other) }
    }

    pub(super) fn from_literal(literal: &Literal) -> Self {
        match literal {
            Literal::Integer(value) => {
                Self::number(i64::try_from(*value).map_or(Bound::Unknown, Bound::Known))
            }
            #[expect(
                clippy::cast_possible_truncation,
                reason = "what is beyond the largest integer is it here"
            )]
            Literal::Float(value) => Self::number(Bound::Known(*value as i64)),
            Literal::String(text) => {
                let length = u64::try_from(text.len()).unwrap_or(u64::MAX);
                let mut found = Self { length: length.max(1), size: length, ..Self::default() };
                found.append_text(text);
                found
            }
            Literal::Null | Literal::Boolean(_) => Self::number(Bound::Count),
            Literal::Infinity | Literal::NotANumber => Self::default(),
        }
    }

    /// Returns the estimate of a value that is there.
    pub(super) fn from_value(value: &Value) -> Self {
        let count = |length: usize| u64::try_from(length).unwrap_or(u64::MAX);
        match value {
            Value::Integer(number) => Self::number(Bound::Known(*number)),
            Value::String(text) => {
                let length = count(text.len()).max(1);
                let mut found = Self { length, size: length, ..Self::default() };
                found.append_text(text);
                found
            }
            Value::List(elements) => {
                let each = elements.iter().map(Self::from_value).reduce(Self::or).unwrap_or_default();
                Self { size: count(value.size()), ..each.times(count(elements.len())) }
            }
            Value::Map(entries) => {
                let each = entries.values().map(Self::from_value).reduce(Self::or).unwrap_or_default();
                let inner = each.length.max(each.inner);
                Self { inner, size: count(value.size()), ..each.times(1) }
            }
            other => Self { size: count(other.size()), ..Self::default() },
        }
    }

    /// Returns the estimate of a range.
    pub(super) fn from_range(arguments: &[Self]) -> Self {
        let bound = |index: usize| arguments.get(index).map_or(Bound::Unknown, |argument| argument.number);
        let length = length_of_range(arguments).unwrap_or(ASSUMED_LENGTH);
        Self { element: bound(0).larger(bound(1)), ..Self::list(length) }
    }
}

/// Returns the length of a range, or `None` if neither the text nor the parameters show it.
pub(super) fn length_of_range(arguments: &[Estimate]) -> Option<u64> {
    let bound = |index: usize| arguments.get(index).map_or(Bound::Unknown, |argument| argument.number);
    let step = match bound(2) {
        Bound::Known(step) => step.unsigned_abs().max(1),
        _ => 1,
    };
    match (bound(0), bound(1)) {
        (Bound::Unknown, _) | (_, Bound::Unknown) => None,
        (Bound::Known(first), Bound::Known(last)) => Some((first.abs_diff(last) / step).saturating_add(1)),
        _ => Some(1),
    }
}

/// Returns the bound of what an operator makes of two numbers.
pub(super) fn arithmetic(operator: BinaryOperator, left: Bound, right: Bound) -> Bound {
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
        // Whatever is divided, the rest is smaller than the divisor.
        (_, Bound::Known(divisor)) if operator == BinaryOperator::Modulo && divisor != 0 => {
            Bound::Known(divisor.saturating_abs() - 1)
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

/// Returns whether a call is of one of the functions of the language with these names.
pub(super) fn is_function(call: &FunctionCall, names: &[&str]) -> bool {
    matches!(call.name.as_slice(), [name] if names.iter().any(|known| name.text.eq_ignore_ascii_case(known)))
}
