//! Small tests of values, and calls that fail.

use graphwright_core::Span;
use graphwright_cypher::syntax::tree::{
    ComparisonOperator, Expression, ExpressionKind, Test, TypeKind, ValueType,
};

use super::{FAILS, REFUSES, cypher};

/// Builds an expression of the engine that fails with our message.
pub(in crate::rewrite) fn fails(message: &str) -> Expression {
    // What is no date makes the engine fail with the text in its message (`error::ours`).
    cypher!("date($text)", text = &*format!("{FAILS}{message}"))
}

/// Builds an expression of the engine whose error says that the construct is not supported.
pub(in crate::rewrite) fn refuses(construct: &str) -> Expression {
    cypher!("date($text)", text = &*format!("{REFUSES}{construct}"))
}

/// Tests whether a value is a number (or null).
pub(super) fn number(value: &Expression) -> Expression {
    cypher!("$value IS :: INTEGER OR $value IS :: FLOAT", value = value)
}

/// Tests whether a value is of one of the types, and not null.
pub(super) fn is(value: &Expression, types: &[&'static str]) -> Expression {
    any(value, types, true)
}

/// Tests whether a value is of one of the types, or null.
pub(super) fn is_or_null(value: &Expression, types: &[&'static str]) -> Expression {
    any(value, types, false)
}

fn any(value: &Expression, types: &[&'static str], not_null: bool) -> Expression {
    let tests = types.iter().map(|&name| {
        let value_type = ValueType { kind: TypeKind::Named(name), not_null, span: Span::default() };
        let test = Test::Type(value_type);
        Expression::new(ExpressionKind::Test { operand: Box::new(value.clone()), negated: false, test })
    });
    Expression::any_of(tests.collect()).unwrap_or_default()
}

pub(super) fn compare(operator: ComparisonOperator, left: &Expression, right: &Expression) -> Expression {
    let rest = vec![(operator, right.clone())];
    Expression::new(ExpressionKind::Comparison { first: Box::new(left.clone()), rest })
}
