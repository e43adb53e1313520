//! Collects the properties of written patterns, which the engine must know, and refuses values that
//! no store takes.

use graphwright_cypher::syntax::{
    tree::{
        Clause, ClauseKind, Expression, ExpressionKind, LabelExpression, LabelKind, Name, Pattern,
        PatternElement, Query,
    },
    visit::{VisitMut, walk_clause_mut},
};

use super::{Context, RewriteError};

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    Declares(context).visit_query(query);
}

struct Declares<'c, 't>(&'c mut Context<'t>);

impl VisitMut for Declares<'_, '_> {
    fn visit_clause(&mut self, clause: &mut Clause) {
        match &clause.kind {
            ClauseKind::Create(paths) => paths.iter().for_each(|path| self.path(path)),
            ClauseKind::Merge(merge) => self.path(&merge.pattern),
            _ => {}
        }
        walk_clause_mut(self, clause);
    }
}

impl Declares<'_, '_> {
    fn path(&mut self, path: &Pattern) {
        for element in &path.elements {
            match element {
                PatternElement::Node(node) => {
                    self.properties(node.properties.as_deref(), node.labels.as_ref().and_then(first));
                }
                PatternElement::Relationship(relationship) => {
                    self.properties(relationship.properties.as_deref(), None);
                }
                PatternElement::Group(_) => {}
            }
        }
    }

    fn properties(&mut self, properties: Option<&Expression>, label: Option<&Name>) {
        let Some(ExpressionKind::Map(entries)) = properties.map(|properties| &properties.kind) else {
            return;
        };
        for (key, value) in entries {
            if let ExpressionKind::Map(_) = value.kind {
                let message = format!("a property cannot hold a map: {}", key.text);
                self.0.refuse(RewriteError::Evaluation { message, span: value.span });
            }
            if let Some(label) = label {
                self.0.rewritten.declares.push((label.text.to_string(), key.text.to_string()));
            }
        }
    }
}

/// Returns the first label.
fn first(labels: &LabelExpression) -> Option<&Name> {
    match &labels.kind {
        LabelKind::Name(name) => Some(name),
        LabelKind::And(parts) | LabelKind::Colons(parts) => parts.first().and_then(first),
        _ => None,
    }
}
