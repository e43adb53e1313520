//! The kind of a statement and its plan, before it runs and after.

use graphwright_core::{
    GraphStore, Plan, QueryType, Statement, StoreError, Summary,
    store::{Counters, QueryMode, QueryOptions},
};
use graphwright_embedded::EmbeddedStore;

async fn people() -> EmbeddedStore {
    let store = EmbeddedStore::in_memory();
    let text = "UNWIND range(1, 20) AS i CREATE (:Person {name: 'P' + toString(i), born: 1900 + i})";
    store.write(Statement::fixed(text), QueryOptions::default()).await.unwrap();
    store
}

fn in_mode(mode: QueryMode) -> QueryOptions {
    QueryOptions { mode, ..QueryOptions::default() }
}

async fn read(store: &EmbeddedStore, text: &'static str, mode: QueryMode) -> (usize, Summary) {
    let table = store.read(Statement::fixed(text), in_mode(mode)).await.unwrap().collect().await.unwrap();
    (table.rows.len(), table.summary)
}

fn shown(plan: &Plan) -> Vec<(String, Option<f64>, Option<u64>)> {
    let operators = plan.operators().into_iter();
    operators.map(|(_, step)| (step.operator.clone(), step.estimated_rows, step.rows)).collect()
}

#[tokio::test]
async fn results_say_what_the_statement_did() {
    let store = people().await;
    let (_, summary) = read(&store, "MATCH (p:Person) RETURN p.name", QueryMode::Run).await;
    assert_eq!((summary.query_type, summary.plan), (Some(QueryType::Read), None));
    for (text, expected) in [
        ("CREATE (:City)", QueryType::Write),
        ("MATCH (c:City) SET c.seen = true RETURN c.seen", QueryType::ReadWrite),
        ("CREATE INDEX FOR (c:City) ON (c.seen)", QueryType::Schema),
    ] {
        let result = store.write(Statement::fixed(text), QueryOptions::default()).await.unwrap();
        assert_eq!(result.table.summary.query_type, Some(expected), "{text}");
    }
}

#[tokio::test]
async fn explaining_runs_nothing() {
    let store = people().await;
    let text = "MATCH (p:Person) WHERE p.born > 1910 SET p.old = true RETURN p.name";
    let before = store.version().await.unwrap();
    let (rows, summary) = read(&store, text, QueryMode::Explain).await;
    assert_eq!((rows, summary.query_type), (0, Some(QueryType::ReadWrite)));
    assert_eq!(shown(&summary.plan.unwrap()).last().unwrap(), &("Match".to_owned(), Some(20.0), None));
    let result = store.write(Statement::fixed(text), in_mode(QueryMode::Explain)).await.unwrap();
    assert_eq!(result.counters, Counters::default());
    assert_eq!(store.version().await.unwrap(), before);
}

#[tokio::test]
async fn a_profile_comes_with_the_rows_and_counts_them() {
    let store = people().await;
    let text = "MATCH (p:Person) WHERE p.born > 1910 RETURN p.name ORDER BY p.name";
    let (rows, summary) = read(&store, text, QueryMode::Profile).await;
    assert_eq!(rows, 10);
    let plan = summary.plan.unwrap();
    let counted = shown(&plan);
    assert_eq!(counted.iter().find(|(name, ..)| name == "Where").unwrap().2, Some(10), "{counted:?}");
    assert!(plan.operators().iter().all(|(_, step)| step.db_hits.is_none()));

    let text = "MATCH (p:Person) WHERE p.born > 1915 SET p.late = true";
    let result = store.write(Statement::fixed(text), in_mode(QueryMode::Profile)).await.unwrap();
    assert_eq!(result.counters.properties_set, 5);
    assert!(
        shown(&result.table.summary.plan.unwrap())
            .iter()
            .any(|(name, _, rows)| name == "Set" && rows.is_some())
    );
}

#[tokio::test]
async fn places_of_errors_are_those_of_the_statement() {
    let store = people().await;
    for text in ["MATCH (p:Person)\nRETRUN p", "MATCH (p:Person) RETRUN p"] {
        let mut places = Vec::new();
        for mode in [QueryMode::Run, QueryMode::Explain, QueryMode::Profile] {
            match store.read(Statement::fixed(text), in_mode(mode)).await {
                Err(StoreError::Syntax { position, .. }) => places.push(position.unwrap()),
                other => panic!("{mode:?}: {other:?}"),
            }
        }
        assert!(places.iter().all(|place| *place == places[0]), "{text}: {places:?}");
    }
}
