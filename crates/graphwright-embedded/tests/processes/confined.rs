//! Statements that people or models wrote, in workers.

use std::time::{Duration, Instant};

use futures::{StreamExt, future::join_all};
use graphwright_core::{GraphStore, Result, Statement, StoreError, Table, store::QueryOptions};
use graphwright_cypher::Gate;
use graphwright_embedded::{Confinement, EmbeddedStore, OpenOptions};
use graphwright_worker::Program;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::batches;

const BUDGET: u64 = 64_000_000;
const COUNT: &str = "MATCH (n) RETURN count(n)";
/// Each makes more than the budget out of little.
const TOO_LARGE: &[&str] = &[
    "RETURN size(reduce(s = 'abcdefghij', x IN range(1, 60) | replace(s, 'a', 'aaaa')))",
    "RETURN size(reduce(l = [1, 2], x IN range(1, 40) | l + l))",
    "RETURN size([x IN reduce(l = [{a: 'abc'}], x IN range(1, 40) | l + l) | {b: x, c: x}])",
    "WITH 'abcdefgh' AS s WITH s + s AS s WITH s + s AS s WITH s + s AS s UNWIND range(1, 5000000) AS x \
     RETURN collect(s + toString(x)) AS l",
    "UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b RETURN collect([a, b, a + b])",
];
const TOO_DEEP: &str = "RETURN reduce(l = [], x IN range(1, 6000) | [l])";

/// Makes this process a worker.
pub(crate) fn serve() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    graphwright_worker::serve(|task, requests, replies| {
        runtime.block_on(graphwright_embedded::serve(task.settings, requests, replies));
    })
    .unwrap();
}

fn confined(mut options: OpenOptions) -> OpenOptions {
    let program = Program::new(std::env::current_exe().unwrap());
    options.confinement = Some(Confinement { program, query_memory: BUDGET, total_memory: 1 << 40 });
    options
}

/// A text that passed a gate without limits, so that what it costs shows only when it runs.
fn checked(text: &str) -> Statement {
    let gate = Gate { row_limit: None, max_hops: None, max_work: None, ..Gate::default() };
    gate.check(text).unwrap().statement
}

async fn read(store: &EmbeddedStore, text: &str) -> Result<Table> {
    store.read(checked(text), QueryOptions::default()).await?.collect().await
}

async fn count(store: &EmbeddedStore) -> i64 {
    read(store, COUNT).await.unwrap().rows[0][0].as_integer().unwrap()
}

pub(crate) fn workers_see_each_commit() -> String {
    let folder = TempDir::new().unwrap();
    Runtime::new().unwrap().block_on(async {
        let writer = EmbeddedStore::open(folder.path(), confined(OpenOptions::writer())).await.unwrap();
        let reader = EmbeddedStore::open(folder.path(), confined(OpenOptions::reader())).await.unwrap();
        let mut before = 0;
        for number in 0..20 {
            writer.apply(batches::changes(number)).await.unwrap();
            let seen = count(&writer).await;
            assert!(seen > before, "batch {number}");
            assert_eq!(count(&reader).await, seen, "batch {number}");
            before = seen;
            if number % 7 == 0 {
                writer.checkpoint().await.unwrap();
            }
        }
        let moment = reader.snapshot().await.unwrap().unwrap();
        writer.apply(batches::changes(20)).await.unwrap();
        let table =
            moment.read(checked(COUNT), QueryOptions::default()).await.unwrap().collect().await.unwrap();
        assert_eq!(table.summary.notices[0].code, "later_state");

        let begun = Instant::now();
        for _ in 0..200 {
            count(&reader).await;
        }
        let there = begun.elapsed() / 200;
        let begun = Instant::now();
        for _ in 0..200 {
            reader
                .read(Statement::fixed(COUNT), QueryOptions::default())
                .await
                .unwrap()
                .collect()
                .await
                .unwrap();
        }
        format!(" (a read in a worker {there:?}, in this process {:?})", begun.elapsed() / 200)
    })
}

pub(crate) fn values_come_back_as_they_are() -> String {
    let folder = TempDir::new().unwrap();
    let text = "CREATE (a:A {x: 1.5, d: date('2020-02-29'), l: [1, 2]})-[r:R {since: datetime('2020-01-01T00:00:00Z')}]->(b:B)";
    let ask = "MATCH p = (a)-[r]->(b) RETURN a, r, p, [1, 'x', null, {a: 1.0}], 0.0 / 0.0, 1e300 * 1e300, duration('P1M2DT3S')";
    Runtime::new().unwrap().block_on(async {
        let store = EmbeddedStore::open(folder.path(), confined(OpenOptions::writer())).await.unwrap();
        store.write(Statement::fixed(text), QueryOptions::default()).await.unwrap();
        let here = store.read(Statement::fixed(ask), QueryOptions::default()).await.unwrap();
        assert_eq!(read(&store, ask).await.unwrap(), here.collect().await.unwrap());
        let limited = QueryOptions { row_limit: Some(2), ..QueryOptions::default() };
        let rows = store.read(checked("UNWIND range(1, 9) AS x RETURN x"), limited).await.unwrap();
        let table = rows.collect().await.unwrap();
        assert_eq!((table.rows.len(), table.summary.truncated.is_some()), (2, true));
        let error = read(&store, "RETURN 1 / 0").await.unwrap_err();
        assert!(matches!(error, StoreError::Evaluation { .. }), "{error:?}");
        String::new()
    })
}

pub(crate) fn bombs_end_with_an_error_and_others_go_on() -> String {
    if !cfg!(target_os = "linux") {
        return " (memory is limited on Linux only)".to_owned();
    }
    let folder = TempDir::new().unwrap();
    Runtime::new().unwrap().block_on(async {
        let writer = EmbeddedStore::open(folder.path(), OpenOptions::writer()).await.unwrap();
        writer.apply(batches::changes(0)).await.unwrap();
        let store = EmbeddedStore::open(folder.path(), confined(OpenOptions::reader())).await.unwrap();
        let nodes = count(&store).await;
        let bombs = TOO_LARGE.iter().map(|text| async { (*text, read(&store, text).await) });
        let others = async { join_all((0..20).map(|_| count(&store))).await };
        let (bombs, others) = tokio::join!(join_all(bombs), others);
        assert!(others.iter().all(|count| *count == nodes));
        for (text, result) in bombs {
            let error = result.unwrap_err();
            assert!(matches!(error, StoreError::OverBudget { budget: BUDGET }), "{text}: {error:?}");
        }
        let error = read(&store, TOO_DEEP).await.unwrap_err();
        assert!(matches!(error, StoreError::TooDeep), "{error:?}");
        assert_eq!(count(&store).await, nodes);
        String::new()
    })
}

pub(crate) fn a_read_that_nobody_waits_for_ends() -> String {
    let folder = TempDir::new().unwrap();
    let endless = "UNWIND range(1, 100000) AS a UNWIND range(1, 1000000) AS b RETURN a, b";
    Runtime::new().unwrap().block_on(async {
        let store = EmbeddedStore::open(folder.path(), confined(OpenOptions::writer())).await.unwrap();
        let options =
            QueryOptions { time_limit: Some(Duration::from_millis(300)), ..QueryOptions::default() };
        let heavy = checked("RETURN size(reduce(l = [], x IN range(1, 100000) | l + x))");
        let late = match store.read(heavy, options).await {
            Ok(rows) => rows.collect().await.map(drop),
            Err(error) => Err(error),
        };
        assert!(matches!(late, Err(StoreError::TimedOut { .. })), "{late:?}");
        for _ in 0..10 {
            let begun = Instant::now();
            if let Ok(mut rows) = store.read(checked(endless), QueryOptions::default()).await {
                rows.next().await;
            }
            assert_eq!(count(&store).await, 0);
            assert!(begun.elapsed() < Duration::from_secs(20), "the worker was not freed");
        }
        let options = QueryOptions::default();
        options.cancel.cancel();
        let cancelled = store.read(checked(COUNT), options).await.map(drop);
        assert!(matches!(cancelled, Err(StoreError::Cancelled)), "{cancelled:?}");
        String::new()
    })
}
