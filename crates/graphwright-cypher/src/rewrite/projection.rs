//! `RETURN` and `WITH` taken apart.

use std::ops::Range;

use crate::{
    gate::is_aggregate,
    source::{Clause, Source},
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

/// Whether two ranges have the same tokens.
pub(super) fn same(source: &Source<'_>, left: &Range<usize>, right: &Range<usize>) -> bool {
    left.len() == right.len()
        && left.clone().zip(right.clone()).all(|(left, right)| source.text(left) == source.text(right))
}
