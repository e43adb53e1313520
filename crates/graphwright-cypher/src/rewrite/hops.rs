//! Paths of any length: the engine stops at ten hops unless a bound is written.

use super::{
    Pass, Result, RewriteError,
    pattern::{Element, ElementKind, Path, Place, paths},
};
use crate::{
    edit::Edits,
    lexer::TokenKind,
    source::{BlockKind, Keyword, Source},
};

/// More hops than a graph in memory has relationships on one path.
const ALL: &str = "1000000000";

pub(super) fn run(pass: &mut Pass<'_>) -> Result<Edits> {
    let source = pass.source;
    let mut edits = Edits::default();
    for path in paths(source, pass.blocks) {
        let in_count = pass
            .blocks
            .iter()
            .any(|block| block.kind == BlockKind::Count && block.tokens.contains(&path.tokens.start));
        if !in_count {
            name_path(pass, &path, &mut edits);
            name_node(pass, &path, &mut edits);
        }
        for element in &path.elements {
            if element.kind == ElementKind::Relationship {
                either_direction(source, element, &mut edits);
            }
            match element.kind {
                ElementKind::Relationship if element.hops.is_some() => {
                    relationship(source, element, &mut edits)?;
                }
                ElementKind::Group => group(source, element, &mut edits)?,
                _ => {}
            }
        }
    }
    Ok(edits)
}

/// The engine lists the relationships of `[r*]` from the end where it began to search, unless the path has a name.
fn name_path(pass: &mut Pass<'_>, path: &Path, edits: &mut Edits) {
    let matches = matches!(path.place, Place::Clause(Keyword::Match | Keyword::OptionalMatch, _));
    let start = path.tokens.start;
    let named = pass.source.before(start, |before| pass.source.is_symbol(before, "="));
    let lists = path.elements.iter().any(|element| element.hops.is_some() && element.variable.is_some());
    if matches && lists && !named {
        let name = pass.fresh();
        edits.insert(pass.source.span(start).start, format!("{name} = "));
    }
}

/// In `p = (:A)` the engine's path is null unless the node has a name.
fn name_node(pass: &mut Pass<'_>, path: &Path, edits: &mut Edits) {
    let named = pass.source.before(path.tokens.start, |before| pass.source.is_symbol(before, "="));
    let [Element { variable: None, open: Some(open), .. }] = path.elements.as_slice() else { return };
    if named {
        let name = pass.fresh();
        edits.insert(pass.source.span(*open).end, name);
    }
}

/// `<-->` is `--`.
fn either_direction(source: &Source<'_>, element: &Element, edits: &mut Edits) {
    let outside = element
        .hops
        .as_ref()
        .filter(|hops| element.open.is_none_or(|open| source.partner(open) < hops.start));
    let end = outside.map_or(element.tokens.end, |hops| hops.start);
    if source.is_symbol(element.tokens.start, "<") && source.is_symbol(end - 1, ">") {
        edits.replace(source.span(element.tokens.start), "");
        edits.replace(source.span(end - 1), "");
    }
}

fn relationship(source: &Source<'_>, element: &Element, edits: &mut Edits) -> Result<()> {
    let Some(hops) = &element.hops else { return Ok(()) };
    if hops.clone().any(|index| source.is_symbol(index, "-")) {
        return Err(RewriteError::syntax("a number of hops is not negative", source.span_of(hops)));
    }
    let inside = element.open.is_some_and(|open| source.partner(open) > hops.start);
    if inside {
        edits.replace(source.span_of(hops), bounds(source, hops));
        return Ok(());
    }
    let Some((low, high)) = quantifier(source, hops) else { return Err(unsupported(source, element)) };
    edits.replace(source.span_of(hops), "");
    let bounds = format!("*{low}..{high}");
    match element.open {
        Some(_) if element.variable.is_some() || element.condition.is_some() => {
            Err(unsupported(source, element))
        }
        Some(open) => {
            let at =
                element.labels.as_ref().map_or(source.span(open).end, |labels| source.span_of(labels).end);
            edits.insert(at, bounds);
            Ok(())
        }
        None => {
            let dash = (element.tokens.start..element.tokens.end).find(|&index| source.is_symbol(index, "-"));
            edits.insert(source.span(dash.unwrap_or(element.tokens.start)).end, format!("[{bounds}]"));
            Ok(())
        }
    }
}

/// Whether no number lies within the bounds, as in `*2..1`; the engine takes such bounds for an error.
pub(super) fn is_empty_range(source: &Source<'_>, hops: &std::ops::Range<usize>) -> bool {
    let text = bounds(source, hops);
    let number = |text: &str| text.parse::<u64>().unwrap_or(u64::MAX);
    let range = text.trim_start_matches('*').split_once("..");
    source.is_symbol(hops.start, "*") && range.is_some_and(|(low, high)| number(low) > number(high))
}

/// `*`, `*2`, `*2..`, `*..3`, `*2..3` with both bounds.
fn bounds(source: &Source<'_>, hops: &std::ops::Range<usize>) -> String {
    let numbers: Vec<&str> = hops
        .clone()
        .filter(|&index| source.kind(index) == Some(TokenKind::Integer))
        .map(|index| source.text(index))
        .collect();
    let dots = hops.clone().find(|&index| source.is_symbol(index, ".."));
    let after_dots = dots.is_some_and(|dots| source.kind(dots + 1) == Some(TokenKind::Integer));
    match (numbers.as_slice(), dots, after_dots) {
        ([one], None, _) => format!("*{one}"),
        ([low], Some(_), false) => format!("*{low}..{ALL}"),
        ([high], Some(_), true) => format!("*1..{high}"),
        ([low, high], ..) => format!("*{low}..{high}"),
        _ => format!("*1..{ALL}"),
    }
}

/// The least and greatest number of repetitions.
fn quantifier(source: &Source<'_>, tokens: &std::ops::Range<usize>) -> Option<(String, String)> {
    let first = tokens.start;
    if source.is_symbol(first, "+") {
        return Some(("1".into(), ALL.into()));
    }
    if source.is_symbol(first, "*") {
        return Some(("0".into(), ALL.into()));
    }
    let comma = source.level(first + 1..tokens.end - 1).find(|&index| source.is_symbol(index, ","));
    let number = |index: usize| {
        (source.kind(index) == Some(TokenKind::Integer)).then(|| source.text(index).to_owned())
    };
    let low = number(first + 1);
    match comma {
        None => Some((low.clone()?, low?)),
        Some(comma) => {
            Some((low.unwrap_or_else(|| "0".into()), number(comma + 1).unwrap_or_else(|| ALL.into())))
        }
    }
}

/// `(()-[:R]->()){1,3}` says the same as `-[:R*1..3]->`.
fn group(source: &Source<'_>, element: &Element, edits: &mut Edits) -> Result<()> {
    let refused = || unsupported(source, element);
    let (Some(open), Some(tokens)) = (element.open, &element.hops) else { return Err(refused()) };
    let close = source.partner(open);
    let (first, last) = (open + 1, close - 1);
    let empty = |index: usize| source.is_symbol(index, "(") && source.partner(index) == index + 1;
    let arrow = first + 2..last - 1;
    let bracket = arrow.clone().find(|&index| source.is_symbol(index, "["));
    if !empty(first) || !empty(last - 1) || bracket.is_some_and(|open| source.is_name(open + 1)) {
        return Err(refused());
    }
    let inner = bracket.map(|open| open + 1..source.partner(open));
    if inner
        .clone()
        .is_some_and(|inner| inner.clone().any(|index| source.is_any_symbol(index, &["*", "{", "("])))
    {
        return Err(refused());
    }
    let (low, high) = quantifier(source, tokens).ok_or_else(refused)?;
    let types = inner.map_or("", |inner| source.text_of(&inner));
    let left = if source.is_symbol(arrow.start, "<") { "<-" } else { "-" };
    let right = if source.is_symbol(arrow.end - 1, ">") { "->" } else { "-" };
    edits.replace(source.span_of(&element.tokens), format!("{left}[{types}*{low}..{high}]{right}"));
    Ok(())
}

fn unsupported(source: &Source<'_>, element: &Element) -> RewriteError {
    let hint = "write a variable-length relationship, as -[:TYPE*1..3]->";
    RewriteError::unsupported("a quantified path pattern", hint, source.span_of(&element.tokens))
}
