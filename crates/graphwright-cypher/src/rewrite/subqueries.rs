//! Subqueries that the engine does not run where they stand.

use super::{Pass, Result, RewriteError, projection::projection};
use crate::{
    edit::Edits,
    source::{Block, BlockKind, Clause, Keyword, Source},
};

/// `COLLECT { }`, and `COUNT { }` of more than patterns, computed in a `CALL { }` before the clause.
pub(super) fn hoist(pass: &mut Pass<'_>) -> Result<Edits> {
    for subquery in pass.blocks {
        let reads = subquery.clauses.as_slice();
        let needed = match subquery.kind {
            BlockKind::Collect => true,
            BlockKind::Count => !matches!(reads, [] | [Clause { keyword: Keyword::Match, .. }]),
            _ => false,
        };
        if needed {
            return hoist_one(pass, subquery);
        }
    }
    Ok(Edits::default())
}

fn hoist_one(pass: &mut Pass<'_>, subquery: &Block) -> Result<Edits> {
    let source = pass.source;
    let (construct, word) = match subquery.kind {
        BlockKind::Collect => ("COLLECT { } in this place", "COLLECT"),
        _ => ("COUNT { } or EXISTS { } of several clauses in this place", "COUNT"),
    };
    let span = source.span_of(&subquery.tokens);
    let refused =
        || RewriteError::unsupported(construct, "compute it in CALL { } before, or write one pattern", span);
    let start = subquery.tokens.start - 2;
    let (block, clause) = pass
        .blocks
        .iter()
        .rfind(|block| block.tokens.contains(&start))
        .and_then(|block| {
            block.clauses.iter().find(|clause| clause.tokens.contains(&start)).map(|clause| (block, clause))
        })
        .ok_or_else(refused)?;
    if !matches!(block.kind, BlockKind::Query | BlockKind::Call) || !source.is_word(start, word) {
        return Err(refused());
    }
    let name = pass.fresh();
    let call = body(pass, subquery, &name).ok_or_else(refused)?;
    let mut edits = Edits::default();
    match clause.keyword {
        Keyword::Return | Keyword::With => {
            let projection = projection(source, clause);
            if projection.rest.contains(&start) || in_comprehension(source, start, clause) {
                return Err(refused());
            }
            edits.insert(source.span(clause.tokens.start).start, format!("{call} "));
        }
        Keyword::Unwind if !in_comprehension(source, start, clause) => {
            edits.insert(source.span(clause.tokens.start).start, format!("{call} "));
        }
        Keyword::Match => {
            let filter = source
                .level(clause.tokens.clone())
                .find(|&index| source.is_word(index, "WHERE") && !source.is_name_position(index))
                .filter(|&filter| filter < start)
                .ok_or_else(refused)?;
            if in_comprehension(source, start, clause) {
                return Err(refused());
            }
            edits.replace(source.span(filter), format!("{call} WITH * WHERE"));
        }
        _ => return Err(refused()),
    }
    let value =
        if subquery.kind == BlockKind::Collect { format!("[_gw_v IN {name} | _gw_v[0]]") } else { name };
    edits.replace(source.span_of(&(start..subquery.tokens.end + 1)), value);
    Ok(edits)
}

/// Whether a local variable of a comprehension or `reduce` may be in reach.
fn in_comprehension(source: &Source<'_>, index: usize, clause: &Clause) -> bool {
    let mut open = source.around(index);
    while let Some(bracket) = open.filter(|&bracket| bracket >= clause.tokens.start) {
        let local = source.is_name(bracket + 1)
            && (source.is_word(bracket + 2, "IN") || source.is_symbol(bracket + 2, "="));
        let body = source
            .level(bracket + 1..source.partner(bracket))
            .find(|&token| source.is_word(token, "WHERE") || source.is_symbol(token, "|"));
        if local && body.is_some_and(|body| body < index)
            || source.is_symbol(bracket, "[") && source.is_symbol(bracket + 1, "(")
        {
            return true;
        }
        open = source.around(bracket);
    }
    false
}

/// The subquery as a `CALL { }` that gives one row.
fn body(pass: &mut Pass<'_>, subquery: &Block, name: &str) -> Option<String> {
    let source = pass.source;
    let last = subquery.clauses.last().filter(|clause| clause.keyword == Keyword::Return);
    if subquery.clauses.iter().any(|clause| clause.keyword == Keyword::Union) {
        return None;
    }
    let Some(last) = last else {
        let counts = subquery.kind == BlockKind::Count;
        return counts.then(|| {
            format!("CALL (*) {{ {} RETURN count(*) AS {name} }}", source.text_of(&subquery.tokens))
        });
    };
    let projection = projection(source, last);
    let before = subquery.tokens.start..last.tokens.start;
    let distinct = if projection.distinct { "DISTINCT " } else { "" };
    let mut items: Vec<String> = Vec::new();
    let mut first = String::new();
    for item in &projection.items {
        let value = match item.alias {
            Some(alias) => source.text(alias).to_owned(),
            None => pass.fresh(),
        };
        if first.is_empty() {
            first.clone_from(&value);
        }
        items.push(format!("{} AS {value}", source.text_of(&item.expression)));
    }
    let result = if subquery.kind == BlockKind::Collect {
        format!("collect([{first}])")
    } else {
        "count(*)".to_owned()
    };
    Some(format!(
        "CALL (*) {{ {} WITH {distinct}{} {} RETURN {result} AS {name} }}",
        source.text_of(&before),
        items.join(", "),
        source.text_of(&projection.rest),
    ))
}
