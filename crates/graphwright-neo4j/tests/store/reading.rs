//! The parser and the semantic stage judge a text as the server does.

use graphwright_core::{GraphStore, Statement, StoreError, store::QueryMode, store::QueryOptions};
use graphwright_cypher::diagnose;

use crate::support::{alone, connect};

/// The texts that both read.
const RIGHT: &[&str] = &[
    "RETURN 1 AS e\u{301}",
    "RETURN 1 AS क\u{94d}ष",
    "RETURN 1 AS n\u{663}",
    "RETURN 1 AS Ⅷ",
    "RETURN 1 AS a‿b",
    "RETURN 1 AS ª",
    "MATCH (n) CALL { WITH n RETURN n.x AS x UNION WITH * RETURN n.y AS x UNION RETURN 1 AS x } RETURN x",
    "MATCH (n) RETURN date() - n.b, date() - duration('P1D') > date(n.x), [1] + date(), duration('P1D') * 2",
    "MATCH (n:A|B)-[:R|:S]->() RETURN n",
    "MATCH (n) RETURN max(split(n.x, '-')[0]), split(n.x, '-')[0] + 1",
];

/// The texts that both refuse.
const WRONG: &[&str] = &[
    "RETURN 1 AS \u{301}e",
    "RETURN 1 AS n²",
    "RETURN 1 AS €a",
    "RETURN 1 AS ⓐ",
    "RETURN 1 AS 😀",
    "RETURN 1 AS 𝒜",
    "RETURN 1 AS a゛",
    "MATCH (n) CALL { WITH n RETURN n.x AS x UNION RETURN n.y AS x } RETURN x",
    "MATCH (a)-[r]->(b) WHERE exists(r) RETURN a",
    "MATCH (a) WHERE exists(a:Label) RETURN a",
    "MATCH (n) RETURN date(n.a) - date(n.b)",
    "MATCH (n) RETURN n.a - date()",
    "MATCH (n) RETURN date() - 1",
    "MATCH (n) RETURN date() + 'x'",
    "MATCH (n) RETURN 1 + date()",
    "MATCH (n) RETURN date() * 2",
    "MATCH (n) RETURN avg(split(n.a, '-')[0])",
    "MATCH (n) RETURN sum(head(split(n.a, '-')))",
    "MATCH (n) UNWIND keys(n) AS k RETURN k.name",
    "MATCH (n)-->(m) WITH m RETURN n.name.toLower()",
    "MATCH (n:A|:B) RETURN n",
];

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn the_server_reads_and_refuses_the_same_texts() {
    let (_alone, store) = (alone().await, connect().await);
    let explain = async |text| {
        let options = QueryOptions { mode: QueryMode::Explain, ..QueryOptions::default() };
        store.read(Statement::fixed(text), options).await?.collect().await
    };
    for text in RIGHT {
        assert_eq!(diagnose(text, None), [], "{text}");
        explain(text).await.unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    for text in WRONG {
        assert!(!diagnose(text, None).is_empty(), "{text}");
        let refused = explain(text).await;
        let is_refused = matches!(refused, Err(StoreError::Syntax { .. } | StoreError::Unsupported { .. }));
        assert!(is_refused, "{text}: {refused:?}");
    }
}
