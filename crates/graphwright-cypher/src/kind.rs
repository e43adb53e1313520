//! What a statement does.

use graphwright_core::QueryType;

use crate::source::{BlockKind, Keyword, Source};

/// What a statement does, as far as its text shows; `None` where the text is no Cypher. A call of a procedure counts as reading.
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
    let source = Source::parse(text).ok()?;
    let blocks = source.blocks();
    let clauses = || blocks.iter().flat_map(|block| &block.clauses);
    let changes_schema = clauses().any(|clause| match clause.keyword {
        Keyword::Drop => true,
        Keyword::Create => crate::gate::is_schema_command(&source, clause.tokens.start + 1),
        _ => false,
    });
    let gives_rows = blocks
        .iter()
        .filter(|block| block.kind == BlockKind::Query)
        .any(|block| block.clauses.iter().any(|clause| clause.keyword == Keyword::Return));
    Some(if changes_schema {
        QueryType::Schema
    } else if !clauses().any(|clause| clause.keyword.writes()) {
        QueryType::Read
    } else if gives_rows {
        QueryType::ReadWrite
    } else {
        QueryType::Write
    })
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
        assert_eq!(query_type("RETURN ("), None);
    }
}
