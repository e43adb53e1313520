//! Writers beside each other, and graphs of some size.

use std::{sync::Arc, time::Duration};

use futures::TryStreamExt;
use graphwright_core::{
    GraphStore, NodeKey, Properties, RelationshipKey, Statement, Value,
    schema::{Index, IndexKind, Pattern, Similarity, Target},
    store::{Change, ChangeSet, QueryOptions, ScanOptions, SchemaOptions, Selection},
};

use crate::support::{alone_and_empty, emptied, rows};

/// Returns changes with links between certain nodes, named in this order.
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
    let (_alone, store) = alone_and_empty().await;
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
    let (_alone, store) = alone_and_empty().await;
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
    let (_alone, store) = alone_and_empty().await;
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

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn vectors_are_kept_apart_from_other_lists_of_numbers() {
    let (_alone, store) = alone_and_empty().await;
    let (key, numbers) = (NodeKey::new("Passage", "1"), Value::from(vec![0.5, 1.5]));
    let given = Properties::from([("numbers".to_owned(), numbers.clone()), ("text".to_owned(), "x".into())]);
    let mut changes = ChangeSet::new();
    changes.upsert_node(key.clone(), &[], given.clone());
    for (property, vector) in [("embedding", vec![0.1, -2.0, 3.5]), ("other", vec![1.0, 2.0])] {
        changes.push(Change::SetVector { key: key.clone(), property: property.to_owned(), vector });
    }
    store.apply(changes).await.unwrap();
    // A name of one's own is known by its index.
    let kind = IndexKind::Vector { dimensions: 2, similarity: Similarity::Cosine };
    let target = Target::Label("Passage".to_owned());
    let index = Index { name: "others".to_owned(), target, properties: vec!["other".to_owned()], kind };
    store.create_index(index).await.unwrap();

    for labels in [Selection::All, Selection::Except(vec!["Nothing".to_owned()])] {
        for node_properties in [Selection::All, Selection::Except(vec!["__id__".to_owned()])] {
            let has_id = node_properties == Selection::All;
            let options = ScanOptions { labels: labels.clone(), node_properties, ..ScanOptions::default() };
            let batches: Vec<_> = store.scan(options).await.unwrap().try_collect().await.unwrap();
            let mut found = batches[0].nodes[0].properties.clone();
            assert_eq!(found.remove("__id__").is_some(), has_id);
            assert_eq!(found, given);
        }
    }
    let schema = store.schema(SchemaOptions::default()).await.unwrap();
    let names: Vec<_> = schema.labels[0].properties.iter().map(|property| property.name.as_str()).collect();
    assert_eq!(names, ["__id__", "numbers", "text"]);
    let vectors: Vec<_> = store.vectors("Passage", "embedding").await.unwrap().try_collect().await.unwrap();
    assert_eq!(vectors[0].1, [0.1, -2.0, 3.5]);
    emptied(&store).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn vector_indexes_that_statements_make_and_remove_are_seen_at_once() {
    let (_alone, store) = alone_and_empty().await;
    let make = "CREATE VECTOR INDEX shapes FOR (p:Place) ON (p.shape) \
                OPTIONS {indexConfig: {`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}";
    for (text, is_shown) in
        [("CREATE (:Place {shape: [1.0, 2.0]})", true), (make, false), ("DROP INDEX shapes", true)]
    {
        store.write(Statement::fixed(text), QueryOptions::default()).await.unwrap();
        let found = rows(&*store, "MATCH (p:Place) RETURN p").await.unwrap();
        let place = found[0][0].as_node().unwrap();
        assert_eq!(place.properties.contains_key("shape"), is_shown, "{text}");
    }
    emptied(&store).await.unwrap();
}
