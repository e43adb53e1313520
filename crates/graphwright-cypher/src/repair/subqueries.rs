//! `CALL { … }` that does not see or does not return a variable.

use super::{
    ChangeCode,
    draft::Draft,
    places, scope,
    step::{Outcome, Step},
};
use crate::{
    builder::quote,
    diagnostic::Diagnostic,
    syntax::tree::{CallSubquery, ClauseKind, Imports, SingleQuery},
};

/// Imports a variable from around a subquery: by `WITH n` at its beginning, or in its list.
pub(super) fn import(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let name = scope::undefined(draft, fault)?;
    places::around(&draft.tree, fault.span, |query, index| {
        let ClauseKind::Subquery(call) = &query.clauses.get(index)?.kind else { return None };
        is_visible(query, index, &name).then_some(())?;
        let quoted = quote(&name).ok()?;
        let message = format!("the subquery sees `{name}`");
        let step = Step::new(ChangeCode::VariableCarried, message);
        if let Some(Imports::Variables(names)) = &call.imports {
            let last = names.last()?;
            return Some(Outcome::Step(step.insert(last.span.end, format!(", {quoted}"))));
        }
        let part = call.query.parts().find(|part| part.span.contains(fault.span))?;
        let first = part.clauses.first()?;
        Some(Outcome::Step(match &first.kind {
            ClauseKind::With(projection) if projection.items.iter().all(|item| item.alias.is_none()) => {
                step.insert(projection.items.last()?.span.end, format!(", {quoted}"))
            }
            _ => step.insert(first.span.start, format!("WITH {quoted} ")),
        }))
    })
}

fn is_visible(query: &SingleQuery, index: usize, name: &str) -> bool {
    let clauses = query.clauses.get(..index).unwrap_or_default();
    let Some(bound) = clauses.iter().rposition(|clause| places::binds(clause, name)) else { return false };
    clauses.iter().skip(bound + 1).all(|clause| match &clause.kind {
        ClauseKind::With(projection) => places::projects(projection, name),
        _ => true,
    })
}

/// Returns a variable from the subquery that defines it, because it is used behind it.
pub(super) fn export(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let name = scope::undefined(draft, fault)?;
    places::around(&draft.tree, fault.span, |query, used| {
        let calls = query.clauses.get(..used)?.iter().filter_map(|clause| match &clause.kind {
            ClauseKind::Subquery(call) => Some(call),
            _ => None,
        });
        let mut defining = calls.filter(|call| defines(call, &name));
        let call = defining.next()?;
        if defining.next().is_some() || !call.query.unions.is_empty() {
            return None;
        }
        let last = call.query.first.clauses.last()?;
        let ClauseKind::Return(projection) = &last.kind else { return None };
        let step = Step::new(ChangeCode::VariableCarried, format!("the subquery returns `{name}`"));
        let end = projection.items.last()?.span.end;
        Some(Outcome::Step(step.insert(end, format!(", {}", quote(&name).ok()?))))
    })
}

fn defines(call: &CallSubquery, name: &str) -> bool {
    let clauses = &call.query.first.clauses;
    is_visible(&call.query.first, clauses.len().saturating_sub(1), name)
}
