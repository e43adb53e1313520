//! What narrows patterns down, and how long their paths may be.

use std::collections::HashSet;

use graphwright_core::Span;

use crate::syntax::tree::{
    BinaryOperator, ComparisonOperator, Expression, ExpressionKind, LogicalOperator, Pattern, PatternElement,
};

/// How long a path may be where the text itself sets the bound, other than the shortest one.
pub(super) const MOST_HOPS: u64 = 16;

/// The variables of a pattern, and whether properties or conditions in it narrow it down.
pub(super) fn variables(pattern: &Pattern) -> (HashSet<Box<str>>, bool) {
    let mut names = HashSet::new();
    let mut narrowed = false;
    for element in &pattern.elements {
        let variable = match element {
            PatternElement::Node(node) => {
                narrowed |= node.properties.is_some() || condition_narrows(node.condition.as_deref());
                node.variable.as_ref()
            }
            PatternElement::Relationship(relationship) => {
                narrowed |=
                    relationship.properties.is_some() || condition_narrows(relationship.condition.as_deref());
                relationship.variable.as_ref()
            }
            PatternElement::Group(group) => {
                let (inner, narrows) = variables(&group.pattern);
                narrowed |= narrows || condition_narrows(group.condition.as_deref());
                names.extend(inner);
                None
            }
        };
        names.extend(variable.map(|name| name.text.clone()));
    }
    (names, narrowed)
}

fn condition_narrows(condition: Option<&Expression>) -> bool {
    condition.is_some_and(|condition| !anchors(condition).is_empty())
}

/// The variables that a condition narrows down: those of which it compares a property with something for equality or
/// the like, and those in a pattern that must match, whichever way the condition comes out true.
pub(super) fn anchors(condition: &Expression) -> HashSet<Box<str>> {
    match &condition.kind {
        ExpressionKind::Logical { operator: LogicalOperator::And, operands } => {
            operands.iter().flat_map(anchors).collect()
        }
        ExpressionKind::Logical { operator: LogicalOperator::Or, operands } => {
            let mut sets = operands.iter().map(anchors);
            let first = sets.next().unwrap_or_default();
            sets.fold(first, |both, set| both.intersection(&set).cloned().collect())
        }
        ExpressionKind::Comparison { first, rest } => match rest.as_slice() {
            [(ComparisonOperator::Equal, second)] => {
                subject(first).into_iter().chain(subject(second)).collect()
            }
            _ => HashSet::new(),
        },
        ExpressionKind::Binary {
            operator:
                BinaryOperator::In
                | BinaryOperator::StartsWith
                | BinaryOperator::EndsWith
                | BinaryOperator::Contains
                | BinaryOperator::Matches,
            left,
            ..
        } => subject(left).into_iter().collect(),
        ExpressionKind::Pattern(pattern) => variables(pattern).0,
        _ => HashSet::new(),
    }
}

/// The variable in `n.name`, `id(n)`, `toLower(n.name)` or `n`.
fn subject(expression: &Expression) -> Option<Box<str>> {
    match &expression.kind {
        ExpressionKind::Variable(name) => Some(name.text.clone()),
        ExpressionKind::Property { base, .. } => subject(base),
        ExpressionKind::Call(call) => call.arguments.first().and_then(subject),
        _ => None,
    }
}

/// Where a pattern asks for longer paths than are allowed.
pub(super) fn too_long(pattern: &Pattern) -> Option<Span> {
    if pattern.shortest.is_some() {
        return None;
    }
    pattern.elements.iter().find_map(|element| {
        let (quantifier, hops) = match element {
            PatternElement::Relationship(relationship) => (&relationship.quantifier, &relationship.hops),
            PatternElement::Group(group) => (&group.quantifier, &None),
            PatternElement::Node(_) => return None,
        };
        let quantifier = quantifier.as_ref().filter(|quantifier| is_long(quantifier.most));
        let hops = hops.as_ref().filter(|hops| is_long(hops.most) || is_long(hops.least));
        quantifier.map(|quantifier| quantifier.span).or(hops.map(|hops| hops.span))
    })
}

fn is_long(hops: Option<u64>) -> bool {
    hops.is_some_and(|hops| hops > MOST_HOPS)
}
