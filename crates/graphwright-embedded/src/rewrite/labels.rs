//! Rewrites label and type expressions: `A&!(B|C)`, `%`.

use std::collections::BTreeSet;

use graphwright_cypher::syntax::{
    tree::{
        Expression, ExpressionKind, LabelExpression, LabelKind, Name, NodePattern, Query, RelationshipPattern,
    },
    visit::{Visit, VisitMut, walk_expression_mut, walk_labels_mut, walk_node, walk_relationship},
};

use super::{Context, RewriteError, template::cypher};

/// What has labels or a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Node,
    Relationship,
}

/// Splits a label expression into what stays in the pattern and what becomes conditions.
pub(super) fn split(
    labels: LabelExpression,
    element: Element,
) -> (Option<LabelExpression>, Vec<LabelExpression>) {
    let span = labels.span;
    let is_name = |label: &LabelExpression| matches!(label.kind, LabelKind::Name(_));
    match labels.kind {
        LabelKind::Or(parts) if parts.iter().all(is_name) => {
            (Some(LabelExpression { kind: LabelKind::Or(parts), span }), Vec::new())
        }
        LabelKind::And(_) | LabelKind::Colons(_) if element == Element::Node => {
            let (names, rest): (Vec<_>, Vec<_>) = joined(labels).into_iter().partition(is_name);
            let kept = LabelExpression { kind: LabelKind::Colons(names), span };
            (matches!(&kept.kind, LabelKind::Colons(names) if !names.is_empty()).then_some(kept), rest)
        }
        LabelKind::Name(_) => (Some(labels), Vec::new()),
        _ => (None, vec![labels]),
    }
}

/// Lists the parts that must all hold.
fn joined(labels: LabelExpression) -> Vec<LabelExpression> {
    match labels.kind {
        LabelKind::And(parts) | LabelKind::Colons(parts) => parts.into_iter().flat_map(joined).collect(),
        _ => vec![labels],
    }
}

/// Writes a label expression as a condition on a node or relationship.
pub(super) fn condition(labels: &LabelExpression, subject: &Expression, element: Element) -> Expression {
    let parts = |parts: &[LabelExpression]| {
        parts.iter().map(|part| condition(part, subject, element)).collect::<Vec<_>>()
    };
    match (&labels.kind, element) {
        (LabelKind::Name(name), Element::Relationship) => {
            cypher!("type($of) = $name", of = subject, name = &*name.text)
        }
        (LabelKind::Name(_), Element::Node) if matches!(subject.kind, ExpressionKind::Variable(_)) => {
            Expression {
                kind: ExpressionKind::Labels { base: Box::new(subject.clone()), labels: labels.clone() },
                span: labels.span,
            }
        }
        (LabelKind::Name(name), Element::Node) => {
            cypher!("$name IN labels($of)", name = &*name.text, of = subject)
        }
        (LabelKind::Wildcard, Element::Node) => {
            // A node without labels has this one in the engine.
            cypher!("any(label IN labels($of) WHERE label <> 'Node')", of = subject)
        }
        (LabelKind::Wildcard, Element::Relationship) => cypher!("$of IS NOT NULL", of = subject),
        (LabelKind::Not(operand), _) => cypher!("NOT $is", is = condition(operand, subject, element)),
        (LabelKind::And(all) | LabelKind::Colons(all), _) => {
            Expression::all_of(parts(all)).unwrap_or_default()
        }
        (LabelKind::Or(any), _) => Expression::any_of(parts(any)).unwrap_or_default(),
        (LabelKind::Dynamic { .. } | LabelKind::Invalid, _) => Expression::default(),
    }
}

/// Rewrites `n:A|B` as a condition. The engine reads only `n:A`.
pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    let mut known = Elements::default();
    known.visit_query(query);
    Tests { context, known }.visit_query(query);
}

/// The variables of patterns.
#[derive(Default)]
struct Elements {
    nodes: BTreeSet<Box<str>>,
    relationships: BTreeSet<Box<str>>,
}

impl Visit for Elements {
    fn visit_node(&mut self, node: &NodePattern) {
        self.nodes.extend(node.variable.iter().map(|name| name.text.clone()));
        walk_node(self, node);
    }

    fn visit_relationship(&mut self, relationship: &RelationshipPattern) {
        self.relationships.extend(relationship.variable.iter().map(|name| name.text.clone()));
        walk_relationship(self, relationship);
    }
}

impl Elements {
    fn is_relationship(&self, variable: &Name) -> bool {
        self.relationships.contains(&variable.text) && !self.nodes.contains(&variable.text)
    }
}

struct Tests<'c, 't> {
    context: &'c mut Context<'t>,
    known: Elements,
}

impl VisitMut for Tests<'_, '_> {
    fn visit_expression(&mut self, expression: &mut Expression) {
        walk_expression_mut(self, expression);
        let ExpressionKind::Labels { base, labels } = &expression.kind else { return };
        let element = match &base.kind {
            ExpressionKind::Variable(name) if self.known.is_relationship(name) => Element::Relationship,
            _ => Element::Node,
        };
        expression.kind = condition(labels, base, element).kind;
    }

    fn visit_labels(&mut self, labels: &mut LabelExpression) {
        if let LabelKind::Dynamic { .. } = labels.kind {
            let hint = "write the label";
            self.context.refuse(RewriteError::unsupported(
                "a label given by an expression",
                hint,
                labels.span,
            ));
        }
        walk_labels_mut(self, labels);
    }
}
