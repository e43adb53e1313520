//! Paths of patterns: where they are and what they are made of.

use std::ops::Range;

use crate::{
    gate::is_keyword,
    source::{Block, BlockKind, Keyword, Source},
};

/// `(a:A {x: 1})-[r:R*1..2]->(b)`.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) tokens: Range<usize>,
    pub(super) elements: Vec<Element>,
    pub(super) place: Place,
}

/// A node, a relationship or a quantified group of a path.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) kind: ElementKind,
    /// All its tokens, with brackets and arrows.
    pub(super) tokens: Range<usize>,
    /// The opening bracket; `None` for `-->`.
    pub(super) open: Option<usize>,
    pub(super) variable: Option<usize>,
    /// Labels or types, with the colon.
    pub(super) labels: Option<Range<usize>>,
    /// From `*` to the end of the bounds.
    pub(super) hops: Option<Range<usize>>,
    /// The map of properties, with braces.
    pub(super) properties: Option<Range<usize>>,
    /// A condition within the brackets, with `WHERE`.
    pub(super) condition: Option<Range<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementKind {
    Node,
    Relationship,
    Group,
}

/// Where a path stands, which decides where a condition on it goes.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// In a clause of this kind; with the clause's tokens.
    Clause(Keyword, Range<usize>),
    /// In `shortestPath(…)` of a clause.
    Shortest(Keyword, Range<usize>),
    /// Alone in `EXISTS { }` or `COUNT { }`; with what is in the braces.
    Bare(Range<usize>),
    /// At the beginning of a comprehension; with what is in the brackets.
    Comprehension(Range<usize>),
    /// A condition that holds when the path exists.
    Predicate,
    /// In `shortestPath(…)` of an expression.
    ShortestExpression,
}

/// All paths, in order.
pub(super) fn paths(source: &Source<'_>, blocks: &[Block]) -> Vec<Path> {
    let mut found = Vec::new();
    for block in blocks {
        if matches!(block.kind, BlockKind::Exists | BlockKind::Count) && block.clauses.is_empty() {
            region(source, block.tokens.clone(), &mut found, |_| Place::Bare(block.tokens.clone()));
        }
        for clause in &block.clauses {
            let skip = match clause.keyword {
                Keyword::Match | Keyword::Create | Keyword::Merge => 1,
                Keyword::OptionalMatch => 2,
                _ => continue,
            };
            let tokens = clause.tokens.clone();
            region(source, tokens.start + skip..tokens.end, &mut found, |shortest| {
                if shortest {
                    Place::Shortest(clause.keyword, tokens.clone())
                } else {
                    Place::Clause(clause.keyword, tokens.clone())
                }
            });
        }
    }
    expressions(source, &mut found);
    found.sort_by_key(|path| path.tokens.start);
    found
}

/// The comma-separated paths of a clause, up to its `WHERE`.
fn region(source: &Source<'_>, range: Range<usize>, found: &mut Vec<Path>, place: impl Fn(bool) -> Place) {
    let ends = |index: usize| {
        source.is_any_word(index, &["WHERE", "ON", "USING"]) && !source.is_name_position(index)
    };
    let end = source.level(range.clone()).find(|&index| ends(index)).unwrap_or(range.end);
    for part in super::projection::split(source, range.start..end) {
        let mut at = part.start;
        if source.is_name(at) && source.is_symbol(at + 1, "=") {
            at += 2;
        }
        let shortest =
            source.is_any_word(at, &["shortestPath", "allShortestPaths"]) && source.is_symbol(at + 1, "(");
        let start = if shortest { at + 2 } else { at };
        if let Some((elements, end)) = elements(source, start) {
            found.push(Path { tokens: start..end, elements, place: place(shortest) });
        }
    }
}

/// Paths of one relationship and more in expressions.
fn expressions(source: &Source<'_>, found: &mut Vec<Path>) {
    let mut at = 0;
    while at < source.len() {
        if let Some(path) = found.iter().find(|path| path.tokens.start == at) {
            at = path.tokens.end;
            continue;
        }
        let candidate = source.is_symbol(at, "(") && !is_call(source, at);
        match candidate.then(|| elements(source, at)).flatten() {
            Some((elements, end)) if elements.len() > 1 => {
                let place = expression_place(source, at);
                found.push(Path { tokens: at..end, elements, place });
                at = end;
            }
            _ => at += 1,
        }
    }
}

fn is_call(source: &Source<'_>, open: usize) -> bool {
    source.before(open, |before| source.is_name(before) && !is_keyword(source, before))
}

fn expression_place(source: &Source<'_>, start: usize) -> Place {
    let named =
        start.checked_sub(2).is_some_and(|name| source.is_symbol(name + 1, "=") && source.is_name(name));
    let first = if named { start - 2 } else { start };
    match first.checked_sub(1) {
        Some(open) if source.is_symbol(open, "[") => Place::Comprehension(open + 1..source.partner(open)),
        Some(open)
            if source.is_symbol(open, "(")
                && source
                    .before(open, |name| source.is_any_word(name, &["shortestPath", "allShortestPaths"])) =>
        {
            Place::ShortestExpression
        }
        _ => Place::Predicate,
    }
}

/// The elements of the path that begins at a parenthesis, and the token after it.
fn elements(source: &Source<'_>, start: usize) -> Option<(Vec<Element>, usize)> {
    let mut elements = vec![node_or_group(source, start)?];
    let mut at = elements.first()?.tokens.end;
    loop {
        if source.is_symbol(at, "(") {
            let next = node_or_group(source, at)?;
            let beside_group = next.kind == ElementKind::Group
                || elements.last().is_some_and(|last| last.kind == ElementKind::Group);
            if !beside_group {
                break;
            }
            at = next.tokens.end;
            elements.push(next);
        } else if let Some(relationship) = relationship(source, at)
            && let Some(node) = node_or_group(source, relationship.tokens.end)
        {
            at = node.tokens.end;
            elements.push(relationship);
            elements.push(node);
        } else {
            break;
        }
    }
    Some((elements, at))
}

fn node_or_group(source: &Source<'_>, open: usize) -> Option<Element> {
    if !source.is_symbol(open, "(") {
        return None;
    }
    let close = source.partner(open);
    let inner = open + 1..close;
    let named_group = source.is_name(inner.start) && source.is_symbol(inner.start + 1, "=");
    if source.is_symbol(inner.start, "(") || named_group {
        let end = quantifier_end(source, close + 1)?;
        return Some(Element {
            kind: ElementKind::Group,
            tokens: open..end,
            open: Some(open),
            variable: None,
            labels: None,
            hops: Some(close + 1..end),
            properties: None,
            condition: None,
        });
    }
    details(source, ElementKind::Node, open, open..close + 1)
}

/// The token after `{1,3}`, `+` or `*`.
fn quantifier_end(source: &Source<'_>, at: usize) -> Option<usize> {
    if source.is_any_symbol(at, &["+", "*"]) {
        Some(at + 1)
    } else if source.is_symbol(at, "{") {
        Some(source.partner(at) + 1)
    } else {
        None
    }
}

fn relationship(source: &Source<'_>, start: usize) -> Option<Element> {
    let mut at = start;
    if source.is_symbol(at, "<") {
        at += 1;
    }
    if !source.is_symbol(at, "-") {
        return None;
    }
    at += 1;
    let open = source.is_symbol(at, "[").then_some(at);
    if let Some(open) = open {
        at = source.partner(open) + 1;
    }
    if !source.is_symbol(at, "-") {
        return None;
    }
    at += 1;
    if source.is_symbol(at, ">") {
        at += 1;
    }
    let arrow_end = at;
    if let Some(end) = quantifier_end(source, at).filter(|&end| source.is_symbol(end, "(")) {
        at = end;
    }
    let mut element = match open {
        Some(open) => details(source, ElementKind::Relationship, open, start..at)?,
        None => Element {
            kind: ElementKind::Relationship,
            tokens: start..at,
            open: None,
            variable: None,
            labels: None,
            hops: None,
            properties: None,
            condition: None,
        },
    };
    if at > arrow_end {
        element.hops = Some(arrow_end..at);
    }
    Some(element)
}

/// Reads what stands in the brackets of a node or relationship; `None` if it is an expression.
fn details(source: &Source<'_>, kind: ElementKind, open: usize, tokens: Range<usize>) -> Option<Element> {
    let close = source.partner(open);
    let mut element = Element {
        kind,
        tokens,
        open: Some(open),
        variable: None,
        labels: None,
        hops: None,
        properties: None,
        condition: None,
    };
    let mut at = open + 1;
    if source.is_name(at) && !source.is_word(at, "WHERE") {
        element.variable = Some(at);
        at += 1;
    }
    if source.is_symbol(at, ":") {
        let ends = |index: &usize| {
            source.is_any_symbol(*index, &["{", "*"])
                || source.is_word(*index, "WHERE") && !source.is_name_position(*index)
                || source.kind(*index) == Some(crate::lexer::TokenKind::Parameter)
        };
        let end = source.level(at..close).find(ends).unwrap_or(close);
        element.labels = Some(at..end);
        at = end;
    }
    if kind == ElementKind::Relationship && source.is_symbol(at, "*") {
        let end = (at + 1..close)
            .find(|&index| source.is_symbol(index, "{") || source.is_word(index, "WHERE"))
            .unwrap_or(close);
        element.hops = Some(at..end);
        at = end;
    }
    if source.is_symbol(at, "{") {
        let end = source.partner(at) + 1;
        element.properties = Some(at..end);
        at = end;
    } else if source.kind(at) == Some(crate::lexer::TokenKind::Parameter) {
        at += 1;
    }
    if source.is_word(at, "WHERE") {
        element.condition = Some(at..close);
        at = close;
    }
    (at == close).then_some(element)
}
