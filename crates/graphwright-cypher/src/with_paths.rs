//! A query that returns, beside its rows, the paths by which they were found.

use std::collections::BTreeSet;

use crate::syntax::{
    aggregates, parse_query, print_query,
    tree::{
        Clause, ClauseKind, Expression, ExpressionKind, FunctionCall, Literal, Match, Name, PatternElement,
        Projection, ProjectionItem,
    },
};

/// The most paths of one row.
const MOST_PATHS: u64 = 25;

/// Rewrites a query so that each row also has the paths of the patterns that it was found by, in further columns.
///
/// The rows stay the same: where they are grouped, by an aggregate or by `DISTINCT`, the paths of a group are collected.
///
/// ```
/// use graphwright_cypher::with_paths;
///
/// let text = with_paths("MATCH (a:Team)-[:OWNS]->(b) RETURN a.name").unwrap();
/// assert_eq!(text, "MATCH proof_0 = (a:Team)-[:OWNS]->(b)\nRETURN a.name, proof_0 AS proof_0");
/// ```
///
/// # Errors
/// Returns why the query cannot be rewritten so.
pub fn with_paths(text: &str) -> Result<String, &'static str> {
    let mut query = parse_query(text).ok_or("it is not one plain query")?;
    if !query.unions.is_empty() {
        return Err("it joins several queries (UNION)");
    }
    let mut names = Names { text, count: 0 };
    let mut paths: BTreeSet<Box<str>> = BTreeSet::new();
    for clause in &mut query.first.clauses {
        match &mut clause.kind {
            ClauseKind::Match(matched) => name_paths(matched, &mut names, &mut paths)?,
            ClauseKind::With(projection) | ClauseKind::Return(projection) => carry(projection, &mut paths)?,
            ClauseKind::Unwind(_) | ClauseKind::Page(_) | ClauseKind::Call(_) => {}
            ClauseKind::Subquery(_) => return Err("it has a subquery (CALL)"),
            _ => return Err("it has a clause that finds nothing"),
        }
    }
    if paths.is_empty() || !ends_in_return(&query.first.clauses) {
        return Err("it matches no pattern");
    }
    Ok(print_query(query))
}

fn ends_in_return(clauses: &[Clause]) -> bool {
    clauses.last().is_some_and(|last| matches!(last.kind, ClauseKind::Return(_)))
}

/// Names for paths that the query does not use.
struct Names<'a> {
    text: &'a str,
    count: usize,
}

impl Names<'_> {
    fn next(&mut self) -> Name {
        loop {
            let name = format!("proof_{}", self.count);
            self.count += 1;
            if !self.text.contains(&name) {
                return Name::new(name);
            }
        }
    }
}

/// Gives each pattern of a match a variable.
fn name_paths(
    matched: &mut Match,
    names: &mut Names<'_>,
    paths: &mut BTreeSet<Box<str>>,
) -> Result<(), &'static str> {
    for pattern in &mut matched.patterns {
        // A node alone is a path too: it proves what is said of it.
        let name = pattern.variable.get_or_insert_with(|| names.next());
        if is_in_brackets(&pattern.elements) {
            return Err("it repeats a part of a pattern");
        }
        paths.insert(name.text.clone());
    }
    Ok(())
}

/// Tells whether a part of a pattern stands in brackets, in which the engines name paths differently.
fn is_in_brackets(elements: &[PatternElement]) -> bool {
    elements.iter().any(|element| matches!(element, PatternElement::Group(_)))
}

/// Carries the paths through a `WITH` or `RETURN`.
fn carry(projection: &mut Projection, paths: &mut BTreeSet<Box<str>>) -> Result<(), &'static str> {
    let groups = projection.distinct || projection.items.iter().any(|item| aggregates(&item.expression));
    if projection.all {
        // All variables are carried, the paths among them.
        return if groups { Err("it merges equal rows of all variables") } else { Ok(()) };
    }
    if projection.distinct && projection.items.iter().any(|item| aggregates(&item.expression)) {
        return Err("it merges equal rows of groups");
    }
    for path in paths.iter() {
        let is_there = |item: &ProjectionItem| item.name().is_some_and(|name| name.text == *path);
        if projection.items.iter().any(is_there) {
            continue;
        }
        let name = Name::new(path.clone());
        let variable = Expression::new(ExpressionKind::Variable(name.clone()));
        let expression = if groups { collected(variable) } else { variable };
        let item = ProjectionItem { expression, alias: Some(name), span: graphwright_core::Span::default() };
        projection.items.push(item);
    }
    // Rows are grouped by what is left of them, so that each comes once all the same.
    projection.distinct = false;
    Ok(())
}

/// `collect(path)[..25]`
fn collected(variable: Expression) -> Expression {
    let call = FunctionCall {
        name: vec![Name::new("collect")],
        arguments: vec![variable],
        ..FunctionCall::default()
    };
    let most = Expression::new(ExpressionKind::Literal(Literal::Integer(MOST_PATHS)));
    Expression::new(ExpressionKind::Slice {
        base: Box::new(Expression::new(ExpressionKind::Call(Box::new(call)))),
        from: None,
        to: Some(Box::new(most)),
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::plain(
        "MATCH (p:Person)-[:ACTED_IN]->(m) WHERE m.released > 2000 RETURN p.name ORDER BY p.name LIMIT 3",
        "MATCH proof_0 = (p:Person)-[:ACTED_IN]->(m) WHERE m.released > 2000\n\
         RETURN p.name, proof_0 AS proof_0 ORDER BY p.name LIMIT 3"
    )]
    #[case::distinct(
        "MATCH (p)-->(m) RETURN DISTINCT p.name",
        "MATCH proof_0 = (p)-->(m)\nRETURN p.name, collect(proof_0)[..25] AS proof_0"
    )]
    #[case::counted(
        "MATCH (p)-->(m) RETURN p.name, count(m) AS n ORDER BY n DESC LIMIT 1",
        "MATCH proof_0 = (p)-->(m)\n\
         RETURN p.name, count(m) AS n, collect(proof_0)[..25] AS proof_0 ORDER BY n DESC LIMIT 1"
    )]
    #[case::carried(
        "MATCH (p)-->(m) WITH p, count(m) AS n WHERE n > 1 MATCH q = (p)-->(o) RETURN o.title",
        "MATCH proof_0 = (p)-->(m)\n\
         WITH p, count(m) AS n, collect(proof_0)[..25] AS proof_0 WHERE n > 1\n\
         MATCH q = (p)-->(o)\nRETURN o.title, proof_0 AS proof_0, q AS q"
    )]
    #[case::all("MATCH (p)-->(m) RETURN *", "MATCH proof_0 = (p)-->(m)\nRETURN *")]
    fn paths_come_with_the_rows(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(with_paths(text).unwrap(), expected);
    }

    #[rstest]
    #[case("MATCH (a) RETURN a.x UNION MATCH (b) RETURN b.x AS `a.x`", "it joins several queries (UNION)")]
    #[case("MATCH (a) CALL (a) { MATCH (a)-->(b) RETURN b } RETURN b", "it has a subquery (CALL)")]
    #[case("RETURN 1", "it matches no pattern")]
    #[case("MATCH (a", "it is not one plain query")]
    fn where_that_cannot_be_it_is_said(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(with_paths(text), Err(expected));
    }
}
