//! Finds where variables stand in an expression.

use graphwright_cypher::syntax::{
    tree::{Expression, ExpressionKind, Name, NodePattern, PatternElement, RelationshipPattern},
    visit::{
        Visit, VisitMut, walk_expression, walk_expression_mut, walk_node, walk_node_mut, walk_relationship,
        walk_relationship_mut,
    },
};

use super::make::conjuncts;

/// Takes the parts out of a condition that read any of the variables.
pub(super) fn take_about(condition: &mut Option<Expression>, variables: &[Name]) -> Vec<Expression> {
    let parts = condition.take().map(conjuncts).unwrap_or_default();
    let (about, rest) = parts.into_iter().partition(|part| mentions(part, variables));
    *condition = Expression::all_of(rest);
    about
}

pub(super) fn mentions(expression: &Expression, variables: &[Name]) -> bool {
    let mut search = Mentions { variables, found: false };
    search.visit_expression(expression);
    search.found
}

struct Mentions<'v> {
    variables: &'v [Name],
    found: bool,
}

impl Mentions<'_> {
    fn name(&mut self, name: &Name) {
        self.found |= self.variables.iter().any(|variable| variable.text == name.text);
    }
}

impl Visit for Mentions<'_> {
    fn visit_expression(&mut self, expression: &Expression) {
        if let ExpressionKind::Variable(name) | ExpressionKind::MapProjection { base: name, .. } =
            &expression.kind
        {
            self.name(name);
        }
        walk_expression(self, expression);
    }

    fn visit_node(&mut self, node: &NodePattern) {
        node.variable.iter().for_each(|name| self.name(name));
        walk_node(self, node);
    }

    fn visit_relationship(&mut self, relationship: &RelationshipPattern) {
        relationship.variable.iter().for_each(|name| self.name(name));
        walk_relationship(self, relationship);
    }
}

/// New names for variables.
pub(super) struct Renames(pub(super) Vec<(Name, Name)>);

impl Renames {
    fn name(&self, name: &mut Name) {
        if let Some((_, new)) = self.0.iter().find(|(old, _)| old.text == name.text) {
            name.text.clone_from(&new.text);
        }
    }
}

impl VisitMut for Renames {
    fn visit_expression(&mut self, expression: &mut Expression) {
        if let ExpressionKind::Variable(name) | ExpressionKind::MapProjection { base: name, .. } =
            &mut expression.kind
        {
            self.name(name);
        }
        walk_expression_mut(self, expression);
    }

    fn visit_node(&mut self, node: &mut NodePattern) {
        node.variable.iter_mut().for_each(|name| self.name(name));
        walk_node_mut(self, node);
    }

    fn visit_relationship(&mut self, relationship: &mut RelationshipPattern) {
        relationship.variable.iter_mut().for_each(|name| self.name(name));
        walk_relationship_mut(self, relationship);
    }
}

/// Lists the variables of a part of a path, including those of groups.
pub(super) fn of_elements(elements: &[PatternElement]) -> Vec<Name> {
    let names = elements.iter().flat_map(|element| match element {
        PatternElement::Node(node) => node.variable.iter().cloned().collect(),
        PatternElement::Relationship(relationship) => relationship.variable.iter().cloned().collect(),
        PatternElement::Group(group) => of_elements(&group.pattern.elements),
    });
    names.collect()
}
