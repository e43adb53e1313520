//! Bounds on the number of rows and the length of paths.

use graphwright_core::Span;

use super::{Bound, Gate, Refusal, RefusalCode, check};
use crate::{
    edit::Edits,
    syntax::{
        is_aggregate,
        tree::{Clause, ClauseKind, Expression, PatternGroup, Quantifier, Query, RelationshipPattern},
        visit::{Visit, walk_clause, walk_expression, walk_group, walk_relationship},
    },
};

/// Adds the gate's bounds to `edits` and returns them.
///
/// # Errors
/// Refuses a path without a bound if adding one would make the answer wrong.
pub(super) fn add(gate: &Gate, query: &Query, edits: &mut Edits) -> Result<Vec<Bound>, Refusal> {
    let mut bounds = Vec::new();
    let writes = check::writes(query);
    if let Some(limit) = gate.max_hops {
        let mut search = Search::default();
        search.visit_query(query);
        for path in &search.unbounded {
            if let Some(reason) = wrong_when_bounded(path, search.aggregates, writes) {
                let help = format!("write the bound yourself, as {}", path.example(limit));
                return Err(Refusal::new(RefusalCode::UnboundedPath, path.span, reason, help));
            }
            // A path that must be longer than the limit gets its own least length as its bound.
            let limit = limit.max(usize::try_from(path.least.unwrap_or(0)).unwrap_or(usize::MAX));
            edits.replace(path.span, path.bounded(limit));
            let Span { start, end } = path.span;
            bounds.push(Bound::Hops { limit, start, end });
        }
    }
    if let Some(limit) = gate.row_limit
        && !writes
        // A write is not limited: its rows tell what it changed.
        && let Some(end) = place_for_limit(query)
    {
        edits.insert(end, format!(" LIMIT {}", limit.saturating_add(1)));
        bounds.push(Bound::Rows { limit });
    }
    Ok(bounds)
}

/// A `*` or `*2..` of a relationship, or a quantifier without an upper bound.
struct Unbounded {
    span: Span,
    least: Option<u64>,
    is_quantifier: bool,
    /// Whether the path stands in an expression or in a subquery expression.
    in_value: bool,
    /// Whether a missing match still gives a row.
    optional: bool,
}

impl Unbounded {
    fn bounded(&self, most: usize) -> String {
        let least = self.least.map(|least| least.to_string()).unwrap_or_default();
        if self.is_quantifier { format!("{{{least},{most}}}") } else { format!("*{least}..{most}") }
    }

    fn example(&self, most: usize) -> String {
        if self.is_quantifier { format!("{{1,{most}}}") } else { format!("*1..{most}") }
    }
}

/// Returns why a bound on this path would give a wrong answer rather than fewer rows, if it would.
fn wrong_when_bounded(path: &Unbounded, aggregates: bool, writes: bool) -> Option<&'static str> {
    if writes {
        Some("this path has no bound, and what is written would depend on the bound")
    } else if path.in_value {
        Some("this path has no bound, and the expression or subquery would be wrong with one")
    } else if path.optional {
        Some("this path has no bound, and OPTIONAL would give null beyond one")
    } else if aggregates {
        Some("this path has no bound, and the aggregate would be wrong with one")
    } else {
        None
    }
}

#[derive(Default)]
struct Search {
    unbounded: Vec<Unbounded>,
    aggregates: bool,
    /// The number of enclosing expressions.
    expressions: usize,
    optional: bool,
}

impl Search {
    fn quantifier(&mut self, quantifier: Option<&Quantifier>) {
        if let Some(quantifier) = quantifier.filter(|quantifier| quantifier.most.is_none()) {
            self.found(quantifier.span, Some(quantifier.least), true);
        }
    }

    fn found(&mut self, span: Span, least: Option<u64>, is_quantifier: bool) {
        let (in_value, optional) = (self.expressions > 0, self.optional);
        self.unbounded.push(Unbounded { span, least, is_quantifier, in_value, optional });
    }
}

impl Visit for Search {
    fn visit_clause(&mut self, clause: &Clause) {
        let outer = self.optional;
        self.optional |= match &clause.kind {
            ClauseKind::Match(found) => found.optional,
            ClauseKind::Subquery(subquery) => subquery.optional,
            _ => false,
        };
        walk_clause(self, clause);
        self.optional = outer;
    }

    fn visit_expression(&mut self, expression: &Expression) {
        self.aggregates |= is_aggregate(expression);
        self.expressions += 1;
        walk_expression(self, expression);
        self.expressions -= 1;
    }

    fn visit_relationship(&mut self, relationship: &RelationshipPattern) {
        if let Some(hops) = relationship.hops.as_ref().filter(|hops| hops.most.is_none()) {
            self.found(hops.span, hops.least, false);
        }
        self.quantifier(relationship.quantifier.as_ref());
        walk_relationship(self, relationship);
    }

    fn visit_group(&mut self, group: &PatternGroup) {
        self.quantifier(group.quantifier.as_ref());
        walk_group(self, group);
    }
}

/// Returns the place for `LIMIT`: after the last `RETURN`, unless that has a limit. Returns `None`
/// for a `UNION`, because its last part cannot limit the whole.
fn place_for_limit(query: &Query) -> Option<usize> {
    let last = query.first.clauses.last().filter(|_| query.unions.is_empty())?;
    match &last.kind {
        ClauseKind::Return(projection) if projection.page.limit.is_none() => Some(last.span.end),
        _ => None,
    }
}
