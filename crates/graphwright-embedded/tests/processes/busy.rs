//! Readers beside a writer that commits, makes checkpoints and is opened again without a pause.

use std::{
    process::{Command, Stdio},
    sync::atomic::{AtomicI64, AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use graphwright_core::{GraphStore, Result, Statement, Value, store::QueryOptions};
use graphwright_embedded::{EmbeddedStore, OpenOptions};
use tokio::runtime::Runtime;

/// How long the readers read, in seconds, where this variable is not set.
const SECONDS: u64 = 6;
const VARIABLE: &str = "GRAPHWRIGHT_BUSY_SECONDS";
const READERS: usize = 3;
/// The number of nodes that each commit sets to its number.
const NODES: i64 = 20;
/// What the writer makes a checkpoint after, and what it is opened again after, in commits.
const CHECKPOINT: i64 = 7;
const AGAIN: i64 = 50;

/// Each opening finds a whole commit, and none that is older than what anyone had seen before.
pub(crate) fn readers_of_a_busy_store_never_see_damage_or_the_past() -> String {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    let seconds = std::env::var(VARIABLE).ok().and_then(|text| text.parse().ok()).unwrap_or(SECONDS);
    let mut writer = Command::new(std::env::current_exe().unwrap())
        .args(["child-write-busily", path])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let (seen, reads) = (AtomicI64::new(0), AtomicUsize::new(0));
    let end = Instant::now() + Duration::from_secs(seconds);
    std::thread::scope(|scope| {
        for reader in 0..READERS {
            let (seen, reads) = (&seen, &reads);
            scope.spawn(move || {
                // One reader keeps its store open.
                Runtime::new().unwrap().block_on(read(path, reader == 0, end, seen, reads));
            });
        }
    });
    assert!(writer.try_wait().unwrap().is_none(), "the writer ended");
    writer.kill().unwrap();
    writer.wait().unwrap();
    let (commits, reads) = (seen.into_inner(), reads.into_inner());
    assert!(commits > AGAIN && reads > 100, "{commits} commits, {reads} reads");
    format!(" ({reads} reads beside {commits} commits)")
}

async fn read(path: &str, keep: bool, end: Instant, seen: &AtomicI64, reads: &AtomicUsize) {
    let mut kept = None;
    while Instant::now() < end {
        let before = seen.load(Ordering::SeqCst);
        let store = match kept.take() {
            Some(store) => store,
            None => match EmbeddedStore::open(path, OpenOptions::reader()).await {
                // The writer has not begun.
                Err(error) if before == 0 && error.code() == "unavailable" => continue,
                opened => opened.unwrap(),
            },
        };
        let Some(commit) = commit(&store).await.unwrap() else { continue };
        assert!(commit >= before, "commit {commit} after {before}");
        seen.fetch_max(commit, Ordering::SeqCst);
        reads.fetch_add(1, Ordering::Relaxed);
        kept = keep.then_some(store);
    }
}

/// Returns the number of the commit that all nodes have, or `None` before the first.
async fn commit(store: &EmbeddedStore) -> Result<Option<i64>> {
    let text = "MATCH (t:Tick) RETURN count(t), min(t.commit), max(t.commit)";
    let table = store.read(Statement::fixed(text), QueryOptions::default()).await?.collect().await?;
    let [count, least, most] = table.rows[0].as_slice() else { panic!("{:?}", table.rows) };
    if *count == Value::from(0) {
        return Ok(None);
    }
    assert!(*count == Value::from(NODES) && least == most, "{:?}", table.rows);
    Ok(most.as_integer())
}

/// Writes until killed.
pub(crate) async fn write(path: &str) {
    let mut number = 0;
    loop {
        let store = EmbeddedStore::open(path, OpenOptions::writer()).await.unwrap();
        for _ in 0..AGAIN {
            number += 1;
            let text = "UNWIND range(1, $nodes) AS id MERGE (t:Tick {id: id}) SET t.commit = $number, t.text = $text";
            let statement = Statement::fixed(text)
                .with("nodes", NODES)
                .with("number", number)
                .with("text", "a longer text ".repeat(number as usize % 40));
            store.write(statement, QueryOptions::default()).await.unwrap();
            if number % CHECKPOINT == 0 {
                store.checkpoint().await.unwrap();
            }
        }
    }
}
