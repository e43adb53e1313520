//! `EXISTS`, and patterns as conditions, through `COUNT`: the engine misses matches of two hops and more in them.

use super::{
    Pass, Result, RewriteError,
    pattern::{Path, Place, paths},
};
use crate::{
    edit::Edits,
    source::{BlockKind, Keyword, Source},
};

pub(super) fn run(pass: &mut Pass<'_>) -> Result<Edits> {
    let source = pass.source;
    let mut edits = Edits::default();
    for block in pass.blocks {
        let before = block.tokens.start.saturating_sub(2);
        if block.kind == BlockKind::Exists {
            edits.replace(source.span(before), "(0 < COUNT");
            edits.insert(source.span(block.tokens.end).end, ")");
        }
        if matches!(block.kind, BlockKind::Exists | BlockKind::Count)
            && let Some(last) = block.clauses.last()
            && last.keyword == Keyword::Return
            && block.clauses.len() > 1
            && is_plain(source, last.tokens.clone(), block.kind)
        {
            edits.replace(source.span_of(&last.tokens), "");
        }
    }
    let all = paths(source, pass.blocks);
    for path in &all {
        if !matches!(path.place, Place::Predicate) {
            continue;
        }
        refuse_new_variables(source, &all, path)?;
        let call = path.tokens.start.checked_sub(2).filter(|&name| {
            source.is_symbol(name + 1, "(")
                && source.partner(name + 1) == path.tokens.end
                && source.is_any_word(name, &["exists", "size"])
                && !source.is_name_position(name)
        });
        let span = source.span_of(&path.tokens);
        if let Some(name) = call {
            let is_size = source.is_word(name, "size");
            edits.replace(
                source.span_of(&(name..name + 2)),
                if is_size { "COUNT { " } else { "(0 < COUNT { " },
            );
            edits.replace(source.span(path.tokens.end), if is_size { " }" } else { " })" });
        } else {
            edits.insert(span.start, "(0 < COUNT { ");
            edits.insert(span.end, " })");
        }
    }
    properties(source, &mut edits);
    Ok(edits)
}

/// The engine takes `(COUNT { … }` for a node with properties.
pub(super) fn count_first(pass: &mut Pass<'_>) -> Result<Edits> {
    let source = pass.source;
    let mut edits = Edits::default();
    for block in pass.blocks.iter().filter(|block| block.kind == BlockKind::Count) {
        let word = block.tokens.start.saturating_sub(2);
        if source.before(word, |before| source.is_symbol(before, "(")) {
            edits.insert(source.span(word).start, "0 + ");
        }
    }
    Ok(edits)
}

/// A pattern as a condition names only what is known: a name that stands nowhere else is new.
fn refuse_new_variables(source: &Source<'_>, paths: &[Path], path: &Path) -> Result<()> {
    let in_condition = |index: usize| {
        paths.iter().any(|path| matches!(path.place, Place::Predicate) && path.tokens.contains(&index))
    };
    for variable in path.elements.iter().filter_map(|element| element.variable) {
        let name = source.name(variable);
        let known = (0..source.len()).any(|index| source.name(index) == name && !in_condition(index));
        if !known {
            let message = format!("the variable {} is not defined", source.text(variable));
            return Err(RewriteError::syntax(message, source.span(variable)));
        }
    }
    Ok(())
}

/// A `RETURN` that does not change how many rows there are (or whether there are any).
fn is_plain(source: &Source<'_>, tokens: std::ops::Range<usize>, kind: BlockKind) -> bool {
    let changes: &[&str] = match kind {
        BlockKind::Exists => &["SKIP", "OFFSET", "LIMIT"],
        _ => &["SKIP", "OFFSET", "LIMIT", "DISTINCT"],
    };
    let aggregates = tokens.clone().any(|index| super::projection::is_aggregate_call(source, index));
    !aggregates
        && !source
            .level(tokens)
            .any(|index| source.is_any_word(index, changes) && !source.is_name_position(index))
}

/// `exists(n.name)` asks for a property.
fn properties(source: &Source<'_>, edits: &mut Edits) {
    for index in 0..source.len() {
        let is_call = source.is_word(index, "exists")
            && source.is_symbol(index + 1, "(")
            && !source.is_name_position(index)
            && !source.is_symbol(index + 2, "(");
        if is_call {
            edits.replace(source.span(index), "");
            edits.insert(source.span(index + 1).start, "(");
            edits.insert(source.span(source.partner(index + 1)).end, " IS NOT NULL)");
        }
    }
}
