//! Rewrites `EXISTS`, and patterns as conditions, through `COUNT`. The engine misses matches of two
//! hops and more in them.

use graphwright_cypher::syntax::{
    aggregates,
    tree::{
        ClauseKind, Expression, ExpressionKind, Pattern, Query, SubqueryBody, SubqueryExpression,
        SubqueryKind,
    },
    visit::{VisitMut, walk_expression_mut},
};

use super::{Context, template::cypher};

pub(super) fn run(query: &mut Query, _: &mut Context<'_>) {
    Predicates.visit_query(query);
}

struct Predicates;

impl VisitMut for Predicates {
    fn visit_expression(&mut self, expression: &mut Expression) {
        let changed = match &mut expression.kind {
            ExpressionKind::Pattern(pattern) if pattern.shortest.is_none() => Some(exists(counted(pattern))),
            ExpressionKind::Subquery(subquery) => {
                drop_plain_return(subquery);
                let nothing = SubqueryBody::Patterns { patterns: Vec::new(), condition: None };
                (subquery.kind == SubqueryKind::Exists)
                    .then(|| exists(count(std::mem::replace(&mut subquery.body, nothing))))
            }
            ExpressionKind::Call(call) => match (call.name.as_slice(), call.arguments.as_mut_slice()) {
                ([name], [argument]) if name.text.eq_ignore_ascii_case("size") => {
                    pattern(argument).map(counted)
                }
                ([name], [argument]) if name.text.eq_ignore_ascii_case("exists") => match pattern(argument) {
                    Some(pattern) => Some(exists(counted(pattern))),
                    None => Some(cypher!("$value IS NOT NULL", value = &*argument)),
                },
                _ => None,
            },
            _ => None,
        };
        if let Some(changed) = changed {
            expression.kind = changed.kind;
        }
        walk_expression_mut(self, expression);
    }
}

fn pattern(expression: &mut Expression) -> Option<&mut Pattern> {
    match &mut expression.kind {
        ExpressionKind::Pattern(pattern) if pattern.shortest.is_none() => Some(pattern),
        _ => None,
    }
}

fn counted(pattern: &mut Pattern) -> Expression {
    let pattern = std::mem::replace(pattern, Pattern::new(Vec::new()));
    count(SubqueryBody::Patterns { patterns: vec![pattern], condition: None })
}

fn count(body: SubqueryBody) -> Expression {
    let subquery = SubqueryExpression { kind: SubqueryKind::Count, body };
    Expression::new(ExpressionKind::Subquery(Box::new(subquery)))
}

fn exists(count: Expression) -> Expression {
    cypher!("0 < $count", count = count)
}

/// Removes a `RETURN` that changes neither how many rows there are nor whether there are any.
fn drop_plain_return(subquery: &mut SubqueryExpression) {
    let SubqueryBody::Query(query) = &mut subquery.body else { return };
    let counts = subquery.kind == SubqueryKind::Count;
    let clauses = &mut query.first.clauses;
    let Some(ClauseKind::Return(last)) = clauses.last().map(|clause| &clause.kind) else { return };
    let is_plain = last.page.skip.is_none()
        && last.page.limit.is_none()
        && !(counts && last.distinct)
        && !last.items.iter().any(|item| aggregates(&item.expression));
    if is_plain && clauses.len() > 1 && query.unions.is_empty() && subquery.kind != SubqueryKind::Collect {
        clauses.pop();
    }
}
