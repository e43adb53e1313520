//! Columns without a name, or with the name of another one.

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
    lexer::is_name_part,
    syntax::tree::{ClauseKind, Expression, ExpressionKind, ProjectionItem, SingleQuery},
};

/// Names a column.
///
/// `WITH n, count(m) RETURN n.name, count(m)`
/// → `WITH n, count(m) AS count_m RETURN n.name, count_m`
///
/// If the column is written out again later, its name replaces it there.
pub(super) fn column_name(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    if fault.code != Code::NoExpressionAlias {
        return None;
    }
    places::around(&draft.tree, fault.span, |query, index| {
        let clause = query.clauses.get(index)?;
        let projection = places::projection(&clause.kind)?;
        let item = projection.items.iter().find(|item| item.span == fault.span)?;
        let alias = draft.fresh_name(&name_for(&item.expression));
        let quoted = quote(&alias).ok()?;
        let message = format!("the column is named `{alias}`");
        let mut step =
            Step::new(ChangeCode::ColumnNamed, message).insert(item.span.end, format!(" AS {quoted}"));
        // What the clause passes on can still be read behind it, so its uses there may stay.
        let stays = !places::aggregates(&item.expression)
            && places::variables(&item.expression).iter().all(|name| places::projects(projection, name));
        if !stays {
            let is_with = matches!(clause.kind, ClauseKind::With(_));
            let end = if is_with { query.span.end } else { draft.text.len() };
            let behind = projection.items.last()?.span.end;
            for place in places::occurrences(&draft.tree, &item.expression, Span::new(behind, end)) {
                step = step.replace(place, quoted.as_str());
            }
        }
        Some(Outcome::Step(step))
    })
}

/// Renames the second of two columns with one name.
///
/// `RETURN n.name, n.name` → `RETURN n.name, n.name AS name`
///
/// A variable that stands twice in a `WITH` is left out once.
pub(super) fn repeated_column(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    if fault.code != Code::ColumnNameConflict {
        return None;
    }
    places::around(&draft.tree, fault.span, |query, index| {
        let projection = places::projection(&query.clauses.get(index)?.kind)?;
        let at = projection.items.iter().position(|item| item.span == fault.span)?;
        let item = projection.items.get(at)?;
        if item.alias.is_none() && matches!(item.expression.kind, ExpressionKind::Variable(_)) {
            let before = projection.items.get(at.checked_sub(1)?)?;
            let message = format!(
                "`{}` stands twice among the columns; one is left out",
                draft.text.get(item.span.range())?
            );
            let mut step = Step::new(ChangeCode::RepetitionRemoved, message)
                .remove(Span::new(before.span.end, item.span.end));
            step.removed_columns = 1;
            return Some(Outcome::Step(step));
        }
        let wanted =
            item.alias.as_ref().map_or_else(|| name_for(&item.expression), |alias| alias.text.to_string());
        let alias = draft.fresh_name(&wanted);
        let quoted = quote(&alias).ok()?;
        let message = format!("the second column of that name is named `{alias}`");
        let step = Step::new(ChangeCode::ColumnNamed, message);
        Some(Outcome::Step(match &item.alias {
            Some(present) => step.replace(present.span, quoted),
            None => step.insert(item.span.end, format!(" AS {quoted}")),
        }))
    })
}

/// Gives the columns of all parts the same names.
///
/// `RETURN a.name UNION … RETURN b.name` → `RETURN a.name AS name UNION … RETURN b.name AS name`
pub(super) fn columns_of_union(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    if fault.code != Code::DifferentColumnsInUnion {
        return None;
    }
    places::query_with_union(&draft.tree, fault.span, |query| {
        let columns = |part: &SingleQuery| match part.clauses.last().map(|last| &last.kind) {
            Some(ClauseKind::Return(projection)) if !projection.all => Some(projection.items.clone()),
            _ => None,
        };
        let parts: Vec<Vec<ProjectionItem>> = query.parts().map(columns).collect::<Option<_>>()?;
        let first = parts.first()?;
        if parts.iter().any(|part| part.len() != first.len()) {
            return None;
        }
        let names = first
            .iter()
            .map(|item| places::column_name(item).map_or_else(|| name_for(&item.expression), str::to_owned));
        let names: Vec<String> = names.collect();
        let mut step =
            Step::new(ChangeCode::ColumnNamed, "the columns of all parts of UNION have the same names");
        for item in &parts {
            for (item, name) in item.iter().zip(&names) {
                let quoted = quote(name).ok()?;
                match &item.alias {
                    Some(alias) => step = step.replace(alias.span, quoted),
                    None if places::column_name(item) == Some(name) => {}
                    None => step = step.insert(item.span.end, format!(" AS {quoted}")),
                }
            }
        }
        Some(Outcome::Step(step))
    })
}

/// Returns a name that describes an expression.
pub(super) fn name_for(expression: &Expression) -> String {
    let name = match &expression.kind {
        ExpressionKind::Variable(name) => name.text.to_string(),
        ExpressionKind::Property { key, .. } => key.text.to_string(),
        ExpressionKind::CountStar => "count".to_owned(),
        ExpressionKind::Call(call) => {
            let name = call.name.last().map(|name| &*name.text).unwrap_or_default();
            match call.arguments.first() {
                Some(argument) => format!("{name}_{}", name_for(argument)),
                None => name.to_owned(),
            }
        }
        _ => "value".to_owned(),
    };
    let name: String = name.chars().map(|part| if is_name_part(part) { part } else { '_' }).collect();
    if name.is_empty() { "value".to_owned() } else { name }
}
