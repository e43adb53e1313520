//! An inventory of what a query asks for, so that a repair that loses something is noticed.

use crate::syntax::{
    tree::{
        BinaryOperator, ClauseKind, Expression, ExpressionKind, LabelExpression, LabelKind, NodePattern,
        Page, ProjectionItem, RelationshipPattern, Tree,
    },
    visit::{Visit, walk_clause, walk_expression, walk_labels, walk_node, walk_page, walk_relationship},
};

/// The number of parts of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Inventory {
    /// Comparisons, tests, and properties in patterns.
    predicates: usize,
    /// Labels and types.
    labels: usize,
    /// Nodes and relationships of patterns.
    elements: usize,
    /// Columns of `RETURN` and `WITH`.
    columns: usize,
    /// Parts of `ORDER BY`, `SKIP` and `LIMIT`.
    pages: usize,
}

impl Inventory {
    pub(super) fn from_tree(tree: &Tree) -> Self {
        let mut inventory = Self::default();
        inventory.visit_tree(tree);
        inventory
    }

    /// Returns whether everything of `before` is still there, except `removed_columns` columns that
    /// stand elsewhere.
    pub(super) fn holds(&self, before: &Self, removed_columns: usize) -> bool {
        self.predicates >= before.predicates
            && self.labels >= before.labels
            && self.elements >= before.elements
            && self.columns + removed_columns >= before.columns
            && self.pages >= before.pages
    }

    fn properties(&mut self, properties: Option<&Expression>) {
        if let Some(ExpressionKind::Map(entries)) = properties.map(|properties| &properties.kind) {
            self.predicates += entries.len();
        }
    }

    fn items(&mut self, items: &[ProjectionItem]) {
        self.columns += items.len();
    }
}

impl Visit for Inventory {
    fn visit_clause(&mut self, clause: &crate::syntax::tree::Clause) {
        if let ClauseKind::With(projection) | ClauseKind::Return(projection) = &clause.kind {
            self.items(&projection.items);
        }
        walk_clause(self, clause);
    }

    fn visit_page(&mut self, page: &Page) {
        self.pages += page.order.len() + usize::from(page.skip.is_some()) + usize::from(page.limit.is_some());
        walk_page(self, page);
    }

    fn visit_node(&mut self, node: &NodePattern) {
        self.elements += 1;
        self.properties(node.properties.as_deref());
        walk_node(self, node);
    }

    fn visit_relationship(&mut self, relationship: &RelationshipPattern) {
        self.elements += 1;
        self.properties(relationship.properties.as_deref());
        walk_relationship(self, relationship);
    }

    fn visit_labels(&mut self, labels: &LabelExpression) {
        self.labels += usize::from(matches!(labels.kind, LabelKind::Name(_)));
        walk_labels(self, labels);
    }

    fn visit_expression(&mut self, expression: &Expression) {
        self.predicates += match &expression.kind {
            ExpressionKind::Comparison { rest, .. } => rest.len(),
            ExpressionKind::Test { .. } | ExpressionKind::Quantified(_) => 1,
            // A label test counts as one predicate, whatever its labels.
            ExpressionKind::Labels { base, .. } => {
                self.predicates += 1;
                return self.visit_expression(base);
            }
            ExpressionKind::Binary { operator, .. } => usize::from(is_condition(*operator)),
            _ => 0,
        };
        walk_expression(self, expression);
    }
}

fn is_condition(operator: BinaryOperator) -> bool {
    use BinaryOperator::{Contains, EndsWith, In, Matches, StartsWith};
    matches!(operator, In | StartsWith | EndsWith | Contains | Matches)
}
