//! Aggregates within expressions: the engine wants each aggregate to be an item of its own, so they are computed in a
//! `WITH` before.

use std::ops::Range;

use super::{
    Pass, Result,
    functions::aggregate_calls,
    projection::{Item, Projection, projection, quoted, same},
};
use crate::{
    edit::Edits,
    gate::is_keyword,
    lexer::TokenKind,
    source::{Clause, Keyword, Source},
};

pub(super) fn run(pass: &mut Pass<'_>) -> Result<Edits> {
    let source = pass.source;
    for clause in pass.blocks.iter().flat_map(|block| &block.clauses) {
        if !matches!(clause.keyword, Keyword::Return | Keyword::With) {
            continue;
        }
        let projection = projection(source, clause);
        let mixed = |item: &Item| {
            item.aggregates(source) && aggregate_calls(source, &item.expression) != [item.expression.clone()]
        };
        if projection.items.iter().any(mixed) {
            return Ok(hoist(pass, clause, &projection));
        }
    }
    Ok(Edits::default())
}

fn hoist(pass: &mut Pass<'_>, clause: &Clause, projection: &Projection) -> Edits {
    let source = pass.source;
    let mut groups: Vec<(Range<usize>, String)> = Vec::new();
    let mut parts: Vec<String> = Vec::new();
    for item in projection.items.iter().filter(|item| !item.aggregates(source)) {
        if item.is_star(source) || item.is_variable(source) {
            let text = source.text_of(&item.expression);
            groups.push((item.expression.clone(), text.to_owned()));
            if !parts.iter().any(|part| part == text) {
                parts.push(text.to_owned());
            }
        } else {
            let name = pass.fresh();
            parts.push(format!("{} AS {name}", source.text_of(&item.expression)));
            groups.push((item.expression.clone(), name));
        }
    }
    let mut items = Vec::new();
    for item in &projection.items {
        let expression = match groups.iter().find(|(range, _)| *range == item.expression) {
            Some((_, name)) => name.clone(),
            None => outer_expression(pass, item, &groups, &mut parts),
        };
        let name = match item.alias {
            Some(alias) => source.text(alias).to_owned(),
            None if item.is_variable(source) || item.is_star(source) => {
                items.push(expression);
                continue;
            }
            None => quoted(source.text_of(&item.expression)),
        };
        items.push(format!("{expression} AS {name}"));
    }
    let word = source.text(clause.tokens.start);
    let distinct = if projection.distinct { "DISTINCT " } else { "" };
    let mut edits = Edits::default();
    let head = clause.tokens.start..projection.list.end;
    edits.replace(
        source.span_of(&head),
        format!("WITH {} {word} {distinct}{}", parts.join(", "), items.join(", ")),
    );
    edits
}

/// The expression over the results of its aggregates and of the groups.
fn outer_expression(
    pass: &mut Pass<'_>,
    item: &Item,
    groups: &[(Range<usize>, String)],
    parts: &mut Vec<String>,
) -> String {
    let source = pass.source;
    let calls = aggregate_calls(source, &item.expression);
    let base = source.span_of(&item.expression);
    let mut edits = Edits::default();
    let mut at = item.expression.start;
    while at < item.expression.end {
        let shifted = |range: &Range<usize>| {
            let span = source.span_of(range);
            graphwright_core::Span::new(span.start - base.start, span.end - base.start)
        };
        if let Some(call) = calls.iter().find(|call| call.start == at) {
            let name = pass.fresh();
            parts.push(format!("{} AS {name}", source.text_of(call)));
            edits.replace(shifted(call), name);
            at = call.end;
            continue;
        }
        let group = groups.iter().find(|(range, _)| {
            let here = at..at + range.len();
            here.end <= item.expression.end && same(source, &here, range) && !source.is_name_position(at)
        });
        if let Some((range, name)) = group {
            edits.replace(shifted(&(at..at + range.len())), name.clone());
            at += range.len();
        } else {
            if is_outer_variable(source, at, &item.expression) {
                let variable = source.text(at).to_owned();
                if !parts.contains(&variable) {
                    parts.push(variable);
                }
            }
            at += 1;
        }
    }
    edits.apply(source.text_of(&item.expression)).0
}

/// Whether a variable of the rows stands here rather than a keyword, a function, a property or a local variable.
fn is_outer_variable(source: &Source<'_>, index: usize, expression: &Range<usize>) -> bool {
    source.is_name(index)
        && !is_keyword(source, index)
        && !source.is_any_word(index, &["NULL", "TRUE", "FALSE"])
        && !source.is_name_position(index)
        && !source.is_any_symbol(index + 1, &["(", "="])
        && !is_namespace(source, index)
        && !expression.clone().any(|other| {
            source.text(other) == source.text(index)
                && (source.is_word(other + 1, "IN") || source.is_symbol(other + 1, "="))
                && source.before(other, |before| source.is_any_symbol(before, &["[", "(", ","]))
        })
        && source.kind(index) != Some(TokenKind::Parameter)
}

/// `duration` of `duration.between(…)`.
fn is_namespace(source: &Source<'_>, index: usize) -> bool {
    let mut at = index;
    while source.is_symbol(at + 1, ".") && source.is_name(at + 2) {
        at += 2;
    }
    at > index && source.is_symbol(at + 1, "(")
}
