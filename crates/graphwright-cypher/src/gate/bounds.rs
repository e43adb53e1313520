//! Bounds on rows and on the length of paths.

use graphwright_core::Span;

use super::{Bound, Gate, Refusal, RefusalCode, names};
use crate::{
    edit::Edits,
    lexer::TokenKind,
    source::{Block, BlockKind, Keyword, Source},
};

/// The edits that strip comments and add bounds, and the bounds.
pub(super) fn add(
    gate: &Gate,
    source: &Source<'_>,
    blocks: &[Block],
    writes: bool,
) -> Result<(Edits, Vec<Bound>), Refusal> {
    let mut edits = Edits::default();
    let mut bounds = Vec::new();
    for &comment in source.comments() {
        edits.replace(comment, " ");
    }
    if let Some(limit) = gate.max_hops {
        for unbounded in unbounded_paths(source) {
            if let Some(reason) = wrong_when_bounded(source, blocks, &unbounded, writes) {
                let help = format!("write the bound yourself, as *1..{limit}");
                return Err(Refusal::new(RefusalCode::UnboundedPath, unbounded.span, reason, help));
            }
            let dots = if unbounded.has_dots { "" } else { ".." };
            edits.insert(unbounded.span.end, format!("{dots}{limit}"));
            let Span { start, end } = unbounded.span;
            bounds.push(Bound::Hops { limit, start, end });
        }
    }
    if let Some(limit) = gate.row_limit
        && !writes
        && let Some(end) = place_for_limit(source, blocks)
    {
        edits.insert(end, format!(" LIMIT {}", limit.saturating_add(1)));
        bounds.push(Bound::Rows { limit });
    }
    Ok((edits, bounds))
}

/// `*` or `*2..` of a relationship, or a quantifier without an upper bound.
struct Unbounded {
    token: usize,
    span: Span,
    has_dots: bool,
    is_quantifier: bool,
}

fn unbounded_paths(source: &Source<'_>) -> Vec<Unbounded> {
    (0..source.len()).filter_map(|index| hops(source, index).or_else(|| quantifier(source, index))).collect()
}

fn hops(source: &Source<'_>, star: usize) -> Option<Unbounded> {
    let is_detail =
        |open: usize| source.is_symbol(open, "[") && source.before(open, |dash| source.is_symbol(dash, "-"));
    if !source.is_symbol(star, "*") || !is_detail(source.around(star)?) {
        return None;
    }
    let mut last = star;
    if source.kind(last + 1) == Some(TokenKind::Integer) {
        last += 1;
    }
    let has_dots = source.is_symbol(last + 1, "..");
    if has_dots {
        last += 1;
    }
    let bounded = if has_dots { source.kind(last + 1) == Some(TokenKind::Integer) } else { last > star };
    let span = Span::new(source.span(star).start, source.span(last).end);
    (!bounded).then_some(Unbounded { token: star, span, has_dots, is_quantifier: false })
}

/// `((a)-->(b))+`, `-[:R]->*(b)`, `((a)-->(b)){2,}`.
fn quantifier(source: &Source<'_>, index: usize) -> Option<Unbounded> {
    let after_group = source.before(index, |close| {
        source.is_symbol(close, ")") && source.is_symbol(source.partner(close) + 1, "(")
    });
    let after_arrow = source.before(index, |end| source.is_any_symbol(end, &["-", ">"]))
        && source.is_symbol(index + 1, "(");
    let open_sign = source.is_any_symbol(index, &["+", "*"])
        && (after_group || after_arrow && is_after_arrow(source, index));
    let open_braces = source.is_symbol(index, "{")
        && source.is_symbol(source.partner(index), "}")
        && source.is_symbol(source.partner(index) - 1, ",")
        && (after_group || after_arrow);
    (open_sign && !is_arithmetic(source, index) || open_braces).then(|| Unbounded {
        token: index,
        span: source.span(index),
        has_dots: false,
        is_quantifier: true,
    })
}

fn is_after_arrow(source: &Source<'_>, index: usize) -> bool {
    index.checked_sub(2).is_some_and(|before| source.is_any_symbol(before, &["-", "]"]))
}

/// `((a + b)) * 2` looks like a quantified group but holds no arrow.
fn is_arithmetic(source: &Source<'_>, index: usize) -> bool {
    index.checked_sub(1).is_some_and(|close| {
        source.is_symbol(close, ")") && {
            let inner = source.partner(close) + 1..close;
            !source.level(inner).any(|token| source.is_any_symbol(token, &["[", "<", ">", "-"]))
        }
    })
}

/// Why a bound on this path would give a wrong answer rather than fewer rows.
fn wrong_when_bounded(
    source: &Source<'_>,
    blocks: &[Block],
    unbounded: &Unbounded,
    writes: bool,
) -> Option<&'static str> {
    if writes {
        return Some("this path has no bound, and what is written would depend on the bound");
    }
    if unbounded.is_quantifier {
        return Some("this quantifier has no upper bound");
    }
    let inside = |range: &std::ops::Range<usize>| range.contains(&unbounded.token);
    let mut containing = blocks.iter().filter(|block| inside(&block.tokens));
    if containing.any(|block| !matches!(block.kind, BlockKind::Query | BlockKind::Call)) {
        return Some("this path has no bound, and EXISTS, COUNT or COLLECT would be wrong with one");
    }
    let innermost = blocks.iter().rev().find(|block| inside(&block.tokens))?;
    let clause = innermost.clauses.iter().find(|clause| inside(&clause.tokens))?;
    let filter = source
        .level(clause.tokens.clone())
        .find(|&token| source.is_word(token, "WHERE") && !source.is_name_position(token));
    if clause.keyword == Keyword::OptionalMatch {
        return Some("this path has no bound, and OPTIONAL MATCH would give null beyond one");
    }
    if clause.keyword != Keyword::Match || filter.is_some_and(|filter| filter < unbounded.token) {
        return Some("this path has no bound, and the expression would be wrong with one");
    }
    let aggregates = (0..source.len()).any(|index| {
        source.is_symbol(index + 1, "(")
            && !source.before(index, |before| source.is_symbol(before, "."))
            && source.name(index).is_some_and(|name| names::is_aggregate(&name))
    });
    aggregates.then_some("this path has no bound, and the aggregate would be wrong with one")
}

/// Where `LIMIT` goes: after the last `RETURN` if that has none. The last part of a `UNION` cannot limit the whole.
fn place_for_limit(source: &Source<'_>, blocks: &[Block]) -> Option<usize> {
    let block = blocks.first()?;
    if block.clauses.iter().any(|clause| clause.keyword == Keyword::Union) {
        return None;
    }
    let last = block.clauses.last().filter(|clause| clause.keyword == Keyword::Return)?;
    let limited = source
        .level(last.tokens.clone())
        .any(|token| source.is_word(token, "LIMIT") && !source.is_name_position(token));
    (!limited).then(|| source.span_of(&last.tokens).end)
}
