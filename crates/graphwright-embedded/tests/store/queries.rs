//! Limits, cancellation, errors, snapshots.

use std::time::{Duration, Instant};

use futures::StreamExt;
use graphwright_core::{
    GraphStore, Statement, StoreError, Value,
    store::{ChangeSet, QueryOptions},
};
use graphwright_embedded::{EmbeddedStore, OpenOptions};

use crate::support::{person, properties, read, rows, write};

async fn with_people(count: usize) -> EmbeddedStore {
    let store = EmbeddedStore::in_memory();
    let mut changes = ChangeSet::new();
    for number in 0..count {
        changes.upsert_node(person(&number.to_string()), &[], properties([("number", number.into())]));
    }
    store.apply(changes).await.unwrap();
    store
}

/// A statement with far more work than any limit here allows.
const ENDLESS: &str = "MATCH (a:Person), (b:Person), (c:Person), (d:Person) WHERE a.number + b.number < c.number - d.number \
                       RETURN count(*)";

#[tokio::test]
async fn the_row_limit_cuts_and_says_so() {
    let store = with_people(700).await;
    for text in ["MATCH (n:Person) RETURN n.number", "MATCH (n:Person) RETURN n.number ORDER BY n.number"] {
        for (limit, expected, truncated) in
            [(300, 300, true), (699, 699, true), (700, 700, false), (0, 0, true)]
        {
            let options = QueryOptions { row_limit: Some(limit), ..QueryOptions::default() };
            let table = store.read(Statement::fixed(text), options).await.unwrap().collect().await.unwrap();
            assert_eq!(
                (table.rows.len(), table.summary.truncated.is_some()),
                (expected, truncated),
                "{text}"
            );
        }
    }
}

#[tokio::test]
async fn the_time_limit_stops_a_read_and_a_write() {
    let store = with_people(300).await;
    let limit = Duration::from_millis(200);
    let options = || QueryOptions { time_limit: Some(limit), ..QueryOptions::default() };
    let start = Instant::now();
    let read = async { store.read(Statement::fixed(ENDLESS), options()).await?.collect().await };
    let error = read.await.unwrap_err();
    assert!(matches!(error, StoreError::TimedOut { limit: said } if said == limit), "{error:?}");
    let statement = Statement::fixed(
        "MATCH (a:Person), (b:Person), (c:Person), (d:Person) WHERE a.number + b.number < c.number - d.number \
         SET a.found = true",
    );
    let error = store.write(statement, options()).await.unwrap_err();
    assert!(matches!(error, StoreError::TimedOut { .. }), "{error:?}");
    assert!(start.elapsed() < Duration::from_secs(20));
    assert_eq!(rows(&store, "MATCH (n:Person) WHERE n.found RETURN count(*)").await, [[0.into()]]);
}

#[tokio::test]
async fn cancelling_stops_before_and_during_work() {
    let store = with_people(300).await;
    let options = QueryOptions { time_limit: None, ..QueryOptions::default() };
    let cancel = options.cancel.clone();
    let read = async { store.read(Statement::fixed(ENDLESS), options.clone()).await?.collect().await };
    let stop = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        cancel.cancel();
    };
    let (result, ()) = tokio::join!(read, stop);
    assert!(matches!(result, Err(StoreError::Cancelled)));
    let again = store.write(Statement::fixed("CREATE (:Person)"), options).await;
    assert!(matches!(again, Err(StoreError::Cancelled)), "{again:?}");
    assert_eq!(rows(&store, "MATCH (n:Person) RETURN count(*)").await, [[300.into()]]);
}

#[tokio::test]
async fn a_dropped_stream_ends_the_work() {
    let store = with_people(10_000).await;
    let statement = Statement::fixed("MATCH (a:Person) RETURN a.number");
    let mut stream = store.read(statement, QueryOptions::default()).await.unwrap();
    assert!(stream.next().await.unwrap().is_ok());
    assert_eq!(stream.summary(), None);
    drop(stream);
    assert_eq!(rows(&store, "RETURN 1").await, [[1.into()]]);
}

#[tokio::test]
async fn read_refuses_every_write() {
    let store = with_people(1).await;
    for text in [
        "CREATE (:Person)",
        "MATCH (n) SET n.a = 1",
        "MATCH (n) DETACH DELETE n",
        "MERGE (:Robot)",
        "MATCH (n) REMOVE n.number",
        "CREATE INDEX FOR (n:Person) ON (n.number)",
        "UNWIND [1] AS x FOREACH (y IN [x] | CREATE (:Robot))",
    ] {
        let error = read(&store, Statement::fixed(text)).await.unwrap_err();
        assert!(matches!(error, StoreError::ReadOnly { .. }), "{text}: {error:?}");
    }
    assert_eq!(rows(&store, "MATCH (n) RETURN n.number").await, [[0.into()]]);
}

#[tokio::test]
async fn readers_and_snapshots_refuse_to_write() {
    let directory = tempfile::tempdir().unwrap();
    drop(EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap());
    let reader = EmbeddedStore::open(directory.path(), OpenOptions::reader()).await.unwrap();
    assert!(!reader.capabilities().write);
    let snapshot = reader.snapshot().await.unwrap().unwrap();
    let create = || Statement::fixed("CREATE (:Person)");
    for store in [&reader as &dyn GraphStore, &*snapshot] {
        let error = store.write(create(), QueryOptions::default()).await.unwrap_err();
        assert!(matches!(error, StoreError::ReadOnly { .. }), "{error:?}");
        assert!(store.apply(ChangeSet::new()).await.is_err());
    }
}

#[tokio::test]
async fn a_snapshot_stays_as_it_was() {
    let store = with_people(1).await;
    let snapshot = store.snapshot().await.unwrap().unwrap();
    let version = store.version().await.unwrap();
    assert_eq!(snapshot.version().await.unwrap(), version);
    write(&store, "CREATE (:Person)").await;
    assert_ne!(store.version().await.unwrap(), version);
    assert_eq!(snapshot.version().await.unwrap(), version);
    let count = "MATCH (n:Person) RETURN count(*)";
    assert_eq!(rows(&*snapshot, count).await, [[1.into()]]);
    assert_eq!(rows(&store, count).await, [[2.into()]]);
}

#[tokio::test]
async fn errors_have_their_category() {
    let store = with_people(1).await;
    let error = read(&store, Statement::fixed("MATCH (n RETURN n")).await.unwrap_err();
    assert!(matches!(error, StoreError::Syntax { .. }), "{error:?}");
    for text in ["RETURN foo(1)", "CALL foo.bar()", "RETURN absent"] {
        let error = read(&store, Statement::fixed(text)).await.unwrap_err();
        assert!(matches!(error, StoreError::Syntax { .. }), "{error:?}");
        assert_eq!(error.to_string().lines().count(), 1);
    }
    for text in [
        "LOAD CSV FROM 'file:///etc/hostname' AS row RETURN row",
        "RETURN point({x: 1, y: 2})",
        "RETURN apoc.text.join(['a'], ',')",
    ] {
        let error = read(&store, Statement::fixed(text)).await.unwrap_err();
        assert!(matches!(error, StoreError::Unsupported { .. }), "{error:?}");
    }
    let error = read(&store, Statement::fixed("RETURN 1 / 0")).await.unwrap_err();
    assert!(matches!(error, StoreError::Evaluation { .. }), "{error:?}");
    let error = read(&store, Statement::fixed("RETURN $absent")).await.unwrap_err();
    assert!(matches!(error, StoreError::Evaluation { .. }), "{error:?}");
    assert!(error.to_string().contains("absent"), "{error}");
}

#[tokio::test]
async fn unknown_names_give_notices() {
    let store = with_people(1).await;
    write(&store, "MATCH (n:Person) CREATE (n)-[:KNOWS]->(n)").await;
    for (text, code, message) in [
        ("MATCH (n:Persn) RETURN n", "unknown_label", "no node has the label `Persn`"),
        (
            "MATCH ()-[r:KNWS]->() RETURN r",
            "unknown_relationship_type",
            "no relationship has the type `KNWS`",
        ),
        (
            "MATCH (n:Person) RETURN n.numbr",
            "unknown_property",
            "no node with the label `Person` has the property `numbr`",
        ),
    ] {
        let table = read(&store, Statement::fixed(text)).await.unwrap();
        let notices: Vec<_> = table
            .summary
            .notices
            .iter()
            .map(|notice| (notice.code.as_str(), notice.message.as_str()))
            .collect();
        assert_eq!(notices, [(code, message)], "{text}");
    }
}

#[tokio::test]
async fn a_failed_statement_leaves_nothing() {
    let store = with_people(2).await;
    let statement = Statement::fixed("MATCH (n:Person) CREATE (:Copy {of: n.number, part: 1 / n.number})");
    let error = store.write(statement, QueryOptions::default()).await.unwrap_err();
    assert!(matches!(error, StoreError::Evaluation { .. }), "{error:?}");
    assert_eq!(rows(&store, "MATCH (n) RETURN count(*)").await, [[2.into()]]);
}

#[tokio::test]
async fn deep_nesting_does_not_end_the_process() {
    let store = EmbeddedStore::in_memory();
    let mut deep = Value::Integer(1);
    for _ in 0..100 {
        deep = Value::List(vec![deep]);
    }
    let table = read(&store, Statement::fixed("RETURN $deep").with("deep", deep.clone())).await.unwrap();
    assert_eq!(table.rows, [[deep]]);
}

#[tokio::test]
async fn bodies_brackets_and_paths_of_one_node_are_read() {
    let store = EmbeddedStore::in_memory();
    write(&store, "CREATE (:A)").await;
    let cases: [(&str, Value); 3] = [
        ("RETURN reduce(t = '', i IN range(1, 2) | CASE WHEN i = 2 THEN t + 'b' ELSE 'a' END)", "ab".into()),
        ("MATCH (n:(A|B)) RETURN count(n)", 1.into()),
        ("MATCH p = (:A) RETURN size(nodes(p))", 1.into()),
    ];
    for (query, expected) in cases {
        assert_eq!(rows(&store, query).await, [[expected]], "{query}");
    }
}

#[tokio::test]
async fn a_subquery_after_an_aggregate_sees_its_variables_however_it_is_written() {
    let store = with_people(2).await;
    write(&store, "MATCH (a:Person {number: 0}), (b:Person {number: 1}) CREATE (a)-[:KNOWS]->(b)").await;
    for text in [
        "MATCH (a:Person)-[:KNOWS]->(b) WITH a, count(b) AS n CALL (a) { RETURN a.number AS x } RETURN x, n",
        "MATCH (a:Person)-[:KNOWS]->(b) WITH a, count(b) AS n CALL(a){ RETURN a.number AS x } RETURN x, n",
        "MATCH (a:Person)-[:KNOWS]->(b) WITH a, count(b) AS n CALL { WITH a RETURN a.number AS x } RETURN x, n",
        "MATCH (a:Person)-[:KNOWS]->(b) WITH a, count(b) AS n CALL{ WITH a RETURN a.number AS x } RETURN x, n",
        "MATCH (a:Person)-[:KNOWS]->(b) WITH a, count(b) AS n ORDER BY n DESC LIMIT 1 CALL{WITH a RETURN a.number AS x} RETURN x, n",
        "MATCH (a:Person)-[:KNOWS]->(b) WITH a, count(b) AS n ORDER BY n DESC LIMIT 1 CALL(a){RETURN a.number AS x} RETURN x, n",
    ] {
        assert_eq!(rows(&store, text).await, [[0.into(), 1.into()]], "{text}");
    }
}

#[tokio::test]
async fn comments_end_where_cypher_says() {
    let store = EmbeddedStore::in_memory();
    let columns = async |text: &'static str| read(&store, Statement::fixed(text)).await.unwrap().columns;
    for hidden in [
        "RETURN 1 AS a // b\u{2028}, 2 AS c",
        "RETURN 1 AS a // b\u{2029}, 2 AS c",
        "RETURN 1 AS a // b\u{85}, 2 AS c",
        "RETURN 1 AS a // b\u{b}, 2 AS c",
        "RETURN 1 AS a // b\u{c}, 2 AS c",
        "RETURN 1 AS a /* b // */ // c */, 2 AS c",
    ] {
        assert_eq!(columns(hidden).await, ["a"], "{hidden:?}");
    }
    for shown in [
        "RETURN 1 AS a // b\n, 2 AS c",
        "RETURN 1 AS a // b\r, 2 AS c",
        "RETURN 1 AS a /* b /* c */, 2 AS c // */",
    ] {
        assert_eq!(columns(shown).await, ["a", "c"], "{shown:?}");
    }
}
