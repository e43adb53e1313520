//! `GROUP BY` and other parts of SQL's `SELECT`.

use graphwright_core::Span;

use super::{
    ChangeCode, ReasonCode,
    columns::{Column, aliased, column_names, columns},
    draft::Draft,
    regions,
    step::{Outcome, Step},
};
use crate::diagnostic::{Code, Diagnostic};

/// Removes `GROUP BY` from `RETURN n.city, avg(n.age) GROUP BY n.city`, because rows are grouped by
/// the columns that are not aggregates.
///
/// Keys that are not columns become those of a `WITH` before: `WITH n.city AS city, avg(n.age) AS
/// avg_age RETURN avg_age`.
pub(super) fn group_by(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    let is_group = draft.is(at, "GROUP") && draft.is(at + 1, "BY");
    if fault.code != Code::UnexpectedSyntax || !(is_group || draft.is(at, "BY")) {
        return None;
    }
    let first = at + 1 + usize::from(is_group);
    let end = regions::clause_end(draft, first);
    let begin = regions::clause_start(draft, at)?;
    let found = columns(draft, begin, at)?;
    let mut keys = draft.split(first, end, |at| draft.is(at, ","));
    keys.retain(|(from, to)| from < to);
    let is_key = |column: &Column| {
        keys.iter().any(|&(from, to)| {
            let length = to - from;
            let same_value = column.length() == length && draft.same_tokens(column.start, from, length);
            same_value
                || (length == 1 && column.alias.is_some_and(|alias| draft.token(alias) == draft.token(from)))
        })
    };
    let plain = found.iter().filter(|column| !column.aggregates(draft));
    if plain.clone().any(|column| !is_key(column)) || found.iter().all(|column| !column.aggregates(draft)) {
        let message = "expected the grouping keys among the columns, found others; rows are grouped by the columns that are no aggregates";
        return Some(Outcome::refuse(ReasonCode::OtherLanguage, fault.span, message));
    }
    let column_of = |&(from, to): &(usize, usize)| {
        found.iter().any(|column| {
            let same = column.length() == to - from && draft.same_tokens(column.start, from, to - from);
            same || (to - from == 1
                && column.alias.is_some_and(|alias| draft.token(alias) == draft.token(from)))
        })
    };
    let hidden: Vec<_> = keys.iter().filter(|key| !column_of(key)).collect();
    let group = Span::new(draft.end_before(at), draft.end_before(end));
    if hidden.is_empty() {
        let message = "GROUP BY is left out: rows are grouped by these columns anyway";
        return Some(Outcome::Step(Step::new(ChangeCode::ForeignSyntax, message).remove(group)));
    }
    if !draft.is(begin, "RETURN") {
        return None;
    }
    let mut names = column_names(draft, &found);
    let mut with: Vec<String> = Vec::new();
    for &&(from, to) in &hidden {
        let wanted = draft.name_for(from, to);
        let name = if to - from == 1 { draft.token(from).to_owned() } else { draft.fresh_name(&wanted) };
        with.push(aliased(draft.between(from, to), &name));
    }
    for (column, name) in found.iter().zip(&names) {
        with.push(aliased(draft.between(column.start, column.value_end), name));
    }
    let distinct = if draft.is(begin + 1, "DISTINCT") { "DISTINCT " } else { "" };
    names.dedup();
    let text = format!("WITH {} RETURN {distinct}{}", with.join(", "), names.join(", "));
    let span = Span::new(draft.start_of(begin), draft.end_before(end));
    let message = "the keys of GROUP BY are columns of a WITH before";
    Some(Outcome::Step(Step::new(ChangeCode::ForeignSyntax, message).replace(span, text)))
}

/// Replaces a selected value among the columns: `(SELECT avg(n.age) AS a)` → `avg(n.age) AS a`.
pub(super) fn selected_column(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    let open = draft.opening(at).filter(|&open| draft.is(open, "(") && draft.is(open + 1, "SELECT"))?;
    let close = draft.closing(open)?;
    let first = open + 2;
    let mut end = close;
    let from = (first..close).find(|&index| draft.is(index, "FROM"));
    if let Some(from) = from {
        // `FROM n` adds nothing if the value is one of `n`.
        let is_known =
            from + 2 == close && (first..from).any(|index| draft.is_use_of(index, draft.token(from + 1)));
        if !is_known {
            return None;
        }
        end = from;
    }
    let is_column =
        [",", "RETURN", "WITH", "DISTINCT"].iter().any(|before| draft.is(open.wrapping_sub(1), before));
    let is_named = end >= first + 3 && draft.is(end - 2, "AS");
    if is_named && draft.is(close + 1, "AS") {
        end -= 2;
    }
    let is_single = !(first..end.saturating_sub(2)).any(|index| draft.is(index, "AS"));
    if fault.code != Code::UnexpectedSyntax || !is_column || !is_single {
        return None;
    }
    let span = Span::new(draft.start_of(open), draft.end_of(close));
    let step = Step::new(ChangeCode::ForeignSyntax, "the selected value is a column");
    Some(Outcome::Step(step.replace(span, draft.between(first, end))))
}

/// Refuses SQL: nothing in it says which pattern is meant.
pub(super) fn other_language(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let starts = draft.tokens.first().is_some_and(|_| {
        draft.is(0, "SELECT") || (draft.is(0, "WITH") && draft.is(2, "AS") && draft.is(3, "("))
    });
    let at = draft.token_at(fault.span.start);
    let joins = draft.is(at, "JOIN");
    if fault.code != Code::UnexpectedSyntax {
        return None;
    }
    if is_window(draft, at) {
        let message = "expected Cypher, found a window of SQL; group with WITH and an aggregate, collect() the rows of each group in their order, and take them from the list";
        return Some(Outcome::refuse(ReasonCode::OtherLanguage, fault.span, message));
    }
    if !(starts || joins) {
        return None;
    }
    let message = "expected Cypher, found SQL; write MATCH with a pattern of nodes and relationships in place of FROM and JOIN, and RETURN in place of SELECT";
    Some(Outcome::refuse(ReasonCode::OtherLanguage, fault.span, message))
}

/// Returns whether `OVER (…)` or `PARTITION BY` stands at a token.
pub(super) fn is_window(draft: &Draft<'_>, at: usize) -> bool {
    (draft.is(at, "OVER") && draft.is(at + 1, "(")) || (draft.is(at, "PARTITION") && draft.is(at + 1, "BY"))
}
