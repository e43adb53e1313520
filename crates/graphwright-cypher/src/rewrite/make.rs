//! Parts of a tree that rewrites make.

use graphwright_core::Span;

use super::template::Part;
use crate::syntax::tree::{
    Expression, ExpressionKind, LogicalOperator, Match, Name, Pattern, PatternElement, Projection,
    ProjectionItem, Query, SingleQuery,
};

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
