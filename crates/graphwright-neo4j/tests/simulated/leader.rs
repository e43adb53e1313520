//! Reads go to readers, writes to the leader, also when that has changed.

use std::time::{Duration, Instant};

use graphwright_core::{
    GraphStore, NodeKey, Properties, Statement, Value,
    store::{ChangeSet, QueryOptions},
};
use graphwright_neo4j::Neo4jStore;

use crate::cluster::Cluster;

const WRITE: &str = "CREATE (n:Written) RETURN n";

/// Returns the member that ran a statement which reads.
async fn reader(store: &Neo4jStore) -> i64 {
    let stream = store.read(Statement::fixed("MATCH (n) RETURN n"), QueryOptions::default()).await.unwrap();
    stream.collect().await.unwrap().rows[0][0].as_integer().unwrap()
}

/// Returns the member that ran a statement which writes.
async fn writer(store: &Neo4jStore) -> i64 {
    let result = store.write(Statement::fixed(WRITE), QueryOptions::default()).await.unwrap();
    result.table.rows[0][0].as_integer().unwrap()
}

fn written(cluster: &Cluster) -> Vec<usize> {
    let state = cluster.state();
    state.committed.iter().filter(|(_, text)| text == WRITE).map(|(member, _)| *member).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_go_to_readers_and_writes_to_the_leader() {
    let cluster = Cluster::start(3);
    // Whichever member is asked for the way.
    for member in 0..3 {
        let store = Neo4jStore::connect(cluster.options(member)).await.unwrap();
        for _ in 0..4 {
            assert!(reader(&store).await > 0);
        }
        assert_eq!(writer(&store).await, 0);
    }
    assert_eq!(written(&cluster), [0, 0, 0]);
    assert_eq!(cluster.state().refused, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_way_is_known_after_connecting_with_and_without_the_name_of_a_database() {
    let cluster = Cluster::start(3);
    for database in [Some("neo4j".to_owned()), None] {
        let mut options = cluster.options(0);
        options.database = database;
        let store = Neo4jStore::connect(options).await.unwrap();
        reader(&store).await;
        let known = cluster.state().routes;
        for _ in 0..4 {
            reader(&store).await;
            assert_eq!(writer(&store).await, 0);
        }
        assert_eq!(cluster.state().routes, known);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_follows_the_leader() {
    let cluster = Cluster::start(3);
    let store = Neo4jStore::connect(cluster.options(0)).await.unwrap();
    assert_eq!(writer(&store).await, 0);
    for next in [2, 1] {
        {
            let mut state = cluster.state();
            state.leader = Some(next);
            state.announced = (Some(next), (0..3).filter(|member| *member != next).collect());
        }
        assert_eq!(writer(&store).await, next as i64);
        assert_ne!(reader(&store).await, next as i64);
    }
    // Once each: what was refused was tried again, and what was done was not.
    assert_eq!(written(&cluster), [0, 2, 1]);
    assert_eq!(cluster.state().refused, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn members_that_do_not_know_of_the_new_leader_yet() {
    let cluster = Cluster::start(3);
    let store = Neo4jStore::connect(cluster.options(1)).await.unwrap();
    assert_eq!(writer(&store).await, 0);
    {
        let mut state = cluster.state();
        state.leader = Some(1);
        state.announced.0 = Some(1);
        // First the old one is named, then none.
        state.stale_announcements = (2, Some(0));
    }
    assert_eq!(writer(&store).await, 1);
    assert_eq!(cluster.state().stale_announcements.0, 0);
    cluster.state().leader = Some(2);
    cluster.state().announced.0 = Some(2);
    cluster.state().stale_announcements = (2, None);
    assert_eq!(writer(&store).await, 2);
    assert_eq!(cluster.state().stale_announcements.0, 0);
    assert_eq!(written(&cluster), [0, 1, 2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_leader_that_gives_way_at_the_commit() {
    let cluster = Cluster::start(3);
    let store = Neo4jStore::connect(cluster.options(0)).await.unwrap();
    cluster.state().gives_way_at_commit = Some(1);
    assert_eq!(writer(&store).await, 1);
    assert_eq!(written(&cluster), [1]);

    let mut changes = ChangeSet::new();
    let properties = Properties::from([("name".to_owned(), Value::from("Ada"))]);
    changes.upsert_node(NodeKey::new("Person", "ada"), &[], properties);
    store.create_keys(vec!["Person".to_owned()]).await.unwrap();
    cluster.state().committed.clear();
    cluster.state().gives_way_at_commit = Some(2);
    store.apply(changes).await.unwrap();
    let state = cluster.state();
    let [(member, text)] = state.committed.as_slice() else { panic!("{:?}", state.committed) };
    assert_eq!(*member, 2);
    assert!(text.contains("MERGE (n:Person"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_leader_is_followed_by_the_next() {
    let mut cluster = Cluster::start(3);
    let store = Neo4jStore::connect(cluster.options(1)).await.unwrap();
    assert_eq!(writer(&store).await, 0);
    cluster.lose(0);
    {
        let mut state = cluster.state();
        state.leader = Some(1);
        state.announced = (Some(1), vec![2]);
    }
    assert_eq!(writer(&store).await, 1);
    assert_eq!(reader(&store).await, 2);
    // A reader that is lost is no loss to who reads.
    cluster.lose(2);
    cluster.state().announced.1 = vec![1];
    assert_eq!(reader(&store).await, 1);
    assert_eq!(written(&cluster), [0, 1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_leader_is_one_clear_error_in_time() {
    let mut cluster = Cluster::start(3);
    let mut options = cluster.options(1);
    options.retry_time = Duration::from_secs(2);
    let store = Neo4jStore::connect(options).await.unwrap();
    cluster.lose(0);
    {
        let mut state = cluster.state();
        state.leader = None;
        state.announced.0 = None;
    }
    let begun = Instant::now();
    let error = store.write(Statement::fixed(WRITE), QueryOptions::default()).await.unwrap_err();
    assert_eq!(error.code(), "disconnected");
    assert!(error.to_string().contains("no member"), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());

    let limit = Duration::from_millis(500);
    let begun = Instant::now();
    let short = QueryOptions { time_limit: Some(limit), ..QueryOptions::default() };
    let error = store.write(Statement::fixed(WRITE), short).await.unwrap_err();
    assert_eq!(error.code(), "timed_out", "{error}");
    assert!(begun.elapsed() < limit + Duration::from_secs(1), "{:?}", begun.elapsed());
    // Reading goes on.
    assert!(reader(&store).await > 0);
    assert!(written(&cluster).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_that_is_gone_is_one_clear_error_in_time() {
    let mut cluster = Cluster::start(2);
    let mut options = cluster.options(1);
    options.retry_time = Duration::from_secs(1);
    let store = Neo4jStore::connect(options).await.unwrap();
    cluster.lose(0);
    cluster.lose(1);
    let begun = Instant::now();
    let write = store.write(Statement::fixed(WRITE), QueryOptions::default()).await.unwrap_err();
    let read = store.read(Statement::fixed("RETURN 1"), QueryOptions::default()).await.unwrap_err();
    for error in [write, read] {
        assert_eq!(error.code(), "disconnected", "{error}");
        assert!(error.to_string().contains("no member"), "{error}");
    }
    assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
}
