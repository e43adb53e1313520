//! Builds parts of a tree for the rewrites.

use graphwright_core::Span;
use graphwright_cypher::syntax::tree::{
    CallForm, Clause, ClauseKind, Expression, ExpressionKind, FunctionCall, ListComprehension,
    LogicalOperator, Name, Projection, ProjectionItem,
};

use super::{Context, template::Part};

impl Context<'_> {
    /// Builds `body` over values that may stand in it several times. Values that cost more than a
    /// look are computed once.
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

/// Returns the call with another function in its place.
pub(super) fn renamed(call: &FunctionCall, name: &str) -> Expression {
    let call = FunctionCall { name: vec![Name::new(name)], ..call.clone() };
    Expression::new(ExpressionKind::Call(Box::new(call)))
}

/// Builds `head([name IN [value] | result])`
pub(super) fn with_value(name: Name, value: Expression, result: Expression) -> Expression {
    let list = Expression::new(ExpressionKind::List(vec![value]));
    let comprehension = ListComprehension { variable: name, list, condition: None, value: Some(result) };
    let list = Expression::new(ExpressionKind::ListComprehension(Box::new(comprehension)));
    Expression::new(ExpressionKind::Call(Box::new(FunctionCall {
        name: vec![Name::new("head")],
        distinct: false,
        arguments: vec![list],
        form: CallForm::Plain,
    })))
}

/// Tells whether an expression is cheap enough to be written twice.
fn is_simple(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Variable(_) | ExpressionKind::Parameter(_) | ExpressionKind::Literal(_) => true,
        ExpressionKind::Property { base: inner, .. } | ExpressionKind::Unary { operand: inner, .. } => {
            is_simple(inner)
        }
        _ => false,
    }
}

/// Splits a condition into the parts that must all hold.
pub(super) fn conjuncts(condition: Expression) -> Vec<Expression> {
    match condition.kind {
        ExpressionKind::Logical { operator: LogicalOperator::And, operands } => {
            operands.into_iter().flat_map(conjuncts).collect()
        }
        kind => vec![Expression { kind, span: condition.span }],
    }
}

/// Builds `WITH *` and more columns.
pub(super) fn with_all(items: Vec<(Expression, Name)>) -> Clause {
    let items = items.into_iter().map(|(expression, alias)| ProjectionItem {
        expression,
        alias: Some(alias),
        span: Span::default(),
    });
    Clause::new(ClauseKind::With(Projection { all: true, items: items.collect(), ..Projection::default() }))
}

/// Builds `base.key`.
pub(super) fn property(base: impl Part, key: &Name) -> Expression {
    Expression::new(ExpressionKind::Property { base: Box::new(base.part()), key: key.clone() })
}
