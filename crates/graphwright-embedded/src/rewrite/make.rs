//! Parts of a tree that rewrites make.

use graphwright_core::Span;

use super::{Context, template::Part};
use crate::syntax::tree::{
    Clause, ClauseKind, Expression, ExpressionKind, FunctionCall, ListComprehension, LogicalOperator, Match,
    Name, Pattern, PatternElement, Projection, ProjectionItem, Query, SingleQuery,
};

impl Context<'_> {
    /// Makes `body` over values that may stand in it several times: what costs more than a look is computed once.
    pub(super) fn bind<const N: usize>(
        &mut self,
        values: [Expression; N],
        body: impl FnOnce([&Expression; N]) -> Expression,
    ) -> Expression {
        let mut bound = Vec::new();
        let values = values.map(|value| {
            if is_simple(&value) {
                return value;
            }
            let name = self.fresh();
            bound.push((name.clone(), value));
            (&name).part()
        });
        let result = body(values.each_ref());
        bound.into_iter().rev().fold(result, |result, (name, value)| with_value(name, value, result))
    }
}

/// `head([name IN [value] | result])`
pub(super) fn with_value(name: Name, value: Expression, result: Expression) -> Expression {
    let list = Expression::new(ExpressionKind::List(vec![value]));
    let comprehension = ListComprehension { variable: name, list, condition: None, value: Some(result) };
    let list = Expression::new(ExpressionKind::ListComprehension(Box::new(comprehension)));
    Expression::new(ExpressionKind::Call(Box::new(FunctionCall {
        name: vec![Name::new("head")],
        distinct: false,
        arguments: vec![list],
        form: crate::syntax::tree::CallForm::Plain,
    })))
}

/// What may be written twice without harm.
fn is_simple(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Variable(_) | ExpressionKind::Parameter(_) | ExpressionKind::Literal(_) => true,
        ExpressionKind::Property { base: inner, .. } | ExpressionKind::Unary { operand: inner, .. } => {
            is_simple(inner)
        }
        _ => false,
    }
}

/// The parts that all must hold.
pub(super) fn conjuncts(condition: Expression) -> Vec<Expression> {
    match condition.kind {
        ExpressionKind::Logical { operator: LogicalOperator::And, operands } => {
            operands.into_iter().flat_map(conjuncts).collect()
        }
        kind => vec![Expression { kind, span: condition.span }],
    }
}

impl Clause {
    /// A clause that a rewrite adds.
    pub(super) fn made(kind: ClauseKind) -> Self {
        Self { kind, span: Span::default() }
    }

    /// `WITH *` and more columns.
    pub(super) fn with_all(items: Vec<(Expression, Name)>) -> Self {
        let items = items.into_iter().map(|(expression, alias)| ProjectionItem {
            expression,
            alias: Some(alias),
            span: Span::default(),
        });
        Self::made(ClauseKind::With(Projection {
            all: true,
            items: items.collect(),
            ..Projection::default()
        }))
    }
}

impl Query {
    /// All its parts.
    pub(super) fn parts_mut(&mut self) -> impl Iterator<Item = &mut SingleQuery> {
        std::iter::once(&mut self.first).chain(self.unions.iter_mut().map(|union| &mut union.query))
    }
}

impl ProjectionItem {
    /// The variable that holds the value afterwards.
    pub(super) fn name(&self) -> Option<&Name> {
        match &self.expression.kind {
            _ if self.alias.is_some() => self.alias.as_ref(),
            ExpressionKind::Variable(name) => Some(name),
            _ => None,
        }
    }
}

impl Match {
    /// A `MATCH` of patterns.
    pub(super) fn of(patterns: Vec<Pattern>) -> Self {
        Self { optional: false, mode: None, patterns, hints: Vec::new(), condition: None }
    }
}

impl Pattern {
    /// A path without a name.
    pub(super) fn of(elements: Vec<PatternElement>) -> Self {
        Self { variable: None, selector: None, shortest: None, elements, span: Span::default() }
    }
}

impl Projection {
    /// One column.
    pub(super) fn of(expression: Expression, alias: Name) -> Self {
        let item = ProjectionItem { expression, alias: Some(alias), span: Span::default() };
        Self { items: vec![item], ..Self::default() }
    }
}

impl Expression {
    /// What holds when all parts hold.
    pub(super) fn all_of(parts: Vec<Self>) -> Option<Self> {
        Self::joined(LogicalOperator::And, parts)
    }

    /// What holds when any part holds.
    pub(super) fn any_of(parts: Vec<Self>) -> Option<Self> {
        Self::joined(LogicalOperator::Or, parts)
    }

    fn joined(joint: LogicalOperator, mut parts: Vec<Self>) -> Option<Self> {
        if parts.len() < 2 {
            return parts.pop();
        }
        let mut all = Vec::with_capacity(parts.len());
        for part in parts {
            match part.kind {
                ExpressionKind::Logical { operator, operands } if operator == joint => all.extend(operands),
                kind => all.push(Self { kind, span: part.span }),
            }
        }
        Some(Self::new(ExpressionKind::Logical { operator: joint, operands: all }))
    }

    /// `base.key`
    pub(super) fn property(base: impl Part, key: &Name) -> Self {
        Self::new(ExpressionKind::Property { base: Box::new(base.part()), key: key.clone() })
    }
}
