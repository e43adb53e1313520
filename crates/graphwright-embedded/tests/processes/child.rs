//! The roles that the started processes play.

use std::io::{BufRead, Write};

use graphwright_core::GraphStore;
use graphwright_embedded::{EmbeddedStore, OpenOptions};
use tokio::runtime::Runtime;

use crate::{batches, busy};

/// Plays a role on the store at `path` until killed or until standard input ends.
pub(crate) fn run(role: &str, path: &str) {
    let runtime = Runtime::new().unwrap();
    match role {
        "write-until-killed" => runtime.block_on(write_until_killed(path)),
        "write-until-full" => runtime.block_on(write_until_full(path)),
        "write" => runtime.block_on(write(path)),
        "write-busily" => runtime.block_on(busy::write(path)),
        "open-reader" => runtime.block_on(open(path, OpenOptions::reader())),
        "open-writer" => runtime.block_on(open(path, OpenOptions::writer())),
        "read" => runtime.block_on(read(path)),
        other => panic!("no role {other}"),
    }
}

async fn write_until_killed(path: &str) {
    let store = EmbeddedStore::open(path, OpenOptions::writer()).await.unwrap();
    let first = batches::found(&store).await.unwrap().keys().max().map_or(0, |last| last + 1);
    for number in first.. {
        say(&format!("begin {number}"));
        store.apply(batches::changes(number)).await.unwrap();
        say(&format!("done {number}"));
    }
}

/// Writes until it fails. Tells how many batches were written, the error, and how many can be read
/// then.
async fn write_until_full(path: &str) {
    let store = EmbeddedStore::open(path, OpenOptions::writer()).await.unwrap();
    for number in 0.. {
        if let Err(error) = store.apply(batches::changes(number)).await {
            let found = batches::found(&store).await.unwrap();
            say(&format!("{number}\n{}\n{error}\n{}", error.code(), found.len()));
            return;
        }
    }
}

/// Tells whether the store can be opened, or the error.
async fn open(path: &str, options: OpenOptions) {
    match EmbeddedStore::open(path, options).await {
        Ok(_) => say("opened"),
        Err(error) => say(&format!("{}\n{error}\n{}", error.code(), error.hint().unwrap_or_default())),
    }
}

/// Writes a batch for each line. Makes a checkpoint when the line says so.
async fn write(path: &str) {
    let store = EmbeddedStore::open(path, OpenOptions::writer()).await.unwrap();
    say("open");
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        store.apply(batches::changes(number as i64)).await.unwrap();
        if line.unwrap() == "checkpoint" {
            store.checkpoint().await.unwrap();
        }
        say("done");
    }
}

/// Tells for each line how many whole batches there are.
async fn read(path: &str) {
    let store = EmbeddedStore::open(path, OpenOptions::reader()).await.unwrap();
    say("open");
    for _ in std::io::stdin().lock().lines() {
        let found = batches::found(&store).await.unwrap();
        assert!(found.values().all(|counts| *counts == batches::WHOLE));
        say(&found.len().to_string());
    }
}

fn say(line: &str) {
    let mut output = std::io::stdout();
    writeln!(output, "{line}").unwrap();
    output.flush().unwrap();
}
