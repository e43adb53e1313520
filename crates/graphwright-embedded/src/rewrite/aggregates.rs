//! Moves aggregates within expressions into a `WITH` before, because the engine wants each
//! aggregate to be an item of its own.

use graphwright_cypher::syntax::{
    holds_aggregate, is_aggregate, print_expression,
    tree::{
        Clause, ClauseKind, Expression, ExpressionKind, FunctionCall, Name, Projection, ProjectionItem,
        Query, SingleQuery,
    },
    visit::{VisitMut, walk_expression_mut, walk_single_query_mut},
};

use super::{Context, template::Part};

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    Aggregates(context).visit_query(query);
}

struct Aggregates<'c, 't>(&'c mut Context<'t>);

impl VisitMut for Aggregates<'_, '_> {
    fn visit_single_query(&mut self, query: &mut SingleQuery) {
        walk_single_query_mut(self, query);
        let mut clauses = Vec::with_capacity(query.clauses.len());
        for mut clause in std::mem::take(&mut query.clauses) {
            if let ClauseKind::Return(projection) | ClauseKind::With(projection) = &mut clause.kind
                && projection.items.iter().any(|item| is_mixed(&item.expression))
            {
                let kind = ClauseKind::With(self.computed(projection));
                clauses.push(Clause { kind, span: clause.span });
            }
            clauses.push(clause);
        }
        query.clauses = clauses;
    }
}

/// Tells whether an expression contains aggregates but is none itself.
fn is_mixed(expression: &Expression) -> bool {
    aggregates(expression) && !is_call(expression)
}

/// Tells whether an aggregate function is called here, also under the engine's name.
fn is_call(expression: &Expression) -> bool {
    let is_engines = |call: &FunctionCall| matches!(call.name.as_slice(), [name] if ["percentile_cont", "percentile_disc"].contains(&&*name.text));
    is_aggregate(expression) || matches!(&expression.kind, ExpressionKind::Call(call) if is_engines(call))
}

fn aggregates(expression: &Expression) -> bool {
    holds_aggregate(expression, is_call)
}

impl Aggregates<'_, '_> {
    /// Returns the groups and aggregates of a projection. The projection itself keeps what is
    /// computed from them.
    fn computed(&mut self, projection: &mut Projection) -> Projection {
        let mut parts = Parts { context: self.0, groups: Vec::new(), items: Vec::new(), locals: Vec::new() };
        for item in projection.items.iter().filter(|item| !aggregates(&item.expression)) {
            parts.group(&item.expression);
        }
        for item in &mut projection.items {
            // The column keeps the name of its text, which is about to change.
            if item.alias.is_none() {
                item.alias = Some(match &item.expression.kind {
                    ExpressionKind::Variable(name) => name.clone(),
                    _ => Name::new(print_expression(&item.expression)),
                });
            }
            parts.visit_expression(&mut item.expression);
        }
        Projection { all: projection.all, items: parts.items, ..Projection::default() }
    }
}

/// What is computed before, and the names that stand for it.
struct Parts<'c, 't> {
    context: &'c mut Context<'t>,
    /// Groups as text, and their names.
    groups: Vec<(String, Name)>,
    items: Vec<ProjectionItem>,
    /// Variables of comprehensions around the current expression.
    locals: Vec<Name>,
}

impl Parts<'_, '_> {
    fn group(&mut self, expression: &Expression) {
        let (name, alias) = if let ExpressionKind::Variable(name) = &expression.kind {
            (name.clone(), None)
        } else {
            let name = self.context.fresh();
            (name.clone(), Some(name))
        };
        let text = print_expression(expression);
        if alias.is_some() || !self.groups.iter().any(|(known, _)| *known == text) {
            self.items.push(ProjectionItem { expression: expression.clone(), alias, span: expression.span });
        }
        self.groups.push((text, name));
    }
}

impl VisitMut for Parts<'_, '_> {
    fn visit_expression(&mut self, expression: &mut Expression) {
        let text = print_expression(expression);
        if let Some((_, name)) = self.groups.iter().find(|(group, _)| *group == text) {
            expression.kind = name.part().kind;
        } else if is_call(expression) {
            let (name, span) = (self.context.fresh(), expression.span);
            let call = std::mem::replace(expression, Expression { span, ..(&name).part() });
            self.items.push(ProjectionItem { expression: call, alias: Some(name), span });
        } else if let ExpressionKind::Variable(name) = &expression.kind {
            if !self.locals.iter().any(|local| local.text == name.text) {
                let variable = expression.clone();
                self.group(&variable);
            }
        } else {
            let depth = self.locals.len();
            self.locals.extend(bound(expression));
            walk_expression_mut(self, expression);
            self.locals.truncate(depth);
        }
    }
}

/// Lists the variables that an expression binds.
fn bound(expression: &Expression) -> Vec<Name> {
    match &expression.kind {
        ExpressionKind::ListComprehension(comprehension) => vec![comprehension.variable.clone()],
        ExpressionKind::Quantified(quantified) => vec![quantified.variable.clone()],
        ExpressionKind::Reduce(reduce) => vec![reduce.accumulator.clone(), reduce.variable.clone()],
        _ => Vec::new(),
    }
}
