//! Names that the engine keeps for itself are ordinary names to users.

use graphwright_core::{
    GraphStore, NodeKey, Properties, Statement, Value,
    store::{Change, ChangeSet, QueryOptions},
};
use graphwright_embedded::EmbeddedStore;

use crate::support::{knows, person, properties, read, rows, write};

async fn sample() -> EmbeddedStore {
    let store = EmbeddedStore::in_memory();
    let mut changes = ChangeSet::new();
    changes.upsert_node(person("ada"), &[], properties([("name", "Ada".into()), ("age", 36.into())]));
    changes.upsert_node(person("bob"), &[], properties([("title", "Sir".into()), ("type", "x".into())]));
    changes.upsert_node(NodeKey::new("", "bare"), &[], Properties::new());
    changes.upsert_relationship(knows("ada", "bob", "1"), properties([("type", "friend".into())]));
    changes.push(Change::SetVector {
        key: person("ada"),
        property: "embedding".to_owned(),
        vector: vec![1.0, 2.0],
    });
    store.apply(changes).await.unwrap();
    store
}

fn text(value: &str) -> Value {
    value.into()
}

#[tokio::test]
async fn what_is_absent_is_null() {
    let store = sample().await;
    for (query, expected) in [
        ("MATCH (n:Person) WHERE n.title IS NULL RETURN n.__id__", vec![vec![text("ada")]]),
        ("MATCH (n:Person) WHERE n.name IS NULL RETURN n.__id__", vec![vec![text("bob")]]),
        ("MATCH (n:Person) WHERE n.id IS NULL RETURN count(*)", vec![vec![2.into()]]),
        (
            "MATCH (n:Person) WHERE n.label IS NULL AND n.node_type IS NULL RETURN count(*)",
            vec![vec![2.into()]],
        ),
        ("MATCH (n:Person {type: 'x'}) RETURN n.title, n.type", vec![vec![text("Sir"), text("x")]]),
        (
            "MATCH ()-[r:KNOWS]->() RETURN r.type, type(r), r.id",
            vec![vec![text("friend"), text("KNOWS"), Value::Null]],
        ),
        ("MATCH (n:Person) RETURN n.name ORDER BY n.name", vec![vec![text("Ada")], vec![Value::Null]]),
    ] {
        assert_eq!(rows(&store, query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn keys_and_maps_have_no_more_than_was_stored() {
    let store = sample().await;
    let stored = || properties([("__id__", text("ada")), ("age", 36.into()), ("name", text("Ada"))]);
    let names: Vec<Value> = vec![text("__id__"), text("age"), text("name")];
    for (query, expected) in [
        (
            "MATCH (n:Person {age: 36}) UNWIND keys(n) AS key WITH key ORDER BY key RETURN collect(key)",
            Value::List(names),
        ),
        ("MATCH (n:Person {age: 36}) RETURN properties(n)", Value::Map(stored())),
        ("MATCH (n:Person {age: 36}) RETURN n {.*}", Value::Map(stored())),
        (
            "MATCH (n:Person {age: 36}) RETURN n {.name, .title}",
            Value::Map(properties([("name", text("Ada")), ("title", Value::Null)])),
        ),
        (
            "RETURN {id: 1, type: 'a', name: null}",
            Value::Map(properties([("id", 1.into()), ("type", text("a")), ("name", Value::Null)])),
        ),
        (
            "MATCH ()-[r:KNOWS]->() RETURN properties(r)",
            Value::Map(properties([("__id__", text("1")), ("type", text("friend"))])),
        ),
        ("MATCH (n {__id__: 'bare'}) RETURN labels(n)", Value::List(vec![])),
    ] {
        assert_eq!(rows(&store, query).await, [[expected]], "{query}");
    }
    let table = read(&store, Statement::fixed("MATCH (n:Person {age: 36}) RETURN n")).await.unwrap();
    assert_eq!(table.rows[0][0].as_node().unwrap().properties, stored());
}

#[tokio::test]
async fn statements_write_and_columns_keep_their_names() {
    let store = EmbeddedStore::in_memory();
    write(&store, "CREATE (n:Node {id: 1, name: 'a'}) SET n.title = 'b', n += {type: 'c'}").await;
    write(&store, "CREATE ({id: 2})").await;
    let table =
        read(&store, Statement::fixed("MATCH (n:Node) RETURN n.id, n.name, n.title, n.type, labels(n)"))
            .await;
    let table = table.unwrap();
    assert_eq!(table.columns, ["n.id", "n.name", "n.title", "n.type", "labels(n)"]);
    assert_eq!(table.rows, [[1.into(), text("a"), text("b"), text("c"), vec!["Node"].into()]]);
    let given = Value::Map(properties([("id", 3.into()), ("name", text("by parameter"))]));
    let statement =
        Statement::fixed("MATCH (n) WHERE n.id = 2 SET n = $given RETURN n").with("given", given.clone());
    let node = store.write(statement, QueryOptions::default()).await.unwrap().table.rows.remove(0).remove(0);
    assert_eq!(Value::Map(node.as_node().unwrap().properties.clone()), given);
    assert_eq!(node.as_node().unwrap().labels, Vec::<String>::new());
    write(&store, "MATCH (n) REMOVE n.name").await;
    assert_eq!(rows(&store, "MATCH (n) WHERE n.name IS NOT NULL RETURN n").await, Vec::<Vec<Value>>::new());
}

#[tokio::test]
async fn the_catalogue_has_the_users_names() {
    let store = sample().await;
    write(&store, "CREATE INDEX people FOR (n:Person) ON (n.name)").await;
    for (query, expected) in [
        (
            "CALL db.propertyKeys() YIELD propertyKey RETURN propertyKey ORDER BY propertyKey",
            vec![
                vec![text("__id__")],
                vec![text("age")],
                vec![text("name")],
                vec![text("title")],
                vec![text("type")],
            ],
        ),
        ("CALL db.labels()", vec![vec![text("Person")]]),
        ("SHOW INDEXES YIELD name, properties", vec![vec![text("people"), vec!["name"].into()]]),
    ] {
        assert_eq!(rows(&store, query).await, expected, "{query}");
    }
}
