//! An extractor that asks a language model, and keeps of its reply only what the text bears out.

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
use graphwright_llm::{ChatModel, LlmError, ModelName, Price, TokenCounter, Usage, estimate_tokens};
use graphwright_ontology::Ontology;

use self::{gather::Gathering, reply::Reading};

/// A change of prompt, schema or checks makes unchanged documents be read again.
const VERSION: u32 = 1;

/// Tokens of the reply for each token of a passage, in the estimate: evidence is copied, and names come twice. A guess.
const REPLY_SHARE: f64 = 0.75;

/// Reads documents with a chat model.
///
/// Names must occur in the text (or stand for an entity that is known and occurs under another of its names), types
/// and values must be the ontology's, and the evidence must be found in the passage; everything else is dropped one
/// by one and counted. A reply that is cut off or broken still gives its whole items.
///
/// ```
/// use std::sync::Arc;
/// use graphwright_ingest::extract::ModelExtractor;
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

/// What reading would take, before anything is spent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Requests, tokens, and US dollars where the price is known. The tokens of replies are a guess.
    pub usage: Usage,
}

impl ModelExtractor {
    /// With threshold 0.7 and four passages of a document at the same time.
    pub fn new(model: Arc<dyn ChatModel>) -> Self {
        Self { model, threshold: 0.7, concurrency: 4 }
    }

    /// Facts of less confidence are dropped (1.0 stated, 0.7 strongly implied).
    #[must_use]
    pub fn with_threshold(self, threshold: f64) -> Self {
        Self { threshold, ..self }
    }

    /// So many passages of a document at the same time.
    #[must_use]
    pub fn with_concurrency(self, concurrency: usize) -> Self {
        Self { concurrency: concurrency.max(1), ..self }
    }

    /// The least confidence that is kept.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Estimates what reading these passages would take. `price` replaces that of the built-in table.
    pub fn estimate(&self, chunks: &[Chunk], ontology: &Ontology, price: Option<Price>) -> Estimate {
        let counter = TokenCounter::for_model(self.model.name());
        let fixed =
            counter.count(&request::system(ontology)) + counter.count(&request::schema(ontology).to_string());
        let mut usage = Usage::default();
        for chunk in chunks.iter().filter(|chunk| is_worth_reading(chunk)) {
            let passage = counter.count(&chunk.text);
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

/// A passage without two letters in a row has nothing to say.
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

    /// The model reads names and facts in one go.
    fn surveys(&self) -> bool {
        false
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
        for chunk in chunks.iter().filter(|chunk| is_worth_reading(chunk) && !ontology.nodes.is_empty()) {
            readings.push(async move {
                let (reading, usage) = self.read(document, chunk, ontology, known).await?;
                Ok::<_, LlmError>((chunk, reading, usage))
            });
        }
        let readings: Vec<_> = stream::iter(readings).buffered(self.concurrency).try_collect().await?;
        let mut gathering = Gathering::new(document, ontology, known, self.threshold);
        for (chunk, reading, usage) in readings {
            gathering.add(chunk, reading, usage);
        }
        Ok(gathering.finish())
    }
}
