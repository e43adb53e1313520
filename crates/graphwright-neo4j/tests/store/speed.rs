//! Measures writing many types.

use std::time::Instant;

use graphwright_core::{GraphStore, NodeKey, Properties, RelationshipKey, store::ChangeSet};

use crate::support::{alone_and_empty, rows};

/// Returns the changes of one batch of documents: entities of `types` types, with relationships of `types` types between
/// all of them.
fn batch(number: usize, types: usize) -> ChangeSet {
    let key = |index: usize| {
        NodeKey::new(format!("Type{}", index % types), format!("Type{}:{index}", index % types))
    };
    let mut changes = ChangeSet::new();
    let properties =
        |name: &str, index: usize| Properties::from([(name.to_owned(), format!("{name} {index}").into())]);
    for index in 0..200 {
        changes.upsert_node(key(number * 150 + index), &["__Entity__"], properties("name", index));
    }
    for index in 0..300 {
        let (from, to) = (number * 150 + index * 7 % 200, number * 150 + index * 11 % 200);
        let link = RelationshipKey {
            kind: format!("REL{}", (index / 5) % types),
            from: key(from),
            to: key(to),
            id: format!("{from}|{index}|{to}"),
        };
        changes.upsert_relationship(link, properties("text", index));
    }
    changes
}

/// Measures, since a machine's load decides: planning a statement for each pattern of labels took three times as long.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn many_types_are_written_with_few_statements() {
    for types in [2, 5, 8] {
        let (_alone, store) = alone_and_empty().await;
        let start = Instant::now();
        for number in 0..20 {
            store.apply(batch(number, types)).await.unwrap();
        }
        println!("20 batches of {types} x {types} types: {:?}", start.elapsed());
        let found = rows(&*store, "MATCH ()-[r]->() RETURN count(r), count(DISTINCT type(r))").await.unwrap();
        assert_eq!(found, [[6_000.into(), types.into()]]);
    }
}
