//! The type of a statement: whether it reads or writes.

use graphwright_core::QueryType;

use crate::{
    gate,
    syntax::{
        parse,
        tree::{ClauseKind, StatementBody},
    },
};

/// Returns the type of a statement, as far as its text shows. Returns `None` if the text is not
/// Cypher. A procedure call counts as reading.
///
/// ```
/// use graphwright_core::QueryType;
/// use graphwright_cypher::query_type;
///
/// assert_eq!(query_type("MATCH (n) RETURN n.created"), Some(QueryType::Read));
/// assert_eq!(query_type("MATCH (n) SET n.seen = true RETURN n"), Some(QueryType::ReadWrite));
/// assert_eq!(query_type("MATCH (n) DETACH DELETE n"), Some(QueryType::Write));
/// assert_eq!(query_type("DROP INDEX of_names"), Some(QueryType::Schema));
/// ```
pub fn query_type(text: &str) -> Option<QueryType> {
    let parsed = parse(text);
    if !parsed.diagnostics.is_empty() {
        return None;
    }
    let mut kinds = parsed.tree.statements.iter().map(|statement| match &statement.body {
        StatementBody::Command(command) if command.name.starts_with("SHOW") => QueryType::Read,
        StatementBody::Command(_) => QueryType::Schema,
        StatementBody::Query(query) => {
            let gives_rows = query
                .parts()
                .flat_map(|part| &part.clauses)
                .any(|clause| matches!(clause.kind, ClauseKind::Return(_)));
            match (gate::writes(query), gives_rows) {
                (false, _) => QueryType::Read,
                (true, true) => QueryType::ReadWrite,
                (true, false) => QueryType::Write,
            }
        }
    });
    // Of several statements, the last that does more than read decides.
    let first = kinds.next()?;
    Some(kinds.fold(first, |all, next| if next == QueryType::Read { all } else { next }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_are_found_at_any_depth_and_in_no_name() {
        assert_eq!(query_type("MATCH (n) CALL { WITH n CREATE (:A) } RETURN n"), Some(QueryType::ReadWrite));
        assert_eq!(
            query_type("UNWIND [1] AS x CALL { WITH x CREATE (:A) RETURN 1 AS y }"),
            Some(QueryType::Write)
        );
        assert_eq!(query_type("MATCH (n {set: 'CREATE'}) RETURN n.delete"), Some(QueryType::Read));
        assert_eq!(query_type("CREATE RANGE INDEX FOR (n:A) ON (n.x)"), Some(QueryType::Schema));
        assert_eq!(query_type("CREATE (index)"), Some(QueryType::Write));
        assert_eq!(query_type("SHOW INDEXES"), Some(QueryType::Read));
        assert_eq!(query_type("RETURN 1; CREATE (:A)"), Some(QueryType::Write));
        assert_eq!(query_type("RETURN ("), None);
    }
}
