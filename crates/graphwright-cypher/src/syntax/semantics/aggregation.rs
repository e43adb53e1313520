//! Aggregates and what stands inside and outside of them.

use crate::syntax::{
    print::{print_expression, print_name},
    tree::{Case, CaseCondition, Expression, ExpressionKind, FunctionCall, Name, ProjectedEntry},
    visit::{Visit, walk_expression},
};

/// Whether an expression is an aggregate or holds one.
///
/// ```
/// use graphwright_cypher::syntax::{aggregates, parse, tree::{ClauseKind, StatementBody}};
///
/// let tree = parse("RETURN 1 + sum(1), COUNT { MATCH (n) RETURN max(n.x) }").tree;
/// let StatementBody::Query(query) = &tree.statements[0].body else { unreachable!() };
/// let ClauseKind::Return(projection) = &query.first.clauses[0].kind else { unreachable!() };
/// assert!(aggregates(&projection.items[0].expression));
/// assert!(!aggregates(&projection.items[1].expression));
/// ```
pub fn aggregates(expression: &Expression) -> bool {
    holds_aggregate(expression, is_aggregate)
}

/// Whether an expression is an aggregate or holds one, as `is_aggregate` has it: for a pass that has put other functions
/// in the place of Cypher's. What a subquery aggregates are its own rows.
pub fn holds_aggregate(expression: &Expression, is_aggregate: fn(&Expression) -> bool) -> bool {
    let mut finder = Finder { is_aggregate, found: false };
    finder.visit_expression(expression);
    finder.found
}

struct Finder {
    is_aggregate: fn(&Expression) -> bool,
    found: bool,
}

impl Visit for Finder {
    fn visit_expression(&mut self, expression: &Expression) {
        self.found |= (self.is_aggregate)(expression);
        if !self.found && !matches!(expression.kind, ExpressionKind::Subquery(_)) {
            walk_expression(self, expression);
        }
    }
}

/// Whether an expression is itself an aggregate of Cypher or of the APOC library.
pub fn is_aggregate(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::CountStar => true,
        ExpressionKind::Call(call) => is_aggregate_call(call),
        _ => false,
    }
}

fn is_aggregate_call(call: &FunctionCall) -> bool {
    match call.name.as_slice() {
        [name] => crate::functions::is_aggregate(&name.text),
        // The APOC library names its aggregates `apoc.agg.…`.
        [library, family, _] => {
            library.text.eq_ignore_ascii_case("apoc") && family.text.eq_ignore_ascii_case("agg")
        }
        _ => false,
    }
}

/// The variables that an expression uses outside of aggregates.
#[derive(Default)]
pub(super) struct Uses<'t> {
    pub(super) variables: Vec<&'t Name>,
    /// Whether aggregates that are not keys are searched too.
    strict: bool,
    /// The patterns and subqueries of the expression, which have variables of their own.
    pub(super) patterns: Vec<&'t Expression>,
    locals: Vec<&'t str>,
}

impl<'t> Uses<'t> {
    /// Creates an empty set that also searches aggregates, unless they are keys.
    pub(super) fn strict() -> Self {
        Self { strict: true, ..Self::default() }
    }

    /// Adds the variables of an expression, except those within `keys`.
    pub(super) fn outside(&mut self, expression: &'t Expression, keys: &[String]) {
        // Keys are compared as printed, so that blanks and brackets do not matter.
        let is_key = matches!(expression.kind, ExpressionKind::Variable(_) | ExpressionKind::Property { .. })
            && keys.contains(&print_expression(expression));
        if is_key {
            return;
        }
        match &expression.kind {
            ExpressionKind::Variable(name) => self.add(name),
            ExpressionKind::MapProjection { base, items } => {
                if !keys.contains(&print_name(base)) {
                    self.add(base);
                }
                for item in items {
                    if let ProjectedEntry::Entry(_, value) = item {
                        self.outside(value, keys);
                    }
                }
            }
            ExpressionKind::Call(call) if is_aggregate_call(call) => {
                if self.strict && !keys.contains(&print_expression(expression)) {
                    self.all(&call.arguments, keys);
                }
            }
            ExpressionKind::Property { base, .. } | ExpressionKind::Labels { base, .. } => {
                self.outside(base, keys);
            }
            ExpressionKind::Index { base, index } => self.all([&**base, &**index], keys),
            ExpressionKind::Slice { base, from, to } => {
                self.all(std::iter::once(&**base).chain(from.as_deref()).chain(to.as_deref()), keys);
            }
            ExpressionKind::Unary { operand, .. } | ExpressionKind::Test { operand, .. } => {
                self.outside(operand, keys);
            }
            ExpressionKind::Binary { left, right, .. } => self.all([&**left, &**right], keys),
            ExpressionKind::Logical { operands, .. } | ExpressionKind::List(operands) => {
                self.all(operands, keys);
            }
            ExpressionKind::Comparison { first, rest } => {
                self.all(std::iter::once(&**first).chain(rest.iter().map(|(_, operand)| operand)), keys);
            }
            ExpressionKind::Map(entries) => self.all(entries.iter().map(|(_, value)| value), keys),
            ExpressionKind::Call(call) => self.all(&call.arguments, keys),
            ExpressionKind::ListComprehension(comprehension) => {
                self.outside(&comprehension.list, keys);
                self.locals.push(&comprehension.variable.text);
                self.all(comprehension.condition.iter().chain(&comprehension.value), keys);
                self.locals.pop();
            }
            ExpressionKind::Quantified(quantified) => {
                self.outside(&quantified.list, keys);
                self.locals.push(&quantified.variable.text);
                self.all(&quantified.condition, keys);
                self.locals.pop();
            }
            ExpressionKind::Reduce(reduce) => {
                self.all([&reduce.initial, &reduce.list], keys);
                self.locals.extend([&*reduce.accumulator.text, &*reduce.variable.text]);
                self.outside(&reduce.value, keys);
                self.locals.truncate(self.locals.len().saturating_sub(2));
            }
            ExpressionKind::Case(case) => self.case(case, keys),
            ExpressionKind::PatternComprehension(_)
            | ExpressionKind::Subquery(_)
            | ExpressionKind::Pattern(_) => {
                if self.locals.is_empty() {
                    self.patterns.push(expression);
                }
            }
            ExpressionKind::CountStar
            | ExpressionKind::Literal(_)
            | ExpressionKind::Parameter(_)
            | ExpressionKind::Invalid => {}
        }
    }

    fn all(&mut self, expressions: impl IntoIterator<Item = &'t Expression>, keys: &[String]) {
        for expression in expressions {
            self.outside(expression, keys);
        }
    }

    fn case(&mut self, case: &'t Case, keys: &[String]) {
        self.all(case.subject.iter().chain(&case.otherwise), keys);
        for alternative in &case.alternatives {
            for condition in &alternative.conditions {
                match condition {
                    CaseCondition::Value(value)
                    | CaseCondition::Comparison(_, value)
                    | CaseCondition::Binary(_, value) => self.outside(value, keys),
                    CaseCondition::Test { .. } => {}
                }
            }
            self.outside(&alternative.value, keys);
        }
    }

    fn add(&mut self, name: &'t Name) {
        if !self.locals.contains(&&*name.text) {
            self.variables.push(name);
        }
    }
}
