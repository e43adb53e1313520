//! Changes of queries by their syntax trees.

pub(crate) mod cost;
pub(crate) mod meaning;
pub(crate) mod nulls;
pub(crate) mod relax;

use graphwright_cypher::syntax::tree::{Expression, ExpressionKind, Name};

/// Returns the variable and the property of `n.key`.
fn property(expression: &Expression) -> Option<(&Name, &Name)> {
    match &expression.kind {
        ExpressionKind::Property { base, key } => match &base.kind {
            ExpressionKind::Variable(variable) => Some((variable, key)),
            _ => None,
        },
        _ => None,
    }
}
