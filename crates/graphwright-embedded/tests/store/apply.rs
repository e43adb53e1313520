//! Writes by key.

use futures::TryStreamExt;
use graphwright_core::{
    ElementId, GraphStore, NodeKey, Properties, Result, StoreError, Value,
    store::{Change, ChangeSet, OnExisting},
};
use graphwright_embedded::{EmbeddedStore, OpenOptions};

use crate::support::{knows, person, properties, relationships, rows, write};

async fn nodes(store: &EmbeddedStore) -> Vec<(Vec<String>, Properties)> {
    let nodes = crate::support::nodes(store).await;
    nodes.into_iter().map(|node| (node.labels, node.properties)).collect()
}

async fn relationship_properties(store: &EmbeddedStore) -> Vec<Properties> {
    relationships(store).await.into_iter().map(|relationship| relationship.properties).collect()
}

async fn vectors(store: &EmbeddedStore) -> Vec<(ElementId, Vec<f32>)> {
    store.vectors("Person", "embedding").await.unwrap().try_collect().await.unwrap()
}

#[tokio::test]
async fn nodes_come_back_as_they_were_written() {
    let store = EmbeddedStore::in_memory();
    let given = properties([
        ("id", 7.into()),
        ("title", "Countess".into()),
        ("name", "Ada".into()),
        ("type", "person".into()),
        ("label", "x".into()),
        ("node_type", "y".into()),
        ("id_", "under".into()),
        ("born", 1815.into()),
    ]);
    let mut changes = ChangeSet::new();
    changes.upsert_node(person("ada"), &["__Entity__"], given.clone());
    changes.upsert_node(NodeKey::new("", "bare"), &[], Properties::new());
    changes.upsert_node(NodeKey::new("Node", "labelled"), &[], Properties::new());
    let counters = store.apply(changes).await.unwrap();
    assert_eq!((counters.nodes_created, counters.labels_changed), (3, 3));

    let with_id = |id: &str, mut given: Properties| {
        given.insert("__id__".to_owned(), id.into());
        given
    };
    assert_eq!(
        nodes(&store).await,
        [
            (vec!["Person".to_owned(), "__Entity__".to_owned()], with_id("ada", given)),
            (vec![], with_id("bare", Properties::new())),
            (vec!["Node".to_owned()], with_id("labelled", Properties::new())),
        ]
    );
}

#[tokio::test]
async fn merge_keeps_and_replace_drops_what_is_not_given() {
    let directory = tempfile::tempdir().unwrap();
    let store = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
    let mut changes = ChangeSet::new();
    changes.upsert_node(person("ada"), &[], properties([("a", 1.into()), ("b", 2.into())]));
    changes.upsert_node(person("bob"), &[], properties([("a", 1.into()), ("b", 2.into())]));
    changes.upsert_relationship(knows("ada", "bob", "1"), properties([("a", 1.into()), ("b", 2.into())]));
    changes.upsert_relationship(knows("ada", "bob", "2"), properties([("a", 1.into()), ("b", 2.into())]));
    store.apply(changes).await.unwrap();

    let given = || properties([("b", Value::Null), ("c", 3.into())]);
    let mut changes = ChangeSet::new();
    changes.upsert_node(person("ada"), &["Poet"], given());
    changes.push(Change::UpsertNode {
        key: person("bob"),
        labels: vec![],
        properties: given(),
        on_existing: OnExisting::Replace,
    });
    changes.upsert_relationship(knows("ada", "bob", "1"), given());
    changes.push(Change::UpsertRelationship {
        key: knows("ada", "bob", "2"),
        properties: given(),
        on_existing: OnExisting::Replace,
    });
    let counters = store.apply(changes).await.unwrap();
    assert_eq!((counters.nodes_created, counters.relationships_created, counters.labels_changed), (0, 0, 1));

    let reader = EmbeddedStore::open(directory.path(), OpenOptions::reader()).await.unwrap();
    for store in [&store, &reader] {
        assert_eq!(
            nodes(store).await,
            [
                (
                    vec!["Person".to_owned(), "Poet".to_owned()],
                    properties([("__id__", "ada".into()), ("a", 1.into()), ("c", 3.into())])
                ),
                (vec!["Person".to_owned()], properties([("__id__", "bob".into()), ("c", 3.into())])),
            ]
        );
        assert_eq!(
            relationship_properties(store).await,
            [
                properties([("__id__", "1".into()), ("a", 1.into()), ("c", 3.into())]),
                properties([("__id__", "2".into()), ("c", 3.into())]),
            ]
        );
    }
}

#[tokio::test]
async fn parallel_relationships_survive_reopening() {
    let directory = tempfile::tempdir().unwrap();
    let store = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
    let mut changes = ChangeSet::new();
    changes.upsert_node(person("ada"), &[], Properties::new());
    changes.upsert_node(person("bob"), &[], Properties::new());
    for id in ["1", "2", "3"] {
        changes.upsert_relationship(knows("ada", "bob", id), properties([("same", true.into())]));
    }
    changes.upsert_relationship(knows("ada", "bob", "2"), properties([("again", true.into())]));
    assert_eq!(store.apply(changes).await.unwrap().relationships_created, 3);
    let written = relationships(&store).await;
    assert_eq!(written.len(), 3);

    let reader = EmbeddedStore::open(directory.path(), OpenOptions::reader()).await.unwrap();
    assert_eq!(relationships(&reader).await, written);
    drop(store);
    assert_eq!(relationships(&reader).await, written);
    let store = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
    assert_eq!(relationships(&store).await, written);
    assert_eq!(store.version().await.unwrap(), reader.version().await.unwrap());
}

#[tokio::test]
async fn a_failure_in_the_middle_leaves_nothing() {
    let store = EmbeddedStore::in_memory();
    let mut changes = ChangeSet::new();
    changes.upsert_node(person("ada"), &[], Properties::new());
    store.apply(changes).await.unwrap();
    let before = store.version().await.unwrap();

    let mut changes = ChangeSet::new();
    changes.upsert_node(person("bob"), &[], Properties::new());
    changes.upsert_relationship(knows("ada", "bob", "1"), Properties::new());
    changes.push(Change::DeleteNode { key: person("ada") });
    changes.upsert_relationship(knows("bob", "carol", "1"), Properties::new());
    let error = store.apply(changes).await.unwrap_err();
    assert_eq!(error.to_string(), "the node `carol` with the label `Person` does not exist");
    assert!(matches!(error, StoreError::NotFound { .. }));
    assert_eq!(nodes(&store).await.len(), 1);
    assert_eq!(store.version().await.unwrap(), before);
}

#[tokio::test]
async fn deletes_by_key_and_ignores_what_is_not_there() -> Result<()> {
    let store = EmbeddedStore::in_memory();
    let mut changes = ChangeSet::new();
    for id in ["ada", "bob", "carol"] {
        changes.upsert_node(person(id), &[], Properties::new());
    }
    changes.upsert_relationship(knows("ada", "bob", "1"), Properties::new());
    changes.upsert_relationship(knows("ada", "bob", "2"), Properties::new());
    changes.upsert_relationship(knows("bob", "carol", "1"), Properties::new());
    store.apply(changes).await?;

    let mut changes = ChangeSet::new();
    changes.push(Change::DeleteRelationship { key: knows("ada", "bob", "1") });
    changes.push(Change::DeleteRelationship { key: knows("ada", "carol", "1") });
    changes.push(Change::DeleteNode { key: person("carol") });
    changes.push(Change::DeleteNode { key: person("dave") });
    changes.push(Change::DeleteNode { key: NodeKey::new("Robot", "r") });
    let counters = store.apply(changes).await?;
    assert_eq!((counters.nodes_deleted, counters.relationships_deleted), (1, 2));
    assert_eq!(relationship_properties(&store).await, [properties([("__id__", "2".into())])]);
    Ok(())
}

#[tokio::test]
async fn vectors_survive_reopening_and_go_with_replace() {
    let directory = tempfile::tempdir().unwrap();
    let store = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
    let vector = |key: &str, vector: &[f32]| Change::SetVector {
        key: person(key),
        property: "embedding".to_owned(),
        vector: vector.to_vec(),
    };
    let mut changes = ChangeSet::new();
    changes.upsert_node(person("ada"), &["__Entity__"], Properties::new());
    changes.upsert_node(person("bob"), &["__Entity__"], Properties::new());
    changes.push(vector("ada", &[0.5, -1.25]));
    changes.push(vector("bob", &[1.0, 2.0]));
    store.apply(changes).await.unwrap();
    let both = vectors(&store).await;
    assert_eq!(both.iter().map(|(_, vector)| vector.clone()).collect::<Vec<_>>(), [[0.5, -1.25], [1.0, 2.0]]);
    let by_entity: Vec<_> =
        store.vectors("__Entity__", "embedding").await.unwrap().try_collect().await.unwrap();
    assert_eq!(by_entity, both);
    assert_eq!(nodes(&store).await[0].1, properties([("__id__", "ada".into())]));

    let reader = EmbeddedStore::open(directory.path(), OpenOptions::reader()).await.unwrap();
    assert_eq!(vectors(&reader).await, both);
    let mut changes = ChangeSet::new();
    changes.push(Change::UpsertNode {
        key: person("ada"),
        labels: vec![],
        properties: Properties::new(),
        on_existing: OnExisting::Replace,
    });
    store.apply(changes).await.unwrap();
    assert_eq!(vectors(&store).await, both[1..]);
    assert_eq!(vectors(&reader).await, both[1..]);

    let mut changes = ChangeSet::new();
    changes.push(vector("ada", &[1.0]));
    assert!(store.apply(changes).await.is_err());
    drop(store);
    assert_eq!(vectors(&reader).await, both[1..]);
}

#[tokio::test]
async fn nodes_made_by_a_statement_can_be_read() {
    let store = EmbeddedStore::in_memory();
    let made = write(&store, "CREATE (:Person {born: 1815})-[:KNOWS]->(:Person {born: 1816})").await;
    assert_eq!((made.counters.nodes_created, made.counters.relationships_created), (2, 1));
    assert_eq!(
        rows(&store, "MATCH (a)-[:KNOWS]->(b) RETURN a.born, b.born").await,
        [[1815.into(), 1816.into()]]
    );
}

#[tokio::test]
async fn vectors_of_the_checkpoint_and_of_the_log_are_both_there() {
    let directory = tempfile::tempdir().unwrap();
    for (number, id) in ["ada", "bob", "carol"].into_iter().enumerate() {
        let store = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
        assert_eq!(vectors(&store).await.len(), number, "writer before");
        let mut changes = ChangeSet::new();
        changes.upsert_node(person(id), &[], Properties::new());
        changes.push(Change::SetVector {
            key: person(id),
            property: "embedding".to_owned(),
            vector: vec![number as f32, 1.0],
        });
        store.apply(changes).await.unwrap();
        assert_eq!(vectors(&store).await.len(), number + 1, "writer");
        let reader = EmbeddedStore::open(directory.path(), OpenOptions::reader()).await.unwrap();
        assert_eq!(vectors(&reader).await.len(), number + 1, "reader of the log");
        drop(store);
        assert_eq!(vectors(&reader).await.len(), number + 1, "reader of the checkpoint");
    }
}

/// The engine takes some texts for equal: `x` and `["x"]`, `Q42` and `42`, a date and its text.
#[tokio::test]
async fn identifiers_are_told_apart_exactly() {
    let directory = tempfile::tempdir().unwrap();
    let store = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
    let ids =
        ["[\"x\"]", "x", "Q42", "42", "2024-01-01", "2024-01-01T00:00:00", "1", "1.0", "P1D", "PT24H", ""];
    for given in ["made", "changed"] {
        let mut changes = ChangeSet::new();
        for id in ids {
            changes.upsert_node(person(id), &[], properties([(given, id.into())]));
        }
        for id in ids {
            changes.upsert_relationship(knows("x", id, id), properties([(given, id.into())]));
            changes.upsert_relationship(knows(id, "x", id), properties([(given, id.into())]));
        }
        store.apply(changes).await.unwrap();
    }
    let reader = EmbeddedStore::open(directory.path(), OpenOptions::reader()).await.unwrap();
    for store in [&store, &reader] {
        let nodes = nodes(store).await;
        assert_eq!(nodes.len(), ids.len());
        for (_, properties) in nodes {
            assert_eq!(
                (&properties["made"], &properties["changed"]),
                (&properties["__id__"], &properties["__id__"])
            );
        }
        // The loop at `x` is the same relationship both ways.
        let relationships = relationship_properties(store).await;
        assert_eq!(relationships.len(), 2 * ids.len() - 1);
        for properties in relationships {
            assert_eq!(
                (&properties["made"], &properties["changed"]),
                (&properties["__id__"], &properties["__id__"])
            );
        }
    }
    let mut changes = ChangeSet::new();
    changes.push(Change::DeleteRelationship { key: knows("x", "[\"x\"]", "[\"x\"]") });
    changes.push(Change::DeleteNode { key: person("2024-01-01") });
    let counters = store.apply(changes).await.unwrap();
    assert_eq!((counters.nodes_deleted, counters.relationships_deleted), (1, 3));
    assert_eq!(relationships(&reader).await.len(), 2 * ids.len() - 4);
}

#[tokio::test]
async fn a_node_of_many_properties_is_read_as_it_was_written() {
    let store = EmbeddedStore::in_memory();
    let properties: Properties = (0..3_000).map(|at| (format!("p{at}"), Value::Integer(at))).collect();
    let mut changes = ChangeSet::new();
    changes.upsert_node(NodeKey::new("Wide", "w"), &[], properties.clone());
    changes.upsert_node(NodeKey::new("Wide", "x"), &[], Properties::from([("q".to_owned(), 1.into())]));
    store.apply(changes).await.unwrap();
    let mut found = nodes(&store).await;
    found.sort_by_key(|(_, properties)| properties.len());
    let sizes: Vec<usize> = found.iter().map(|(_, properties)| properties.len()).collect();
    // With the identifier of each.
    assert_eq!(sizes, [2, 3_001]);
    assert!(properties.iter().all(|(name, value)| found[1].1.get(name) == Some(value)));
}
