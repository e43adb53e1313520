//! Changing the embedder of a graph.

use std::{path::Path, sync::Arc};

use async_trait::async_trait;
use graphwright::{
    Access, Error, Graph, Ingested, Input, SearchRequest, Settings,
    llm::{Embedder, EmbedderIdentity},
    search::SearchMode,
};

/// Counts the letters a to h.
#[derive(Debug)]
struct Letters(EmbedderIdentity);

#[async_trait]
impl Embedder for Letters {
    fn identity(&self) -> &EmbedderIdentity {
        &self.0
    }

    async fn embed(&self, texts: &[String]) -> graphwright::llm::Result<Vec<Vec<f32>>> {
        let count = |text: &str, letter| text.matches(letter).count() as f32;
        let vector = |text: &String| -> Vec<f32> {
            let counts: Vec<f32> = ('a'..='h').map(|letter| count(text, letter)).collect();
            let length = counts.iter().map(|count| count * count).sum::<f32>().sqrt().max(1.0);
            counts.iter().map(|count| count / length).collect()
        };
        Ok(texts.iter().map(vector).collect())
    }
}

fn letters() -> Arc<dyn Embedder> {
    Arc::new(Letters(EmbedderIdentity { name: "letters".into(), weights: String::new(), dimensions: 8 }))
}

async fn open(folder: &Path) -> Result<Graph, Error> {
    Graph::open(Settings::at(folder), Access::Write).await
}

async fn ingest(graph: &Graph, text: &str, re_embed: bool) -> Result<Ingested, Error> {
    let note = Input::Bytes { source: "note.md".to_owned(), bytes: text.as_bytes().to_vec() };
    graph.ingest([note]).re_embed(re_embed).await
}

const FIRST: &str = "# Services\n\nThe service `ledger` depends on the library `money-types`.\n";
const SECOND: &str = "# Services\n\nThe service `ledger` depends on the library `clock`.\n";

#[tokio::test]
async fn another_embedder_is_refused_before_anything_is_written_and_taken_when_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let graph = open(&folder.path().join("graph")).await.unwrap();
    let first = ingest(&graph, FIRST, false).await.unwrap();
    assert!(first.index.embedded > 0);
    let version = graph.store().version().await.unwrap();

    let graph = graph.with_embedder(letters());
    let refused = ingest(&graph, SECOND, false).await.unwrap_err();
    assert_eq!(refused.code(), "other_embedder");
    assert!(refused.hint().unwrap().contains("embed all texts anew"), "{:?}", refused.hint());
    assert_eq!(graph.store().version().await.unwrap(), version, "nothing was written");

    let again = ingest(&graph, SECOND, true).await.unwrap();
    assert_eq!((again.report.documents.changed, again.index.reused), (1, 0));
    let request = SearchRequest { mode: SearchMode::Vector, ..SearchRequest::new("clock") };
    let found = graph.search(&request).await.unwrap();
    assert_eq!((found.mode, found.notices), (SearchMode::Vector, vec![]));
    assert!(!found.hits.is_empty());
    assert!(ingest(&graph, SECOND, false).await.unwrap().index.unchanged);
}

#[tokio::test]
async fn all_vectors_can_be_made_anew_with_nothing_to_read() {
    let folder = tempfile::tempdir().unwrap();
    let graph = open(&folder.path().join("graph")).await.unwrap();
    let first = ingest(&graph, FIRST, false).await.unwrap();
    let again = ingest(&graph.with_embedder(letters()), FIRST, true).await.unwrap();
    assert_eq!(again.report.documents.unchanged, 1);
    assert_eq!((again.index.embedded, again.index.reused), (first.index.embedded, 0));
}
