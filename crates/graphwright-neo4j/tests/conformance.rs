//! The store passes the conformance suite on the server that `NEO4J_URI`, `NEO4J_USERNAME` and `NEO4J_PASSWORD` name.
//! It empties the database.

mod support;

use graphwright_core::conformance;

/// The cases that need a library on the server: functions of APOC.
const REFUSED: [&str; 2] = ["features/089", "quirks/090"];

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn the_store_conforms() {
    let store = support::connect().await;
    let report = conformance::run(|| support::emptied(&store)).await;
    println!("{report}");
    assert_eq!(report.wrong(), Vec::<&str>::new(), "{report}");
    assert_eq!(report.refused(), REFUSED, "{report}");
}
