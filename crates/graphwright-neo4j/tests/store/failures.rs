//! The server is paused, killed and started again, by the `xtask` that
//! `cargo xtask neo4j status --shell` names.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures::StreamExt;
use graphwright_core::{GraphStore, Statement, store::QueryOptions};
use graphwright_neo4j::Neo4jStore;

use crate::support::{
    Process, alone, alone_and_empty, connect, emptied, nothing_is_left, options, rows, rows_within, threads,
    until,
};

const LIMIT: Duration = Duration::from_millis(500);
/// A time longer than the driver waits for a silent server, which the server's settings tell (6 s).
const RECEIVE: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn a_paused_server_keeps_no_caller_and_a_bounded_number_of_threads() {
    let _alone = alone().await;
    let mut few = options();
    few.connections = 2;
    few.spare_connections = 2;
    few.acquire_timeout = Duration::from_secs(3);
    let store = Neo4jStore::connect(few).await.unwrap();
    assert_eq!(rows(&store, "RETURN 1").await.unwrap(), [[1.into()]]);
    let server = Process::new();
    server.pause();
    for call in 1..=8 {
        let started = Instant::now();
        let error = rows_within(&store, "RETURN 1", LIMIT).await.unwrap_err();
        let took = started.elapsed();
        assert_eq!(error.code(), "timed_out", "{error}");
        assert!(took >= LIMIT && took < LIMIT + Duration::from_secs(1), "call {call} took {took:?}");
        assert!(store.blocked_workers() <= 4, "{}", store.blocked_workers());
        // Those of the calls, and the one that ends transactions.
        assert!(threads() <= 5, "{}", threads());
    }
    assert!(store.blocked_workers() >= 1);
    // The driver gives up while the server still is silent.
    let took = until(RECEIVE, || async { store.blocked_workers() == 0 }).await;
    println!("no thread was blocked after {took:?}");
    server.resume();
    until(Duration::from_secs(10), || async { rows_within(&store, "RETURN 1", LIMIT).await.is_ok() }).await;
    nothing_is_left().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn a_short_pause_is_only_slow() {
    let _alone = alone().await;
    let store = connect().await;
    rows(&*store, "RETURN 1").await.unwrap();
    let server = Process::new();
    server.pause();
    let reader = Arc::clone(&store);
    let read = tokio::spawn(async move { rows(&*reader, "RETURN 1").await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    server.resume();
    assert_eq!(read.await.unwrap().unwrap(), [[1.into()]]);
    assert_eq!(store.blocked_workers(), 0);
    nothing_is_left().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn a_pause_in_the_middle_of_a_result_and_of_a_write() {
    let (_alone, store) = alone_and_empty().await;
    let limit = Duration::from_secs(2);
    let limited = || QueryOptions { time_limit: Some(limit), ..QueryOptions::default() };
    let endless = Statement::fixed("UNWIND range(1, 100000000) AS x RETURN x");
    let begun = Instant::now();
    let mut stream = store.read(endless, limited()).await.unwrap();
    assert!(stream.next().await.unwrap().is_ok());
    let writer = Arc::clone(&store);
    let text = "CREATE (:Half) WITH 1 AS one UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b \
                UNWIND range(1, 3000) AS c WITH a, b, c WHERE a * b * c = 7 CREATE (:Done)";
    let options = limited();
    let write = tokio::spawn(async move {
        let begun = Instant::now();
        (writer.write(Statement::fixed(text), options).await.unwrap_err(), begun.elapsed())
    });
    tokio::time::sleep(Duration::from_millis(500)).await;
    let server = Process::new();
    server.pause();
    let read = loop {
        match stream.next().await {
            Some(Ok(_)) => {}
            Some(Err(error)) => break error,
            None => panic!("the result ended as if it were whole"),
        }
    };
    let read = (read, begun.elapsed());
    for (error, took) in [read, write.await.unwrap()] {
        assert_eq!(error.code(), "timed_out", "{error}");
        assert!(took >= limit && took < limit + Duration::from_secs(1), "{took:?}");
    }
    drop(stream);
    server.resume();
    nothing_is_left().await;
    assert_eq!(store.blocked_workers(), 0);
    assert_eq!(rows(&*store, "MATCH (n) RETURN count(n)").await.unwrap(), [[0.into()]]);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn a_killed_server_leaves_nothing_half_written_and_comes_back() {
    let _alone = alone().await;
    let mut patient = options();
    patient.retry_time = Duration::from_mins(1);
    let store = Arc::new(Neo4jStore::connect(patient).await.unwrap());
    let hasty = connect().await;
    emptied(&store).await.unwrap();

    // In the middle of a transaction, and in the middle of a result.
    let writer = Arc::clone(&hasty);
    let text = "CREATE (:Half) WITH 1 AS one UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b \
                UNWIND range(1, 3000) AS c WITH a, b, c WHERE a * b * c = 7 CREATE (:Done)";
    let write =
        tokio::spawn(async move { writer.write(Statement::fixed(text), QueryOptions::default()).await });
    let rows_text = Statement::fixed("UNWIND range(1, 100000000) AS x RETURN x");
    let mut stream = hasty.read(rows_text, QueryOptions::default()).await.unwrap();
    assert!(stream.next().await.unwrap().is_ok());
    tokio::time::sleep(Duration::from_millis(500)).await;
    let server = Process::new();
    server.kill();
    let lost = loop {
        match stream.next().await {
            Some(Ok(_)) => {}
            Some(Err(error)) => break error,
            None => panic!("the result ended as if it were whole"),
        }
    };
    assert_eq!(lost.code(), "disconnected", "{lost}");
    assert!(lost.to_string().contains("the connection to bolt://"), "{lost}");
    assert!(stream.next().await.is_none());
    let error = write.await.unwrap().unwrap_err();
    assert!(["disconnected", "timed_out"].contains(&error.code()), "{error}");

    // A call that may wait is answered when the server is back.
    let reader = Arc::clone(&store);
    let read = tokio::spawn(async move {
        rows_within(&*reader, "MATCH (n) RETURN count(n)", Duration::from_mins(1)).await
    });
    tokio::task::spawn_blocking(move || {
        server.start();
        server
    })
    .await
    .unwrap();
    assert_eq!(read.await.unwrap().unwrap(), [[0.into()]]);
    assert_eq!((store.blocked_workers(), hasty.blocked_workers()), (0, 0));
    nothing_is_left().await;
}
