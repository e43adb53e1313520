//! The schema that the store describes.

use futures::TryStreamExt;
use graphwright_core::{
    GraphStore, Properties, Value,
    schema::Pattern,
    store::{Change, ChangeSet, ScanOptions, SchemaOptions, Selection},
};
use graphwright_embedded::EmbeddedStore;

use crate::support::{knows, person, properties};

async fn sample() -> EmbeddedStore {
    let store = EmbeddedStore::in_memory();
    let mut changes = ChangeSet::new();
    for number in 0..12_i64 {
        let given = properties([
            ("name", format!("Person {number}").into()),
            ("type", if number % 2 == 0 { "even" } else { "odd" }.into()),
            ("number", number.into()),
        ]);
        changes.upsert_node(person(&number.to_string()), &["__Entity__"], given);
    }
    changes.upsert_node(graphwright_core::NodeKey::new("", "bare"), &[], Properties::new());
    changes.upsert_relationship(knows("0", "1", "a"), properties([("since", 1900.into())]));
    changes.upsert_relationship(knows("0", "1", "b"), properties([("since", "long".into())]));
    changes.push(Change::SetVector { key: person("0"), property: "embedding".to_owned(), vector: vec![1.0] });
    store.apply(changes).await.unwrap();
    store
}

#[tokio::test]
async fn labels_types_properties_and_patterns_are_counted() {
    let schema = sample().await.schema(SchemaOptions::default()).await.unwrap();
    let labels: Vec<_> = schema.labels.iter().map(|label| (label.name.as_str(), label.count)).collect();
    assert_eq!(labels, [("Person", 12), ("__Entity__", 12)]);
    let names: Vec<_> = schema.labels[0].properties.iter().map(|each| each.name.as_str()).collect();
    assert_eq!(names, ["__id__", "name", "number", "type"]);
    let number = &schema.labels[0].properties[2];
    assert_eq!((number.min.clone(), number.max.clone()), (Some(0.into()), Some(11.into())));
    assert_eq!((number.values.clone(), number.samples.len(), number.count), (None, 5, 12));
    assert_eq!(schema.labels[0].properties[3].values, Some(vec![Value::from("even"), Value::from("odd")]));
    let knows = &schema.relationship_types[0];
    assert_eq!((knows.name.as_str(), knows.count), ("KNOWS", 2));
    assert_eq!(knows.properties[1].types, ["INTEGER", "STRING"]);
    let pattern =
        |from: &str, to: &str| Pattern { from: from.into(), kind: "KNOWS".into(), to: to.into(), count: 2 };
    assert_eq!(
        schema.patterns,
        [
            pattern("Person", "Person"),
            pattern("Person", "__Entity__"),
            pattern("__Entity__", "Person"),
            pattern("__Entity__", "__Entity__"),
        ]
    );
}

#[tokio::test]
async fn what_is_not_asked_for_is_left_out() {
    let options = SchemaOptions {
        labels: Selection::Except(vec!["__Entity__".to_owned()]),
        relationship_types: Selection::None,
        sample: 3,
        values: 2,
    };
    let schema = sample().await.schema(options).await.unwrap();
    assert_eq!(schema.labels.len(), 1);
    assert_eq!(schema.labels[0].count, 12);
    let kind = &schema.labels[0].properties[3];
    assert_eq!((kind.count, kind.values.clone(), kind.samples.len()), (3, None, 2));
    assert!(schema.relationship_types.is_empty() && schema.patterns.is_empty());
}

#[tokio::test]
async fn a_scan_reads_what_it_is_asked_for() {
    let store = sample().await;
    let options = ScanOptions {
        labels: Selection::only(["Person"]),
        relationship_types: Selection::None,
        node_properties: Selection::only(["type", "absent"]),
        relationship_properties: Selection::None,
    };
    let batches: Vec<_> = store.scan(options).await.unwrap().try_collect().await.unwrap();
    let nodes: Vec<_> = batches.iter().flat_map(|batch| &batch.nodes).collect();
    assert_eq!(nodes.len(), 12);
    assert!(nodes.iter().all(|node| node.properties.keys().eq(["type"])));
    assert!(batches.iter().all(|batch| batch.relationships.is_empty()));
    let options = ScanOptions { node_properties: Selection::None, ..ScanOptions::default() };
    let batches: Vec<_> = store.scan(options).await.unwrap().try_collect().await.unwrap();
    assert_eq!(batches.iter().flat_map(|batch| &batch.nodes).count(), 13);
    assert_eq!(batches.iter().flat_map(|batch| &batch.relationships).count(), 2);
    assert!(batches.iter().flat_map(|batch| &batch.nodes).all(|node| node.properties.is_empty()));
}
