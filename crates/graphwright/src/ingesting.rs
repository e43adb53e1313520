//! Reads documents into the graph and updates the search index.

use std::{fmt, sync::Arc};

use futures::future::BoxFuture;
use graphwright_documents::{Extractor, Failure, Input, Limits, load, split::Splitter};
use graphwright_ingest::{Estimate, InferOntology, Ingest, IngestReport, ModelExtractor, Progress, Proposer};
use graphwright_llm::{ChatModel, Usage};
use graphwright_ontology::Ontology;
use graphwright_retrieve::RefreshReport;
use graphwright_rules::{RulesExtractor, infer};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::{Error, Graph, Result, WorkerSettings};

/// What extracts the facts from the documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExtractorChoice {
    /// The model if one is set, else the rules.
    #[default]
    Automatic,
    /// Grammar and the words of the ontology. Needs no model.
    Rules,
    /// The model. An error if none is set.
    Model,
}

/// Options of an ingest.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct IngestOptions {
    /// The ontology. `None` takes the graph's own, or one inferred from the documents.
    pub ontology: Option<Ontology>,
    /// What extracts the facts.
    pub extractor: ExtractorChoice,
    /// Whether documents of these inputs that are gone are removed, with the facts that only they
    /// state.
    pub prune: bool,
    /// Whether facts that break the ontology are kept aside instead of only counted.
    pub keep_invalid: bool,
    /// Whether all vectors are made anew.
    pub re_embed: bool,
    /// The least confidence of a fact. Defaults to 0.7.
    pub threshold: f64,
    /// Whether the model may add types to the ontology, for what it lacks: at first from a sample of the documents, then from what
    /// it reads.
    pub open: bool,
    /// How often the model reads every text. Defaults to 1; from the second time on it looks for what was missed.
    pub passes: usize,
    /// Whether the model describes entities and facts in a sentence.
    pub descriptions: bool,
    /// Limits on what is read.
    pub limits: Limits,
    /// Stops the ingest between two documents when triggered.
    pub cancel: CancellationToken,
}

impl Default for IngestOptions {
    fn default() -> Self {
        Self {
            ontology: None,
            extractor: ExtractorChoice::Automatic,
            prune: false,
            keep_invalid: false,
            re_embed: false,
            threshold: 0.7,
            open: false,
            passes: 1,
            descriptions: false,
            limits: Limits::default(),
            cancel: CancellationToken::new(),
        }
    }
}

impl IngestOptions {
    /// Sets the ontology.
    #[must_use]
    pub fn ontology(mut self, ontology: Ontology) -> Self {
        self.ontology = Some(ontology);
        self
    }

    /// Sets what extracts the facts.
    #[must_use]
    pub fn extractor(mut self, extractor: ExtractorChoice) -> Self {
        self.extractor = extractor;
        self
    }

    /// Sets whether documents of the inputs that are gone are removed.
    #[must_use]
    pub fn prune(mut self, prune: bool) -> Self {
        self.prune = prune;
        self
    }

    /// Sets whether facts that break the ontology are kept aside.
    #[must_use]
    pub fn keep_invalid(mut self, keep: bool) -> Self {
        self.keep_invalid = keep;
        self
    }

    /// Sets whether all vectors are made anew.
    #[must_use]
    pub fn re_embed(mut self, re_embed: bool) -> Self {
        self.re_embed = re_embed;
        self
    }

    /// Sets the least confidence of a fact.
    #[must_use]
    pub fn threshold(mut self, confidence: f64) -> Self {
        self.threshold = confidence;
        self
    }

    /// Sets whether the model may add types to the given ontology.
    #[must_use]
    pub fn open(mut self, open: bool) -> Self {
        self.open = open;
        self
    }

    /// Sets how often the model reads every text.
    #[must_use]
    pub fn passes(mut self, passes: usize) -> Self {
        self.passes = passes;
        self
    }

    /// Sets whether the model describes entities and facts.
    #[must_use]
    pub fn descriptions(mut self, descriptions: bool) -> Self {
        self.descriptions = descriptions;
        self
    }

    /// Sets the limits on what is read.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the token that stops the ingest between two documents.
    #[must_use]
    pub fn cancel(mut self, cancel: CancellationToken) -> Self {
        self.cancel = cancel;
        self
    }
}

/// The outcome of an ingest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ingested {
    /// Changes of the graph.
    #[serde(flatten)]
    pub report: IngestReport,
    /// Changes of the search index.
    pub index: RefreshReport,
}

/// An ingest that runs when it is awaited. Made by [`Graph::ingest`].
#[must_use = "nothing is read until it is awaited"]
pub struct IngestRequest<'a> {
    graph: &'a Graph,
    inputs: Vec<Input>,
    options: IngestOptions,
    progress: Box<dyn Fn(Progress) + Send + Sync + 'a>,
}

impl fmt::Debug for IngestRequest<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("IngestRequest").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<'a> IngestRequest<'a> {
    /// Replaces all options at once.
    pub fn with(mut self, options: IngestOptions) -> Self {
        self.options = options;
        self
    }

    /// Sets the ontology.
    pub fn ontology(mut self, ontology: Ontology) -> Self {
        self.options = self.options.ontology(ontology);
        self
    }

    /// Sets what extracts the facts.
    pub fn extractor(mut self, extractor: ExtractorChoice) -> Self {
        self.options = self.options.extractor(extractor);
        self
    }

    /// Removes documents of these inputs that are gone, with the facts that only they state.
    pub fn prune(mut self, prune: bool) -> Self {
        self.options = self.options.prune(prune);
        self
    }

    /// Keeps facts that break the ontology aside instead of only counting them.
    pub fn keep_invalid(mut self, keep: bool) -> Self {
        self.options = self.options.keep_invalid(keep);
        self
    }

    /// Makes all vectors anew.
    pub fn re_embed(mut self, re_embed: bool) -> Self {
        self.options = self.options.re_embed(re_embed);
        self
    }

    /// Drops facts below this confidence. Defaults to 0.7.
    pub fn threshold(mut self, confidence: f64) -> Self {
        self.options = self.options.threshold(confidence);
        self
    }

    /// Sets the limits on what is read.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.options = self.options.limits(limits);
        self
    }

    /// Sets the token that stops the ingest between two documents.
    pub fn cancel(mut self, cancel: CancellationToken) -> Self {
        self.options = self.options.cancel(cancel);
        self
    }

    /// Calls `tell` as the work goes on.
    pub fn on_progress(mut self, tell: impl Fn(Progress) + Send + Sync + 'a) -> Self {
        self.progress = Box::new(tell);
        self
    }

    /// Estimates what a model would take to read these documents. Sends and writes nothing.
    pub async fn estimate(self) -> Result<IngestEstimate> {
        self.graph.estimate(self.inputs, &self.options).await
    }
}

impl<'a> IntoFuture for IngestRequest<'a> {
    type Output = Result<Ingested>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        let Self { graph, inputs, options, progress } = self;
        Box::pin(async move { graph.read_documents(&inputs, &options, &*progress).await })
    }
}

impl Graph {
    /// Reads documents into the graph and updates the search index, when it is awaited.
    ///
    /// Inputs are files, folders, patterns such as `docs/**/*.md`, or bytes in memory ([`Input`]).
    ///
    /// # Errors
    /// Fails if the store or the model fails; what was written until then is whole. Fails before
    /// anything is written if the search index was made with another embedder, unless all vectors
    /// are made anew. Files that cannot be read are no error: the report lists them.
    pub fn ingest<I>(&self, inputs: I) -> IngestRequest<'_>
    where
        I: IntoIterator,
        I::Item: Into<Input>,
    {
        IngestRequest {
            graph: self,
            inputs: inputs.into_iter().map(Into::into).collect(),
            options: IngestOptions::default(),
            progress: Box::new(|_| {}),
        }
    }

    async fn read_documents(
        &self,
        inputs: &[Input],
        options: &IngestOptions,
        progress: &(dyn Fn(Progress) + Send + Sync),
    ) -> Result<Ingested> {
        if !options.re_embed {
            self.check_embedder().await?;
        }
        let mut ingest = Ingest::new(Arc::clone(self.store()), self.extractor(options)?)
            .infer(inference())
            .embedder(Arc::clone(self.embedder()))
            .threshold(options.threshold)
            .keep_invalid(options.keep_invalid)
            .prune(options.prune)
            .limits(self.settings().workers.confine(options.limits.clone()))
            .cancel(options.cancel.clone());
        if let Some(ontology) = &options.ontology {
            ingest = ingest.ontology(ontology.clone());
        }
        if let Some(model) = self.reader(options)? {
            ingest =
                ingest.propose(Proposer::new(Arc::clone(model))).open(options.open).judge(Arc::clone(model));
        } else if options.open {
            return Err(no_model());
        }
        let report = ingest.run(inputs, progress).await?;
        let index = self.refresh_index(options.re_embed).await?;
        Ok(Ingested { report, index })
    }

    /// Deletes a document with the facts that only it states, and updates the search index. The
    /// document is named as its node is. The file itself stays.
    ///
    /// # Errors
    /// Fails if the graph has no such document, and names the nearest that it has. Fails before
    /// anything is written if the search index was made with another embedder. Fails if the store
    /// does.
    pub async fn delete(&self, document: &str) -> Result<Ingested> {
        self.check_embedder().await?;
        let ingest = Ingest::new(Arc::clone(self.store()), Arc::new(RulesExtractor::default()))
            .embedder(Arc::clone(self.embedder()));
        let report = ingest.delete(document).await?;
        let index = self.refresh_index(false).await?;
        Ok(Ingested { report, index })
    }

    async fn estimate(&self, inputs: Vec<Input>, options: &IngestOptions) -> Result<IngestEstimate> {
        let ontology = match &options.ontology {
            Some(ontology) => Some(ontology.clone()),
            None => self.ontology().await?,
        };
        let model = self.model().ok_or_else(no_model)?;
        let extractor = self.model_extractor(model, options);
        let limits = self.settings().workers.confine(options.limits.clone());
        let price = model.name().parse().ok().and_then(|name| self.settings().prices.price(&name));
        let work = move || {
            let (documents, failed) = load::documents(&inputs, &limits);
            let ontology = ontology.unwrap_or_else(|| infer(&documents));
            let split = |document| (document, Splitter::default().split(document));
            let split: Vec<_> = documents.iter().map(split).collect();
            let Estimate { usage, least, most } = extractor.estimate(&split, &ontology, price);
            let chunks = split.iter().map(|(_, chunks)| chunks.len()).sum();
            IngestEstimate { documents: documents.len(), chunks, failed, usage, least, most }
        };
        blocking(work).await
    }

    fn extractor(&self, options: &IngestOptions) -> Result<Arc<dyn Extractor>> {
        Ok(match self.reader(options)? {
            Some(model) => Arc::new(self.model_extractor(model, options)),
            None => Arc::new(RulesExtractor::default()),
        })
    }

    /// Returns the model that reads the documents; `None` where the rules do.
    fn reader(&self, options: &IngestOptions) -> Result<Option<&Arc<dyn ChatModel>>> {
        match (options.extractor, self.model()) {
            (ExtractorChoice::Rules, _) | (ExtractorChoice::Automatic, None) => Ok(None),
            (_, Some(model)) => Ok(Some(model)),
            (ExtractorChoice::Model, None) => Err(no_model()),
        }
    }

    fn model_extractor(&self, model: &Arc<dyn ChatModel>, options: &IngestOptions) -> ModelExtractor {
        let extractor = ModelExtractor::new(Arc::clone(model))
            .with_threshold(options.threshold)
            .with_passes(options.passes)
            .with_descriptions(options.descriptions)
            .with_open(options.open);
        match self.settings().model_concurrency() {
            Some(calls) => extractor.with_concurrency(calls),
            None => extractor,
        }
    }
}

/// Configures the inference of an ontology from the words of the documents.
fn inference() -> InferOntology {
    Arc::new(|documents| infer(documents.iter().map(Arc::as_ref)))
}

/// An estimate of what reading documents with a model would take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IngestEstimate {
    /// Number of documents that can be read.
    pub documents: usize,
    /// Number of their passages.
    pub chunks: usize,
    /// Files that cannot be read.
    pub failed: Vec<Failure>,
    /// Requests, tokens, and US dollars where the price is known. The tokens of replies are a guess, which the run corrects
    /// ([`Progress::Expected`]).
    pub usage: Usage,
    /// What it would take if the documents state hardly a fact.
    pub least: Usage,
    /// What it would take if each of their sentences states facts.
    pub most: Usage,
}

/// Infers an ontology from documents, some of which are read in workers. Also returns the files that cannot be read.
pub async fn infer_ontology(inputs: &[Input], workers: &WorkerSettings) -> Result<(Ontology, Vec<Failure>)> {
    let (inputs, limits) = (inputs.to_vec(), workers.confine(Limits::default()));
    let work = move || {
        let (documents, failed) = load::documents(&inputs, &limits);
        (infer(&documents), failed)
    };
    blocking(work).await
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Error::Settings {
        message: format!("reading the documents ended early: {error}"),
        hint: "report this with the documents that cause it".to_owned(),
    })
}

fn no_model() -> Error {
    Error::Settings {
        message: "no model is set".to_owned(),
        hint: "name one as provider/model, or extract by the rules".to_owned(),
    }
}
