//! The walk through a query and the variables that its clauses define.

use super::{
    Checker,
    scope::{Scope, Shape},
};
use crate::syntax::{
    semantics::aggregates,
    tree::{
        CallSubquery, Clause, ClauseKind, Expression, ExpressionKind, Imports, LogicalOperator, Match, Page,
        Projection, ProjectionItem, Query, SetItem, SetKind, SingleQuery,
    },
    visit::{self, Visit},
};

impl Visit for Checker<'_> {
    fn visit_statement(&mut self, statement: &crate::syntax::tree::Statement) {
        self.scope.clear();
        self.not_null.clear();
        visit::walk_statement(self, statement);
    }

    fn visit_query(&mut self, query: &Query) {
        let begin = self.scope.clone();
        let required = self.required;
        // Another part of a `UNION` may still return rows.
        self.required &= query.unions.is_empty();
        self.visit_single_query(&query.first);
        for union in &query.unions {
            let found = std::mem::replace(&mut self.scope, begin.clone());
            self.visit_single_query(&union.query);
            let other = std::mem::replace(&mut self.scope, found);
            self.scope.join(&other);
        }
        self.required = required;
    }

    fn visit_single_query(&mut self, query: &SingleQuery) {
        let required = self.required;
        let outer = std::mem::take(&mut self.matches);
        // An aggregate of all rows gives a row even if there are none.
        let total = query.clauses.iter().rposition(is_total);
        for (place, clause) in query.clauses.iter().enumerate() {
            self.required = required && total.is_none_or(|total| place > total);
            let before = place.checked_sub(1).and_then(|before| query.clauses.get(before));
            // A later MATCH of the same run is read with the first one.
            if before.is_none_or(|before| !matches!(before.kind, ClauseKind::Match(_))) {
                self.cartesian_product(query.clauses.get(place..).unwrap_or_default());
            }
            self.visit_clause(clause);
            self.keep_match(clause);
        }
        self.matches = outer;
        self.required = required;
        if !self.is_nested {
            self.repeated_rows(query);
        }
    }

    fn visit_clause(&mut self, clause: &Clause) {
        match &clause.kind {
            ClauseKind::Match(found) => self.matching(found),
            ClauseKind::With(projection) => self.visit_projection(projection),
            ClauseKind::Return(projection) => {
                if !self.is_nested {
                    self.whole_nodes(projection);
                }
                self.visit_projection(projection);
            }
            ClauseKind::Page(page) => {
                self.optionally(|checker| checker.visit_page(page));
                self.order(page, &[]);
            }
            ClauseKind::Unwind(unwind) => {
                self.visit_expression(&unwind.list);
                let element = match self.shape(&unwind.list) {
                    Shape::Elements(holder) => Shape::Element(holder),
                    _ => Shape::Unknown,
                };
                self.scope.set(&unwind.variable.text, element);
            }
            ClauseKind::Create(patterns) | ClauseKind::Insert(patterns) => {
                self.making(|checker| checker.patterns(patterns, None));
            }
            ClauseKind::Merge(merge) => {
                self.making(|checker| checker.patterns(std::slice::from_ref(&merge.pattern), None));
                for item in merge.actions.iter().flat_map(|action| &action.items) {
                    self.visit_set_item(item);
                }
            }
            ClauseKind::ForEach(each) => {
                self.visit_expression(&each.list);
                let element = match self.shape(&each.list) {
                    Shape::Elements(holder) => Shape::Element(holder),
                    _ => Shape::Unknown,
                };
                self.with_own_scope(|checker| {
                    checker.scope.set(&each.variable.text, element);
                    for clause in &each.clauses {
                        checker.visit_clause(clause);
                    }
                });
            }
            ClauseKind::Subquery(subquery) => {
                self.import(subquery, clause.span);
                self.subquery(subquery);
            }
            ClauseKind::Call(call) => {
                self.optionally(|checker| {
                    for argument in call.arguments.iter().flatten() {
                        checker.visit_expression(argument);
                    }
                });
                let Some(results) = &call.results else { return };
                for item in &results.items {
                    self.scope.set(&item.alias.as_ref().unwrap_or(&item.column).text, Shape::Unknown);
                }
                self.optional_condition(results.condition.as_ref());
            }
            ClauseKind::LoadCsv(load) => self.scope.set(&load.variable.text, Shape::Unknown),
            // The graph behind USE may be a name that looks like a variable.
            ClauseKind::Use(_) => {}
            _ => self.optionally(|checker| visit::walk_clause(checker, clause)),
        }
    }

    fn visit_projection(&mut self, projection: &Projection) {
        let mut columns = if projection.all { self.scope.clone() } else { Scope::default() };
        for item in &projection.items {
            self.optionally(|checker| checker.visit_expression(&item.expression));
            let name = match (&item.alias, &item.expression.kind) {
                (Some(alias), _) => &*alias.text,
                (None, ExpressionKind::Variable(name)) => &*name.text,
                (None, _) => {
                    let Some(name) = self.text.get(item.expression.span.range()) else { continue };
                    name
                }
            };
            columns.set(name, self.shape(&item.expression));
        }
        if projection.page != Page::default() {
            // ORDER BY sees the columns and the variables before them.
            self.scope.extend(columns.clone());
            self.optionally(|checker| checker.visit_page(&projection.page));
            self.order(&projection.page, &projection.items);
        }
        self.grouped_by_itself(projection);
        self.scope = columns;
        self.optional_condition(projection.condition.as_ref());
    }

    fn visit_set_item(&mut self, item: &SetItem) {
        self.making(|checker| match &item.kind {
            SetKind::Replace { variable, value } | SetKind::Merge { variable, value } => {
                checker.visit_expression(value);
                if let Some(Shape::Element(holder)) = checker.scope.get(&variable.text).cloned() {
                    checker.property_map(&holder, value);
                }
            }
            SetKind::Labels { labels, .. } => checker.label_test(labels),
            SetKind::Property { .. } => visit::walk_set_item(checker, item),
        });
    }

    fn visit_expression(&mut self, expression: &Expression) {
        self.expression(expression);
    }
}

impl Checker<'_> {
    fn matching(&mut self, found: &Match) {
        let before = found.optional.then(|| self.scope.clone());
        let required = self.required;
        self.required &= !found.optional;
        self.patterns(&found.patterns, found.condition.as_ref());
        self.optional_condition(found.condition.as_ref());
        self.required = required;
        if let Some(before) = before {
            self.scope.restore(&before);
        }
    }

    fn making(&mut self, read: impl FnOnce(&mut Self)) {
        let creating = std::mem::replace(&mut self.creating, true);
        read(self);
        self.creating = creating;
    }

    pub(super) fn optional_condition(&mut self, condition: Option<&Expression>) {
        if let Some(condition) = condition {
            self.condition(condition);
        }
    }

    /// Reads a condition without which rows are dropped. Each operand of an `AND` is one as well.
    pub(super) fn condition(&mut self, condition: &Expression) {
        match &condition.kind {
            ExpressionKind::Logical { operator: LogicalOperator::And, operands } => {
                for operand in operands {
                    self.condition(operand);
                }
            }
            ExpressionKind::Comparison { .. }
            | ExpressionKind::Binary { .. }
            | ExpressionKind::Labels { .. }
            | ExpressionKind::Pattern(_) => self.expression(condition),
            _ => self.optionally(|checker| checker.expression(condition)),
        }
    }

    fn subquery(&mut self, subquery: &CallSubquery) {
        let outer = self.scope.clone();
        let required = self.required;
        self.required &= !subquery.optional;
        match &subquery.imports {
            Some(Imports::Variables(names)) => {
                let mut scope = Scope::default();
                for name in names {
                    let shape = outer.get(&name.text).cloned().unwrap_or(Shape::Unknown);
                    scope.set(&name.text, shape);
                }
                self.scope = scope;
            }
            None if !subquery.query.parts().any(imports) => self.scope = Scope::default(),
            Some(Imports::All) | None => {}
        }
        let is_nested = std::mem::replace(&mut self.is_nested, true);
        self.visit_query(&subquery.query);
        self.is_nested = is_nested;
        self.required = required;
        let returned = std::mem::replace(&mut self.scope, outer);
        self.scope.extend(returned);
        if let Some(status) =
            subquery.transactions.as_ref().and_then(|transactions| transactions.status.as_ref())
        {
            self.scope.set(&status.text, Shape::Unknown);
        }
    }
}

/// Returns whether the columns of a clause are aggregates that nothing groups.
fn is_total(clause: &Clause) -> bool {
    let (ClauseKind::With(projection) | ClauseKind::Return(projection)) = &clause.kind else { return false };
    let is_key = |item: &ProjectionItem| {
        !matches!(item.expression.kind, ExpressionKind::Literal(_) | ExpressionKind::Parameter(_))
            && !aggregates(&item.expression)
    };
    !projection.all
        && projection.items.iter().any(|item| aggregates(&item.expression))
        && !projection.items.iter().any(is_key)
}

/// Returns whether a query begins with a `WITH` that imports variables.
fn imports(query: &SingleQuery) -> bool {
    let first = query.clauses.iter().find(|clause| !matches!(clause.kind, ClauseKind::Use(_)));
    first.is_some_and(|clause| matches!(clause.kind, ClauseKind::With(_)))
}
