//! Changes of queries by their syntax trees.

pub(crate) mod cost;
pub(crate) mod meaning;
pub(crate) mod relax;
pub(crate) mod with_paths;

use graphwright_cypher::syntax::{
    parse,
    tree::{Query, Statement, StatementBody, Tree},
};

/// Reads a text that is one query and nothing else.
fn one_query(text: &str) -> Option<Query> {
    let parsed = parse(text);
    if !parsed.diagnostics.is_empty() {
        return None;
    }
    let mut statements = parsed.tree.statements;
    match (statements.pop()?, statements.is_empty()) {
        (Statement { prefixes, body: StatementBody::Query(query), .. }, true) if prefixes.is_empty() => {
            Some(query)
        }
        _ => None,
    }
}

/// Prints a query.
fn printed(query: Query) -> String {
    let span = query.span;
    let statement = Statement { prefixes: Vec::new(), body: StatementBody::Query(query), span };
    graphwright_cypher::syntax::print(&Tree { statements: vec![statement] })
}
