//! An extractor that asks a chat model and keeps what the text confirms.

mod gather;
mod locate;
mod reply;
mod request;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt, stream};
use graphwright_core::Chunk;
use graphwright_documents::{
    Extraction, Extractor, ParsedDocument, Result,
    extraction::{DropReason, KnownEntities, KnownEntity},
};
use graphwright_llm::{ChatModel, LlmError, ModelName, Price, Usage, estimate_tokens};
use graphwright_ontology::Ontology;

use self::{gather::Gathering, reply::Reading};

/// Version of prompt, schema and checks. A change makes unchanged documents be read again.
const VERSION: u32 = 1;

/// Estimated reply tokens for each token of a passage. A guess: replies repeat evidence and names.
const REPLY_SHARE: f64 = 0.75;

/// An extractor that asks a chat model.
///
/// Checks every item of a reply: names must occur in the text, or mean a known entity of which
/// another name occurs; types and values must be the ontology's; evidence must occur in the
/// passage. An item that fails is dropped and counted. A reply that is truncated or malformed still
/// yields its complete items.
///
/// ```
/// use std::sync::Arc;
/// use graphwright_ingest::ModelExtractor;
/// use graphwright_llm::ScriptedModel;
///
/// let model = ScriptedModel::replies([r#"{"entities": [], "facts": []}"#]);
/// let extractor = ModelExtractor::new(Arc::new(model)).with_threshold(0.9);
/// assert_eq!(extractor.threshold(), 0.9);
/// ```
#[derive(Clone, Debug)]
pub struct ModelExtractor {
    model: Arc<dyn ChatModel>,
    threshold: f64,
    concurrency: usize,
}

/// An estimate of what an extraction would cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Requests, tokens, and US dollars if the price is known. Reply tokens are a guess.
    pub usage: Usage,
}

impl ModelExtractor {
    /// Creates an extractor with threshold 0.7 that reads eight passages at a time.
    pub fn new(model: Arc<dyn ChatModel>) -> Self {
        Self { model, threshold: 0.7, concurrency: 8 }
    }

    /// Sets the minimum confidence of facts and properties (1.0 stated, 0.7 strongly implied).
    #[must_use]
    pub fn with_threshold(self, threshold: f64) -> Self {
        Self { threshold, ..self }
    }

    /// Sets how many passages are read at a time. The calls of all documents stand in one queue, that of the model's
    /// address.
    #[must_use]
    pub fn with_concurrency(self, concurrency: usize) -> Self {
        Self { concurrency: concurrency.max(1), ..self }
    }

    /// Returns the minimum confidence.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Estimates what reading `chunks` would cost, without calling the model.
    ///
    /// `price` replaces the price in the built-in table.
    pub fn estimate(&self, chunks: &[Chunk], ontology: &Ontology, price: Option<Price>) -> Estimate {
        let fixed = estimate_tokens(&request::system(ontology))
            + estimate_tokens(&request::schema(ontology).to_string());
        let mut usage = Usage::default();
        for chunk in chunks.iter().filter(|chunk| is_worth_reading(chunk)) {
            let passage = estimate_tokens(&chunk.text);
            let headings: u64 = chunk.headings.iter().map(|heading| estimate_tokens(heading)).sum();
            usage.requests += 1;
            usage.input_tokens += fixed + headings + passage;
            usage.output_tokens += (passage as f64 * REPLY_SHARE) as u64 + 20;
        }
        let name = self.model.name().parse::<ModelName>().ok();
        let price = price.or_else(|| Price::for_model(&name?));
        usage.cost = price.map(|price| price.cost(&usage));
        Estimate { usage }
    }

    async fn read(
        &self,
        document: &ParsedDocument,
        chunk: &Chunk,
        ontology: &Ontology,
        known: &KnownEntities,
    ) -> Result<(Reading, Usage), LlmError> {
        let request = request::for_chunk(document, chunk, ontology, known);
        let reply = self.model.chat(request).await?;
        Ok((reply::read(&reply.text()), reply.usage))
    }
}

/// Returns whether a passage has two letters in a row. Others say nothing.
fn is_worth_reading(chunk: &Chunk) -> bool {
    let mut letters = chunk.text.chars().map(char::is_alphabetic);
    let mut previous = false;
    letters.any(|letter| std::mem::replace(&mut previous, letter) && letter)
}

#[async_trait]
impl Extractor for ModelExtractor {
    fn identity(&self) -> String {
        format!("model-{VERSION} {}", self.model.name())
    }

    /// Returns false: the model reads names and facts in one request.
    fn surveys(&self) -> bool {
        false
    }

    /// Returns the number of requests at the same time: a document may be a single request.
    fn at_once(&self) -> usize {
        self.concurrency
    }

    async fn survey(&self, _: &ParsedDocument, _: &Ontology) -> Result<Vec<KnownEntity>> {
        Ok(Vec::new())
    }

    async fn extract(
        &self,
        document: &ParsedDocument,
        chunks: &[Chunk],
        ontology: &Ontology,
        known: &KnownEntities,
    ) -> Result<Extraction> {
        let mut readings = Vec::new();
        // Without types nothing of a reply is kept, and the schema would have an empty choice.
        for chunk in chunks.iter().filter(|chunk| is_worth_reading(chunk) && !ontology.nodes.is_empty()) {
            readings.push(async move {
                let (reading, usage) = self.read(document, chunk, ontology, known).await?;
                Ok::<_, LlmError>((chunk, reading, usage))
            });
        }
        // In the order of the text, not of the replies: the first spelling of a name is kept.
        let readings: Vec<_> = stream::iter(readings).buffered(self.concurrency).try_collect().await?;
        let mut gathering = Gathering::new(document, ontology, known, self.threshold);
        for (chunk, reading, usage) in readings {
            gathering.add(chunk, reading, usage);
        }
        Ok(gathering.finish())
    }
}
