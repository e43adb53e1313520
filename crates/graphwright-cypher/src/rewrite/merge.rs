//! `MERGE` of a path whose ends are not all known: make the path where it is not, row by row, then match it.

use std::ops::Range;

use super::{
    Pass, Result, RewriteError,
    filters::entries,
    pattern::{Element, ElementKind, Path, Place, paths},
    scope,
};
use crate::{
    edit::Edits,
    source::{Block, Clause, Keyword, Source},
};

pub(super) fn run(pass: &mut Pass<'_>) -> Result<Edits> {
    let source = pass.source;
    for block in pass.blocks {
        for clause in block.clauses.iter().filter(|clause| clause.keyword == Keyword::Merge) {
            let path = paths(source, pass.blocks)
                .into_iter()
                .find(|path| matches!(&path.place, Place::Clause(Keyword::Merge, tokens) if *tokens == clause.tokens));
            if let Some(path) =
                path.filter(|path| path.elements.len() > 1 && !is_native(source, block, clause, path))
            {
                return rewrite(pass, block, clause, &path);
            }
        }
    }
    Ok(Edits::default())
}

/// One relationship with a direction between two known nodes.
fn is_native(source: &Source<'_>, block: &Block, clause: &Clause, path: &Path) -> bool {
    let known = scope::before(source, block, clause);
    let nodes = path.elements.iter().filter(|element| element.kind == ElementKind::Node);
    let is_known =
        |node: &Element| node.variable.is_some_and(|variable| known.contains(source.text(variable)));
    path.elements.len() == 3
        && nodes.clone().all(is_known)
        && path.elements.get(1).is_some_and(|element| has_direction(source, element))
}

fn has_direction(source: &Source<'_>, relationship: &Element) -> bool {
    source.is_symbol(relationship.tokens.start, "<") || source.is_symbol(relationship.tokens.end - 1, ">")
}

fn rewrite(pass: &mut Pass<'_>, block: &Block, clause: &Clause, path: &Path) -> Result<Edits> {
    let source = pass.source;
    let known = scope::before(source, block, clause);
    let on = |word: &str| {
        source
            .level(path.tokens.end..clause.tokens.end)
            .find(|&index| source.is_word(index, "ON") && source.is_word(index + 1, word))
    };
    if on("MATCH").is_some() {
        let hint = "MERGE the nodes first, then the relationship between them";
        return Err(RewriteError::unsupported(
            "ON MATCH after MERGE of a path with unknown ends",
            hint,
            source.span_of(&clause.tokens),
        ));
    }
    let on_create = on("CREATE")
        .map_or(String::new(), |start| format!(" {}", source.text_of(&(start + 2..clause.tokens.end))));
    let mut found = Vec::new();
    let mut created = Vec::new();
    let mut matched = Vec::new();
    let mut conditions = Vec::new();
    for element in &path.elements {
        let is_known = element.variable.is_some_and(|variable| known.contains(source.text(variable)));
        let name = match element.variable {
            Some(variable) => source.text(variable).to_owned(),
            None => pass.fresh(),
        };
        let probe = if is_known { name.clone() } else { pass.fresh() };
        let labels = element.labels.as_ref().map_or("", |labels| source.text_of(labels));
        let properties =
            element.properties.as_ref().map_or(Ok(Vec::new()), |range| entries(source, range))?;
        let map =
            element.properties.as_ref().map_or(String::new(), |range| format!(" {}", source.text_of(range)));
        for (key, value) in properties {
            conditions.push((probe.clone(), name.clone(), key.to_owned(), value.to_owned()));
        }
        let (open, close) = if element.kind == ElementKind::Node { ("(", ")") } else { ("[", "]") };
        let (left, right) = arrows(source, element);
        let make_right = if element.kind == ElementKind::Relationship && !has_direction(source, element) {
            "->"
        } else {
            right
        };
        found.push(format!("{left}{open}{probe}{labels}{close}{right}"));
        matched.push(format!("{left}{open}{name}{labels}{close}{right}"));
        let made = if is_known { name.clone() } else { format!("{name}{labels}{map}") };
        created.push(format!("{left}{open}{made}{close}{make_right}"));
    }
    let filter = |probe: bool| {
        let all: Vec<_> = conditions
            .iter()
            .map(|(first, second, key, value)| {
                format!("{}.{key} = {value}", if probe { first } else { second })
            })
            .collect();
        if all.is_empty() { String::new() } else { format!(" WHERE {}", all.join(" AND ")) }
    };
    let (found, created, matched) = (found.concat(), created.concat(), matched.concat());
    let each = pass.fresh();
    let path_name = assigned(source, &path.tokens);
    let text = format!(
        "FOREACH ({each} IN CASE WHEN COUNT {{ {found}{} }} = 0 THEN [1] ELSE [] END | CREATE {created}{on_create}) WITH * MATCH {path_name}{matched}{}",
        filter(true),
        filter(false),
    );
    let mut edits = Edits::default();
    edits.replace(source.span_of(&clause.tokens), text);
    Ok(edits)
}

fn arrows(source: &Source<'_>, element: &Element) -> (&'static str, &'static str) {
    if element.kind == ElementKind::Node {
        return ("", "");
    }
    let left = if source.is_symbol(element.tokens.start, "<") { "<-" } else { "-" };
    let right = if source.is_symbol(element.tokens.end - 1, ">") { "->" } else { "-" };
    (left, right)
}

/// `p = ` before a path.
fn assigned(source: &Source<'_>, path: &Range<usize>) -> String {
    match path.start.checked_sub(2) {
        Some(name) if source.is_symbol(name + 1, "=") && source.is_name(name) => {
            format!("{} = ", source.text(name))
        }
        _ => String::new(),
    }
}
