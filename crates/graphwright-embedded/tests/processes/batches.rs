//! The batches that the writers write, whose whole is easy to tell from a part.

use std::collections::BTreeMap;

use graphwright_core::{
    GraphStore, NodeKey, Properties, RelationshipKey, Result, Statement,
    store::{Change, ChangeSet, QueryOptions},
};
use graphwright_embedded::EmbeddedStore;

/// The number of nodes of a batch. Each has a vector and two relationships of one type to the next.
pub(crate) const NODES: usize = 60;

/// Returns the changes of a batch.
pub(crate) fn changes(number: i64) -> ChangeSet {
    let mut changes = ChangeSet::new();
    let key = |index: usize| NodeKey::new("Item", format!("{number}/{index}"));
    let properties = || Properties::from([("batch".to_owned(), number.into())]);
    for index in 0..NODES {
        changes.upsert_node(key(index), &["__Entity__"], properties());
    }
    for index in 0..NODES {
        for id in ["a", "b"] {
            let (from, to) = (key(index), key((index + 1) % NODES));
            let key = RelationshipKey { kind: "NEXT".to_owned(), from, to, id: id.to_owned() };
            changes.upsert_relationship(key, properties());
        }
    }
    for index in 0..NODES {
        let vector = vec![number as f32, index as f32];
        changes.push(Change::SetVector { key: key(index), property: "embedding".to_owned(), vector });
    }
    changes
}

/// Counts the nodes, relationships and vectors of each batch.
pub(crate) async fn found(store: &EmbeddedStore) -> Result<BTreeMap<i64, [usize; 3]>> {
    use futures::TryStreamExt;

    let mut found: BTreeMap<i64, [usize; 3]> = BTreeMap::new();
    let statements = [
        Statement::fixed("MATCH (n:Item) RETURN n.batch, count(n)"),
        Statement::fixed("MATCH (:Item)-[r:NEXT]->(:Item) RETURN r.batch, count(r)"),
    ];
    for (place, statement) in statements.into_iter().enumerate() {
        let table = store.read(statement, QueryOptions::default()).await?.collect().await?;
        for row in table.rows {
            let (batch, count) = (row[0].as_integer().unwrap(), row[1].as_integer().unwrap());
            found.entry(batch).or_default()[place] = usize::try_from(count).unwrap();
        }
    }
    let vectors: Vec<_> = store.vectors("Item", "embedding").await?.try_collect().await?;
    for (_, vector) in vectors {
        found.entry(vector[0] as i64).or_default()[2] += 1;
    }
    Ok(found)
}

/// The counts of a whole batch.
pub(crate) const WHOLE: [usize; 3] = [NODES, 2 * NODES, NODES];
