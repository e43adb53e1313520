//! Variables that a `WITH` drops although they are used behind it.

use graphwright_core::Span;

use super::{
    ChangeCode,
    draft::Draft,
    places,
    step::{Outcome, Step},
};
use crate::{
    builder::quote,
    diagnostic::{Code, Diagnostic},
    lexer::unquote,
    syntax::tree::{
        Clause, ClauseKind, Expression, ExpressionKind, LogicalOperator, Page, Projection, SingleQuery,
    },
};

/// Carries a variable through each `WITH` between its definition and its use.
///
/// `WITH DISTINCT n RETURN m.name` → `WITH DISTINCT n, m RETURN m.name`
///
/// Does nothing if one of these aggregates over the variable, because carrying it would change the
/// groups.
pub(super) fn carried_variable(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let name = undefined(draft, fault)?;
    places::around(&draft.tree, fault.span, |query, used| {
        let last = if draft_uses_columns(query.clauses.get(used)?, fault.span) { used + 1 } else { used };
        let bound = query.clauses.get(..used)?.iter().rposition(|clause| places::binds(clause, &name))?;
        let message = format!("`{name}` is carried through WITH, because it is used behind it");
        let mut step = Step::new(ChangeCode::VariableCarried, message);
        let mut dropped = false;
        for clause in query.clauses.get(bound + 1..last)? {
            let ClauseKind::With(projection) = &clause.kind else { continue };
            if places::projects(projection, &name) {
                continue;
            }
            if aggregates_over(projection, &name) {
                return None;
            }
            let end = projection.items.last()?.span.end;
            step = step.insert(end, format!(", {}", quote(&name).ok()?));
            dropped = true;
        }
        dropped.then_some(Outcome::Step(step))
    })
}

/// Moves conditions on what a `WITH` drops before it.
///
/// `WITH DISTINCT n WHERE m.year > 1990` → `WHERE m.year > 1990 WITH DISTINCT n`
pub(super) fn condition_before_distinct(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let name = undefined(draft, fault)?;
    places::around(&draft.tree, fault.span, |query, used| {
        let clause = query.clauses.get(used)?;
        let ClauseKind::With(projection) = &clause.kind else { return None };
        let condition =
            projection.condition.as_ref().filter(|condition| condition.span.contains(fault.span))?;
        query.clauses.get(..used)?.iter().rposition(|clause| places::binds(clause, &name))?;
        if projection.page != Page::default() {
            return None;
        }
        let made: Vec<&str> = projection
            .items
            .iter()
            .filter_map(|item| item.alias.as_ref().map(|alias| &*alias.text))
            .collect();
        let (moved, kept): (Vec<_>, Vec<_>) =
            operands(condition).into_iter().partition(|operand| places::variables(operand).contains(&name));
        let reads_columns = |operand: &&Expression| {
            places::aggregates(operand)
                || places::variables(operand).iter().any(|used| made.contains(&used.as_str()))
        };
        if moved.is_empty() || moved.iter().any(reads_columns) {
            return None;
        }
        let message = format!("the condition on `{name}` stands before the WITH that drops it");
        let step = Step::new(ChangeCode::ConditionMoved, message);
        let step = without_condition(step, draft, condition, &kept);
        Some(Outcome::Step(with_condition(step, draft, query, used, &moved)))
    })
}

/// Returns the variable that a fault reports as undefined.
pub(super) fn undefined(draft: &Draft<'_>, fault: &Diagnostic) -> Option<String> {
    let text = draft.text.get(fault.span.range())?;
    (fault.code == Code::UndefinedVariable && !text.is_empty()).then(|| unquote(text).into_owned())
}

/// Returns whether a place in a `WITH` stands behind its columns, and so sees only these.
fn draft_uses_columns(clause: &Clause, place: Span) -> bool {
    match &clause.kind {
        ClauseKind::With(projection) => {
            projection.items.last().is_some_and(|item| item.span.end <= place.start)
        }
        _ => false,
    }
}

fn aggregates_over(projection: &Projection, name: &str) -> bool {
    projection.items.iter().any(|item| {
        places::aggregates(&item.expression)
            && places::variables(&item.expression).iter().any(|used| used == name)
    })
}

/// Returns the conditions that an `AND` joins, or the condition itself.
pub(super) fn operands(condition: &Expression) -> Vec<&Expression> {
    match &condition.kind {
        ExpressionKind::Logical { operator: LogicalOperator::And, operands } => operands.iter().collect(),
        _ => vec![condition],
    }
}

/// Removes the conditions of a `WHERE` except those in `kept`.
pub(super) fn without_condition(
    step: Step,
    draft: &Draft<'_>,
    condition: &Expression,
    kept: &[&Expression],
) -> Step {
    if kept.is_empty() {
        let keyword = draft.token_at(condition.span.start).saturating_sub(1);
        let start = keyword.checked_sub(1).map_or(0, |before| draft.end_of(before));
        return step.remove(Span::new(start, condition.span.end));
    }
    step.replace(condition.span, joined(draft, kept))
}

/// Adds conditions before a clause: to the `MATCH` before it, or with a `WITH *`.
pub(super) fn with_condition(
    step: Step,
    draft: &Draft<'_>,
    query: &SingleQuery,
    clause: usize,
    conditions: &[&Expression],
) -> Step {
    let text = joined(draft, conditions);
    let before = clause.checked_sub(1).and_then(|before| query.clauses.get(before));
    match before.map(|before| (&before.kind, before.span.end)) {
        Some((ClauseKind::Match(found), end)) if !found.optional => match &found.condition {
            None => step.insert(end, format!(" WHERE {text}")),
            Some(present) if is_loose(present, &draft.text) => {
                step.insert(present.span.start, "(").insert(present.span.end, format!(") AND {text}"))
            }
            Some(present) => step.insert(present.span.end, format!(" AND {text}")),
        },
        _ => {
            let start = query.clauses.get(clause).map_or(draft.text.len(), |clause| clause.span.start);
            step.insert(start, format!("WITH * WHERE {text} "))
        }
    }
}

/// Returns the text of conditions joined by `AND`.
pub(super) fn joined(draft: &Draft<'_>, conditions: &[&Expression]) -> String {
    let texts = conditions.iter().map(|condition| {
        let text = draft.text.get(condition.span.range()).unwrap_or_default();
        if is_loose(condition, &draft.text) { format!("({text})") } else { text.to_owned() }
    });
    texts.collect::<Vec<_>>().join(" AND ")
}

/// Returns whether a condition needs brackets beside an `AND`.
fn is_loose(condition: &Expression, text: &str) -> bool {
    let is_weak = matches!(
        &condition.kind,
        ExpressionKind::Logical { operator: LogicalOperator::Or | LogicalOperator::Xor, .. }
    );
    is_weak && !text.get(condition.span.range()).is_some_and(|text| text.starts_with('('))
}
