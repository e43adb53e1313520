//! Documents into the graph, and the search index after them.

use std::{fmt, sync::Arc};

use futures::future::BoxFuture;
use graphwright_documents::{Extractor, Failure, Input, Limits, load, split::Splitter};
use graphwright_ingest::{InferOntology, Ingest, IngestReport, ModelExtractor, Progress};
use graphwright_llm::Usage;
use graphwright_ontology::Ontology;
use graphwright_retrieve::RefreshReport;
use graphwright_rules::{RulesExtractor, infer};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::{Error, Graph, Result};

/// What reads the facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExtractorChoice {
    /// The model where one is set, else the rules.
    #[default]
    Automatic,
    /// Grammar and the ontology's words; needs no model.
    Rules,
    /// The model; an error when none is set.
    Model,
}

/// How to ingest.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct IngestOptions {
    /// The ontology; without one the graph's own, or one inferred from the documents.
    pub ontology: Option<Ontology>,
    /// What reads the facts.
    pub extractor: ExtractorChoice,
    /// Removes documents of these inputs that are gone, with the facts that only they state.
    pub prune: bool,
    /// Keeps what breaks the ontology aside instead of only counting it.
    pub keep_invalid: bool,
    /// Makes all vectors anew.
    pub re_embed: bool,
    /// The least confidence of a fact; 0.7 by default.
    pub threshold: f64,
    /// Stops between documents when triggered.
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
            cancel: CancellationToken::new(),
        }
    }
}

impl IngestOptions {
    /// The ontology.
    #[must_use]
    pub fn ontology(mut self, ontology: Ontology) -> Self {
        self.ontology = Some(ontology);
        self
    }

    /// What reads the facts.
    #[must_use]
    pub fn extractor(mut self, extractor: ExtractorChoice) -> Self {
        self.extractor = extractor;
        self
    }

    /// Whether documents of the inputs that are gone are removed.
    #[must_use]
    pub fn prune(mut self, prune: bool) -> Self {
        self.prune = prune;
        self
    }

    /// Whether what breaks the ontology is kept aside.
    #[must_use]
    pub fn keep_invalid(mut self, keep: bool) -> Self {
        self.keep_invalid = keep;
        self
    }

    /// Whether all vectors are made anew.
    #[must_use]
    pub fn re_embed(mut self, re_embed: bool) -> Self {
        self.re_embed = re_embed;
        self
    }

    /// The least confidence of a fact.
    #[must_use]
    pub fn threshold(mut self, confidence: f64) -> Self {
        self.threshold = confidence;
        self
    }

    /// Stops between documents when triggered.
    #[must_use]
    pub fn cancel(mut self, cancel: CancellationToken) -> Self {
        self.cancel = cancel;
        self
    }
}

/// What an ingest did to the graph and to the search index.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ingested {
    /// What it did to the graph.
    #[serde(flatten)]
    pub report: IngestReport,
    /// What it did to the search index.
    pub index: RefreshReport,
}

/// Documents that are read into a graph when it is awaited: [`Graph::ingest`].
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
    /// All options at once.
    pub fn with(mut self, options: IngestOptions) -> Self {
        self.options = options;
        self
    }

    /// Reads by this ontology.
    pub fn ontology(mut self, ontology: Ontology) -> Self {
        self.options = self.options.ontology(ontology);
        self
    }

    /// Reads the facts with this.
    pub fn extractor(mut self, extractor: ExtractorChoice) -> Self {
        self.options = self.options.extractor(extractor);
        self
    }

    /// Removes documents of these inputs that are gone, with the facts that only they state.
    pub fn prune(mut self, prune: bool) -> Self {
        self.options = self.options.prune(prune);
        self
    }

    /// Keeps what breaks the ontology aside instead of only counting it.
    pub fn keep_invalid(mut self, keep: bool) -> Self {
        self.options = self.options.keep_invalid(keep);
        self
    }

    /// Makes all vectors anew.
    pub fn re_embed(mut self, re_embed: bool) -> Self {
        self.options = self.options.re_embed(re_embed);
        self
    }

    /// Drops facts that are less sure than this; 0.7 by default.
    pub fn threshold(mut self, confidence: f64) -> Self {
        self.options = self.options.threshold(confidence);
        self
    }

    /// Stops between documents when triggered.
    pub fn cancel(mut self, cancel: CancellationToken) -> Self {
        self.options = self.options.cancel(cancel);
        self
    }

    /// Tells how the work goes on.
    pub fn on_progress(mut self, tell: impl Fn(Progress) + Send + Sync + 'a) -> Self {
        self.progress = Box::new(tell);
        self
    }

    /// What a model would take to read these documents. Nothing is sent or written.
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
    /// Reads documents into the graph and brings the search index up to date, when it is awaited. Inputs are files,
    /// folders, patterns as `docs/**/*.md`, or bytes that are already there ([`Input`]).
    ///
    /// # Errors
    /// When the store or the model fails; what was written until then is whole. When the search index was made with
    /// another embedder, before anything is written, unless all vectors are made anew. Files that cannot be read are no
    /// error: the report lists them.
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
            self.check_embedder()?;
        }
        let mut ingest = Ingest::new(Arc::clone(self.store()), self.extractor(options)?)
            .infer(inference())
            .embedder(Arc::clone(self.embedder()))
            .threshold(options.threshold)
            .keep_invalid(options.keep_invalid)
            .prune(options.prune)
            .cancel(options.cancel.clone());
        if let Some(ontology) = &options.ontology {
            ingest = ingest.ontology(ontology.clone());
        }
        let report = ingest.run(inputs, progress).await?;
        let index = self.refresh_index(options.re_embed).await?;
        Ok(Ingested { report, index })
    }

    /// Removes a document, named as its node is, with what only it says, and brings the search index up to date. Its
    /// file stays.
    ///
    /// # Errors
    /// When the graph has no such document, with the nearest that it has; when the search index was made with another
    /// embedder, before anything is written; when the store fails.
    pub async fn delete(&self, document: &str) -> Result<Ingested> {
        self.check_embedder()?;
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
        let extractor = ModelExtractor::new(Arc::clone(model)).with_threshold(options.threshold);
        let price = model.name().parse().ok().and_then(|name| self.settings().prices.price(&name));
        let work = move || {
            let (documents, failed) = load::documents(&inputs, &Limits::default());
            let ontology = ontology.unwrap_or_else(|| infer(&documents));
            let chunks = documents.iter().flat_map(|document| Splitter::default().split(document));
            let chunks: Vec<_> = chunks.collect();
            let usage = extractor.estimate(&chunks, &ontology, price).usage;
            IngestEstimate { documents: documents.len(), chunks: chunks.len(), failed, usage }
        };
        blocking(work).await
    }

    fn extractor(&self, options: &IngestOptions) -> Result<Arc<dyn Extractor>> {
        match (options.extractor, self.model()) {
            (ExtractorChoice::Rules, _) | (ExtractorChoice::Automatic, None) => {
                Ok(Arc::new(RulesExtractor::default()))
            }
            (_, Some(model)) => {
                Ok(Arc::new(ModelExtractor::new(Arc::clone(model)).with_threshold(options.threshold)))
            }
            (ExtractorChoice::Model, None) => Err(no_model()),
        }
    }
}

/// Infers an ontology by the words of the documents.
fn inference() -> InferOntology {
    Arc::new(|documents| infer(documents.iter().map(Arc::as_ref)))
}

/// What reading documents with a model would take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IngestEstimate {
    /// How many documents can be read.
    pub documents: usize,
    /// How many passages they have.
    pub chunks: usize,
    /// Files that cannot be read.
    pub failed: Vec<Failure>,
    /// Requests, tokens, and dollars where the price is known. The tokens of replies are a guess.
    pub usage: Usage,
}

/// Proposes an ontology for documents; also the files that cannot be read.
pub async fn infer_ontology(inputs: &[Input]) -> Result<(Ontology, Vec<Failure>)> {
    let inputs = inputs.to_vec();
    let work = move || {
        let (documents, failed) = load::documents(&inputs, &Limits::default());
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
