//! The pipeline from files to a graph.

mod delete;
mod open;
mod plan;
mod read;
mod tally;
#[cfg(test)]
mod tests;
mod write;

use std::{fmt, sync::Arc, time::Instant};

use graphwright_core::{
    GraphStore, Value, names,
    schema::{Index, IndexKind, Target},
};
use graphwright_documents::{Extractor, Failure, Input, Limits, ParsedDocument, split::Splitter};
use graphwright_llm::{ChatModel, Embedder};
use graphwright_ontology::Ontology;
use plan::Plan;
use tally::Tally;
use tokio_util::sync::CancellationToken;
use write::Pending;

use crate::{
    IngestError, Proposer, Result,
    ledger::{self, StoredDocument},
    report::{IngestReport, OntologyOrigin, Progress},
};

/// A source of the current time. Tests bring their own.
pub type Clock = Arc<dyn Fn() -> jiff::Zoned + Send + Sync>;

/// Proposes an ontology for documents that have none.
pub type InferOntology = Arc<dyn Fn(&[Arc<ParsedDocument>]) -> Ontology + Send + Sync>;

/// Builds and updates a knowledge graph from documents.
///
/// A document is written in one transaction, with others that were read in the same second, so the
/// store is consistent whenever a run stops. A later run goes on where that one ended: a document is
/// not read again unless its file, the extractor or the ontology changed.
pub struct Ingest {
    store: Arc<dyn GraphStore>,
    extractor: Arc<dyn Extractor>,
    ontology: Option<Ontology>,
    infer: Option<InferOntology>,
    proposer: Option<Proposer>,
    open: bool,
    judge: Option<Arc<dyn ChatModel>>,
    embedder: Option<Arc<dyn Embedder>>,
    splitter: Splitter,
    limits: Limits,
    threshold: f64,
    keep_invalid: bool,
    prune: bool,
    concurrency: Option<usize>,
    clock: Clock,
    cancel: CancellationToken,
}

impl fmt::Debug for Ingest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Ingest")
            .field("store", &self.store)
            .field("extractor", &self.extractor)
            .field("ontology", &self.ontology.as_ref().map(|ontology| &ontology.name))
            .finish_non_exhaustive()
    }
}

impl Ingest {
    /// Creates a pipeline into a store, with an extractor.
    pub fn new(store: Arc<dyn GraphStore>, extractor: Arc<dyn Extractor>) -> Self {
        Self {
            store,
            extractor,
            ontology: None,
            infer: None,
            proposer: None,
            open: false,
            judge: None,
            embedder: None,
            splitter: Splitter::default(),
            limits: Limits::default(),
            threshold: 0.7,
            keep_invalid: false,
            prune: false,
            concurrency: None,
            clock: Arc::new(|| jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC)),
            cancel: CancellationToken::new(),
        }
    }

    /// Sets the ontology. Without one, the graph's own is used; for a new graph, one is inferred
    /// from the documents.
    #[must_use]
    pub fn ontology(mut self, ontology: Ontology) -> Self {
        self.ontology = Some(ontology);
        self
    }

    /// Infers an ontology from the documents where there is none yet, or where the graph's own was
    /// inferred from less than half as many documents.
    #[must_use]
    pub fn infer(mut self, infer: InferOntology) -> Self {
        self.infer = Some(infer);
        self
    }

    /// Lets a model propose the ontology where there is none, or only one that was inferred. It is kept: documents that
    /// come later are read by it. Where the model fails, the ontology is inferred, and the report says so.
    #[must_use]
    pub fn propose(mut self, proposer: Proposer) -> Self {
        self.proposer = Some(proposer);
        self
    }

    /// Sets whether the proposer may add types and relationships to the given ontology, and whether further ones may come in from
    /// passages while they are read, if the extractor names such ([`ModelExtractor::with_open`](crate::ModelExtractor::with_open)).
    #[must_use]
    pub fn open(mut self, open: bool) -> Self {
        self.open = open;
        self
    }

    /// Lets a model decide which proposed pairs of entities are one, after those whose names differ only in words that name
    /// their type are merged. Each merge can be undone ([`Review::undo`](crate::Review::undo)).
    #[must_use]
    pub fn judge(mut self, model: Arc<dyn ChatModel>) -> Self {
        self.judge = Some(model);
        self
    }

    /// Compares the names of entities that may be one by meaning too. The graph keeps no vector of it.
    #[must_use]
    pub fn embedder(mut self, embedder: Arc<dyn Embedder>) -> Self {
        self.embedder = Some(embedder);
        self
    }

    /// Sets how documents are split.
    #[must_use]
    pub fn splitter(mut self, splitter: Splitter) -> Self {
        self.splitter = splitter;
        self
    }

    /// Sets the limits on single files.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the minimum confidence of facts and properties; 0.7 by default.
    #[must_use]
    pub fn threshold(mut self, threshold: f64) -> Self {
        self.threshold = threshold;
        self
    }

    /// Sets whether items that violate the ontology are kept as nodes with the label `__Invalid__`.
    #[must_use]
    pub fn keep_invalid(mut self, keep: bool) -> Self {
        self.keep_invalid = keep;
        self
    }

    /// Sets whether documents are removed, with everything only they state, when their files are
    /// gone from the ingested folders.
    #[must_use]
    pub fn prune(mut self, prune: bool) -> Self {
        self.prune = prune;
        self
    }

    /// Sets how many documents are read at a time; by default the number of processors, or more where
    /// the extractor wants it.
    #[must_use]
    pub fn concurrency(mut self, documents: usize) -> Self {
        self.concurrency = Some(documents.max(1));
        self
    }

    /// Sets the source of recording times.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Sets a token that stops the run between documents.
    #[must_use]
    pub fn cancel(mut self, cancel: CancellationToken) -> Self {
        self.cancel = cancel;
        self
    }

    /// Runs the pipeline on `inputs`. Calls `progress` as the work goes on.
    ///
    /// Files that cannot be read are not errors: the report lists them.
    ///
    /// # Errors
    /// If the store or the model fails, or if the run is cancelled. Everything written so far is
    /// consistent.
    pub async fn run(
        &self,
        inputs: &[Input],
        progress: &(dyn Fn(Progress) + Send + Sync),
    ) -> Result<IngestReport> {
        let started = Instant::now();
        if let Some(ontology) = &self.ontology {
            ontology.require_valid(std::path::Path::new("ontology"))?;
        }
        let mut plan = self.plan_reading(inputs, progress).await?;
        let reading = plan.reading().count();
        self.probe(&mut plan, reading).await?;
        let mut report = IngestReport {
            failed: std::mem::take(&mut plan.failed),
            skipped: std::mem::take(&mut plan.skipped),
            remarks: std::mem::take(&mut plan.remarks),
            usage: plan.usage,
            languages: plan.languages(),
            ontology: plan.origin,
            gone: if self.prune {
                Vec::new()
            } else {
                plan.gone.drain(..).map(|document| document.id).collect()
            },
            ..IngestReport::default()
        };
        if plan.has_work() {
            self.prepare(&plan.ontology, plan.origin).await?;
            self.work(plan, &mut report, progress).await?;
        } else {
            self.count_all(&plan, &mut report).await?;
        }
        // Also in a run without other work: the one before may have been stopped before its links.
        self.link(&mut report).await?;
        report.suggestions = crate::merge::count_suggestions(self.store.as_ref()).await?;
        self.store.checkpoint().await?;
        report.elapsed_ms = started.elapsed().as_millis() as u64;
        Ok(report)
    }

    /// Creates constraints and indexes, then stores the ontology.
    async fn prepare(&self, ontology: &Ontology, origin: OntologyOrigin) -> Result<()> {
        let ours = [names::DOCUMENT, names::CHUNK, names::META, names::MERGE, names::SUGGESTION];
        let ours = ours.map(str::to_owned);
        // All at once: each change of its schema makes a Neo4j server plan all statements anew.
        self.store.create_keys(ours.into_iter().chain(ontology.nodes.keys().cloned()).collect()).await?;
        // By `document` the parts of a document are found when it is written again.
        for label in [names::CHUNK, names::INVALID] {
            let index = Index {
                name: String::new(),
                target: Target::Label(label.to_owned()),
                properties: vec!["document".to_owned()],
                kind: IndexKind::Property,
            };
            self.store.create_index(index).await?;
        }
        if origin != OntologyOrigin::Stored {
            ontology.save(self.store.as_ref()).await?;
        }
        Ok(())
    }

    /// Reads and writes what is new or changed, and removes what is gone.
    async fn work(
        &self,
        mut plan: Plan,
        report: &mut IngestReport,
        progress: &(dyn Fn(Progress) + Send + Sync),
    ) -> Result<()> {
        let mut ledger = ledger::load(self.store.as_ref()).await?;
        ledger.set_ontology(&plan.ontology);
        let before = ledger.sizes();
        let removed = std::mem::take(&mut plan.gone);
        for document in &removed {
            plan.stored.remove(&document.id);
        }
        let known = self.survey(&mut plan, &ledger, progress).await?;
        report.documents.unchanged = (plan.files.len() - plan.reading().count()) as u64;
        report.chunks.unchanged = self.count_chunks(&plan).await?;
        let mut graph = Graph::new(ledger);
        self.read_and_write(&mut plan, &known, &mut graph, report, progress).await?;
        self.remove_all(&removed, &mut graph, progress).await?;
        let Graph { mut ledger, tally, .. } = graph;
        tally.report(&before, report);
        report.incomplete = ledger.incomplete(&plan.ontology);
        report.homonyms = ledger.homonyms();
        crate::merge::suggest(self.store.as_ref(), &ledger, self.embedder.as_deref()).await?;
        if let Some(model) = &self.judge {
            let settled = crate::merge::settle(&self.store, &mut ledger, model.as_ref()).await?;
            (report.merged, report.rejected) = (settled.merged, settled.rejected);
            report.usage += settled.usage;
        }
        Ok(())
    }

    async fn remove_all(
        &self,
        removed: &[StoredDocument],
        graph: &mut Graph,
        progress: &(dyn Fn(Progress) + Send + Sync),
    ) -> Result<()> {
        for document in removed {
            self.check_cancelled()?;
            self.remove(document, graph).await?;
            if graph.pending.is_due() {
                self.flush(graph).await?;
            }
        }
        self.flush(graph).await?;
        for document in removed {
            progress(Progress::Removed { document: document.id.clone() });
        }
        Ok(())
    }

    fn now(&self) -> Value {
        (self.clock)().into()
    }

    /// Returns how many documents are read at the same time.
    fn at_once(&self) -> usize {
        self.concurrency.unwrap_or_else(|| processors().max(self.extractor.at_once()))
    }

    fn check_cancelled(&self) -> Result<()> {
        if self.cancel.is_cancelled() { Err(IngestError::Cancelled) } else { Ok(()) }
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(2, std::num::NonZero::get)
}

/// The claims in the graph as the run goes on, and the changes of the run.
#[derive(Debug)]
struct Graph {
    ledger: ledger::Ledger,
    pending: Pending,
    tally: Tally,
    /// Documents that name types which the ontology does not have, by their place in the plan.
    waiting: Vec<(usize, read::Reading)>,
}

impl Graph {
    fn new(ledger: ledger::Ledger) -> Self {
        Self { ledger, pending: Pending::default(), tally: Tally::default(), waiting: Vec::new() }
    }
}

/// Adds a failure to the report, and reports it as progress.
fn fail(failed: &mut Vec<Failure>, failure: Failure, progress: &(dyn Fn(Progress) + Send + Sync)) {
    progress(Progress::Failed(failure.clone()));
    failed.push(failure);
}
