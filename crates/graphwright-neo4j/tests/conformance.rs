//! The store passes the conformance suite.
//!
//! It runs on the server that `NEO4J_URI`, `NEO4J_USERNAME` and `NEO4J_PASSWORD` name, and empties
//! the database.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use graphwright_core::conformance;

/// The cases that need a library on the server: functions of APOC.
const REFUSED: [&str; 2] = ["features/089", "quirks/090"];

/// The case whose expected rows Neo4j 5 does not give, and the reason. It fails there with an error
/// that tells it.
const DIFFERENT: [(&str, &str); 1] = [(
    "quirks/088",
    "an aggregation beside a variable that is no grouping key (`p {.name, rels: collect(type(r))}`) is refused since \
         Neo4j 5 (openCypher CIP2021-07-07; status 42I18); `WITH p, collect(type(r)) AS rels` makes the key explicit",
)];

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn the_store_conforms() {
    let store = support::connect().await;
    let report = conformance::run(|| support::emptied(&store)).await;
    println!("{report}");
    let different: Vec<_> = DIFFERENT.iter().map(|(id, _)| *id).collect();
    assert_eq!(report.wrong(), different, "{report}");
    assert_eq!(report.refused(), REFUSED, "{report}");
}
