//! `toLower(text)` and `toUpper(text)`: texts that are compared without their case.

use crate::syntax::tree::{Expression, ExpressionKind};

/// Which letters a function makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Lower,
    Upper,
}

impl Case {
    /// The case that an expression makes, and of what.
    pub(crate) fn of(expression: &Expression) -> Option<(Self, &Expression)> {
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
