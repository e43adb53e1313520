//! Aggregates in places where none can stand.

use graphwright_core::Span;

use super::{
    ChangeCode, aliases,
    draft::Draft,
    places, scope,
    step::{Outcome, Step},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    syntax::{
        print_expression,
        tree::{ClauseKind, Expression, ExpressionKind, Projection},
    },
};

/// The columns to add to a `WITH`: their values and names.
struct Additions<'d> {
    draft: &'d Draft<'d>,
    /// Each column as printed, as written, and its name.
    columns: Vec<(String, String, String)>,
}

impl<'d> Additions<'d> {
    fn new(draft: &'d Draft<'d>) -> Self {
        Self { draft, columns: Vec::new() }
    }

    /// Returns the name of an expression, which becomes a column unless it is one.
    fn name(&mut self, expression: &Expression) -> String {
        let printed = print_expression(expression);
        if let Some((_, _, name)) = self.columns.iter().find(|(known, ..)| *known == printed) {
            return name.clone();
        }
        let wanted = match &expression.kind {
            ExpressionKind::Variable(name) => name.text.to_string(),
            _ => self.free_name(&aliases::name_for(expression)),
        };
        let text = self.draft.text.get(expression.span.range()).unwrap_or_default().to_owned();
        self.columns.push((printed, text, wanted.clone()));
        wanted
    }

    fn free_name(&self, wanted: &str) -> String {
        let mut name = self.draft.fresh_name(wanted);
        let mut number = 2;
        while self.columns.iter().any(|(_, _, taken)| *taken == name) {
            name = self.draft.fresh_name(&format!("{wanted}_{number}"));
            number += 1;
        }
        name
    }

    fn text(&self) -> String {
        let columns = self
            .columns
            .iter()
            .map(|(_, text, name)| if text == name { name.clone() } else { format!("{text} AS {name}") });
        columns.collect::<Vec<_>>().join(", ")
    }
}

/// Moves an aggregate over what a `WITH` drops into that `WITH`.
///
/// `WITH n, count(m) AS num RETURN sum(m.x) / num`
/// → `WITH n, count(m) AS num, sum(m.x) AS sum_x RETURN sum_x / num`
pub(super) fn aggregate_into_with(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let name = scope::undefined(draft, fault)?;
    places::around(&draft.tree, fault.span, |query, used| {
        let (index, projection) = with_before(query, used)?;
        let has_aggregates = projection.items.iter().any(|item| places::aggregates(&item.expression));
        query.clauses.get(..index)?.iter().rposition(|clause| places::binds(clause, &name))?;
        if !has_aggregates {
            return None;
        }
        let columns = &places::projection(&query.clauses.get(used)?.kind)?.items;
        let calls = columns.iter().flat_map(|item| places::outer_aggregates(&item.expression));
        let mut step = Step::new(
            ChangeCode::AggregateMoved,
            format!("the aggregate over `{name}` stands in the WITH that drops it"),
        );
        let mut additions = Additions::new(draft);
        let mut found = false;
        for call in calls.filter(|call| places::variables(call).contains(&name)) {
            let known = projection.items.iter().find_map(|item| {
                let same = print_expression(&item.expression) == print_expression(call);
                places::column_name(item).filter(|_| same).map(str::to_owned)
            });
            let made = projection.items.iter().filter_map(|item| item.alias.as_ref());
            if made.into_iter().any(|alias| places::variables(call).iter().any(|used| **used == *alias.text))
            {
                return None;
            }
            let alias = known.unwrap_or_else(|| additions.name(call));
            step = step.replace(call.span, alias);
            found = true;
        }
        if !additions.columns.is_empty() {
            step = step.insert(projection.items.last()?.span.end, format!(", {}", additions.text()));
        }
        found.then_some(Outcome::Step(step))
    })
}

/// Returns the `WITH` directly before a clause.
fn with_before(query: &crate::syntax::tree::SingleQuery, used: usize) -> Option<(usize, &Projection)> {
    let index = used.checked_sub(1)?;
    match &query.clauses.get(index)?.kind {
        ClauseKind::With(projection) => Some((index, projection)),
        _ => None,
    }
}

/// Makes an aggregate in a condition a column.
///
/// `WITH n WHERE count(m) > 1` → `WITH n, count(m) AS count_m WHERE count_m > 1`
///
/// Behind a `MATCH`, a `WITH` is added.
pub(super) fn aggregate_in_condition(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    if !matches!(fault.code, Code::InvalidAggregation | Code::UndefinedVariable) {
        return None;
    }
    places::around(&draft.tree, fault.span, |query, index| {
        let clause = query.clauses.get(index)?;
        let condition =
            places::condition(&clause.kind).filter(|condition| condition.span.contains(fault.span))?;
        let calls = places::outer_aggregates(condition);
        if calls.is_empty() || !calls.iter().any(|call| call.span.contains(fault.span)) {
            return None;
        }
        let mut additions = Additions::new(draft);
        let step = Step::new(ChangeCode::AggregateMoved, "the aggregate of the condition is a column");
        match &clause.kind {
            ClauseKind::With(projection) => {
                let mut step = step;
                for call in calls {
                    let known = projection.items.iter().find_map(|item| {
                        let same = print_expression(&item.expression) == print_expression(call);
                        places::column_name(item).filter(|_| same).map(str::to_owned)
                    });
                    step = step.replace(call.span, known.unwrap_or_else(|| additions.name(call)));
                }
                if !additions.columns.is_empty() {
                    step = step.insert(projection.items.last()?.span.end, format!(", {}", additions.text()));
                }
                Some(Outcome::Step(step))
            }
            ClauseKind::Match(_) => {
                let (grouped, plain): (Vec<_>, Vec<_>) =
                    scope::operands(condition).into_iter().partition(|operand| places::aggregates(operand));
                let bound: Vec<String> =
                    query.clauses.get(..=index)?.iter().flat_map(places::bound_names).collect();
                let behind = draft.token_at(clause.span.end);
                let mut columns: Vec<String> = Vec::new();
                for name in bound {
                    let used = (behind..draft.tokens.len()).any(|token| draft.is_use_of(token, &name));
                    if used && !columns.contains(&name) {
                        columns.push(name);
                    }
                }
                let mut conditions = Vec::new();
                for operand in grouped {
                    let mut text = draft.text.get(operand.span.range())?.to_owned();
                    for call in places::outer_aggregates(operand) {
                        let written = draft.text.get(call.span.range())?;
                        text = text.replace(written, &additions.name(call));
                    }
                    conditions.push(text);
                }
                columns.push(additions.text());
                let with = format!(" WITH {} WHERE {}", columns.join(", "), conditions.join(" AND "));
                let step = scope::without_condition(step, draft, condition, &plain);
                Some(Outcome::Step(step.insert(clause.span.end, with)))
            }
            _ => None,
        }
    })
}

/// Moves aggregates into a `WITH` before, with the values beside them as its other columns.
///
/// `RETURN n.name, avg(count(m))`
/// → `WITH n.name AS name, count(m) AS count_m RETURN name, avg(count_m)`
pub(super) fn aggregate_before(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    if !matches!(fault.code, Code::NestedAggregation | Code::AmbiguousAggregationExpression) {
        return None;
    }
    places::around(&draft.tree, fault.span, |query, index| {
        let clause = query.clauses.get(index)?;
        let projection = places::projection(&clause.kind).filter(|projection| !projection.all)?;
        let columns = projection.items.iter().map(|item| &item.expression);
        let aliases: Vec<&str> =
            projection.items.iter().filter_map(|item| Some(&*item.alias.as_ref()?.text)).collect();
        let order = projection.page.order.iter().map(|item| &item.expression);
        let mut additions = Additions::new(draft);
        let mut step = Step::new(
            ChangeCode::AggregateMoved,
            "aggregates stand in a WITH before, with the values beside them",
        );
        let parts: Vec<&Expression> = columns.chain(order).flat_map(places::inner_parts).collect();
        // Keys come first, as people write them.
        let (calls, keys): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| places::is_aggregate(part));
        for part in keys.into_iter().chain(calls) {
            let is_alias =
                matches!(&part.kind, ExpressionKind::Variable(name) if aliases.contains(&&*name.text));
            if is_alias {
                continue;
            }
            let name = additions.name(part);
            step = step.replace(part.span, name);
        }
        let is_grouped = additions.columns.iter().any(|(printed, ..)| printed.contains('('));
        let text = format!("WITH {} ", additions.text());
        is_grouped.then(|| Outcome::Step(step.insert(clause.span.start, text)))
    })
}

/// Makes an order behind `DISTINCT` or aggregates a column.
///
/// `RETURN DISTINCT n.name ORDER BY n.age`
/// → `WITH DISTINCT n.name AS name, n.age AS age RETURN name ORDER BY age`
pub(super) fn order_by_column(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    scope::undefined(draft, fault)?;
    places::around(&draft.tree, fault.span, |query, index| {
        let clause = query.clauses.get(index)?;
        let projection = places::projection(&clause.kind).filter(|projection| !projection.all)?;
        projection.page.order.iter().find(|item| item.span.contains(fault.span))?;
        let columns = projection.items.iter().map(|item| &item.expression);
        // If all columns are aggregates, a key would turn one row into many.
        if columns.clone().all(places::aggregates) {
            return None;
        }
        let mut additions = Additions::new(draft);
        let keyword = if matches!(clause.kind, ClauseKind::Return(_)) { "RETURN" } else { "WITH" };
        let distinct = if projection.distinct { "DISTINCT " } else { "" };
        let mut step =
            Step::new(ChangeCode::ColumnNamed, "what rows are ordered by is a column of a WITH before");
        let mut names = Vec::new();
        for item in &projection.items {
            let name = match &item.alias {
                Some(alias) => alias.text.to_string(),
                None => additions.name(&item.expression),
            };
            if item.alias.is_some() {
                let text = draft.text.get(item.expression.span.range())?.to_owned();
                additions.columns.push((print_expression(&item.expression), text, name.clone()));
            }
            names.push(name);
        }
        for item in &projection.page.order {
            let is_column = matches!(&item.expression.kind, ExpressionKind::Variable(name) if names.contains(&name.text.to_string()));
            if !is_column {
                let name = additions.name(&item.expression);
                step = step.replace(item.expression.span, name);
            }
        }
        let end = projection.items.last()?.span.end;
        let text = format!("WITH {distinct}{} {keyword} {}", additions.text(), names.join(", "));
        Some(Outcome::Step(step.replace(Span::new(clause.span.start, end), text)))
    })
}

/// Moves a column that reads another one behind it.
///
/// `WITH n, count(m) AS num, num / 2 AS half`
/// → `WITH n, count(m) AS num WITH n, num, num / 2 AS half`
pub(super) fn column_of_the_same_clause(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let name = scope::undefined(draft, fault)?;
    places::around(&draft.tree, fault.span, |query, index| {
        let clause = query.clauses.get(index)?;
        let projection = places::projection(&clause.kind).filter(|projection| !projection.all)?;
        let defines = |item: &crate::syntax::tree::ProjectionItem| {
            item.alias.as_ref().is_some_and(|alias| *alias.text == *name)
        };
        projection.items.iter().find(|item| item.span.contains(fault.span) && !defines(item))?;
        let made: Vec<&str> =
            projection.items.iter().filter_map(|item| Some(&*item.alias.as_ref()?.text)).collect();
        let bound: Vec<String> = query.clauses.get(..index)?.iter().flat_map(places::bound_names).collect();
        let reads = |expression: &Expression| {
            places::variables(expression)
                .iter()
                .any(|used| made.contains(&used.as_str()) && !bound.contains(used))
        };
        let (readers, first): (Vec<_>, Vec<_>) =
            projection.items.iter().partition(|item| reads(&item.expression));
        first.iter().find(|item| defines(item))?;
        let additions = Additions::new(draft);
        let mut columns = Vec::new();
        let mut step = Step::new(
            ChangeCode::ColumnNamed,
            format!("what reads `{name}` stands behind the WITH that defines it"),
        );
        for item in first {
            let column = match places::column_name(item) {
                Some(column) => column.to_owned(),
                None => additions.free_name(&aliases::name_for(&item.expression)),
            };
            let value = draft.text.get(item.expression.span.range())?;
            columns.push(if value == column { column.clone() } else { format!("{value} AS {column}") });
            step = step.replace(item.span, column);
        }
        let has_aggregates = projection
            .items
            .iter()
            .any(|item| !reads(&item.expression) && places::aggregates(&item.expression));
        for item in readers {
            for used in places::variables(&item.expression) {
                let is_there = made.contains(&used.as_str()) || columns.contains(&used);
                if !is_there && has_aggregates {
                    return None;
                }
                if !is_there {
                    columns.push(used);
                }
            }
        }
        Some(Outcome::Step(step.insert(clause.span.start, format!("WITH {} ", columns.join(", ")))))
    })
}

/// Turns a condition within an aggregate into a `CASE`.
///
/// `count(m WHERE m.x > 0)` → `count(CASE WHEN m.x > 0 THEN m END)`
pub(super) fn condition_in_aggregate(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    if fault.code != Code::UnexpectedSyntax || !draft.is(at, "WHERE") {
        return None;
    }
    let open = draft.opening(at).filter(|&open| open > 0 && draft.is_aggregate_call(open - 1))?;
    let close = draft.closing(open)?;
    let start = open + 1 + usize::from(draft.is(open + 1, "DISTINCT"));
    let value = draft.between(start, at);
    let condition = draft.between(at + 1, close);
    let span = Span::new(draft.start_of(start), draft.end_before(close));
    let step = Step::new(ChangeCode::ConditionMoved, "CASE in place of a condition within an aggregate");
    Some(Outcome::Step(step.replace(span, format!("CASE WHEN {condition} THEN {value} END"))))
}
