//! Measures the store: bulk writing, opening, a trivial read. Run with
//! `cargo run --release -p graphwright-embedded --example measure -- 100000`.

use std::time::{Duration, Instant};

use graphwright_core::{
    GraphStore, NodeKey, Properties, RelationshipKey, Result, Statement,
    store::{ChangeSet, QueryOptions},
};
use graphwright_embedded::{EmbeddedStore, OpenOptions};

#[tokio::main]
async fn main() -> Result<()> {
    let relationships = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let directory = std::env::temp_dir().join(format!("graphwright-measure-{}", std::process::id()));
    let measured = measure(&directory, relationships).await;
    let _ = std::fs::remove_dir_all(&directory);
    measured
}

async fn measure(directory: &std::path::Path, relationships: usize) -> Result<()> {
    let nodes = relationships / 5;
    let large = directory.join("large");
    let store = EmbeddedStore::open(&large, OpenOptions::writer()).await?;
    let took = timed(store.apply(node_changes(nodes))).await?;
    say(&format!("{nodes} nodes in one transaction"), took, nodes);
    let took = timed(store.apply(relationship_changes(relationships, nodes, "first"))).await?;
    say(&format!("{relationships} relationships in one transaction"), took, relationships);
    let took = timed(store.apply(relationship_changes(relationships, nodes, "second"))).await?;
    say(&format!("{relationships} more between the same nodes"), took, relationships);
    say("checkpoint", timed(store.checkpoint()).await?, 1);
    drop(store);
    let took = timed(EmbeddedStore::open(&large, OpenOptions::reader())).await?;
    say("open the large store as reader", took, 1);

    let small = directory.join("small");
    let store = EmbeddedStore::open(&small, OpenOptions::writer()).await?;
    store.apply(node_changes(300)).await?;
    store.apply(relationship_changes(900, 300, "first")).await?;
    drop(store);
    let took = timed(EmbeddedStore::open(&small, OpenOptions::reader())).await?;
    say("open a store of 300 nodes as reader", took, 1);
    let store = EmbeddedStore::open(&small, OpenOptions::reader()).await?;
    let start = Instant::now();
    for _ in 0..1_000 {
        let statement =
            Statement::fixed("MATCH (n:Item) WHERE n.number = $number RETURN n").with("number", 7);
        store.read(statement, QueryOptions::default()).await?.collect().await?;
    }
    say("a trivial read", start.elapsed() / 1_000, 1);
    Ok(())
}

fn item(number: usize) -> NodeKey {
    NodeKey::new("Item", format!("item-{number}"))
}

fn node_changes(nodes: usize) -> ChangeSet {
    let mut changes = ChangeSet::new();
    for number in 0..nodes {
        let properties = Properties::from([
            ("name".to_owned(), format!("Item {number}").into()),
            ("number".to_owned(), number.into()),
        ]);
        changes.upsert_node(item(number), &["__Entity__"], properties);
    }
    changes
}

fn relationship_changes(relationships: usize, nodes: usize, id: &str) -> ChangeSet {
    let mut changes = ChangeSet::new();
    for number in 0..relationships {
        let (from, to) = (item(number % nodes), item(number.wrapping_mul(7919) % nodes));
        let key = RelationshipKey { kind: "LINKS_TO".to_owned(), from, to, id: format!("{id}-{number}") };
        changes.upsert_relationship(key, Properties::from([("weight".to_owned(), 0.5.into())]));
    }
    changes
}

async fn timed<T>(work: impl Future<Output = Result<T>>) -> Result<Duration> {
    let start = Instant::now();
    work.await?;
    Ok(start.elapsed())
}

#[expect(clippy::print_stdout, reason = "the figures are what this program is for")]
fn say(what: &str, took: Duration, count: usize) {
    let rate = count as f64 / took.as_secs_f64();
    println!("{what}: {took:.1?} ({rate:.0}/s)");
}
