//! Tests of whole imports and exports: files into a store, and back.

mod csv;
mod forms;
mod importer;
mod json_lines;
mod public_data;
mod script;
mod values;

use std::path::{Path, PathBuf};

use futures::StreamExt;
use graphwright_core::{
    GraphStore, Node, Relationship, Statement, Value, names,
    store::{QueryOptions, ScanOptions, SchemaOptions},
};
use graphwright_embedded::EmbeddedStore;

use super::*;
use crate::{ExchangeError, Result};

async fn import_all(
    store: &EmbeddedStore,
    paths: &[PathBuf],
    options: &ImportOptions,
) -> Result<ImportReport> {
    let mut sources = Vec::new();
    for path in paths {
        sources.extend(Source::detect(path, &options.csv)?);
    }
    import(store, sources, options, &mut |_| {}).await
}

/// Writes files into a folder and imports them.
async fn import_texts(store: &EmbeddedStore, files: &[(&str, &str)]) -> Result<ImportReport> {
    import_texts_with(store, files, &ImportOptions::default()).await
}

async fn import_texts_with(
    store: &EmbeddedStore,
    files: &[(&str, &str)],
    options: &ImportOptions,
) -> Result<ImportReport> {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<_> = files.iter().map(|(name, text)| write(folder.path(), name, text)).collect();
    import_all(store, &paths, options).await
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

async fn problem(files: &[(&str, &str)]) -> String {
    let store = EmbeddedStore::in_memory();
    let error = import_texts(&store, files).await.unwrap_err();
    assert_eq!(contents(&store).await, (vec![], vec![]), "nothing may be written");
    format!("{error}\nhint: {}", error.hint().unwrap_or_default())
}

/// Returns nodes as `Label:Label {property: value}` and relationships with the identifiers of their
/// ends, both sorted.
async fn contents(store: &dyn GraphStore) -> (Vec<String>, Vec<String>) {
    let (nodes, relationships) = elements(store).await;
    let name = |id| nodes.iter().find(|node| node.element_id == id).map(|node| node.id().to_owned()).unwrap();
    let shown = |properties: &graphwright_core::Properties| serde_json::to_string(properties).unwrap();
    let mut node_texts: Vec<_> =
        nodes.iter().map(|node| format!("{} {}", node.labels.join(":"), shown(&node.properties))).collect();
    let mut relationship_texts: Vec<_> = relationships
        .iter()
        .map(|found| {
            let (start, end) = (name(found.start.clone()), name(found.end.clone()));
            format!("{start} -{}-> {end} {}", found.kind, shown(&found.properties))
        })
        .collect();
    node_texts.sort();
    relationship_texts.sort();
    (node_texts, relationship_texts)
}

async fn elements(store: &dyn GraphStore) -> (Vec<Node>, Vec<Relationship>) {
    let mut batches = store.scan(ScanOptions::default()).await.unwrap();
    let (mut nodes, mut relationships) = (Vec::new(), Vec::new());
    while let Some(batch) = batches.next().await {
        let batch = batch.unwrap();
        nodes.extend(batch.nodes);
        relationships.extend(batch.relationships);
    }
    (nodes, relationships)
}

async fn single(store: &dyn GraphStore, text: &'static str) -> Value {
    let rows =
        store.read(Statement::fixed(text), QueryOptions::default()).await.unwrap().collect().await.unwrap();
    rows.rows[0][0].clone()
}
