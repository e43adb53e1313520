//! Tracks what the clauses before have deleted, and refuses a `MERGE` that would still find it in
//! the engine.

use graphwright_cypher::syntax::{
    tree::{
        Expression, ExpressionKind, LabelExpression, LabelKind, Name, Pattern, PatternElement, Query,
        RelationshipPattern,
    },
    visit::{Visit, walk_expression, walk_labels, walk_relationship},
};

use super::{Guard, Kind, RewriteError, Scope};

/// The types of relationships that patterns name. None if any type will do.
#[derive(Default)]
pub(super) struct Types(Vec<(Name, Vec<Box<str>>)>);

impl Types {
    pub(super) fn from_query(query: &Query) -> Self {
        let mut types = Self::default();
        types.visit_query(query);
        types
    }
}

impl Visit for Types {
    fn visit_relationship(&mut self, relationship: &RelationshipPattern) {
        if let Some(variable) = &relationship.variable {
            self.0.push((variable.clone(), names(relationship.types.as_ref())));
        }
        walk_relationship(self, relationship);
    }
}

fn names(labels: Option<&LabelExpression>) -> Vec<Box<str>> {
    let mut names = Names(Vec::new());
    if let Some(labels) = labels {
        names.visit_labels(labels);
    }
    names.0
}

struct Names(Vec<Box<str>>);

impl Visit for Names {
    fn visit_labels(&mut self, labels: &LabelExpression) {
        if let LabelKind::Name(name) = &labels.kind {
            self.0.push(name.text.clone());
        }
        walk_labels(self, labels);
    }
}

impl Guard<'_, '_> {
    /// Remembers that what an expression names is deleted.
    pub(super) fn remember(&mut self, expression: &Expression, scope: &mut Scope) {
        let mut variables = Variables(Vec::new());
        variables.visit_expression(expression);
        for name in variables.0 {
            if let Some(kind @ (Kind::Node | Kind::Relationship)) = scope.get(&name).map(|kinds| kinds.own) {
                scope.set(&name, Kind::Deleted);
                self.deleted.push((name, kind));
            }
        }
    }

    /// Refuses a `MERGE` that the engine does otherwise. `scope` is what holds before it.
    pub(super) fn merge(&mut self, path: &Pattern, scope: &Scope) {
        if let Some(name) = &path.variable {
            let hint = "match the path after MERGE";
            self.context.refuse(RewriteError::unsupported("a path variable in MERGE", hint, name.span));
        }
        if path.elements.iter().any(|element| self.finds_deleted(element, scope)) {
            let hint = "delete in a statement of its own";
            let construct = "MERGE of what was deleted before";
            self.context.refuse(RewriteError::unsupported(construct, hint, path.span));
        }
    }

    fn finds_deleted(&self, element: &PatternElement, scope: &Scope) -> bool {
        let deleted = |wanted: Kind| self.deleted.iter().filter(move |(_, kind)| *kind == wanted);
        match element {
            PatternElement::Node(node) => {
                let is_new = node.variable.as_ref().is_none_or(|name| scope.get(name).is_none());
                is_new && deleted(Kind::Node).next().is_some()
            }
            PatternElement::Relationship(relationship) => {
                let wanted = names(relationship.types.as_ref());
                let fits =
                    |types: &[Box<str>]| types.is_empty() || types.iter().any(|name| wanted.contains(name));
                deleted(Kind::Relationship).any(|(name, _)| {
                    self.types.0.iter().any(|(known, types)| known.text == name.text && fits(types))
                })
            }
            PatternElement::Group(_) => false,
        }
    }
}

struct Variables(Vec<Name>);

impl Visit for Variables {
    fn visit_expression(&mut self, expression: &Expression) {
        if let ExpressionKind::Variable(name) = &expression.kind {
            self.0.push(name.clone());
        }
        walk_expression(self, expression);
    }
}
