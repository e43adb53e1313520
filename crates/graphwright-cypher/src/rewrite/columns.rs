//! Names for the columns of a result, which follow from the text as it was written.

use std::ops::Range;

use super::{Pass, Result, RewriteError};
use crate::{
    edit::Edits,
    gate::is_aggregate,
    source::{Block, BlockKind, Clause, Keyword, Source},
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
        refuse_mixed_unions(source, block)?;
        for clause in &block.clauses {
            refuse_aggregates_in_filter(source, clause)?;
            if !matches!(clause.keyword, Keyword::Return | Keyword::With) {
                continue;
            }
            let projection = projection(source, clause);
            let is_result = block.kind == BlockKind::Query && clause.keyword == Keyword::Return;
            super::grouping::check(source, &projection)?;
            let mut names = Vec::new();
            for item in &projection.items {
                let text = source.text_of(&item.expression);
                match item.alias {
                    Some(alias) => names.push(source.name(alias).unwrap_or_default().into_owned()),
                    None if item.is_variable(source) => {
                        names.push(source.name(item.expression.start).unwrap_or_default().into_owned());
                    }
                    None if clause.keyword == Keyword::With && !item.is_star(source) => {
                        let span = source.span_of(&item.expression);
                        return Err(RewriteError::syntax("an expression of WITH needs a name: AS …", span));
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
            let star = projection.items.iter().any(|item| item.is_star(source));
            if star {
                refuse_hidden_names(source)?;
            }
            if is_result && star && !projection.rest.is_empty() && projection.items.len() == 1 {
                // The engine sorts no `RETURN *`.
                edits.replace(source.span(clause.tokens.start), "WITH");
                edits.insert(source.span_of(&clause.tokens).end, " RETURN *");
            }
            if is_result {
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

fn refuse_mixed_unions(source: &Source<'_>, block: &Block) -> Result<()> {
    let unions = || block.clauses.iter().filter(|clause| clause.keyword == Keyword::Union);
    let all = unions().filter(|clause| source.is_word(clause.tokens.start + 1, "ALL")).count();
    match unions().nth(1) {
        Some(clause) if all > 0 && all < unions().count() => {
            Err(RewriteError::syntax("UNION and UNION ALL cannot be mixed", source.span(clause.tokens.start)))
        }
        _ => Ok(()),
    }
}

/// `WHERE` looks at single rows.
fn refuse_aggregates_in_filter(source: &Source<'_>, clause: &Clause) -> Result<()> {
    let is_filter = |index: usize| source.is_word(index, "WHERE") && !source.is_name_position(index);
    let Some(start) = source.level(clause.tokens.clone()).find(|&index| is_filter(index)) else {
        return Ok(());
    };
    let mut at = start;
    while at < clause.tokens.end {
        if source.subquery(at).is_some() {
            at = source.partner(at);
        } else if is_aggregate_call(source, at) {
            return Err(RewriteError::syntax("WHERE cannot aggregate; use WITH before", source.span(at)));
        }
        at += 1;
    }
    Ok(())
}

/// The engine leaves variables out of `*` whose names begin with two underscores.
fn refuse_hidden_names(source: &Source<'_>) -> Result<()> {
    for index in 0..source.len() {
        let is_alias = source.before(index, |before| source.is_word(before, "AS"));
        if source.is_name(index)
            && source.name(index).is_some_and(|name| name.starts_with("__"))
            && (is_alias || !source.is_name_position(index))
        {
            let hint = "give the variable another name";
            let construct = "* beside a variable whose name begins with __";
            return Err(RewriteError::unsupported(construct, hint, source.span(index)));
        }
    }
    Ok(())
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
