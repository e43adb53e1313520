//! Rewrites `a < b <= c` as `a < b AND b <= c`.

use graphwright_cypher::syntax::{
    tree::{Expression, ExpressionKind, Query},
    visit::{VisitMut, walk_expression_mut},
};

use super::Context;

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    Chains(context).visit_query(query);
}

struct Chains<'c, 't>(&'c mut Context<'t>);

impl VisitMut for Chains<'_, '_> {
    fn visit_expression(&mut self, expression: &mut Expression) {
        walk_expression_mut(self, expression);
        let ExpressionKind::Comparison { first, rest } = &expression.kind else { return };
        if rest.len() < 2 || !self.0.may_grow(expression) {
            return;
        }
        let mut left = &**first;
        let mut pairs = Vec::with_capacity(rest.len());
        for (operator, right) in rest {
            let pair = ExpressionKind::Comparison {
                first: Box::new(left.clone()),
                rest: vec![(*operator, right.clone())],
            };
            pairs.push(Expression { kind: pair, span: left.span });
            left = right;
        }
        if let Some(all) = Expression::all_of(pairs) {
            expression.kind = all.kind;
        }
    }
}
