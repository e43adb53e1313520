//! Moves `COLLECT { }`, and `COUNT { }` of more than patterns, into a `CALL { }` before the clause.

use graphwright_cypher::syntax::{
    aggregates,
    tree::{
        CallSubquery, Clause, ClauseKind, Expression, ExpressionKind, Imports, Name, Projection,
        ProjectionItem, Query, SingleQuery, SubqueryBody, SubqueryExpression, SubqueryKind,
    },
    visit::{VisitMut, walk_clause_mut, walk_expression_mut},
};

use super::{
    Context, RewriteError,
    template::{Part, cypher},
};

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    Subqueries(context).visit_query(query);
}

struct Subqueries<'c, 't>(&'c mut Context<'t>);

impl VisitMut for Subqueries<'_, '_> {
    fn visit_single_query(&mut self, query: &mut SingleQuery) {
        for mut clause in std::mem::take(&mut query.clauses) {
            let mut hoist = Hoist { context: self.0, calls: Vec::new(), is_possible: false };
            hoist.visit_clause(&mut clause);
            let calls = hoist.calls;
            let filter = match &mut clause.kind {
                ClauseKind::Match(found) if !calls.is_empty() => found.condition.take(),
                _ => None,
            };
            let span = clause.span;
            if let Some(condition) = filter {
                query.clauses.push(clause);
                self.call(calls, query);
                let all = Projection { all: true, condition: Some(condition), ..Projection::default() };
                query.clauses.push(Clause { kind: ClauseKind::With(all), span });
            } else {
                self.call(calls, query);
                if let ClauseKind::Subquery(subquery) = &mut clause.kind {
                    self.visit_query(&mut subquery.query);
                }
                query.clauses.push(clause);
            }
        }
    }
}

impl Subqueries<'_, '_> {
    fn call(&mut self, calls: Vec<Query>, query: &mut SingleQuery) {
        for mut called in calls {
            self.visit_query(&mut called);
            let span = called.span;
            let subquery = CallSubquery {
                optional: false,
                imports: Some(Imports::All),
                query: called,
                transactions: None,
            };
            query.clauses.push(Clause { kind: ClauseKind::Subquery(subquery), span });
        }
    }
}

/// Takes subqueries out of one clause.
struct Hoist<'c, 't> {
    context: &'c mut Context<'t>,
    /// The queries that compute them.
    calls: Vec<Query>,
    /// Whether what stands here can be computed before the clause.
    is_possible: bool,
}

impl VisitMut for Hoist<'_, '_> {
    fn visit_clause(&mut self, clause: &mut Clause) {
        match &mut clause.kind {
            // It has clauses of its own.
            ClauseKind::Subquery(_) => {}
            ClauseKind::With(projection) | ClauseKind::Return(projection) => {
                let is_plain =
                    !projection.distinct && !projection.items.iter().any(|item| aggregates(&item.expression));
                for item in &mut projection.items {
                    self.possible(&mut item.expression);
                }
                for item in &mut projection.page.order {
                    self.is_possible = is_plain;
                    self.visit_expression(&mut item.expression);
                    self.is_possible = false;
                }
                projection.condition.iter_mut().for_each(|condition| self.visit_expression(condition));
            }
            ClauseKind::Unwind(unwind) => self.possible(&mut unwind.list),
            ClauseKind::Create(paths) => {
                self.is_possible = true;
                for path in paths {
                    self.visit_pattern(path);
                }
                self.is_possible = false;
            }
            ClauseKind::Set(items) => {
                // What an item sets is seen by those after it.
                for (place, item) in items.iter_mut().enumerate() {
                    self.is_possible = place == 0;
                    self.visit_set_item(item);
                }
                self.is_possible = false;
            }
            ClauseKind::ForEach(each) => {
                self.possible(&mut each.list);
                each.clauses.iter_mut().for_each(|clause| self.visit_clause(clause));
            }
            ClauseKind::Match(found) if !found.optional => {
                found.patterns.iter_mut().for_each(|pattern| self.visit_pattern(pattern));
                found.condition.iter_mut().for_each(|condition| self.possible(condition));
            }
            _ => walk_clause_mut(self, clause),
        }
    }

    fn visit_expression(&mut self, expression: &mut Expression) {
        match &mut expression.kind {
            ExpressionKind::Subquery(subquery) if is_hoisted(subquery) => {
                match self.is_possible.then(|| self.hoist(subquery)).flatten() {
                    Some(value) => expression.kind = value.kind,
                    None => self.refuse(subquery, expression.span),
                }
            }
            // Local variables cannot be seen before the clause.
            ExpressionKind::ListComprehension(comprehension) => {
                self.visit_expression(&mut comprehension.list);
                comprehension.condition.iter_mut().for_each(|part| self.impossible(part));
                comprehension.value.iter_mut().for_each(|part| self.impossible(part));
            }
            ExpressionKind::Quantified(quantified) => {
                self.visit_expression(&mut quantified.list);
                quantified.condition.iter_mut().for_each(|part| self.impossible(part));
            }
            ExpressionKind::Reduce(reduce) => {
                self.visit_expression(&mut reduce.initial);
                self.visit_expression(&mut reduce.list);
                self.impossible(&mut reduce.value);
            }
            ExpressionKind::PatternComprehension(_) | ExpressionKind::Subquery(_) => {
                let outer = std::mem::replace(&mut self.is_possible, false);
                walk_expression_mut(self, expression);
                self.is_possible = outer;
            }
            _ => walk_expression_mut(self, expression),
        }
    }
}

/// Tells whether the engine cannot read a subquery where it stands.
pub(super) fn is_hoisted(subquery: &SubqueryExpression) -> bool {
    match (&subquery.body, subquery.kind) {
        (_, SubqueryKind::Collect) => true,
        (SubqueryBody::Patterns { .. }, _) => false,
        (SubqueryBody::Query(query), _) => {
            let is_match =
                |clause: &Clause| matches!(&clause.kind, ClauseKind::Match(found) if !found.optional);
            !query.unions.is_empty() || !matches!(query.first.clauses.as_slice(), [only] if is_match(only))
        }
    }
}

impl Hoist<'_, '_> {
    fn possible(&mut self, expression: &mut Expression) {
        self.is_possible = true;
        self.visit_expression(expression);
        self.is_possible = false;
    }

    fn impossible(&mut self, expression: &mut Expression) {
        let outer = std::mem::replace(&mut self.is_possible, false);
        self.visit_expression(expression);
        self.is_possible = outer;
    }

    fn refuse(&mut self, subquery: &SubqueryExpression, span: graphwright_core::Span) {
        let construct = match subquery.kind {
            SubqueryKind::Collect => "COLLECT { } in this place",
            _ => "COUNT { } or EXISTS { } of several clauses in this place",
        };
        let hint = "compute it in CALL { } before, or write one pattern";
        self.context.refuse(RewriteError::unsupported(construct, hint, span));
    }

    /// Moves the subquery before the clause, where it gives one row. Returns what replaces it.
    fn hoist(&mut self, subquery: &mut SubqueryExpression) -> Option<Expression> {
        let SubqueryBody::Query(query) = &mut subquery.body else { return None };
        if !query.unions.is_empty() {
            self.nest(query)?;
        }
        let name = self.context.fresh();
        let clauses = &mut query.first.clauses;
        let mut result = cypher!("count(*)");
        match clauses.last_mut().map(|clause| &mut clause.kind) {
            Some(last @ ClauseKind::Return(_)) => {
                let ClauseKind::Return(mut projection) = std::mem::replace(last, ClauseKind::Finish) else {
                    return None;
                };
                for item in &mut projection.items {
                    item.alias.get_or_insert_with(|| self.context.fresh());
                }
                if subquery.kind == SubqueryKind::Collect {
                    let first = projection.items.first()?.alias.clone()?;
                    result = cypher!("collect([$first])", first = &first);
                }
                *last = ClauseKind::With(projection);
            }
            _ if subquery.kind == SubqueryKind::Collect => return None,
            _ => {}
        }
        let result = Projection::new(result, name.clone());
        clauses.push(Clause { kind: ClauseKind::Return(result), span: query.span });
        self.calls.push(std::mem::take(query));
        Some(self.value(subquery.kind, &name))
    }

    /// Puts parts that `UNION` joins into a subquery of their own.
    fn nest(&mut self, query: &mut Query) -> Option<()> {
        let mut names: Vec<Name> = Vec::new();
        for part in query.parts_mut() {
            let Some(ClauseKind::Return(returned)) = part.clauses.last_mut().map(|clause| &mut clause.kind)
            else {
                return None;
            };
            for (place, item) in returned.items.iter_mut().enumerate() {
                if place == names.len() {
                    names.push(self.context.fresh());
                }
                item.alias = names.get(place).cloned();
            }
            if returned.all {
                return None;
            }
        }
        let items = names.iter().map(|name| ProjectionItem {
            expression: name.part(),
            alias: None,
            span: query.span,
        });
        let returned = Projection { items: items.collect(), ..Projection::default() };
        let call = CallSubquery {
            optional: false,
            imports: Some(Imports::All),
            query: std::mem::take(query),
            transactions: None,
        };
        let clauses =
            vec![Clause::new(ClauseKind::Subquery(call)), Clause::new(ClauseKind::Return(returned))];
        query.first.clauses = clauses;
        Some(())
    }

    fn value(&mut self, kind: SubqueryKind, name: &Name) -> Expression {
        match kind {
            SubqueryKind::Collect => {
                cypher!("[each IN $list | each[0]]", each = &self.context.fresh(), list = name)
            }
            _ => name.part(),
        }
    }
}
