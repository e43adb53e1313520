//! How much work a text asks for, as far as the text alone shows it.
//!
//! The limits of the store are not enough: Neo4j looks at its time limit between rows, so that one expression over a huge
//! list, or one regular expression that goes back over its steps, runs to its end whatever the limit is. The estimate knows
//! no graph: a pattern that nothing narrows down counts as [`ASSUMED_MATCHES`].

mod lists;
mod patterns;
mod regular_expression;

use std::collections::{HashMap, HashSet};

use graphwright_core::Span;

use self::{lists::Bound, patterns::MOST_HOPS};
use super::{Refusal, RefusalCode, names};
use crate::syntax::{
    parse,
    tree::{
        BinaryOperator, Clause, ClauseKind, Expression, ExpressionKind, Literal, Pattern, Projection, Query,
        SingleQuery, StatementBody, SubqueryBody,
    },
    visit::{Visit, walk_clause, walk_expression, walk_projection},
};

/// How often a pattern is taken to match that no property, condition or known variable narrows down.
const ASSUMED_MATCHES: u64 = 1_000;

/// Refuses a text that asks for more than `most` rows or elements.
pub(super) fn check(text: &str, most: u64) -> Result<(), Refusal> {
    let parsed = parse(text);
    for statement in &parsed.tree.statements {
        if let StatementBody::Query(query) = &statement.body {
            let mut work = Work::new(most);
            work.query(query, 1);
            if let Some(refusal) = work.refusal {
                return Err(refusal);
            }
        }
    }
    Ok(())
}

/// What is known while a query is read from its beginning to its end.
struct Work {
    /// How many steps are allowed.
    most: u64,
    /// How many rows have come this far, times the elements of the lists that the expression runs through.
    steps: u64,
    /// Variables of the patterns so far.
    matched: HashSet<Box<str>>,
    /// The lengths of lists that have a name.
    lengths: HashMap<Box<str>, u64>,
    /// What may be said of numbers that have a name.
    numbers: HashMap<Box<str>, Bound>,
    /// What may be said of the elements of lists that have a name.
    elements: HashMap<Box<str>, Bound>,
    refusal: Option<Refusal>,
}

impl Work {
    fn new(most: u64) -> Self {
        Self {
            most,
            steps: 1,
            matched: HashSet::new(),
            lengths: HashMap::new(),
            numbers: HashMap::new(),
            elements: HashMap::new(),
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
        if self.steps > self.most {
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

    /// How many rows come out of a query that `rows` rows go into.
    fn query(&mut self, query: &Query, rows: u64) -> u64 {
        query.parts().map(|part| self.part(part, rows)).fold(0, u64::saturating_add)
    }

    fn part(&mut self, part: &SingleQuery, rows: u64) -> u64 {
        let matched = self.matched.clone();
        self.steps = rows;
        for clause in &part.clauses {
            self.clause(clause, rows);
        }
        self.matched = matched;
        self.steps
    }

    fn clause(&mut self, clause: &Clause, rows_before: u64) {
        match &clause.kind {
            ClauseKind::Match(found) => {
                let anchored = found.condition.as_ref().map(patterns::anchors).unwrap_or_default();
                for pattern in &found.patterns {
                    self.pattern(pattern, &anchored);
                }
                self.within(|work| walk_clause(work, clause));
            }
            ClauseKind::Unwind(unwind) => {
                self.within(|work| work.visit_expression(&unwind.list));
                self.name(&unwind.variable.text, &unwind.list);
                self.count(self.length(&unwind.list), unwind.list.span);
            }
            ClauseKind::With(projection) | ClauseKind::Return(projection) => {
                self.within(|work| walk_projection(work, projection));
                self.project(projection, rows_before);
            }
            ClauseKind::Subquery(subquery) => self.steps = self.query(&subquery.query, self.steps),
            _ => self.within(|work| walk_clause(work, clause)),
        }
    }

    /// Does something that leaves the number of rows as it is.
    fn within(&mut self, visit: impl FnOnce(&mut Self)) {
        let steps = self.steps;
        visit(self);
        self.steps = steps;
    }

    /// A pattern that shares no variable with what was matched before multiplies the rows.
    fn pattern(&mut self, pattern: &Pattern, anchored: &HashSet<Box<str>>) {
        let (variables, narrowed) = patterns::variables(pattern);
        let known = variables.iter().any(|name| self.matched.contains(name));
        if !known && !narrowed && variables.is_disjoint(anchored) {
            self.count(ASSUMED_MATCHES, pattern.span);
        }
        self.matched.extend(variables);
    }

    fn project(&mut self, projection: &Projection, rows_before: u64) {
        let (aggregates, keys): (Vec<_>, Vec<_>) =
            projection.items.iter().partition(|item| has_aggregate(&item.expression));
        if !aggregates.is_empty() {
            let groups =
                if keys.is_empty() { rows_before } else { rows_before.saturating_mul(ASSUMED_MATCHES) };
            self.steps = self.steps.min(groups);
        }
        if let Some(ExpressionKind::Literal(Literal::Integer(limit))) =
            projection.page.limit.as_ref().map(|limit| &limit.kind)
        {
            self.steps = self.steps.min((*limit).max(1));
        }
        for item in &projection.items {
            if let Some(alias) = &item.alias {
                self.alias(&alias.text, &item.expression);
            }
        }
    }

    /// Reads what is done for each element of a list.
    fn for_each(&mut self, variable: &str, list: &Expression, body: &[Option<&Expression>]) {
        self.visit_expression(list);
        self.within(|work| {
            work.name(variable, list);
            work.count(work.length(list), list.span);
            for expression in body.iter().flatten() {
                work.visit_expression(expression);
            }
        });
    }
}

impl Visit for Work {
    fn visit_pattern(&mut self, pattern: &Pattern) {
        if let Some(span) = patterns::too_long(pattern) {
            let help = format!("paths may have up to {MOST_HOPS} relationships where a bound is written");
            self.refuse(span, "this path may be too long", &help);
        }
        crate::syntax::visit::walk_pattern(self, pattern);
    }

    fn visit_expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Call(call) if lists::is_range(call) => {
                match self.range(call) {
                    Some(length) => self.within(|work| work.count(length, expression.span)),
                    None => self.refuse(
                        expression.span,
                        "the text does not show how long this range is",
                        "write its bounds as numbers, or with size() or length()",
                    ),
                }
                walk_expression(self, expression);
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
                if lists::doubles(reduce) && self.length(&reduce.list) > lists::MOST_DOUBLINGS {
                    self.refuse(
                        expression.span,
                        "this value doubles with each element",
                        "add the element to the value, not the value to itself",
                    );
                }
                self.for_each(&reduce.variable.text, &reduce.list, &[Some(&reduce.value)]);
            }
            ExpressionKind::Binary { operator: BinaryOperator::Matches, right, .. } if matches!(&right.kind, ExpressionKind::Literal(Literal::String(text)) if regular_expression::backtracks(text)) =>
            {
                self.refuse(
                    right.span,
                    "this regular expression repeats what is already repeated or has alternatives",
                    "write it without a quantifier after such a group",
                );
            }
            ExpressionKind::Subquery(subquery) => match &subquery.body {
                SubqueryBody::Patterns { patterns, condition } => self.within(|work| {
                    let anchored = condition.as_ref().map(patterns::anchors).unwrap_or_default();
                    let matched = work.matched.clone();
                    for pattern in patterns {
                        work.pattern(pattern, &anchored);
                        work.visit_pattern(pattern);
                    }
                    work.matched = matched;
                    if let Some(condition) = condition {
                        work.visit_expression(condition);
                    }
                }),
                SubqueryBody::Query(query) => self.within(|work| {
                    work.query(query, work.steps);
                }),
            },
            _ => walk_expression(self, expression),
        }
    }
}

fn has_aggregate(expression: &Expression) -> bool {
    struct Found(bool);
    impl Visit for Found {
        fn visit_expression(&mut self, expression: &Expression) {
            self.0 |= match &expression.kind {
                ExpressionKind::CountStar => true,
                ExpressionKind::Call(call) => {
                    call.name.len() == 1 && call.name.iter().any(|name| names::is_aggregate(&name.text))
                }
                ExpressionKind::Subquery(_) => return,
                _ => false,
            };
            walk_expression(self, expression);
        }
    }
    let mut found = Found(false);
    found.visit_expression(expression);
    found.0
}
