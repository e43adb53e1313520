//! Searches, retrievers and evidence under a reranker.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use async_trait::async_trait;
use graphwright::{
    Access, EvidenceContent, EvidenceOptions, Graph, Input, RetrieverChoice, SearchRequest, Settings,
    llm::{ListwiseReranker, LlmError, Reranker, Result, ScriptedModel},
    search::HitKind,
};

/// Likes texts about soup, or fails.
#[derive(Debug)]
struct Hungry {
    fails: bool,
}

#[async_trait]
impl Reranker for Hungry {
    fn name(&self) -> &'static str {
        "hungry"
    }

    async fn rerank(&self, _: &str, texts: &[String]) -> Result<Vec<f32>> {
        let scores = texts.iter().map(|text| if text.contains("soup") { 1.0 } else { 0.0 });
        if self.fails { Err(LlmError::Cancelled) } else { Ok(scores.collect()) }
    }
}

async fn graph(folder: &std::path::Path) -> Graph {
    let graph = Graph::open(Settings::at(folder), Access::Write).await.unwrap();
    let notes = [
        ("a.md", "# Ledger\n\nThe ledger has all bookings; who keeps the ledger books them in the ledger.\n"),
        ("b.md", "# Canteen\n\nThe canteen has a ledger of who had soup, which opens at noon.\n"),
    ];
    let notes = notes.map(|(source, text)| Input::Bytes { source: source.into(), bytes: text.into() });
    graph.ingest(notes).await.unwrap();
    graph
}

fn passages() -> SearchRequest {
    SearchRequest { kind: Some(HitKind::Chunk), limit: 1, ..SearchRequest::new("ledger bookings") }
}

async fn first_passage(graph: &Graph) -> (String, Vec<String>) {
    let evidence = graph.evidence("ledger bookings", &EvidenceOptions::default()).await.unwrap();
    let passage = evidence.pieces.iter().find_map(|piece| match &piece.content {
        EvidenceContent::Passage(passage) => Some(passage.document.clone()),
        _ => None,
    });
    (passage.unwrap(), evidence.notices)
}

#[tokio::test]
async fn what_is_found_is_ranked_anew_and_a_failure_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let graph = graph(&folder.path().join("graph")).await;
    let before = graph.search(&passages()).await.unwrap().hits;
    assert_eq!(before[0].document.as_deref(), Some("a.md"));
    assert_eq!(first_passage(&graph).await.0, "a.md");

    let graph = graph.with_reranker(Arc::new(Hungry { fails: false }));
    assert_eq!(graph.search(&passages()).await.unwrap().hits[0].document.as_deref(), Some("b.md"));
    let retriever = graph.retriever(&RetrieverChoice::Hybrid { indexes: None }).await.unwrap();
    let found = retriever.retrieve(&passages()).await.unwrap();
    assert_eq!((found.hits[0].document.as_deref(), found.hits[0].relevance), (Some("b.md"), Some(1.0)));
    assert_eq!(first_passage(&graph).await, ("b.md".to_owned(), Vec::new()));

    let graph = graph.with_reranker(Arc::new(Hungry { fails: true }));
    let notice = "hits are in the order of the search, since the reranker hungry failed: cancelled";
    let found = graph.search(&passages()).await.unwrap();
    assert_eq!((found.hits, found.notices), (before, vec![notice.to_owned()]));
    assert_eq!(first_passage(&graph).await, ("a.md".to_owned(), vec![notice.to_owned()]));
}

#[tokio::test]
async fn a_chat_model_ranks_in_one_call() {
    let folder = tempfile::tempdir().unwrap();
    let model = ScriptedModel::replies(["[2] > [1]"]);
    let reranker = ListwiseReranker::new(Arc::new(model.clone()));
    let graph = graph(&folder.path().join("graph")).await.with_reranker(Arc::new(reranker));
    let found = graph.search(&passages()).await.unwrap();
    assert_eq!((found.hits[0].document.as_deref(), found.hits[0].relevance), (Some("b.md"), Some(1.0)));
    assert_eq!(model.requests().len(), 1);
}
