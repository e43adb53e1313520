//! The estimate of work: how much a text asks for, as far as the text and the schema, if given,
//! show it.
//!
//! The limits of the store are not enough. Neo4j looks at its time limit only between rows, so one
//! expression over a huge list, or one regular expression that backtracks, runs to its end whatever
//! the limit is.
//!
//! A pattern counts as [`ASSUMED_MATCHES`] rows, or fewer if a condition narrows it down or the
//! schema says that there are fewer.

mod conditions;
mod estimate;
mod growth;
mod patterns;
mod ranges;
mod regular_expression;
mod value;
mod variables;

use std::collections::{HashMap, HashSet};

use graphwright_core::{GraphSchema, Properties, Span};

pub use self::ranges::LONG_RANGE;
pub(super) use self::ranges::{OpenRange, guard};
use self::{
    conditions::{Narrowing, narrowings},
    patterns::MOST_HOPS,
    value::{Estimate, is_function, length_of_range},
    variables::{variables_of, variables_of_pattern},
};
use super::{Gate, Refusal, RefusalCode};
use crate::syntax::{
    aggregates,
    tree::{
        BinaryOperator, Clause, ClauseKind, Expression, ExpressionKind, Literal, Pattern, Projection,
        ProjectionItem, Query, SingleQuery, SubqueryBody, UnaryOperator,
    },
    visit::{Visit, walk_clause, walk_expression, walk_pattern, walk_projection},
};

/// The assumed number of matches of a pattern that no property, condition or known variable
/// narrows down.
const ASSUMED_MATCHES: u64 = 1_000;

/// The assumed number of elements of a group that `collect` finds.
const ASSUMED_GROUP: u64 = 30;

/// The limit on the total work of a query, as a multiple of the limit on the work done at once.
const MOST_TIMES: u64 = 4;

/// The most parts of all `UNION`s. Stores read them by recursion: the embedded engine runs out of
/// stack at 400.
const MOST_PARTS: usize = 100;

/// The most bytes of one value on the way to the answer.
const MOST_VALUE_BYTES: u64 = 1 << 24;

/// The most bytes of the large values of an answer together.
const MOST_ANSWER_BYTES: u64 = 10_000_000;

/// The size in bytes up to which a value is not counted for the size of an answer.
const LARGE_VALUE_BYTES: u64 = 1_000;

/// Refuses a query that asks for more than the gate's most rows or elements, or for an answer that is
/// too large. Returns the ranges whose length only the store can see, when it runs.
pub(super) fn check(
    gate: &Gate,
    query: &Query,
    parameters: &Properties,
    most: u64,
) -> Result<Vec<OpenRange>, Refusal> {
    let rows = gate.row_limit.and_then(|rows| u64::try_from(rows).ok());
    let mut work = Work::new(gate, parameters, rows, most);
    work.query(query, 1);
    let open = work.open_ranges;
    work.refusal.map_or(Ok(open), Err)
}

/// The state of an estimate while a query is read from its beginning to its end.
struct Work<'s> {
    schema: Option<&'s GraphSchema>,
    /// The values with which the query is to run.
    parameters: &'s Properties,
    /// The most rows of the answer.
    rows: Option<u64>,
    /// The most steps.
    most: u64,
    /// The number of enclosing queries.
    depth: usize,
    /// The number of parts of `UNION`s so far.
    parts: usize,
    /// The number of rows so far, times the elements of the lists that the current expression runs
    /// through.
    steps: u64,
    /// The number of steps in all lists and clauses so far.
    total: u64,
    /// The number of rows that an aggregate of the current projection sees.
    group: u64,
    /// All variables so far.
    names: HashSet<Box<str>>,
    /// The estimates of named values.
    known: HashMap<Box<str>, Estimate>,
    open_ranges: Vec<OpenRange>,
    refusal: Option<Refusal>,
}

impl<'s> Work<'s> {
    fn new(gate: &'s Gate, parameters: &'s Properties, rows: Option<u64>, most: u64) -> Self {
        Self {
            schema: gate.schema.as_deref(),
            parameters,
            rows,
            most,
            depth: 0,
            parts: 0,
            steps: 1,
            total: 0,
            group: 1,
            names: HashSet::new(),
            known: HashMap::new(),
            open_ranges: Vec::new(),
            refusal: None,
        }
    }

    fn refuse(&mut self, span: Span, message: &str, help: &str) {
        if self.refusal.is_none() {
            self.refusal = Some(Refusal::new(RefusalCode::Work, span, message, help));
        }
    }

    fn count(&mut self, times: u64, span: Span) {
        self.steps = self.steps.saturating_mul(times);
        self.total = self.total.saturating_add(self.steps);
        if self.steps > self.most || self.total > self.most.saturating_mul(MOST_TIMES) {
            let message = format!(
                "this may need more than {} rows or list elements on the way to its answer",
                self.most
            );
            self.refuse(
                span,
                &message,
                "connect the patterns, give them properties, or make the lists shorter",
            );
        }
    }

    /// Returns the number of rows of a query that `rows` rows enter.
    fn query(&mut self, query: &Query, rows: u64) -> u64 {
        let parts = query.parts().count();
        self.parts = self.parts.saturating_add(parts - 1);
        if self.parts > MOST_PARTS
            && let Some(last) = query.parts().last()
        {
            let message = format!("this has more than {MOST_PARTS} parts with UNION between them");
            self.refuse(last.span, &message, "write one part with UNWIND over a list, or several queries");
            return 0;
        }
        query.parts().map(|part| self.part(part, rows)).fold(0, u64::saturating_add)
    }

    fn part(&mut self, part: &SingleQuery, rows: u64) -> u64 {
        // Each part of a `UNION` begins with the same variables.
        let (names, known) = (self.names.clone(), self.known.clone());
        self.steps = rows;
        self.depth += 1;
        for clause in &part.clauses {
            self.clause(clause, rows);
        }
        self.depth -= 1;
        // Columns have new names; what the names within hid is visible again.
        self.names.extend(names);
        self.known.extend(known);
        self.steps
    }

    fn clause(&mut self, clause: &Clause, rows_before: u64) {
        match &clause.kind {
            ClauseKind::Match(found) => {
                self.patterns(&found.patterns, found.condition.as_ref());
                self.within(|work| walk_clause(work, clause));
            }
            ClauseKind::Unwind(unwind) => {
                self.within(|work| work.visit_expression(&unwind.list));
                let list = self.estimate(&unwind.list);
                let length = list.length;
                self.name(&unwind.variable.text, list.into_element());
                self.count(length, unwind.list.span);
            }
            ClauseKind::With(projection) | ClauseKind::Return(projection) => {
                self.within(|work| walk_projection(work, projection));
                let row = self.project(projection, rows_before);
                if self.depth == 1 && matches!(clause.kind, ClauseKind::Return(_)) {
                    self.answer(row, clause.span);
                }
            }
            ClauseKind::Subquery(subquery) => {
                let rows = self.steps;
                let given = self.query(&subquery.query, rows);
                let returns = |part: &SingleQuery| {
                    part.clauses.last().is_some_and(|last| matches!(last.kind, ClauseKind::Return(_)))
                };
                self.steps = if subquery.query.parts().all(returns) { given } else { rows };
            }
            ClauseKind::Call(call) => {
                self.within(|work| walk_clause(work, clause));
                for item in call.results.iter().flat_map(|results| &results.items) {
                    self.names.insert(item.alias.as_ref().unwrap_or(&item.column).text.clone());
                }
            }
            _ => self.within(|work| walk_clause(work, clause)),
        }
    }

    /// Runs `visit`, which leaves the number of rows as it is.
    fn within<T>(&mut self, visit: impl FnOnce(&mut Self) -> T) -> T {
        let steps = self.steps;
        let result = visit(self);
        self.steps = steps;
        result
    }

    /// Counts the matches of patterns. A pattern that shares no variable with earlier ones
    /// multiplies the rows.
    fn patterns(&mut self, patterns: &[Pattern], condition: Option<&Expression>) {
        let by: Vec<Narrowing> = condition.map(narrowings).unwrap_or_default();
        for pattern in patterns {
            let variables = variables_of_pattern(pattern);
            if !variables.iter().any(|name| self.names.contains(name)) {
                let within = patterns::narrowings(pattern);
                let narrowed = by.iter().filter(|narrowing| variables.contains(&narrowing.variable));
                let least = narrowed.chain(&within).map(|narrowing| narrowing.matches(&self.names)).min();
                let matches = patterns::matches(pattern, self.schema).min(least.unwrap_or(ASSUMED_MATCHES));
                self.count(matches, pattern.span);
            }
            self.names.extend(variables);
        }
    }

    /// Reads columns and returns the bytes of the large values of a row.
    fn project(&mut self, projection: &Projection, rows_before: u64) -> u64 {
        let items = &projection.items;
        for item in items.iter().filter(|item| item.alias.is_none()) {
            ranges::keep_name(&mut self.open_ranges, item.expression.span);
        }
        let is_aggregated = items.iter().any(|item| aggregates(&item.expression));
        let is_key = |item: &ProjectionItem| {
            !aggregates(&item.expression) && !variables_of(&item.expression).is_empty()
        };
        let has_keys = projection.all || items.iter().any(is_key);
        self.group = if has_keys { ASSUMED_GROUP.min(self.steps) } else { self.steps };
        let values: Vec<_> = items.iter().map(|item| self.value(&item.expression)).collect();
        if is_aggregated {
            let groups = if has_keys { rows_before.saturating_mul(ASSUMED_MATCHES) } else { rows_before };
            self.steps = self.steps.min(groups);
        }
        if let Some(ExpressionKind::Literal(Literal::Integer(limit))) =
            projection.page.limit.as_ref().map(|limit| &limit.kind)
        {
            // Behind `LIMIT 0` an aggregate still gives a row.
            self.steps = self.steps.min((*limit).max(1));
        }
        let large = values.iter().map(|value| value.size).filter(|size| *size > LARGE_VALUE_BYTES);
        let row = large.fold(0, u64::saturating_add);
        for (item, value) in items.iter().zip(values) {
            if let Some(alias) = &item.alias {
                self.name(&alias.text, value);
            }
        }
        row
    }

    /// Remembers the value of a name.
    fn name(&mut self, name: &str, estimate: Estimate) {
        self.names.insert(name.into());
        self.known.insert(name.into(), estimate);
    }

    /// Reads `body`, which is evaluated for each element of a list.
    fn for_each(&mut self, variable: &str, list: &Expression, body: &[Option<&Expression>]) {
        self.visit_expression(list);
        let hidden = self.known.get(variable).cloned();
        self.within(|work| {
            let elements = work.estimate(list);
            let length = elements.length;
            work.known.insert(variable.into(), elements.into_element());
            work.count(length, list.span);
            for expression in body.iter().flatten() {
                work.visit_expression(expression);
            }
        });
        match hidden {
            Some(hidden) => self.known.insert(variable.into(), hidden),
            None => self.known.remove(variable),
        };
    }

    /// Reads patterns in an expression, whose variables are their own, and the expressions
    /// evaluated for each match.
    fn matched(&mut self, patterns: &[Pattern], condition: Option<&Expression>, value: Option<&Expression>) {
        let names = self.names.clone();
        self.within(|work| {
            work.patterns(patterns, condition);
            for pattern in patterns {
                work.visit_pattern(pattern);
            }
            for expression in condition.into_iter().chain(value) {
                work.visit_expression(expression);
            }
        });
        self.names = names;
    }

    /// Refuses a regular expression that may backtrack beyond measure.
    fn regular_expression(&mut self, subject: &Expression, pattern: &Expression) {
        let estimate = self.estimate(pattern);
        // A value that is not in the text is taken to be as long as a name.
        let text = self.estimate(subject).length.max(regular_expression::USUAL_LENGTH);
        if regular_expression::backtracks(&estimate.text, text) {
            self.refuse(
                pattern.span,
                "this regular expression repeats what is already repeated or has alternatives",
                "write it without a quantifier after such a group, and with fewer of them",
            );
        }
    }

    /// Refuses an answer whose rows are too large together.
    fn answer(&mut self, row: u64, span: Span) {
        let rows = self.rows.map_or(self.steps, |rows| rows.min(self.steps));
        if row.saturating_mul(rows) > MOST_ANSWER_BYTES {
            let message = format!("this answer may take more than {MOST_ANSWER_BYTES} bytes");
            self.refuse(span, &message, "return fewer or smaller values");
        }
    }

    /// Refuses a value that is too large to be made.
    fn value(&mut self, expression: &Expression) -> Estimate {
        let estimate = self.estimate(expression);
        if estimate.length > self.most || estimate.size > MOST_VALUE_BYTES {
            let message = "this value may have too many characters or elements";
            self.refuse(expression.span, message, "make it shorter, or leave it out");
        }
        estimate
    }

    /// Visits the parts of a sum. The sums within it need no check of their own, because they are
    /// no larger.
    fn parts_of_sum(&mut self, expression: &Expression) {
        if let ExpressionKind::Binary { left, right, .. } = &expression.kind {
            for part in [left, right] {
                if is_sum(part) { self.parts_of_sum(part) } else { self.visit_expression(part) }
            }
        }
    }

    fn range(&mut self, expression: &Expression, arguments: &[Expression]) {
        let estimates: Vec<_> = arguments.iter().map(|argument| self.estimate(argument)).collect();
        if length_of_range(&estimates).is_none() {
            match OpenRange::new(arguments) {
                Some(open) => self.open_ranges.push(open),
                None => self.refuse(
                    expression.span,
                    "the text does not show how long this range is",
                    "write its bounds as numbers, properties or parameters, or with size() or length()",
                ),
            }
        }
        let length = Estimate::from_range(&estimates).length;
        self.within(|work| work.count(length, expression.span));
    }
}

impl Visit for Work<'_> {
    fn visit_pattern(&mut self, pattern: &Pattern) {
        if let Some(span) = patterns::too_long(pattern) {
            let help = format!("paths may have up to {MOST_HOPS} relationships where a bound is written");
            self.refuse(span, "this path may be too long", &help);
        }
        walk_pattern(self, pattern);
    }

    fn visit_expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Call(call) => {
                if is_function(call, &["range"]) {
                    self.range(expression, &call.arguments);
                } else if is_function(call, &["replace"]) {
                    self.value(expression);
                }
                if let [subject, pattern, ..] = call.arguments.as_slice()
                    && estimate::takes_regular_expression(call)
                {
                    self.regular_expression(subject, pattern);
                }
                walk_expression(self, expression);
            }
            ExpressionKind::Binary { operator: BinaryOperator::Matches, left, right } => {
                self.regular_expression(left, right);
                walk_expression(self, expression);
            }
            _ if is_sum(expression) => {
                self.value(expression);
                self.parts_of_sum(expression);
            }
            ExpressionKind::ListComprehension(each) => {
                self.for_each(
                    &each.variable.text,
                    &each.list,
                    &[each.condition.as_ref(), each.value.as_ref()],
                );
            }
            ExpressionKind::Quantified(each) => {
                self.for_each(&each.variable.text, &each.list, &[each.condition.as_ref()]);
            }
            ExpressionKind::Reduce(reduce) => {
                self.visit_expression(&reduce.initial);
                if let Some(reason) = growth::grows_too_much(self, reduce) {
                    let help = "make the list shorter, or collect the elements";
                    self.refuse(expression.span, reason, help);
                }
                self.for_each(&reduce.variable.text, &reduce.list, &[Some(&reduce.value)]);
            }
            ExpressionKind::PatternComprehension(each) => {
                self.matched(std::slice::from_ref(&each.pattern), each.condition.as_ref(), Some(&each.value));
            }
            ExpressionKind::Subquery(subquery) => match &subquery.body {
                SubqueryBody::Patterns { patterns, condition } => {
                    self.matched(patterns, condition.as_ref(), None);
                }
                SubqueryBody::Query(query) => self.within(|work| {
                    work.query(query, work.steps);
                }),
            },
            _ => walk_expression(self, expression),
        }
    }
}

fn is_sum(expression: &Expression) -> bool {
    matches!(
        expression.kind,
        ExpressionKind::Binary { operator: BinaryOperator::Add | BinaryOperator::Concatenate, .. }
    )
}

/// Returns the integer that an expression is written as.
fn integer(expression: &Expression) -> Option<i64> {
    match &expression.kind {
        ExpressionKind::Literal(Literal::Integer(value)) => i64::try_from(*value).ok(),
        ExpressionKind::Unary { operator: UnaryOperator::Minus, operand } => {
            integer(operand).map(i64::saturating_neg)
        }
        _ => None,
    }
}
