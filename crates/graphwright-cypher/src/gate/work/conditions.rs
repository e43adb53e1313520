//! How far conditions narrow down the matches of a pattern.

use std::collections::HashSet;

use super::{
    ASSUMED_MATCHES,
    variables::{variables_of, variables_of_pattern},
};
use crate::syntax::tree::{
    BinaryOperator, ComparisonOperator, Expression, ExpressionKind, Literal, LogicalOperator,
};

/// The number of matches left where a property equals a value (`EQUAL`), is a flag (`FLAG`) or
/// contains a piece of text (`TEXT`).
const EQUAL: u64 = 10;
const FLAG: u64 = 100;
const TEXT: u64 = 30;

/// The effect of a condition on one variable.
#[derive(Clone, Debug)]
pub(super) struct Narrowing {
    pub(super) variable: Box<str>,
    left: u64,
    /// The variables that must be known for the effect.
    needs: HashSet<Box<str>>,
}

impl Narrowing {
    /// Returns the narrowing of an element by the value of a property in its pattern.
    pub(super) fn from_property(variable: &str, value: &Expression) -> Option<Self> {
        let is_flag = matches!(value.kind, ExpressionKind::Literal(Literal::Boolean(_)));
        let needs = variables_of(value);
        let left = if is_flag { FLAG } else { EQUAL };
        (!needs.contains(variable)).then(|| Self { variable: variable.into(), left, needs })
    }

    /// Returns the number of matches left of a pattern with the variable, given the known `names`.
    pub(super) fn matches(&self, names: &HashSet<Box<str>>) -> u64 {
        if self.needs.is_subset(names) { self.left } else { ASSUMED_MATCHES }
    }
}

/// Returns the narrowings of a condition that hold whichever way it comes true.
pub(super) fn narrowings(condition: &Expression) -> Vec<Narrowing> {
    match &condition.kind {
        ExpressionKind::Logical { operator: LogicalOperator::And, operands } => {
            operands.iter().flat_map(narrowings).collect()
        }
        ExpressionKind::Logical { operator: LogicalOperator::Or, operands } => any_of(operands),
        ExpressionKind::Comparison { first, rest } => match rest.as_slice() {
            [(ComparisonOperator::Equal, second)] => {
                equal(first, second).into_iter().chain(equal(second, first)).collect()
            }
            _ => Vec::new(),
        },
        ExpressionKind::Binary { operator, left, right } => {
            // Every text contains the empty one.
            let is_empty =
                matches!(&right.kind, ExpressionKind::Literal(Literal::String(text)) if text.is_empty());
            match operator {
                BinaryOperator::In
                    if matches!(right.kind, ExpressionKind::List(_) | ExpressionKind::Parameter(_)) =>
                {
                    by(left, right, EQUAL).into_iter().collect()
                }
                BinaryOperator::StartsWith | BinaryOperator::EndsWith | BinaryOperator::Contains
                    if is_empty =>
                {
                    Vec::new()
                }
                BinaryOperator::In
                | BinaryOperator::StartsWith
                | BinaryOperator::EndsWith
                | BinaryOperator::Contains
                | BinaryOperator::Matches => by(left, right, TEXT).into_iter().collect(),
                _ => Vec::new(),
            }
        }
        ExpressionKind::Pattern(pattern) => {
            let variables = variables_of_pattern(pattern);
            // Few neighbours are left of each variable once the others are known.
            let narrowing = |variable: &str| {
                let mut needs = variables.clone();
                needs.remove(variable);
                Narrowing { variable: variable.into(), left: EQUAL, needs }
            };
            if variables.len() < 2 {
                Vec::new()
            } else {
                variables.iter().map(|variable| narrowing(variable)).collect()
            }
        }
        _ => Vec::new(),
    }
}

/// Returns what every one of several conditions narrows down.
fn any_of(operands: &[Expression]) -> Vec<Narrowing> {
    let mut sets = operands.iter().map(narrowings);
    let first = sets.next().unwrap_or_default();
    sets.fold(first, |both, set| {
        let joined = both.into_iter().filter_map(|one| {
            let other = set.iter().find(|other| other.variable == one.variable)?;
            let needs = one.needs.union(&other.needs).cloned().collect();
            Some(Narrowing { left: one.left.saturating_add(other.left), needs, ..one })
        });
        joined.collect()
    })
}

/// Returns the narrowing of the subject's variable by `subject = value`.
fn equal(subject: &Expression, value: &Expression) -> Option<Narrowing> {
    let is_flag = matches!(value.kind, ExpressionKind::Literal(Literal::Boolean(_)));
    by(subject, value, if is_flag { FLAG } else { EQUAL })
}

fn by(subject: &Expression, value: &Expression, left: u64) -> Option<Narrowing> {
    let variable = variable_of(subject)?;
    let needs = variables_of(value);
    // A value compared with itself is always equal.
    (!needs.contains(&variable)).then_some(Narrowing { variable, left, needs })
}

/// Returns the variable in `n.name`, `id(n)`, `toLower(n.name)` or `n`.
fn variable_of(expression: &Expression) -> Option<Box<str>> {
    match &expression.kind {
        ExpressionKind::Variable(name) => Some(name.text.clone()),
        ExpressionKind::Property { base, .. } => variable_of(base),
        ExpressionKind::Call(call) => call.arguments.first().and_then(variable_of),
        _ => None,
    }
}
