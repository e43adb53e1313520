//! Conditions in patterns that the engine reads only in `WHERE`: label expressions, properties of labelled nodes
//! (a name that no node of the label has is an error in a pattern), conditions in brackets.

mod labels;

use std::ops::Range;

use super::{
    Pass, Result, RewriteError,
    hops::is_empty_range,
    pattern::{Element, ElementKind, Path, Place, paths},
    projection::split,
};
use crate::{
    edit::Edits,
    lexer::unquote,
    source::{Keyword, Source},
};

/// Label expressions.
pub(super) fn run(pass: &mut Pass<'_>) -> Result<Edits> {
    let mut edits = Edits::default();
    let mut wanted: Vec<(Range<usize>, usize, Vec<String>)> = Vec::new();
    for path in paths(pass.source, pass.blocks) {
        let Some((within, from)) = place_of_filter(&path) else { continue };
        let conditions = conditions(pass, &path, &mut edits)?;
        match wanted.iter_mut().find(|(range, ..)| *range == within) {
            Some((.., known)) => known.extend(conditions),
            None => wanted.push((within, from, conditions)),
        }
    }
    for (within, from, conditions) in wanted {
        if !conditions.is_empty() {
            add_filter(pass.source, &within, from, &conditions.join(" AND "), &mut edits);
        }
    }
    labels::in_expressions(pass, &mut edits);
    Ok(edits)
}

/// Takes one condition or one map of properties out of the brackets of a pattern, which may hold patterns themselves.
pub(super) fn take_out(pass: &mut Pass<'_>) -> Result<Edits> {
    let source = pass.source;
    let mut edits = Edits::default();
    for path in paths(source, pass.blocks) {
        let Some((within, from)) = place_of_filter(&path) else { continue };
        for element in path.elements.iter().filter(|element| element.kind != ElementKind::Group) {
            let properties = element
                .properties
                .as_ref()
                .filter(|_| element.kind == ElementKind::Node && element.labels.is_some());
            if properties.is_none() && element.condition.is_none() {
                continue;
            }
            let variable = variable(pass, element, &mut edits);
            let mut conditions = Vec::new();
            if let Some(range) = properties {
                edits.replace(source.span_of(range), "");
                for (name, value) in entries(source, range)? {
                    conditions.push(format!("{variable}.{name} = {value}"));
                }
            }
            if let Some(range) = &element.condition {
                refuse_in_hops(source, element, range)?;
                edits.replace(source.span_of(range), "");
                conditions.push(format!("({})", source.text_of(&(range.start + 1..range.end))));
            }
            if !conditions.is_empty() {
                add_filter(source, &within, from, &conditions.join(" AND "), &mut edits);
            }
            return Ok(edits);
        }
    }
    Ok(edits)
}

fn refuse_in_hops(source: &Source<'_>, element: &Element, condition: &Range<usize>) -> Result<()> {
    if element.hops.is_none() {
        return Ok(());
    }
    let hint = "write the condition after the pattern, as WHERE all(r IN relationships(p) WHERE …)";
    let construct = "WHERE within a variable-length relationship";
    Err(RewriteError::unsupported(construct, hint, source.span_of(condition)))
}

/// Where a condition on a path goes: the tokens around, and from which on its `WHERE` may stand.
fn place_of_filter(path: &Path) -> Option<(Range<usize>, usize)> {
    match &path.place {
        Place::Clause(Keyword::Match | Keyword::OptionalMatch, clause)
        | Place::Shortest(Keyword::Match | Keyword::OptionalMatch, clause) => {
            Some((clause.clone(), clause.start + 1))
        }
        Place::Bare(block) => Some((block.clone(), block.start)),
        Place::Comprehension(inner) => Some((inner.clone(), path.tokens.end)),
        _ => None,
    }
}

/// Writes a condition into the `WHERE` of a clause, subquery or comprehension.
fn add_filter(source: &Source<'_>, within: &Range<usize>, from: usize, condition: &str, edits: &mut Edits) {
    let in_brackets = source.before(within.start, |open| source.is_symbol(open, "["));
    let bar = source.level(from..within.end).find(|&index| in_brackets && source.is_symbol(index, "|"));
    let end = bar.unwrap_or(within.end);
    let filter = source
        .level(from..end)
        .find(|&index| source.is_word(index, "WHERE") && !source.is_name_position(index));
    let place = source.span(end.saturating_sub(1)).end;
    match filter {
        Some(filter) => {
            edits.insert(source.span(filter).end, format!(" {condition} AND ("));
            edits.insert(place, ")");
        }
        None => edits.insert(place, format!(" WHERE {condition}")),
    }
}

/// Takes conditions out of a path.
fn conditions(pass: &mut Pass<'_>, path: &Path, edits: &mut Edits) -> Result<Vec<String>> {
    let source = pass.source;
    let mut conditions = Vec::new();
    for element in &path.elements {
        if element.kind == ElementKind::Group {
            continue;
        }
        if let Some(hops) = element.hops.as_ref().filter(|hops| is_empty_range(source, hops)) {
            edits.replace(source.span_of(hops), "*1");
            conditions.push("false".to_owned());
        }
        let labels = element.labels.as_ref().map(|range| labels::read(source, range)).transpose()?;
        let has_brackets = element
            .labels
            .as_ref()
            .is_some_and(|range| range.clone().any(|index| source.is_symbol(index, "(")));
        let complex = has_brackets || labels.as_ref().is_some_and(|labels| !labels.is_native(element.kind));
        if !complex {
            if let (Some(labels), Some(range)) = (labels, &element.labels) {
                plain_labels(source, range, &labels, edits);
            }
            continue;
        }
        let variable = variable(pass, element, edits);
        if let (Some(labels), Some(range), true) = (labels, &element.labels, complex) {
            let (kept, rest) = labels.split(element.kind);
            edits.replace(source.span_of(range), kept);
            let each =
                (element.kind == ElementKind::Relationship && element.hops.is_some()).then(|| pass.fresh());
            let subject = each.as_deref().unwrap_or(&variable);
            for label in rest {
                let condition = label.condition(subject, element.kind);
                conditions.push(match &each {
                    Some(each) => format!("all({each} IN {variable} WHERE {condition})"),
                    None => condition,
                });
            }
        }
    }
    Ok(conditions)
}

/// `A&B` and `(A|B)` as the engine reads them.
fn plain_labels(source: &Source<'_>, range: &Range<usize>, labels: &labels::Labels, edits: &mut Edits) {
    if range.clone().any(|index| source.is_any_symbol(index, &["&", "("])) {
        edits.replace(source.span_of(range), labels.plain());
    }
}

/// The variable of an element; one is added where it has none.
fn variable(pass: &mut Pass<'_>, element: &Element, edits: &mut Edits) -> String {
    match (element.variable, element.open) {
        (Some(variable), _) => pass.source.text(variable).to_owned(),
        (None, Some(open)) => {
            let name = pass.fresh();
            edits.insert(pass.source.span(open).end, name.clone());
            name
        }
        (None, None) => String::new(),
    }
}

/// The names and values of a map of properties.
pub(super) fn entries<'a>(source: &Source<'a>, braces: &Range<usize>) -> Result<Vec<(&'a str, &'a str)>> {
    let parts = split(source, braces.start + 1..braces.end - 1);
    parts
        .into_iter()
        .map(|part| {
            if part.len() < 3 || !source.is_map_colon(part.start + 1) {
                return Err(RewriteError::syntax(
                    "a property needs a name and a value",
                    source.span_of(&part),
                ));
            }
            Ok((source.text(part.start), source.text_of(&(part.start + 2..part.end))))
        })
        .collect()
}

/// `shortestPath((a:A {x: 1})-[*]-(b))`: the ends are found first, in a `MATCH` of their own.
pub(super) fn shortest_paths(pass: &mut Pass<'_>) -> Result<Edits> {
    let source = pass.source;
    let mut edits = Edits::default();
    for path in paths(source, pass.blocks) {
        let Place::Shortest(Keyword::Match, clause) = &path.place else { continue };
        let ends: Vec<&Element> = path.elements.iter().filter(|element| is_filtered_node(element)).collect();
        if ends.is_empty() {
            continue;
        }
        let mut nodes = Vec::new();
        for end in ends {
            let Some(open) = end.open else { continue };
            let inner = open + 1..source.partner(open);
            let name = end.variable.map_or_else(|| pass.fresh(), |variable| source.text(variable).to_owned());
            let rest = end.variable.map_or(inner.start, |variable| variable + 1)..inner.end;
            nodes.push(format!("({name}{})", source.text_of(&rest)));
            edits.replace(source.span_of(&inner), name);
        }
        edits.insert(source.span(clause.start).start, format!("MATCH {} ", nodes.join(", ")));
        return Ok(edits);
    }
    Ok(edits)
}

fn is_filtered_node(element: &Element) -> bool {
    element.kind == ElementKind::Node
        && (element.labels.is_some() || element.properties.is_some() || element.condition.is_some())
}

/// Properties of written patterns, which the engine wants to know; and values that no store takes.
pub(super) fn declare(pass: &mut Pass<'_>) -> Result<Edits> {
    let source = pass.source;
    for path in paths(source, pass.blocks) {
        let Place::Clause(Keyword::Create | Keyword::Merge, _) = &path.place else { continue };
        for element in &path.elements {
            let Some(properties) = &element.properties else { continue };
            for (name, value) in entries(source, properties)? {
                if value.starts_with('{') {
                    let message = format!("a property cannot hold a map: {name}");
                    return Err(RewriteError::Evaluation { message, span: source.span_of(properties) });
                }
                let label = element.labels.as_ref().and_then(|labels| source.name(labels.start + 1));
                if let (ElementKind::Node, Some(label)) = (element.kind, label) {
                    let name = unquote(name).into_owned();
                    pass.rewritten.declares.push((label.into_owned(), name));
                }
            }
        }
    }
    Ok(Edits::default())
}
