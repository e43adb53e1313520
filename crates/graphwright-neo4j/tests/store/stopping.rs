//! What is cancelled, dropped or out of time ends on the server too, within two seconds.

use std::{sync::Arc, time::Duration};

use futures::StreamExt;
use graphwright_core::{GraphStore, Statement, store::QueryOptions};
use graphwright_neo4j::Neo4jStore;
use tokio_util::sync::CancellationToken;

use crate::support::{alone, connect, emptied, nothing_is_left, options, rows, threads, transactions, until};

/// A statement that gives no row for a long time.
const SILENT: &str = "UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b UNWIND range(1, 3000) AS c \
                      WITH a, b, c WHERE a * b * c = 7 RETURN count(*)";
/// A statement that gives rows without end.
const ENDLESS: &str = "UNWIND range(1, 1000000000) AS x RETURN x";
const WITHIN: Duration = Duration::from_secs(2);

async fn ended(store: &Neo4jStore) -> Duration {
    let took = until(WITHIN, || async { transactions(store).await == 0 }).await;
    until(WITHIN, || async { threads() == 0 }).await;
    assert_eq!(store.blocked_workers(), 0);
    took
}

fn limits(limit: Option<Duration>, cancel: &CancellationToken) -> QueryOptions {
    QueryOptions { time_limit: limit, cancel: cancel.clone(), ..QueryOptions::default() }
}

/// Starts a read and waits until the server runs it.
async fn started(
    store: &Arc<Neo4jStore>,
    watcher: &Neo4jStore,
    options: QueryOptions,
) -> tokio::task::JoinHandle<Result<graphwright_core::Table, graphwright_core::StoreError>> {
    let store = Arc::clone(store);
    let task =
        tokio::spawn(async move { store.read(Statement::fixed(SILENT), options).await?.collect().await });
    until(Duration::from_secs(10), || async { transactions(watcher).await == 1 }).await;
    task
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn cancelled_read() {
    let _alone = alone().await;
    let (store, watcher) = (connect().await, connect().await);
    let cancel = CancellationToken::new();
    let read = started(&store, &watcher, limits(None, &cancel)).await;
    cancel.cancel();
    let took = ended(&watcher).await;
    assert_eq!(read.await.unwrap().unwrap_err().code(), "cancelled");
    println!("ended after {took:?}");
    nothing_is_left().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn dropped_read() {
    let _alone = alone().await;
    let (store, watcher) = (connect().await, connect().await);
    let read = started(&store, &watcher, limits(None, &CancellationToken::new())).await;
    read.abort();
    println!("ended after {:?}", ended(&watcher).await);
    nothing_is_left().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn read_out_of_time() {
    let _alone = alone().await;
    let (store, watcher) = (connect().await, connect().await);
    let limit = Duration::from_secs(1);
    let begun = std::time::Instant::now();
    let read = started(&store, &watcher, limits(Some(limit), &CancellationToken::new())).await;
    assert_eq!(read.await.unwrap().unwrap_err().code(), "timed_out");
    assert!(begun.elapsed() < limit + Duration::from_secs(1), "{:?}", begun.elapsed());
    ended(&watcher).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn cancelled_write_is_undone() {
    let _alone = alone().await;
    let (store, watcher) = (connect().await, connect().await);
    emptied(&store).await.unwrap();
    let cancel = CancellationToken::new();
    let options = limits(None, &cancel);
    let writer = Arc::clone(&store);
    let text = "CREATE (:Half) WITH 1 AS one UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b \
                UNWIND range(1, 3000) AS c WITH a, b, c WHERE a * b * c = 7 CREATE (:Done)";
    let write = tokio::spawn(async move { writer.write(Statement::fixed(text), options).await });
    until(Duration::from_secs(10), || async { transactions(&*watcher).await == 1 }).await;
    cancel.cancel();
    assert_eq!(write.await.unwrap().unwrap_err().code(), "cancelled");
    ended(&watcher).await;
    assert_eq!(rows(&*store, "MATCH (n) RETURN count(n)").await.unwrap(), [[0.into()]]);
    nothing_is_left().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn a_large_result_is_left_half_way() {
    let _alone = alone().await;
    let store = connect().await;
    let text = Statement::fixed("UNWIND range(1, 100000) AS x RETURN x, toString(x)");
    let mut stream = store.read(text, QueryOptions::default()).await.unwrap();
    for expected in 1..=50_000 {
        assert_eq!(stream.next().await.unwrap().unwrap().first(), Some(&expected.into()));
    }
    drop(stream);
    ended(&store).await;

    let mut endless = store.read(Statement::fixed(ENDLESS), QueryOptions::default()).await.unwrap();
    assert!(endless.next().await.is_some());
    drop(endless);
    ended(&store).await;
    nothing_is_left().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn a_row_limit_ends_an_endless_result() {
    let _alone = alone().await;
    let store = connect().await;
    let options = QueryOptions { row_limit: Some(10), ..QueryOptions::default() };
    let table = store.read(Statement::fixed(ENDLESS), options).await.unwrap().collect().await.unwrap();
    assert_eq!(table.rows.len(), 10);
    assert!(table.summary.truncated.is_some());
    ended(&store).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn all_connections_in_use() {
    let _alone = alone().await;
    let mut few = options();
    few.connections = 1;
    few.acquire_timeout = Duration::from_millis(500);
    let store = Neo4jStore::connect(few).await.unwrap();
    let held = store.read(Statement::fixed(ENDLESS), QueryOptions::default()).await.unwrap();
    let short = limits(Some(Duration::from_millis(200)), &CancellationToken::new());
    let error = store.read(Statement::fixed("RETURN 1"), short).await.unwrap_err();
    assert_eq!(error.code(), "timed_out");
    let error = store.read(Statement::fixed("RETURN 1"), QueryOptions::default()).await.unwrap_err();
    assert!(error.to_string().contains("no connection was free"), "{error}");
    drop(held);
    ended(&store).await;
    assert_eq!(rows(&store, "RETURN 1").await.unwrap(), [[1.into()]]);
    nothing_is_left().await;
}
