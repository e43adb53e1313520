//! Estimates the values of expressions.

use super::{
    ASSUMED_MATCHES, Work, growth, integer,
    value::{Bound, Estimate, arithmetic, is_function},
    variables::variables_of,
};
use crate::syntax::tree::{
    BinaryOperator, Expression, ExpressionKind, FunctionCall, ProjectedEntry, SubqueryKind, UnaryOperator,
};

/// Returns whether the second argument of a function is a regular expression.
pub(super) fn takes_regular_expression(call: &FunctionCall) -> bool {
    const FUNCTIONS: [&str; 4] = ["replace", "regreplace", "regexgroups", "split"];
    match call.name.as_slice() {
        [library, family, name] => {
            library.text.eq_ignore_ascii_case("apoc")
                && family.text.eq_ignore_ascii_case("text")
                && FUNCTIONS.iter().any(|function| name.text.eq_ignore_ascii_case(function))
        }
        _ => false,
    }
}

impl Work<'_> {
    pub(super) fn estimate(&self, expression: &Expression) -> Estimate {
        match &expression.kind {
            ExpressionKind::Literal(literal) => Estimate::from_literal(literal),
            ExpressionKind::Variable(name) => self.known.get(&name.text).cloned().unwrap_or_default(),
            ExpressionKind::Unary { operator: UnaryOperator::Minus, operand } => {
                let number = match self.estimate(operand).number {
                    Bound::Known(value) => Bound::Known(value.saturating_neg()),
                    other => other,
                };
                Estimate::number(number)
            }
            ExpressionKind::Unary { operand, .. } => self.estimate(operand),
            ExpressionKind::Property { base, .. } => self.estimate(base).into_element(),
            ExpressionKind::Index { base, index } => {
                let mut found = self.estimate(base).into_element();
                found.append_text(&self.estimate(index).text);
                found
            }
            ExpressionKind::Slice { base, to, .. } => {
                let base = self.estimate(base);
                let to = to.as_ref().and_then(|to| integer(to)).and_then(|to| u64::try_from(to).ok());
                let length = base.length.min(to.unwrap_or(u64::MAX));
                Estimate { length, size: base.size.min(length.saturating_mul(base.inner_size)), ..base }
            }
            ExpressionKind::List(elements) => self.estimate_list(elements),
            ExpressionKind::Map(entries) => {
                Estimate { length: 1, ..self.estimate_each(entries.iter().map(|(_, value)| value)) }
            }
            ExpressionKind::MapProjection { items, .. } => {
                let values = items.iter().filter_map(|item| match item {
                    ProjectedEntry::Entry(_, value) => Some(value),
                    _ => None,
                });
                Estimate { length: 1, ..self.estimate_each(values) }
            }
            ExpressionKind::Binary { operator, left, right } => {
                let (left, right) = (self.estimate(left), self.estimate(right));
                match operator {
                    BinaryOperator::Add | BinaryOperator::Concatenate => left.and(right),
                    _ => Estimate::number(arithmetic(*operator, left.number, right.number)),
                }
            }
            ExpressionKind::Case(case) => case
                .alternatives
                .iter()
                .map(|alternative| &alternative.value)
                .chain(&case.otherwise)
                .map(|value| self.estimate(value))
                .reduce(Estimate::or)
                .unwrap_or_default(),
            ExpressionKind::Call(call) => self.estimate_call(call),
            ExpressionKind::ListComprehension(each) => {
                let list = self.estimate(&each.list);
                let length = list.length;
                match &each.value {
                    None => list,
                    Some(value) if variables_of(value).contains(&each.variable.text) => {
                        self.estimate(value).or(list.into_element()).times(length)
                    }
                    Some(value) => self.estimate(value).times(length),
                }
            }
            ExpressionKind::Reduce(reduce) => growth::result(self, reduce),
            ExpressionKind::Subquery(subquery) => match subquery.kind {
                SubqueryKind::Collect => Estimate::list(ASSUMED_MATCHES),
                SubqueryKind::Count | SubqueryKind::Exists => Estimate::number(Bound::Count),
            },
            ExpressionKind::CountStar
            | ExpressionKind::Logical { .. }
            | ExpressionKind::Comparison { .. }
            | ExpressionKind::Test { .. }
            | ExpressionKind::Labels { .. }
            | ExpressionKind::Quantified(_) => Estimate::number(Bound::Count),
            ExpressionKind::Parameter(name) => {
                self.parameters.get(&*name.text).map(Estimate::from_value).unwrap_or_default()
            }
            ExpressionKind::PatternComprehension(_)
            | ExpressionKind::Pattern(_)
            | ExpressionKind::Invalid => Estimate::default(),
        }
    }

    fn estimate_list(&self, elements: &[Expression]) -> Estimate {
        let length = u64::try_from(elements.len()).unwrap_or(u64::MAX);
        Estimate { length, ..self.estimate_each(elements) }
    }

    /// Returns the estimate of a container of values.
    fn estimate_each<'e>(&self, values: impl IntoIterator<Item = &'e Expression>) -> Estimate {
        let values: Vec<_> = values.into_iter().map(|value| self.estimate(value)).collect();
        let size = values.iter().map(|value| value.size).fold(0, u64::saturating_add);
        let all = values.into_iter().reduce(Estimate::or);
        let all = all.unwrap_or_else(|| Estimate::number(Bound::Count));
        let inner = all.length.max(all.inner);
        Estimate { inner, size, ..all.times(1) }
    }

    fn estimate_call(&self, call: &FunctionCall) -> Estimate {
        let arguments: Vec<_> = call.arguments.iter().map(|argument| self.estimate(argument)).collect();
        let first = || arguments.first().cloned().unwrap_or_default();
        if is_function(call, &["range"]) {
            return Estimate::from_range(&arguments);
        }
        if is_function(call, &["size", "length", "count"]) {
            return Estimate::number(Bound::Count);
        }
        if is_function(call, &["toInteger", "floor", "ceil", "round", "abs"]) {
            return Estimate::number(first().number);
        }
        if is_function(call, &["collect"]) {
            return first().times(self.group);
        }
        if is_function(call, &["head", "last"]) {
            return first().into_element();
        }
        let with = arguments.get(2).map_or(1, |with| with.length.max(1));
        let found = arguments.into_iter().reduce(Estimate::or).unwrap_or_default();
        if is_function(call, &["replace"]) {
            let (length, size) = (found.length.saturating_mul(with), found.size.saturating_mul(with));
            return Estimate { length, size, ..found };
        }
        if is_function(call, &["coalesce", "max", "min"]) {
            return found;
        }
        // The other functions return at most as much as they are given.
        Estimate { number: Bound::Unknown, ..found }
    }
}
