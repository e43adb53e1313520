//! Writes the bounds of paths of any length, because the engine stops at ten hops unless a bound is
//! written.

use graphwright_cypher::syntax::{
    tree::{
        Clause, ClauseKind, Expression, ExpressionKind, NodePattern, Pattern, PatternElement, Query,
        RelationshipPattern, SubqueryKind,
    },
    visit::{VisitMut, walk_clause_mut, walk_expression_mut, walk_pattern_mut},
};

use super::{Context, quantified::ALL};

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    Lengths { context, in_count: false }.visit_query(query);
}

struct Lengths<'c, 't> {
    context: &'c mut Context<'t>,
    in_count: bool,
}

impl VisitMut for Lengths<'_, '_> {
    fn visit_clause(&mut self, clause: &mut Clause) {
        if let (ClauseKind::Match(found), false) = (&mut clause.kind, self.in_count) {
            found.patterns.iter_mut().for_each(|path| self.name_path(path));
        }
        walk_clause_mut(self, clause);
    }

    fn visit_expression(&mut self, expression: &mut Expression) {
        let outer = self.in_count;
        self.in_count |= matches!(&expression.kind, ExpressionKind::Subquery(subquery) if subquery.kind == SubqueryKind::Count);
        walk_expression_mut(self, expression);
        self.in_count = outer;
    }

    fn visit_pattern(&mut self, path: &mut Pattern) {
        if !self.in_count {
            self.name_node(path);
        }
        for element in &mut path.elements {
            if let PatternElement::Relationship(RelationshipPattern { hops: Some(hops), .. }) = element {
                hops.least.get_or_insert(1);
                hops.most.get_or_insert(ALL);
            }
        }
        walk_pattern_mut(self, path);
    }
}

impl Lengths<'_, '_> {
    /// Names a path with a list of relationships. Otherwise the engine lists those of `[r*]` from
    /// the end where it began to search.
    fn name_path(&mut self, path: &mut Pattern) {
        let lists = path.elements.iter().any(|element| {
            matches!(element, PatternElement::Relationship(relationship)
                if relationship.variable.is_some() && relationship.hops.is_some())
        });
        if lists && path.variable.is_none() && path.shortest.is_none() {
            path.variable = Some(self.context.fresh());
        }
    }

    /// Names the node in `p = (:A)`. Otherwise the engine's path is null.
    fn name_node(&mut self, path: &mut Pattern) {
        if let ([PatternElement::Node(NodePattern { variable: variable @ None, .. })], Some(_)) =
            (path.elements.as_mut_slice(), &path.variable)
        {
            *variable = Some(self.context.fresh());
        }
    }
}
