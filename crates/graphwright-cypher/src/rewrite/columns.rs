//! Names for the columns of a result, which follow from the text as it was written.

use std::ops::Range;

use super::{Pass, Result};
use crate::{
    edit::Edits,
    gate::is_aggregate,
    source::{BlockKind, Clause, Keyword, Source},
};

/// One expression of `RETURN` or `WITH`.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// The expression.
    pub(super) expression: Range<usize>,
    /// Where the alias stands, if it has one.
    pub(super) alias: Option<usize>,
}

/// The parts of `RETURN` or `WITH`.
#[derive(Clone, Debug)]
pub(super) struct Projection {
    pub(super) distinct: bool,
    pub(super) items: Vec<Item>,
    /// All items.
    pub(super) list: Range<usize>,
    /// What follows: `ORDER BY`, `SKIP`, `LIMIT`, `WHERE`.
    pub(super) rest: Range<usize>,
}

/// Takes `RETURN` or `WITH` apart.
pub(super) fn projection(source: &Source<'_>, clause: &Clause) -> Projection {
    let mut start = clause.tokens.start + 1;
    let distinct = source.is_word(start, "DISTINCT");
    if distinct {
        start += 1;
    }
    let ends = |index: usize| {
        source.is_any_word(index, &["ORDER", "SKIP", "OFFSET", "LIMIT", "WHERE"])
            && !source.is_name_position(index)
    };
    let end = source.level(start..clause.tokens.end).find(|&index| ends(index)).unwrap_or(clause.tokens.end);
    let items = split(source, start..end).into_iter().map(|range| item(source, range)).collect();
    Projection { distinct, items, list: start..end, rest: end..clause.tokens.end }
}

fn item(source: &Source<'_>, range: Range<usize>) -> Item {
    let alias = range.end.checked_sub(2).filter(|&word| word > range.start && source.is_word(word, "AS"));
    match alias {
        Some(word) => Item { expression: range.start..word, alias: Some(word + 1) },
        None => Item { expression: range, alias: None },
    }
}

/// Splits a range at its commas.
pub(super) fn split(source: &Source<'_>, range: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = range.start;
    for index in source.level(range.clone()) {
        if source.is_symbol(index, ",") {
            parts.push(start..index);
            start = index + 1;
        }
    }
    if start < range.end {
        parts.push(start..range.end);
    }
    parts
}

impl Item {
    pub(super) fn is_star(&self, source: &Source<'_>) -> bool {
        self.expression.len() == 1 && source.is_symbol(self.expression.start, "*")
    }

    pub(super) fn is_variable(&self, source: &Source<'_>) -> bool {
        self.expression.len() == 1 && source.is_name(self.expression.start) && !self.is_literal(source)
    }

    fn is_literal(&self, source: &Source<'_>) -> bool {
        source.is_any_word(self.expression.start, &["NULL", "TRUE", "FALSE"])
    }

    /// Whether an aggregate function is called in it.
    pub(super) fn aggregates(&self, source: &Source<'_>) -> bool {
        self.expression.clone().any(|index| is_aggregate_call(source, index))
    }
}

/// Whether an aggregate function is called here.
pub(super) fn is_aggregate_call(source: &Source<'_>, index: usize) -> bool {
    source.is_symbol(index + 1, "(")
        && source.is_name(index)
        && !source.before(index, |before| source.is_symbol(before, "."))
        && source.name(index).is_some_and(|name| {
            is_aggregate(&name)
                || name.eq_ignore_ascii_case("percentile_cont")
                || name.eq_ignore_ascii_case("percentile_disc")
        })
}

/// A back-ticked name for any text.
pub(super) fn quoted(text: &str) -> String {
    let text: String =
        text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    format!("`{}`", text.replace('`', "``"))
}

pub(super) fn run(pass: &mut Pass<'_>) -> Result<Edits> {
    let source = pass.source;
    let mut edits = Edits::default();
    for block in pass.blocks {
        for clause in &block.clauses {
            if !matches!(clause.keyword, Keyword::Return | Keyword::With) {
                continue;
            }
            let projection = projection(source, clause);
            let is_result = block.kind == BlockKind::Query && clause.keyword == Keyword::Return;
            let mut names = Vec::new();
            for item in &projection.items {
                let text = source.text_of(&item.expression);
                match item.alias {
                    Some(alias) => names.push(source.name(alias).unwrap_or_default().into_owned()),
                    None if item.is_variable(source) => {
                        names.push(source.name(item.expression.start).unwrap_or_default().into_owned());
                    }
                    None => {
                        if is_result && !item.is_star(source) {
                            edits.insert(
                                source.span_of(&item.expression).end,
                                format!(" AS {}", quoted(text)),
                            );
                        }
                        names.push(text.to_owned());
                    }
                }
            }
            if projection.distinct || projection.items.iter().any(|item| item.aggregates(source)) {
                sort_by_alias(source, &projection, is_result, &mut edits);
            }
            if is_result {
                let star = projection.items.iter().any(|item| item.is_star(source));
                pass.rewritten.columns = (!star).then_some(names);
                let of = |wanted: bool| {
                    let items = projection.items.iter().enumerate();
                    items
                        .filter(|(_, item)| wanted || !item.aggregates(source))
                        .map(|(place, _)| place)
                        .collect::<Vec<_>>()
                };
                let unites = block.clauses.iter().any(|clause| {
                    clause.keyword == Keyword::Union && !source.is_word(clause.tokens.start + 1, "ALL")
                });
                let aggregates = projection.items.iter().any(|item| item.aggregates(source));
                pass.rewritten.keys = match () {
                    () if star => Vec::new(),
                    () if projection.distinct || unites => of(true),
                    () if aggregates => of(false),
                    () => Vec::new(),
                };
            }
        }
    }
    Ok(edits)
}

/// After grouping only the results can be sorted by, so an expression that is one of them becomes its alias.
fn sort_by_alias(source: &Source<'_>, projection: &Projection, is_result: bool, edits: &mut Edits) {
    let mut at = projection.rest.start;
    while at < projection.rest.end {
        let found = projection.items.iter().find_map(|item| {
            let name = match item.alias {
                Some(alias) => source.text(alias).to_owned(),
                None if is_result && !item.is_variable(source) => quoted(source.text_of(&item.expression)),
                None => return None,
            };
            let range = at..at + item.expression.len();
            let complete = !source.is_symbol(range.end, ".")
                && !source.before(at, |before| source.is_symbol(before, "."));
            (complete && range.end <= projection.rest.end && same(source, &range, &item.expression))
                .then_some((range, name))
        });
        match found {
            Some((range, name)) => {
                edits.replace(source.span_of(&range), name);
                at = range.end;
            }
            None => at += 1,
        }
    }
}

/// Whether two ranges have the same tokens.
pub(super) fn same(source: &Source<'_>, left: &Range<usize>, right: &Range<usize>) -> bool {
    left.len() == right.len()
        && left.clone().zip(right.clone()).all(|(left, right)| source.text(left) == source.text(right))
}
