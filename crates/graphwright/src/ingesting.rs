//! Documents into the graph, and the search index after them.

use std::sync::Arc;

use graphwright_documents::{Extractor, Failure, Input, Limits, load, split::Splitter};
use graphwright_ingest::{InferOntology, Ingest, IngestReport, ModelExtractor, Progress};
use graphwright_llm::Usage;
use graphwright_ontology::Ontology;
use graphwright_retrieve::{RefreshOptions, RefreshReport, SearchIndex};
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

/// What an ingest did to the graph and to the search index.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ingested {
    /// What it did to the graph.
    #[serde(flatten)]
    pub report: IngestReport,
    /// What it did to the search index.
    pub index: RefreshReport,
}

impl Graph {
    /// Reads documents into the graph and brings the search index up to date.
    ///
    /// # Errors
    /// When the store or the model fails; what was written until then is whole. When the search index was made with
    /// another embedder, before anything is written, unless all vectors are made anew. Files that cannot be read are no
    /// error: the report lists them.
    pub async fn ingest(
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

    /// Brings the search index up to date with the store.
    pub async fn refresh_index(&self, re_embed: bool) -> Result<RefreshReport> {
        let embedder = Some(Arc::clone(self.embedder()));
        let options = RefreshOptions { re_embed };
        let (_, report) =
            SearchIndex::refresh(self.index_folder(), &**self.store(), embedder, options).await?;
        Ok(report)
    }

    /// What a model would take to read these documents. Nothing is sent or written.
    pub async fn estimate(&self, inputs: &[Input], options: &IngestOptions) -> Result<IngestEstimate> {
        let ontology = match &options.ontology {
            Some(ontology) => Some(ontology.clone()),
            None => self.ontology().await?,
        };
        let model = self.model().ok_or_else(no_model)?;
        let extractor = ModelExtractor::new(Arc::clone(model)).with_threshold(options.threshold);
        let price = model.name().parse().ok().and_then(|name| self.settings().prices.price(&name));
        let inputs = inputs.to_vec();
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
