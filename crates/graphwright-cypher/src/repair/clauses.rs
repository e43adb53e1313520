//! Clauses in an order that Cypher does not have.

use graphwright_core::Span;

use super::{
    ChangeCode, aliases,
    columns::{Column, aliased, column_names, columns},
    draft::Draft,
    groups, places, regions,
    step::{Outcome, Step},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    lexer::Keyword,
    syntax::tree::{ClauseKind, Expression, ExpressionKind, LogicalOperator, Test},
};

/// Moves a condition before its `RETURN`.
///
/// `RETURN n.name WHERE n.age > 3` → `WHERE n.age > 3 RETURN n.name`
///
/// If the condition is about the columns, or another `RETURN` follows, `RETURN` becomes `WITH`. A
/// `HAVING` is treated as such a condition.
pub(super) fn condition_behind_return(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    if fault.code != Code::UnexpectedSyntax || !(draft.is(at, "WHERE") || draft.is(at, "HAVING")) {
        return None;
    }
    let begin = regions::clause_start(draft, at)?;
    let end = regions::clause_end(draft, at + 1);
    let found = columns(draft, begin, at)?;
    let condition = draft.between(at + 1, end);
    if draft.is(begin, "WITH") {
        // It is `WITH a, count(b) AS c HAVING c > 1`.
        let step = Step::new(ChangeCode::ForeignSyntax, "WHERE in place of HAVING");
        return draft.is(at, "HAVING").then(|| Outcome::Step(step.replace(draft.span_of(at), "WHERE")));
    }
    let message = format!("the condition `{condition}` stands before RETURN");
    if draft.is(end, "RETURN") {
        let step =
            Step::new(ChangeCode::ConditionMoved, "WITH in place of a RETURN that is not the last one");
        return Some(Outcome::Step(
            step.replace(draft.span_of(begin), "WITH").replace(draft.span_of(at), "WHERE"),
        ));
    }
    let about_columns = (at + 1..end).any(|index| {
        draft.is_aggregate_call(index)
            || found.iter().any(|column| column.alias.is_some_and(|alias| same_name(draft, alias, index)))
    });
    if !about_columns {
        let step = Step::new(ChangeCode::ConditionMoved, message)
            .remove(Span::new(draft.end_before(at), draft.end_before(end)));
        return Some(Outcome::Step(regions::with_condition_before(step, draft, begin, condition)));
    }
    Some(Outcome::Step(filtered_columns(draft, begin, at, end, &found, message)))
}

fn same_name(draft: &Draft<'_>, alias: usize, index: usize) -> bool {
    draft.token(alias) == draft.token(index) && !draft.is(index.wrapping_sub(1), ".")
}

/// Returns the step that filters columns by their values.
///
/// `RETURN n.name, count(m) AS num WHERE num > 1`
/// → `WITH n.name AS name, count(m) AS num WHERE num > 1 RETURN name, num`
fn filtered_columns(
    draft: &Draft<'_>,
    begin: usize,
    at: usize,
    end: usize,
    found: &[Column],
    message: String,
) -> Step {
    let names = column_names(draft, found);
    let mut with: Vec<String> = found
        .iter()
        .zip(&names)
        .map(|(column, name)| aliased(draft.between(column.start, column.value_end), name))
        .collect();
    let mut condition = String::new();
    let mut index = at + 1;
    let mut last_end = draft.start_of(at + 1);
    while index < end {
        let value = |column: &&Column| {
            let length = column.value_end - column.start;
            draft.same_tokens(column.start, index, length) && index + length <= end
        };
        condition.push_str(draft.text.get(last_end..draft.start_of(index)).unwrap_or_default());
        let known = found.iter().position(|column| value(&column) && !column.is_name(draft));
        let (text, next) = if let Some(known) = known {
            (
                names.get(known).cloned().unwrap_or_default(),
                index + found.get(known).map_or(1, Column::length),
            )
        } else if draft.is_aggregate_call(index) {
            let close = draft.closing(index + 1).unwrap_or(index) + 1;
            let name = draft.fresh_name(&draft.name_for(index, close));
            with.push(aliased(draft.between(index, close), &name));
            (name, close)
        } else {
            (draft.token(index).to_owned(), index + 1)
        };
        condition.push_str(&text);
        last_end = draft.end_before(next);
        index = next;
    }
    let distinct = if draft.is(begin + 1, "DISTINCT") { "DISTINCT " } else { "" };
    let text = format!("WITH {} WHERE {condition} RETURN {distinct}{}", with.join(", "), names.join(", "));
    Step::new(ChangeCode::ConditionMoved, message)
        .replace(Span::new(draft.start_of(begin), draft.end_before(end)), text)
}

/// Turns a `RETURN` in the middle into a `WITH`.
///
/// `RETURN a.x AS x MATCH …` → `WITH a.x AS x MATCH …`
pub(super) fn return_in_the_middle(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    if fault.code != Code::InvalidClauseComposition {
        return None;
    }
    places::around(&draft.tree, fault.span, |query, index| {
        let clause = query.clauses.get(index.checked_sub(1)?)?;
        let ClauseKind::Return(projection) = &clause.kind else { return None };
        let keyword = Span::new(clause.span.start, clause.span.start + "RETURN".len());
        let mut step =
            Step::new(ChangeCode::ForeignSyntax, "WITH in place of a RETURN that is not the last clause")
                .replace(keyword, "WITH");
        let behind = Span::new(clause.span.end, query.span.end);
        let mut taken: Vec<String> = Vec::new();
        for item in projection.items.iter().filter(|item| places::column_name(item).is_none()) {
            let mut name = draft.fresh_name(&aliases::name_for(&item.expression));
            while taken.contains(&name) {
                name.push('_');
            }
            step = step.insert(item.span.end, format!(" AS {name}"));
            for place in places::occurrences(&draft.tree, &item.expression, behind) {
                step = step.replace(place, name.as_str());
            }
            taken.push(name);
        }
        Some(Outcome::Step(step))
    })
}

/// Adds the missing `RETURN` behind a subquery at the end.
///
/// `CALL { … RETURN n }` → `CALL { … RETURN n } RETURN n`
pub(super) fn subquery_at_the_end(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    if fault.code != Code::InvalidClauseComposition {
        return None;
    }
    places::around(&draft.tree, fault.span, |query, index| {
        let clause = query.clauses.get(index).filter(|_| index + 1 == query.clauses.len())?;
        if !matches!(clause.kind, ClauseKind::Subquery(_)) {
            return None;
        }
        let names = places::bound_names(clause);
        let message = "what the subquery returns is returned";
        let step = Step::new(ChangeCode::ForeignSyntax, message);
        (!names.is_empty())
            .then(|| Outcome::Step(step.insert(clause.span.end, format!(" RETURN {}", names.join(", ")))))
    })
}

/// Replaces an `AND` between patterns with a comma.
///
/// `MATCH (a)-->(b) AND (b)-->(c)` → `MATCH (a)-->(b), (b)-->(c)`
///
/// Before a condition it becomes `WHERE`; behind a column with its name it becomes a comma too.
pub(super) fn and_in_place_of_comma(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    if fault.code != Code::UnexpectedSyntax || !draft.is(at, "AND") {
        return None;
    }
    let begin = regions::clause_start(draft, at)?;
    if at > 1 && draft.is(at - 2, "AS") && (draft.is(begin, "RETURN") || draft.is(begin, "WITH")) {
        let step = Step::new(ChangeCode::ForeignSyntax, "a comma stands between columns, in place of AND");
        let span = Span::new(draft.end_before(at), draft.end_of(at));
        return Some(Outcome::Step(step.replace(span, ",")));
    }
    if !draft.is(begin, "MATCH") {
        return None;
    }
    if (begin..at).any(|index| draft.is(index, "WHERE")) || !draft.is(at.wrapping_sub(1), ")") {
        return None;
    }
    let (sign, message) = if draft.is(at + 1, "(") {
        (",", "a comma stands between patterns")
    } else {
        (" WHERE", "WHERE stands before the first condition")
    };
    let span = Span::new(draft.end_before(at), draft.end_of(at));
    Some(Outcome::Step(Step::new(ChangeCode::ForeignSyntax, message).replace(span, sign)))
}

/// Replaces an `AND` between columns with a comma, if none is a condition.
///
/// `RETURN avg(n.a) AND count(n)` → `RETURN avg(n.a), count(n)`
pub(super) fn and_between_columns(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let is_column = |fault: &Diagnostic| {
        matches!(fault.code, Code::InvalidArgumentType | Code::AmbiguousAggregationExpression)
    };
    if !is_column(fault) {
        return None;
    }
    places::around(&draft.tree, fault.span, |query, index| {
        let projection = places::projection(&query.clauses.get(index)?.kind)?;
        let item = projection.items.iter().find(|item| item.span.contains(fault.span))?;
        let ExpressionKind::Logical { operator: LogicalOperator::And, operands } = &item.expression.kind
        else {
            return None;
        };
        if operands.iter().any(is_condition) {
            return None;
        }
        let message = "a comma stands between columns, in place of AND";
        let mut step = Step::new(ChangeCode::ForeignSyntax, message);
        for (left, right) in operands.iter().zip(operands.iter().skip(1)) {
            step = step.replace(Span::new(left.span.end, right.span.start), ", ");
        }
        Some(Outcome::Step(step))
    })
}

/// Returns whether an expression is true or false whatever the data.
fn is_condition(expression: &Expression) -> bool {
    matches!(
        &expression.kind,
        ExpressionKind::Comparison { .. }
            | ExpressionKind::Test { test: Test::Null, .. }
            | ExpressionKind::Labels { .. }
            | ExpressionKind::Pattern(_)
            | ExpressionKind::Subquery(_)
            | ExpressionKind::Quantified(_)
            | ExpressionKind::Logical { .. }
    )
}

/// Adds a comma between columns: `WITH n count(m) AS c` → `WITH n, count(m) AS c`.
pub(super) fn comma_between_columns(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    let begin = regions::clause_start(draft, at)?;
    let is_column = draft.is_name(at) && (draft.is(at + 1, "(") || draft.is(at + 1, "."));
    let is_keyword = draft.tokens.get(at).and_then(|token| token.keyword).is_some_and(Keyword::begins_clause);
    let is_list = draft.is(begin, "WITH") || draft.is(begin, "RETURN");
    let is_window = groups::is_window(draft, at);
    if fault.code != Code::UnexpectedSyntax
        || !is_column
        || !is_list
        || is_keyword
        || is_window
        || at < begin + 2
    {
        return None;
    }
    let step = Step::new(ChangeCode::ForeignSyntax, "a comma stands between columns");
    Some(Outcome::Step(step.insert(draft.end_before(at), ",")))
}

/// Moves `DISTINCT` before all columns.
///
/// `RETURN n.name, DISTINCT n.age` → `RETURN DISTINCT n.name, n.age`
pub(super) fn distinct_first(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    let begin = regions::clause_start(draft, at)?;
    let is_list = draft.is(begin, "WITH") || draft.is(begin, "RETURN");
    if fault.code != Code::UnexpectedSyntax
        || !draft.is(at, "DISTINCT")
        || !is_list
        || !draft.is(at.wrapping_sub(1), ",")
    {
        return None;
    }
    let step = Step::new(ChangeCode::ForeignSyntax, "DISTINCT stands before all columns")
        .remove(Span::new(draft.start_of(at), draft.start_of(at + 1)));
    let step =
        if draft.is(begin + 1, "DISTINCT") { step } else { step.insert(draft.end_of(begin), " DISTINCT") };
    Some(Outcome::Step(step))
}

/// Removes brackets around columns, or makes them a list.
///
/// `WITH (a, b)` → `WITH a, b`, `(a, b) AS pair` → `[a, b] AS pair`
pub(super) fn values_in_brackets(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    if fault.code != Code::UnexpectedSyntax || !draft.is(at, ",") {
        return None;
    }
    let open = draft.opening(at).filter(|&open| draft.is(open, "("))?;
    let close = draft.closing(open)?;
    let before = open.checked_sub(1)?;
    let whole = ["WITH", "RETURN", "DISTINCT"].iter().any(|word| draft.is(before, word))
        && !draft.is(close + 1, "AS");
    let is_call = draft.is_name(before) && !whole && draft.tokens.get(before)?.keyword.is_none();
    if is_call {
        return None;
    }
    let (message, opening, closing) = if whole {
        ("columns stand without brackets", "", "")
    } else {
        ("a list stands in square brackets", "[", "]")
    };
    let step = Step::new(ChangeCode::ForeignSyntax, message);
    Some(Outcome::Step(step.replace(draft.span_of(open), opening).replace(draft.span_of(close), closing)))
}
