//! How a run goes on while a model is slow, and when it fails.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use async_trait::async_trait;
use graphwright_core::Chunk;
use graphwright_documents::{
    DocumentError, Extraction, ParsedDocument,
    extraction::{Extractor, KnownEntities, KnownEntity},
};
use graphwright_llm::{LlmError, Usage};
use graphwright_ontology::Ontology;

use super::*;

/// Waits as for a model, and fails in the documents that say so.
#[derive(Debug)]
struct Slow {
    wait: Duration,
    running: Arc<AtomicUsize>,
    /// Whether every call is refused.
    refused: bool,
}

/// Counts a call as running until it ends or is given up.
struct Running(Arc<AtomicUsize>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl Extractor for Slow {
    fn identity(&self) -> String {
        "slow".to_owned()
    }

    fn surveys(&self) -> bool {
        false
    }

    fn at_once(&self) -> usize {
        8
    }

    async fn probe(&self) -> std::result::Result<Usage, DocumentError> {
        let refusal = LlmError::Authentication { provider: "openai".into(), message: "no key".into() };
        if self.refused { Err(refusal.into()) } else { Ok(Usage { requests: 1, ..Usage::default() }) }
    }

    async fn survey(
        &self,
        _: &ParsedDocument,
        _: &Ontology,
    ) -> std::result::Result<Vec<KnownEntity>, DocumentError> {
        Ok(Vec::new())
    }

    async fn extract(
        &self,
        document: &ParsedDocument,
        _: &[Chunk],
        _: &Ontology,
        _: &KnownEntities,
    ) -> std::result::Result<Extraction, DocumentError> {
        self.running.fetch_add(1, Ordering::SeqCst);
        let _running = Running(Arc::clone(&self.running));
        let provider = || "openai".to_owned();
        if document.text.contains("status 500") {
            return Err(LlmError::Unavailable { provider: provider(), message: "status 500".into() }.into());
        }
        if document.text.contains("no key") {
            return Err(LlmError::Authentication { provider: provider(), message: "no key".into() }.into());
        }
        tokio::time::sleep(self.wait).await;
        Ok(Extraction::default())
    }
}

/// Returns a bench of 25 documents, one of which says something else, and a run with a slow model.
fn slow(wait: Duration, odd: &str) -> (Bench, Ingest, Arc<AtomicUsize>) {
    let bench = Bench::new(&[]);
    for number in 0..25 {
        let text = if number == 4 { odd } else { "Alpha uses Beta." };
        bench.write(&format!("{number:02}.md"), &format!("# Page {number}\n\n{text}\n"));
    }
    let running = Arc::new(AtomicUsize::new(0));
    let extractor = Arc::new(Slow { wait, running: Arc::clone(&running), refused: false });
    let store: Arc<dyn GraphStore> = Arc::clone(&bench.store) as _;
    let ingest = Ingest::new(store, extractor).ontology(ontology());
    (bench, ingest, running)
}

#[tokio::test(flavor = "multi_thread")]
async fn as_many_documents_wait_for_the_model_as_it_answers_at_once() {
    let (bench, ingest, _) = slow(Duration::from_millis(400), "Alpha uses Gamma.");
    let start = Instant::now();
    assert_eq!(counts(bench.run_with(ingest).await.documents).0, 25);
    // Four rounds of eight; two at a time would take more than five seconds.
    assert!(start.elapsed() < Duration::from_millis(3_600), "{:?}", start.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_fails_once_costs_one_document() {
    let (bench, ingest, _) = slow(Duration::from_millis(1), "status 500");
    let report = bench.run_with(ingest).await;
    assert_eq!(counts(report.documents).0, 24);
    let failed: Vec<_> = report.failed.iter().map(|failure| failure.reason.as_str()).collect();
    assert_eq!(failed, ["openai is not available: status 500"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_is_refused_fails_before_many_documents_are_read() {
    let bench = Bench::new(&[]);
    for number in 0..300 {
        bench.write(&format!("{number:03}.md"), "Alpha uses Beta.");
    }
    let run = |refused| {
        let extractor = Slow { wait: Duration::ZERO, running: Arc::default(), refused };
        let store: Arc<dyn GraphStore> = Arc::clone(&bench.store) as _;
        Ingest::new(store, Arc::new(extractor)).ontology(ontology())
    };
    let inputs = [Input::Path(bench.path().to_owned())];
    let read = AtomicUsize::new(0);
    let count = |progress| {
        if let Progress::Read { done, .. } = progress {
            read.store(done, Ordering::SeqCst);
        }
    };
    let refused = run(true);
    let failure = refused.run(&inputs, &count).await.expect_err("no key");
    assert_eq!(failure.to_string(), "openai refused the credentials: no key");
    assert_eq!(read.load(Ordering::SeqCst), 0);
    let report = run(false).run(&inputs, &count).await.expect("runs");
    assert_eq!((report.usage.requests, read.load(Ordering::SeqCst)), (1, 300));
    // Nothing is to be read, so nothing is asked.
    let report = run(true).run(&inputs, &count).await.expect("runs");
    assert_eq!((report.usage.requests, report.documents.unchanged), (0, 300));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_ends_early_leaves_nothing_running() {
    let (bench, ingest, running) = slow(Duration::from_mins(1), "no key");
    let start = Instant::now();
    let inputs = [Input::Path(bench.path().to_owned())];
    let ended = ingest.run(&inputs, &|_| {});
    // The first documents are read for a minute; the failure stands behind them.
    let ended = tokio::time::timeout(Duration::from_secs(1), ended).await;
    assert!(ended.is_err(), "it reads in order");
    while running.load(Ordering::SeqCst) > 0 {
        assert!(start.elapsed() < Duration::from_secs(20), "given up, but still running");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }

    let (bench, ingest, running) = slow(Duration::from_millis(300), "no key");
    let failure = ingest.run(&[Input::Path(bench.path().to_owned())], &|_| {}).await.expect_err("no key");
    assert!(failure.to_string().contains("no key (4 of 25 documents"), "{failure}");
    assert_eq!(running.load(Ordering::SeqCst), 0, "all are awaited before it is left");
}
