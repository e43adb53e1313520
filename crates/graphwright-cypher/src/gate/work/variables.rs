//! Collects the variables of expressions and patterns.

use std::collections::HashSet;

use crate::syntax::{
    tree::{Expression, ExpressionKind, Pattern, PatternElement},
    visit::{Visit, walk_expression},
};

/// Returns all variables that an expression names.
pub(super) fn variables_of(expression: &Expression) -> HashSet<Box<str>> {
    struct VariableCollector(HashSet<Box<str>>);
    impl Visit for VariableCollector {
        fn visit_expression(&mut self, expression: &Expression) {
            match &expression.kind {
                ExpressionKind::Variable(name) => {
                    self.0.insert(name.text.clone());
                }
                ExpressionKind::MapProjection { base, .. } => {
                    self.0.insert(base.text.clone());
                }
                _ => {}
            }
            walk_expression(self, expression);
        }
    }
    let mut collector = VariableCollector(HashSet::new());
    collector.visit_expression(expression);
    collector.0
}

/// Returns the variables of the nodes and relationships of a pattern.
pub(super) fn variables_of_pattern(pattern: &Pattern) -> HashSet<Box<str>> {
    let mut names = HashSet::new();
    for element in &pattern.elements {
        match element {
            PatternElement::Node(node) => {
                names.extend(node.variable.as_ref().map(|name| name.text.clone()));
            }
            PatternElement::Relationship(relationship) => {
                names.extend(relationship.variable.as_ref().map(|name| name.text.clone()));
            }
            PatternElement::Group(group) => names.extend(variables_of_pattern(&group.pattern)),
        }
    }
    names
}
