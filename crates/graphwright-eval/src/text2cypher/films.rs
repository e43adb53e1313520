//! The shipped set on its graph, for tests.

use std::sync::Arc;

use graphwright::exchange::{ImportOptions, Source, import};
use graphwright_core::{GraphStore, store::SchemaOptions};
use graphwright_cypher::lint::Lint;
use graphwright_embedded::EmbeddedStore;

use super::SHIPPED_GRAPH;

/// Returns a store with the films.
pub(super) async fn store() -> Arc<dyn GraphStore> {
    let store = EmbeddedStore::in_memory();
    fill(&store).await;
    Arc::new(store)
}

/// Imports the films into a store.
pub(super) async fn fill(store: &dyn GraphStore) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("graph.jsonl");
    std::fs::write(&file, SHIPPED_GRAPH).unwrap();
    import(store, vec![Source::JsonLines(file)], &ImportOptions::default(), &mut |_| {}).await.unwrap();
}

pub(super) async fn lint() -> Lint {
    Lint::new(&store().await.schema(SchemaOptions::default()).await.unwrap().without_reserved())
}
