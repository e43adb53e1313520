//! What the server tells of a statement, before it runs and after.

use graphwright_core::{
    GraphStore, Plan, QueryType, Statement, StoreError, Summary, Value,
    store::{QueryMode, QueryOptions},
};

use crate::support::{alone, alone_and_empty, connect, rows};

const FILL: &str = "UNWIND range(1, 20) AS i CREATE (:Person {name: 'P' + i, born: 1900 + i})";

fn in_mode(mode: QueryMode) -> QueryOptions {
    QueryOptions { mode, ..QueryOptions::default() }
}

async fn read(store: &dyn GraphStore, text: &'static str, mode: QueryMode) -> (usize, Summary) {
    let table = store.read(Statement::fixed(text), in_mode(mode)).await.unwrap().collect().await.unwrap();
    assert_eq!(table.columns.is_empty(), mode == QueryMode::Explain);
    (table.rows.len(), table.summary)
}

fn named<'a>(plan: &'a Plan, name: &str) -> &'a Plan {
    let operators = plan.operators();
    let found = operators.into_iter().find(|(_, step)| step.operator == name);
    found.unwrap_or_else(|| panic!("no {name} in {plan:?}")).1
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn the_server_says_what_a_statement_does_before_it_runs_and_after() {
    let (_alone, store) = alone_and_empty().await;
    store.write(Statement::fixed(FILL), QueryOptions::default()).await.unwrap();
    for (text, expected) in [
        ("MATCH (p:Person) WHERE p.name = $name RETURN p.`delete`", QueryType::Read),
        ("MATCH (p:Person) SET p.seen = true RETURN p", QueryType::ReadWrite),
        ("MATCH (p:Person) DETACH DELETE p", QueryType::Write),
        ("CALL { CREATE (:Hidden) RETURN 1 AS x } RETURN x", QueryType::ReadWrite),
        ("CREATE INDEX names FOR (p:Person) ON (p.name)", QueryType::Schema),
    ] {
        let (given, summary) = read(&*store, text, QueryMode::Explain).await;
        assert_eq!((given, summary.query_type), (0, Some(expected)), "{text}");
        assert!(summary.plan.is_some(), "{text}");
    }
    assert_eq!(rows(&*store, "MATCH (n) RETURN n.seen").await.unwrap(), vec![[Value::Null]; 20]);
    let (_, summary) = read(&*store, "MATCH (p:Person) RETURN p", QueryMode::Run).await;
    assert_eq!((summary.query_type, summary.plan), (Some(QueryType::Read), None));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn a_profile_has_rows_and_database_hits() {
    let (_alone, store) = alone_and_empty().await;
    store.write(Statement::fixed(FILL), QueryOptions::default()).await.unwrap();
    let (given, summary) =
        read(&*store, "MATCH (p:Person) WHERE p.born > 1910 RETURN p.name", QueryMode::Profile).await;
    let plan = summary.plan.unwrap();
    let scan = named(&plan, "NodeByLabelScan");
    assert_eq!((given, scan.rows, scan.details.as_deref()), (10, Some(20), Some("p:Person")));
    assert!(scan.db_hits > Some(0) && scan.estimated_rows.is_some(), "{scan:?}");
    assert_eq!(named(&plan, "Filter").rows, Some(10));

    let text = Statement::fixed("MATCH (p:Person) WHERE p.born > 1915 SET p.late = true");
    let result = store.write(text, in_mode(QueryMode::Profile)).await.unwrap();
    assert_eq!(result.counters.properties_set, 5);
    assert_eq!(named(&result.table.summary.plan.unwrap(), "SetProperty").rows, Some(5));
    let refused = store.read(Statement::fixed("CREATE (:A)"), in_mode(QueryMode::Profile)).await;
    let refused = match refused {
        Ok(rows) => rows.collect().await.unwrap_err(),
        Err(error) => error,
    };
    assert!(matches!(refused, StoreError::ReadOnly { .. }), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn places_of_errors_are_those_of_the_statement() {
    let _alone = alone().await;
    let store = connect().await;
    for mode in [QueryMode::Run, QueryMode::Explain, QueryMode::Profile] {
        for (text, expected) in [("MATCH (p:Person)\nRETRUN p", (2, 1, 17)), ("RETURN nothing", (1, 8, 7))] {
            let outcome = store.read(Statement::fixed(text), in_mode(mode)).await;
            let Err(StoreError::Syntax { position: Some(place), .. }) = outcome else {
                panic!("{mode:?}: {outcome:?}");
            };
            assert_eq!((place.line, place.column, place.offset), expected, "{mode:?} {text}");
        }
    }
}
