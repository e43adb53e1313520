//! Short forms for the tests.

use futures::TryStreamExt;
use graphwright_core::{
    GraphStore, Node, NodeKey, Properties, Relationship, RelationshipKey, Statement, StoreError, Table,
    Value,
    store::{QueryOptions, ScanOptions, WriteResult},
};

pub(crate) fn person(id: &str) -> NodeKey {
    NodeKey::new("Person", id)
}

pub(crate) fn knows(from: &str, to: &str, id: &str) -> RelationshipKey {
    RelationshipKey { kind: "KNOWS".to_owned(), from: person(from), to: person(to), id: id.to_owned() }
}

pub(crate) fn properties<const N: usize>(entries: [(&str, Value); N]) -> Properties {
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

pub(crate) async fn read(store: &dyn GraphStore, statement: Statement) -> Result<Table, StoreError> {
    store.read(statement, QueryOptions::default()).await?.collect().await
}

pub(crate) async fn rows(store: &dyn GraphStore, text: &'static str) -> Vec<Vec<Value>> {
    read(store, Statement::fixed(text)).await.unwrap().rows
}

pub(crate) async fn write(store: &dyn GraphStore, text: &'static str) -> WriteResult {
    store.write(Statement::fixed(text), QueryOptions::default()).await.unwrap()
}

/// Returns all nodes, by `__id__`.
pub(crate) async fn nodes(store: &dyn GraphStore) -> Vec<Node> {
    let batches = store.scan(ScanOptions::default()).await.unwrap();
    let batches: Vec<_> = batches.try_collect().await.unwrap();
    let mut nodes: Vec<_> = batches.into_iter().flat_map(|batch| batch.nodes).collect();
    nodes.sort_by_key(|node| node.id().to_owned());
    nodes
}

/// Returns all relationships, by `__id__`.
pub(crate) async fn relationships(store: &dyn GraphStore) -> Vec<Relationship> {
    let batches = store.scan(ScanOptions::default()).await.unwrap();
    let batches: Vec<_> = batches.try_collect().await.unwrap();
    let mut found: Vec<_> = batches.into_iter().flat_map(|batch| batch.relationships).collect();
    found.sort_by_key(|relationship| relationship.id().to_owned());
    found
}
