//! Indexes and uniqueness constraints.

use graphwright_core::{
    GraphStore, Properties, Statement, StoreError,
    schema::{Constraint, Index, IndexKind, Similarity, Target},
    store::{Change, ChangeSet, QueryOptions, SchemaOptions},
};
use graphwright_embedded::{EmbeddedStore, OpenOptions};

use crate::support::{knows, person, properties, rows, write};

fn index(target: Target, names: &[&str], kind: IndexKind) -> Index {
    let properties = names.iter().map(|&name| name.to_owned()).collect();
    Index { name: String::new(), target, properties, kind }
}

fn label() -> Target {
    Target::Label("Person".to_owned())
}

fn unique(names: &[&str]) -> Constraint {
    let properties = names.iter().map(|&name| name.to_owned()).collect();
    Constraint { name: String::new(), label: "Person".to_owned(), properties }
}

async fn indexes(store: &EmbeddedStore) -> Vec<String> {
    let mut names: Vec<_> = store
        .schema(SchemaOptions::default())
        .await
        .unwrap()
        .indexes
        .into_iter()
        .map(|index| index.name)
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn indexes_are_made_listed_kept_and_dropped() {
    let directory = tempfile::tempdir().unwrap();
    let store = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
    let mut changes = ChangeSet::new();
    for id in ["ada", "bob"] {
        let text = properties([("name", id.into()), ("born", 1815.into()), ("bio", "wrote notes".into())]);
        changes.upsert_node(person(id), &[], text);
    }
    changes.upsert_relationship(knows("ada", "bob", "1"), properties([("since", 1830.into())]));
    store.apply(changes).await.unwrap();
    assert_eq!(indexes(&store).await, Vec::<String>::new());

    let vector = IndexKind::Vector { dimensions: 2, similarity: Similarity::Cosine };
    let asked = [
        index(label(), &["name"], IndexKind::Property),
        index(label(), &["name", "born"], IndexKind::Property),
        index(label(), &["bio"], IndexKind::FullText),
        index(label(), &["embedding"], vector),
        index(Target::RelationshipType("KNOWS".to_owned()), &["since"], IndexKind::Property),
    ];
    for index in &asked {
        store.create_index(index.clone()).await.unwrap();
        store.create_index(index.clone()).await.unwrap();
    }
    let expected = [
        "fulltext_Person_bio",
        "index_KNOWS_since",
        "index_Person_name",
        "index_Person_name_born",
        "vector_Person_embedding",
    ];
    assert_eq!(indexes(&store).await, expected);
    let schema = store.schema(SchemaOptions::default()).await.unwrap();
    for asked in &asked {
        let found = schema.indexes.iter().find(|found| {
            let mut properties = asked.properties.clone();
            properties.sort();
            (&found.target, &found.properties, &found.kind) == (&asked.target, &properties, &asked.kind)
        });
        assert!(found.is_some(), "{asked:?} in {:?}", schema.indexes);
    }
    drop(store);
    let store = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
    assert_eq!(indexes(&store).await, expected);
    for name in expected {
        store.drop_index(name).await.unwrap();
    }
    assert_eq!(indexes(&store).await, Vec::<String>::new());
    let error = store.drop_index("absent").await.unwrap_err();
    assert!(matches!(error, StoreError::NotFound { .. }), "{error:?}");
}

#[tokio::test]
async fn relationships_written_after_their_index_are_found_by_it() {
    let store = EmbeddedStore::in_memory();
    let mut changes = ChangeSet::new();
    for id in ["ada", "bob"] {
        changes.upsert_node(person(id), &[], Properties::new());
    }
    changes.upsert_relationship(knows("ada", "bob", "0"), properties([("since", 0.into())]));
    store.apply(changes).await.unwrap();
    let target = Target::RelationshipType("KNOWS".to_owned());
    store.create_index(index(target, &["since"], IndexKind::Property)).await.unwrap();
    let mut changes = ChangeSet::new();
    for number in 1..50_i64 {
        let given = properties([("since", number.into())]);
        changes.upsert_relationship(knows("ada", "bob", &number.to_string()), given);
    }
    store.apply(changes).await.unwrap();
    assert_eq!(rows(&store, "MATCH ()-[r:KNOWS]->() WHERE r.since = 49 RETURN count(*)").await, [[1.into()]]);
    assert_eq!(
        rows(&store, "MATCH ()-[r:KNOWS]->() WHERE r.since >= 0 RETURN count(*)").await,
        [[50.into()]]
    );
}

#[tokio::test]
async fn unique_constraints_are_enforced_on_both_ways_to_write() {
    let directory = tempfile::tempdir().unwrap();
    let store = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
    store.create_constraint(unique(&["email"])).await.unwrap();
    store.create_constraint(unique(&["email"])).await.unwrap();
    store.create_constraint(unique(&["first", "last"])).await.unwrap();
    let given = || properties([("email", "a@b".into()), ("first", "Ada".into()), ("last", "L".into())]);
    let mut changes = ChangeSet::new();
    changes.upsert_node(person("ada"), &[], given());
    store.apply(changes).await.unwrap();
    drop(store);

    let store = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
    let mut changes = ChangeSet::new();
    changes.upsert_node(person("carol"), &[], Properties::new());
    changes.upsert_node(person("bob"), &[], properties([("email", "a@b".into())]));
    let error = store.apply(changes).await.unwrap_err();
    assert!(matches!(error, StoreError::Constraint { .. }), "{error:?}");
    let statement = Statement::fixed("CREATE (:Person {first: 'Ada', last: 'L'})");
    let error = store.write(statement, QueryOptions::default()).await.unwrap_err();
    assert!(matches!(error, StoreError::Constraint { .. }), "{error:?}");
    assert_eq!(rows(&store, "MATCH (n:Person) RETURN count(*)").await, [[1.into()]]);

    let mut constraints = store.schema(SchemaOptions::default()).await.unwrap().constraints;
    constraints.sort_by_key(|constraint| constraint.properties.len());
    assert_eq!(constraints[0].properties, ["email"]);
    assert_eq!(constraints[1].properties, ["first", "last"]);
    assert_eq!(indexes(&store).await, Vec::<String>::new());
    for constraint in constraints {
        store.drop_constraint(&constraint.name).await.unwrap();
    }
    write(&store, "CREATE (:Person {email: 'a@b'})").await;
    let error = store.create_constraint(unique(&["email"])).await.unwrap_err();
    assert!(matches!(error, StoreError::Constraint { .. }), "{error:?}");
    assert!(matches!(store.drop_constraint("absent").await, Err(StoreError::NotFound { .. })));
}

#[tokio::test]
async fn a_vector_index_follows_the_vectors_and_survives() {
    let directory = tempfile::tempdir().unwrap();
    let kind = IndexKind::Vector { dimensions: 2, similarity: Similarity::Cosine };
    let vector = |id: &str, vector: [f32; 2]| Change::SetVector {
        key: person(id),
        property: "embedding".to_owned(),
        vector: vector.to_vec(),
    };
    for (number, id) in ["ada", "bob", "carol"].into_iter().enumerate() {
        let store = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
        let mut changes = ChangeSet::new();
        changes.upsert_node(person(id), &[], Properties::new());
        changes.push(vector(id, [1.0, number as f32]));
        store.apply(changes).await.unwrap();
        store.create_index(index(label(), &["embedding"], kind)).await.unwrap();
        let reader = EmbeddedStore::open(directory.path(), OpenOptions::reader()).await.unwrap();
        assert_eq!(indexes(&reader).await, ["vector_Person_embedding"]);
    }
    let store = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
    store.drop_index("vector_Person_embedding").await.unwrap();
    let named = Index { name: "people".to_owned(), ..index(label(), &["embedding"], kind) };
    store.create_index(named).await.unwrap();
    drop(store);
    let store = EmbeddedStore::open(directory.path(), OpenOptions::writer()).await.unwrap();
    assert_eq!(indexes(&store).await, ["people"]);
    let wrong = IndexKind::Vector { dimensions: 3, similarity: Similarity::Cosine };
    let error = store.create_index(index(label(), &["embedding"], wrong)).await.unwrap_err();
    assert!(matches!(error, StoreError::Constraint { .. }), "{error:?}");
}

#[tokio::test]
async fn an_index_may_come_before_the_nodes_but_not_on_a_further_label() {
    let store = EmbeddedStore::in_memory();
    store.create_index(index(label(), &["name"], IndexKind::Property)).await.unwrap();
    store.create_index(index(label(), &["bio"], IndexKind::FullText)).await.unwrap();
    let mut changes = ChangeSet::new();
    changes.upsert_node(
        person("ada"),
        &["Poet"],
        properties([("name", "Ada".into()), ("bio", "notes".into())]),
    );
    store.apply(changes).await.unwrap();
    assert_eq!(rows(&store, "MATCH (n:Person) WHERE n.name = 'Ada' RETURN count(*)").await, [[1.into()]]);
    for kind in [IndexKind::Property, IndexKind::FullText] {
        let target = Target::Label("Poet".to_owned());
        let error = store.create_index(index(target, &["name"], kind)).await.unwrap_err();
        assert!(matches!(error, StoreError::Unsupported { .. }), "{kind:?} {error:?}");
    }
}
