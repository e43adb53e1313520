//! `WITH` and `RETURN`: columns, their order and the number of rows.

use std::collections::HashSet;

use graphwright_core::Span;

use super::{Aggregates, Checker, Scope, aggregation, types::Type};
use crate::{
    diagnostic::Code,
    syntax::{
        print_expression,
        tree::{Expression, ExpressionKind, Literal, Page, Projection, ProjectionItem, UnaryOperator},
    },
};

/// The use of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Columns {
    /// The columns are the result.
    Returned,
    /// The columns become variables around a subquery.
    Exported,
    /// The columns become variables of the following clauses.
    Passed,
}

impl<'t> Checker<'t> {
    /// Checks columns and makes them the scope. Returns their names, unless `*` is among them.
    pub(super) fn projection(
        &mut self,
        projection: &'t Projection,
        span: Span,
        kind: Columns,
    ) -> Option<Vec<&'t str>> {
        if kind != Columns::Passed && projection.all && self.scope.is_empty() && projection.items.is_empty() {
            let message = "expected variables that `*` can stand for, found none";
            self.report(Code::NoVariablesInScope, span, message);
        }
        let mut names = Vec::new();
        let mut projected = if projection.all { self.scope.clone() } else { Scope::new() };
        let mut seen = HashSet::new();
        for item in &projection.items {
            let found =
                self.with_aggregates(Aggregates::Allowed, |checker| checker.expression(&item.expression));
            let name = self.column_name(item, kind != Columns::Returned);
            if !seen.insert(name) {
                let message = format!("expected columns with different names, found two called `{name}`");
                self.report_with_help(Code::ColumnNameConflict, item.span, message, "rename one with AS");
            }
            names.push(name);
            projected.insert(name, found);
        }
        let aggregates = projection.items.iter().any(|item| aggregation::aggregates(&item.expression));
        if aggregates {
            self.grouping(projection);
        }
        self.behind_columns(projection, projected, aggregates);
        (!projection.all).then_some(names)
    }

    /// Returns the name of a column. Reports a column that is used further but has no alias and is
    /// no variable.
    fn column_name(&mut self, item: &'t ProjectionItem, needed: bool) -> &'t str {
        match (&item.alias, &item.expression.kind) {
            (Some(alias), _) => &alias.text,
            (None, ExpressionKind::Variable(name)) => &name.text,
            _ => {
                if needed {
                    let message = "expected a name for the column, found none";
                    self.report_with_help(Code::NoExpressionAlias, item.span, message, "add AS and a name");
                }
                self.text.get(item.expression.span.range()).unwrap_or_default()
            }
        }
    }

    /// Checks order, number and condition of the rows, then leaves the columns as the scope.
    fn behind_columns(&mut self, projection: &'t Projection, mut projected: Scope<'t>, aggregates: bool) {
        self.row_counts(&projection.page);
        self.dropped.extend(self.scope.keys());
        let restricted = aggregates || projection.distinct;
        if restricted {
            let before = std::mem::replace(&mut self.scope, projected.clone());
            self.scope.extend(self.constants.iter().map(|(name, value)| (*name, *value)));
            let columns: Vec<String> =
                projection.items.iter().map(|item| print_expression(&item.expression)).collect();
            for item in &projection.page.order {
                self.restricted(&item.expression, &columns, &before, aggregates, Self::sort_value);
            }
            if let Some(condition) = &projection.condition {
                if aggregation::aggregates(condition) {
                    self.condition(condition);
                } else {
                    self.restricted(condition, &columns, &before, aggregates, Self::condition);
                }
            }
        } else {
            self.scope.extend(projected.iter().map(|(name, value)| (*name, *value)));
            for item in &projection.page.order {
                self.expression(&item.expression);
            }
            self.optional_condition(projection.condition.as_ref());
        }
        projected.extend(self.constants.iter().map(|(name, value)| (*name, *value)));
        self.scope = projected;
    }

    /// Checks an order or a condition behind `DISTINCT` or aggregates, where only columns are left.
    fn restricted(
        &mut self,
        key: &'t Expression,
        columns: &[String],
        before: &Scope<'t>,
        aggregates: bool,
        check: fn(&mut Self, &'t Expression),
    ) {
        if columns.contains(&print_expression(key)) {
            return;
        }
        if !aggregation::aggregates(key) {
            self.with_own_scope(|checker| {
                // The variables before are visible here so that only other faults are found;
                // whether they may be used is checked below.
                for (name, value) in before {
                    checker.scope.entry(name).or_insert(*value);
                }
                check(checker, key);
            });
            // A column may be written out again, though its variables are gone.
            let mut used = aggregation::Uses::default();
            used.outside(key, columns);
            for name in used.variables.iter().filter(|name| before.contains_key(&*name.text)) {
                self.variable(name);
            }
            for pattern in used.patterns {
                match pattern.kind {
                    ExpressionKind::Pattern(_) => self.condition(pattern),
                    _ => {
                        self.expression(pattern);
                    }
                }
            }
            return;
        }
        if !aggregates {
            let message = "expected a column, found an aggregate that is none";
            self.report(Code::InvalidAggregation, key.span, message);
            return;
        }
        let mut used = aggregation::Uses::strict();
        used.outside(key, columns);
        for name in used.variables {
            if self.scope.contains_key(&*name.text) {
                continue;
            }
            let in_column =
                columns.iter().any(|column| column.contains(&*name.text) && !column.contains('('));
            if before.contains_key(&*name.text) && in_column {
                self.report_ambiguous(name.span, &name.text);
            } else {
                self.variable(name);
            }
        }
    }

    fn sort_value(&mut self, key: &'t Expression) {
        self.expression(key);
    }

    /// Reports values beside aggregates that the rows are not grouped by.
    fn grouping(&mut self, projection: &'t Projection) {
        let keys: Vec<String> = projection
            .items
            .iter()
            .filter(|item| match &item.expression.kind {
                ExpressionKind::Variable(_) => true,
                ExpressionKind::Property { base, .. } => matches!(base.kind, ExpressionKind::Variable(_)),
                _ => false,
            })
            .map(|item| print_expression(&item.expression))
            .collect();
        for item in projection.items.iter().filter(|item| aggregation::aggregates(&item.expression)) {
            let mut used = aggregation::Uses::default();
            used.outside(&item.expression, &keys);
            for name in used.variables {
                if self.scope.contains_key(&*name.text) && !self.constants.contains_key(&*name.text) {
                    self.report_ambiguous(name.span, &name.text);
                }
            }
        }
    }

    fn report_ambiguous(&mut self, span: Span, name: &str) {
        let message = format!(
            "expected grouping keys beside an aggregate, found `{name}`, which is no column of its own"
        );
        let help = "make it a column of its own, or aggregate in a WITH before";
        self.report_with_help(Code::AmbiguousAggregationExpression, span, message, help);
    }

    /// Checks `SKIP` and `LIMIT`, which cannot depend on the row.
    pub(super) fn row_counts(&mut self, page: &'t Page) {
        for count in [&page.skip, &page.limit].into_iter().flatten() {
            let mut used = aggregation::Uses::default();
            used.outside(count, &[]);
            if let Some(name) = used.variables.first() {
                let message =
                    format!("expected a number that does not depend on the row, found `{}`", name.text);
                self.report(Code::NonConstantExpression, name.span, message);
                continue;
            }
            let found = self.with_own_scope(|checker| checker.expression(count));
            if let ExpressionKind::Unary { operator: UnaryOperator::Minus, operand } = &count.kind
                && matches!(operand.kind, ExpressionKind::Literal(Literal::Integer(1..)))
            {
                let message = "expected a number of rows that is not negative, found a negative one";
                self.report(Code::NegativeIntegerArgument, count.span, message);
            } else {
                self.expect(found, Type::INTEGER, count.span);
            }
        }
    }
}
