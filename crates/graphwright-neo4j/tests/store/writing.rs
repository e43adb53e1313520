//! Writers beside each other, and graphs of some size.

use std::{sync::Arc, time::Duration};

use graphwright_core::{
    GraphStore, NodeKey, Properties, RelationshipKey, Statement,
    schema::Pattern,
    store::{ChangeSet, QueryOptions, SchemaOptions},
};

use crate::support::{alone, connect, emptied, rows};

/// Links between the same nodes, named in this order.
fn links(writer: usize, order: impl Iterator<Item = usize>) -> ChangeSet {
    let key = |number: usize| NodeKey::new("Shared", number.to_string());
    let mut changes = ChangeSet::new();
    let order: Vec<_> = order.collect();
    for &number in &order {
        let seen = Properties::from([("seen_by".to_owned(), writer.into())]);
        changes.upsert_node(key(number), &[], seen);
    }
    for &number in &order {
        let link = RelationshipKey {
            kind: "LINK".to_owned(),
            from: key(number),
            to: key((number + 1) % order.len()),
            id: writer.to_string(),
        };
        changes.upsert_relationship(link, Properties::new());
    }
    changes
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn writers_that_block_each_other_all_succeed() {
    let _alone = alone().await;
    let store = connect().await;
    emptied(&store).await.unwrap();
    store.apply(links(0, 0..50)).await.unwrap();
    let writers = (1..=12).map(|writer| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            // One half of them locks from the front, the other from the back.
            let order: Box<dyn Iterator<Item = usize> + Send> =
                if writer % 2 == 0 { Box::new(0..50) } else { Box::new((0..50).rev()) };
            store.apply(links(writer, order)).await
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        assert_eq!(writer.await.unwrap().unwrap().relationships_created, 50);
    }
    let found =
        rows(&*store, "MATCH (n:Shared)-[r:LINK]->() RETURN count(DISTINCT n), count(r)").await.unwrap();
    assert_eq!(found, [[50.into(), (13 * 50).into()]]);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn rows_of_some_megabytes_are_written_at_once_or_not_at_all() {
    let _alone = alone().await;
    let store = connect().await;
    emptied(&store).await.unwrap();
    let text = "x".repeat(100_000);
    let mut changes = ChangeSet::new();
    for number in 0..100 {
        let properties = Properties::from([("text".to_owned(), text.clone().into())]);
        changes.upsert_node(NodeKey::new("Page", number.to_string()), &[], properties);
    }
    let mut broken = changes.clone();
    let ends = (NodeKey::new("Page", "0"), NodeKey::new("Page", "nowhere"));
    let link = RelationshipKey { kind: "NEXT".to_owned(), from: ends.0, to: ends.1, id: String::new() };
    broken.upsert_relationship(link, Properties::new());
    let error = store.apply(broken).await.unwrap_err();
    assert_eq!(error.to_string(), "the node `nowhere` with the label `Page` does not exist");
    assert_eq!(rows(&*store, "MATCH (n) RETURN count(n)").await.unwrap(), [[0.into()]]);
    assert_eq!(store.apply(changes).await.unwrap().nodes_created, 100);
    emptied(&store).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn the_schema_of_a_large_graph_comes_from_the_servers_counts() {
    let _alone = alone().await;
    let store = connect().await;
    emptied(&store).await.unwrap();
    let options = || QueryOptions { time_limit: Some(Duration::from_mins(2)), ..QueryOptions::default() };
    for text in [
        "CREATE (a:A:Marked), (b:B), (c:C) WITH a, b, c UNWIND range(1, 15000) AS x CREATE (a)-[:BIG {x: x}]->(b)",
        "MATCH (a:A), (c:C) UNWIND range(1, 10000) AS x CREATE (a)-[:BIG]->(c)",
        "MATCH (b:B), (c:C) CREATE (b)-[:SMALL]->(c), (:Alone {name: 'x'})",
    ] {
        store.write(Statement::fixed(text), options()).await.unwrap();
    }
    let schema = store.schema(SchemaOptions::default()).await.unwrap();
    let pattern = |from: &str, kind: &str, to: &str, count| Pattern {
        from: from.to_owned(),
        kind: kind.to_owned(),
        to: to.to_owned(),
        count,
    };
    let expected = [
        pattern("A", "BIG", "B", 15_000),
        pattern("Marked", "BIG", "B", 15_000),
        pattern("A", "BIG", "C", 10_000),
        pattern("Marked", "BIG", "C", 10_000),
        pattern("B", "SMALL", "C", 1),
    ];
    assert_eq!(schema.patterns, expected);
    let labels: Vec<_> = schema.labels.iter().map(|label| (label.name.as_str(), label.count)).collect();
    assert_eq!(labels, [("A", 1), ("Alone", 1), ("B", 1), ("C", 1), ("Marked", 1)]);
    let kinds: Vec<_> =
        schema.relationship_types.iter().map(|kind| (kind.name.as_str(), kind.count)).collect();
    assert_eq!(kinds, [("BIG", 25_000), ("SMALL", 1)]);
    emptied(&store).await.unwrap();
}
