//! `toLower(text)` and `toUpper(text)`: comparisons of text without its case.

use crate::syntax::tree::{Expression, ExpressionKind};

/// The case that a function gives a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Lower,
    Upper,
}

impl Case {
    /// Returns the case that a call gives a text, and the argument of the call. Returns `None` for
    /// any other expression.
    pub(crate) fn from_expression(expression: &Expression) -> Option<(Self, &Expression)> {
        let ExpressionKind::Call(call) = &expression.kind else { return None };
        let ([name], [argument]) = (call.name.as_slice(), call.arguments.as_slice()) else { return None };
        let case = match name.text.to_ascii_lowercase().as_str() {
            "tolower" | "lower" => Self::Lower,
            "toupper" | "upper" => Self::Upper,
            _ => return None,
        };
        Some((case, argument))
    }

    pub(crate) fn write(self, text: &str) -> String {
        match self {
            Self::Lower => text.to_lowercase(),
            Self::Upper => text.to_uppercase(),
        }
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Lower => "lower case",
            Self::Upper => "upper case",
        }
    }
}
