//! The stores answer the openCypher TCK. Each test prints its counts and writes the scenarios that
//! are not right to a file.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and prints"
)]

#[path = "../../crates/graphwright-neo4j/tests/support/mod.rs"]
mod support;

use std::{fs, path::PathBuf};

use graphwright_core::GraphStore;
use graphwright_embedded::EmbeddedStore;
use graphwright_tck::{Report, Runner, Scenario, Verdict, load};

fn scenarios() -> Vec<Scenario> {
    load(&PathBuf::from(support::variable("GRAPHWRIGHT_DATA")).join("opencypher_tck/tck")).unwrap()
}

async fn run(store: &dyn GraphStore, name: &str, scenarios: &[Scenario]) -> Report {
    let mut runner = Runner::new(store);
    let mut report = Report::default();
    for scenario in scenarios {
        let verdict = runner.run(scenario).await.unwrap();
        report.add(scenario, verdict);
    }
    let list = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("tck-{name}.txt"));
    fs::write(&list, report.list()).unwrap();
    println!("{name}\n{report}what is not right: {}", list.display());
    report
}

/// The scenarios that Neo4j answers differently, and why.
const DIFFERENT_ON_NEO4J: [(&str, &str); 4] = [
    (
        "clauses/match/Match3 [29] Fail when re-using a relationship in the same pattern",
        "a relationship twice in one pattern gives no rows; it is no error",
    ),
    (
        "clauses/return-orderby/ReturnOrderBy6 [5] Fail if more complex expressions, even if returned, are used inside \
         an order by item which contains an aggregation expression",
        "an expression that is returned may stand in such an item",
    ),
    (
        "expressions/list/List11 [2] Create list from `range()` with explicitly given step #11",
        "range(0, 1, -123) is [0]: a range whose step leads away from its end holds its start",
    ),
    (
        "expressions/list/List11 [3] Create an empty list if range direction and step direction are inconsistent",
        "the same",
    ),
];

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs public data"]
async fn the_embedded_store_gives_no_wrong_answer() {
    let report = run(&EmbeddedStore::in_memory(), "embedded", &scenarios()).await;
    assert_eq!(report.ids(|verdict| matches!(verdict, Verdict::Wrong(_))), Vec::<&str>::new());
    assert!(report.reading.right >= 3524, "reads: {:?}", report.reading);
    assert!(report.writing.right >= 303, "writes: {:?}", report.writing);
    assert_eq!(report.ids(|verdict| matches!(verdict, Verdict::NoError(_))), Vec::<&str>::new());
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j and public data"]
async fn neo4j_gives_the_answers_of_the_kit() {
    let store = support::emptied(&support::connect().await).await.unwrap();
    let scenarios: Vec<_> = scenarios().into_iter().step_by(support::one_in()).collect();
    let report = run(&*store, "neo4j", &scenarios).await;
    let different: Vec<_> = DIFFERENT_ON_NEO4J
        .iter()
        .map(|(id, _)| *id)
        .filter(|id| scenarios.iter().any(|scenario| scenario.id == *id))
        .collect();
    assert_eq!(report.ids(|verdict| !matches!(verdict, Verdict::Right | Verdict::Refused(_))), different);
    let refused = report.reading.refused + report.writing.refused;
    assert!(refused * 100 <= 2 * scenarios.len(), "{refused} of {} are refused", scenarios.len());
}
