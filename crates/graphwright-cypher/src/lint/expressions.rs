//! Expressions: their possible values, and the properties that they read.

use super::{
    Checker,
    index::ElementKind,
    names::Names,
    scope::{Holder, Shape},
};
use crate::syntax::{
    tree::{
        Expression, ExpressionKind, FunctionCall, Name, Pattern, ProjectedEntry, SubqueryBody,
        SubqueryExpression,
    },
    visit,
};

impl Checker<'_> {
    /// Returns what an expression can be.
    pub(super) fn shape(&self, expression: &Expression) -> Shape {
        match &expression.kind {
            ExpressionKind::Variable(name) => self.scope.get(&name.text).cloned().unwrap_or(Shape::Unknown),
            ExpressionKind::Property { base, key } => match self.shape(base) {
                Shape::Element(holder) => Shape::Value { holder, key: key.text.clone() },
                _ => Shape::Unknown,
            },
            ExpressionKind::Index { base, .. } => self.element_shape(base),
            ExpressionKind::Slice { base, .. } => self.shape(base),
            ExpressionKind::Call(call) => self.call_shape(call),
            ExpressionKind::ListComprehension(comprehension) if comprehension.value.is_none() => {
                self.shape(&comprehension.list)
            }
            _ => Shape::Unknown,
        }
    }

    fn call_shape(&self, call: &FunctionCall) -> Shape {
        let ([name], [argument, ..]) = (call.name.as_slice(), call.arguments.as_slice()) else {
            return Shape::Unknown;
        };
        let is = |known: &[&str]| known.iter().any(|known| name.text.eq_ignore_ascii_case(known));
        if is(&["head", "last"]) {
            self.element_shape(argument)
        } else if is(&["collect"]) {
            match self.shape(argument) {
                Shape::Element(holder) => Shape::Elements(holder),
                _ => Shape::Unknown,
            }
        } else if is(&["startNode", "endNode"]) {
            Shape::Element(Holder::node(Names::Any))
        } else if is(&["min", "max"]) {
            self.shape(argument)
        } else {
            Shape::Unknown
        }
    }

    /// Returns what the elements of a list can be.
    fn element_shape(&self, list: &Expression) -> Shape {
        match self.shape(list) {
            Shape::Elements(holder) => Shape::Element(holder),
            _ => Shape::Unknown,
        }
    }

    /// Checks an expression.
    pub(super) fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Property { base, key } => {
                self.optionally(|checker| checker.expression(base));
                match self.shape(base) {
                    Shape::Element(holder) => self.property(&holder, key),
                    Shape::Value { .. } => self.part(base, key),
                    _ => {}
                }
            }
            // Rows are filtered by these operands, so they are read as required.
            ExpressionKind::Comparison { first, rest } => {
                visit::walk_expression(self, expression);
                let mut left = &**first;
                for (operator, right) in rest {
                    self.comparison(left, *operator, right);
                    left = right;
                }
            }
            ExpressionKind::Binary { operator, left, right } => {
                visit::walk_expression(self, expression);
                self.membership(left, *operator, right);
            }
            ExpressionKind::Test { operand, negated: true, test } => {
                self.optionally(|checker| checker.expression(operand));
                self.null_test(operand, test);
            }
            ExpressionKind::Call(call) => {
                self.optionally(|checker| visit::walk_expression(checker, expression));
                self.call(call, expression.span);
            }
            ExpressionKind::Labels { base, labels } => {
                self.expression(base);
                let kind = match self.shape(base) {
                    Shape::Element(holder) => holder.kind,
                    _ => ElementKind::Node,
                };
                self.resolve(labels, kind, &[]);
            }
            ExpressionKind::Pattern(pattern) => self.pattern_value(pattern),
            ExpressionKind::MapProjection { base, items } => self.map_projection(base, items),
            ExpressionKind::Subquery(subquery) => self.subquery_value(subquery),
            ExpressionKind::PatternComprehension(comprehension) => self.optionally(|checker| {
                checker.with_own_scope(|checker| {
                    let condition = comprehension.condition.as_ref();
                    checker.patterns(std::slice::from_ref(&comprehension.pattern), condition);
                    checker.optional_condition(condition);
                    checker.expression(&comprehension.value);
                });
            }),
            ExpressionKind::ListComprehension(comprehension) => {
                self.over_list(&comprehension.variable, &comprehension.list, |checker| {
                    checker.optional_condition(comprehension.condition.as_ref());
                    if let Some(value) = &comprehension.value {
                        checker.expression(value);
                    }
                });
            }
            ExpressionKind::Quantified(quantified) => {
                self.over_list(&quantified.variable, &quantified.list, |checker| {
                    checker.optional_condition(quantified.condition.as_ref());
                });
            }
            ExpressionKind::Reduce(reduce) => {
                self.optionally(|checker| checker.expression(&reduce.initial));
                self.over_list(&reduce.variable, &reduce.list, |checker| {
                    checker.scope.set(&reduce.accumulator.text, Shape::Unknown);
                    checker.expression(&reduce.value);
                });
            }
            _ => self.optionally(|checker| visit::walk_expression(checker, expression)),
        }
    }

    /// Checks an expression that is evaluated for each element of a list.
    fn over_list(&mut self, variable: &Name, list: &Expression, read: impl FnOnce(&mut Self)) {
        self.optionally(|checker| {
            checker.expression(list);
            let element = checker.element_shape(list);
            checker.with_own_scope(|checker| {
                checker.scope.set(&variable.text, element);
                read(checker);
            });
        });
    }

    fn pattern_value(&mut self, pattern: &Pattern) {
        self.with_own_scope(|checker| checker.patterns(std::slice::from_ref(pattern), None));
    }

    fn map_projection(&mut self, base: &Name, items: &[ProjectedEntry]) {
        let holder = match self.scope.get(&base.text) {
            Some(Shape::Element(holder)) => Some(holder.clone()),
            _ => None,
        };
        self.optionally(|checker| {
            for item in items {
                match (item, &holder) {
                    (ProjectedEntry::Property(key), Some(holder)) => checker.property(holder, key),
                    (ProjectedEntry::Entry(_, value), _) => checker.expression(value),
                    _ => {}
                }
            }
        });
    }

    fn subquery_value(&mut self, subquery: &SubqueryExpression) {
        self.nested(|checker| {
            checker.with_own_scope(|checker| match &subquery.body {
                SubqueryBody::Patterns { patterns, condition } => {
                    checker.patterns(patterns, condition.as_ref());
                    checker.optional_condition(condition.as_ref());
                }
                SubqueryBody::Query(query) => visit::Visit::visit_query(checker, query),
            });
        });
    }
}
