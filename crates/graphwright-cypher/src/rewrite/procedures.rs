//! Procedures of Neo4j that list names: the engine's own leave out labels and show its names.

use super::{Pass, Result, columns::split};
use crate::{
    edit::Edits,
    source::{Keyword, Source},
};

pub(super) fn run(pass: &mut Pass<'_>) -> Result<Edits> {
    let source = pass.source;
    let mut edits = Edits::default();
    for block in pass.blocks {
        for clause in block.clauses.iter().filter(|clause| clause.keyword == Keyword::Call) {
            let Some((column, search)) = listing(source, clause.tokens.start + 1) else { continue };
            let alone = block.clauses.len() == 1;
            let yielded = source.level(clause.tokens.clone()).find(|&index| source.is_word(index, "YIELD"));
            let filter = source.level(clause.tokens.clone()).find(|&index| source.is_word(index, "WHERE"));
            let name = yielded.map_or(column, |start| {
                let items = split(source, start + 1..filter.unwrap_or(clause.tokens.end));
                let named = items.into_iter().find(|item| source.is_word(item.start, column));
                named.map_or(column, |item| source.text(item.end - 1))
            });
            let first = block.clauses.first().is_some_and(|first| first.tokens.start == clause.tokens.start);
            let kept = if first { "" } else { "*, " };
            let filter = filter
                .map_or(String::new(), |start| format!(" {}", source.text_of(&(start..clause.tokens.end))));
            let end = if alone { format!(" RETURN {name}") } else { String::new() };
            edits.replace(
                source.span_of(&clause.tokens),
                format!("{search} WITH DISTINCT {kept}_gw_name AS {name}{filter}{end}"),
            );
            if alone {
                pass.rewritten.columns = Some(vec![name.to_owned()]);
            }
        }
    }
    Ok(edits)
}

fn listing(source: &Source<'_>, first: usize) -> Option<(&'static str, &'static str)> {
    let is_db = source.is_word(first, "db") && source.is_symbol(first + 1, ".");
    if !is_db {
        return None;
    }
    let listing = if source.is_word(first + 2, "labels") {
        (
            "label",
            "MATCH (_gw_n) UNWIND [_gw_l IN labels(_gw_n) WHERE NOT _gw_l IN ['Node', 'KgliteRecipe', 'KgliteSkill'] \
             | CASE WHEN _gw_l =~ '(Node|KgliteRecipe|KgliteSkill)_+' THEN substring(_gw_l, 0, size(_gw_l) - 1) ELSE _gw_l END] AS _gw_name",
        )
    } else if source.is_word(first + 2, "relationshipTypes") {
        ("relationshipType", "MATCH ()-[_gw_r]->() WITH DISTINCT type(_gw_r) AS _gw_name")
    } else {
        return None;
    };
    Some(listing)
}
