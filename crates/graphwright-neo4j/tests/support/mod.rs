//! The server for the tests: the one that `NEO4J_URI`, `NEO4J_USERNAME` and `NEO4J_PASSWORD` name.

#![allow(dead_code, reason = "each test uses its part of this")]

use std::{
    num::NonZeroUsize,
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

use graphwright_core::{GraphStore, Statement, StoreError, Value, store::QueryOptions};
use graphwright_cypher::StatementBuilder;
use graphwright_neo4j::{ConnectOptions, Credentials, Neo4jStore};
use tokio::sync::{Mutex, MutexGuard};

pub(crate) fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

/// Returns of how many cases of a long list one is tried: all, unless `GRAPHWRIGHT_ONE_IN` says
/// otherwise (docs/testing.md).
pub(crate) fn one_in() -> usize {
    std::env::var("GRAPHWRIGHT_ONE_IN").map_or(1, |number| number.parse::<NonZeroUsize>().unwrap().get())
}

/// Returns the options to reach the server.
pub(crate) fn options() -> ConnectOptions {
    let credentials =
        Credentials::Basic { user: variable("NEO4J_USERNAME"), password: variable("NEO4J_PASSWORD").into() };
    ConnectOptions::new(variable("NEO4J_URI").parse().unwrap(), credentials)
}

pub(crate) async fn connect() -> Arc<Neo4jStore> {
    Arc::new(Neo4jStore::connect(options()).await.unwrap())
}

/// Empties a store, of what it keeps out of sight too, and returns it.
pub(crate) async fn emptied<S: GraphStore + 'static>(
    store: &Arc<S>,
) -> Result<Arc<dyn GraphStore>, StoreError> {
    let write = |statement| store.write(statement, QueryOptions::default());
    clear(&**store).await?;
    let constraints = "SHOW CONSTRAINTS YIELD name RETURN name";
    let indexes = "SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name";
    for (list, drop) in [(constraints, "DROP CONSTRAINT "), (indexes, "DROP INDEX ")] {
        for row in rows(&**store, list).await? {
            let name = row[0].as_str().unwrap();
            write(StatementBuilder::new(drop).name(name).build().unwrap()).await?;
        }
    }
    Ok(Arc::clone(store) as Arc<dyn GraphStore>)
}

/// Deletes all nodes, so many at a time that the server's memory holds them.
pub(crate) async fn clear(store: &dyn GraphStore) -> Result<(), StoreError> {
    let some = || Statement::fixed("MATCH (n) WITH n LIMIT 5000 DETACH DELETE n");
    while store.write(some(), QueryOptions::default()).await?.counters.nodes_deleted > 0 {}
    Ok(())
}

/// Lets one test at a time have the server.
pub(crate) async fn alone() -> MutexGuard<'static, ()> {
    static SERVER: Mutex<()> = Mutex::const_new(());
    SERVER.lock().await
}

/// Empties the server, and lets one test at a time have it.
pub(crate) async fn alone_and_empty() -> (MutexGuard<'static, ()>, Arc<Neo4jStore>) {
    let guard = alone().await;
    let store = connect().await;
    emptied(&store).await.unwrap();
    (guard, store)
}

pub(crate) async fn rows(store: &dyn GraphStore, text: &'static str) -> Result<Vec<Vec<Value>>, StoreError> {
    rows_within(store, text, Duration::from_secs(30)).await
}

pub(crate) async fn rows_within(
    store: &dyn GraphStore,
    text: &'static str,
    limit: Duration,
) -> Result<Vec<Vec<Value>>, StoreError> {
    let options = QueryOptions { time_limit: Some(limit), ..QueryOptions::default() };
    Ok(store.read(Statement::fixed(text), options).await?.collect().await?.rows)
}

/// Counts the transactions of the store on the server, apart from the one that asks.
pub(crate) async fn transactions(store: &dyn GraphStore) -> usize {
    let text = "SHOW TRANSACTIONS YIELD metaData, currentQuery \
                WHERE metaData.graphwright_call IS NOT NULL AND NOT currentQuery STARTS WITH 'SHOW' RETURN metaData";
    rows(store, text).await.unwrap().len()
}

/// Waits until a condition holds, at most `limit`. Returns how long it took.
pub(crate) async fn until<F: Future<Output = bool>>(limit: Duration, holds: impl Fn() -> F) -> Duration {
    let started = Instant::now();
    while !holds().await {
        assert!(started.elapsed() < limit, "it did not come about within {limit:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    started.elapsed()
}

/// Counts the threads of the store in this process.
pub(crate) fn threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("comm")).ok());
    // The system cuts names to 15 bytes.
    names.filter(|name| name.starts_with("graphwright-neo")).count()
}

/// Waits until the store has no thread and the test's runtime no task.
pub(crate) async fn nothing_is_left() {
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    // Longer than the driver waits for a silent server, which the server's settings tell (6 s).
    until(Duration::from_secs(20), || async { threads() == 0 && tasks() == 0 }).await;
}

/// The server's process. It runs again when the test is over, however it ends.
pub(crate) struct Process {
    /// The path of `cargo xtask`, as it was built when the server was started.
    xtask: String,
    home: String,
    port: String,
}

impl Process {
    pub(crate) fn new() -> Self {
        let address = variable("NEO4J_URI");
        let port = address.rsplit(':').next().unwrap().to_owned();
        Self { xtask: variable("GRAPHWRIGHT_XTASK"), home: variable("GRAPHWRIGHT_NEO4J_HOME"), port }
    }

    pub(crate) fn pause(&self) {
        assert!(self.run(&["pause"]), "the server cannot be paused");
    }

    pub(crate) fn resume(&self) {
        assert!(self.run(&["resume"]), "the server cannot be resumed");
    }

    pub(crate) fn kill(&self) {
        assert!(self.run(&["kill"]), "the server cannot be killed");
    }

    /// Starts it again, at its port.
    pub(crate) fn start(&self) {
        assert!(self.run(&["start", "--port", &self.port]), "the server does not start");
    }

    fn run(&self, arguments: &[&str]) -> bool {
        let mut command = Command::new(&self.xtask);
        command.arg("neo4j").args(arguments).args(["--home", &self.home]);
        command.status().unwrap().success()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.run(&["resume"]) {
            self.start();
        }
    }
}
