//! An extractor that asks a chat model and keeps what the text confirms.

mod evidence;
mod examples;
mod gather;
mod locate;
mod reply;
mod request;
mod subject;
#[cfg(test)]
mod tests;
mod vocabulary;
mod window;

use std::sync::Arc;

use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt, stream};
use graphwright_core::Chunk;
use graphwright_documents::{
    Extraction, Extractor, ParsedDocument, Result,
    extraction::{DropReason, KnownEntities, KnownEntity},
};
use graphwright_llm::{
    ChatModel, ChatReply, FinishReason, LlmError, ModelName, Price, Usage, estimate_tokens,
};
use graphwright_ontology::Ontology;

use self::{gather::Gathering, reply::Reading, request::Frame, window::Window};

/// Version of prompt, schema and checks. A change makes unchanged documents be read again.
const VERSION: u32 = 2;

/// Estimated reply tokens for each token of text: the least, a middle and the most. They depend on how much the text
/// states: a model that answers from the gold of Text2KGBench, where every sentence states facts, writes 0.9 to 2.1
/// (`cargo xtask text2kgbench --tokens`).
const REPLY_SHARES: [f64; 3] = [0.2, 1.0, 2.5];

/// How often the text of a reply that is cut off is halved.
const MOST_HALVINGS: usize = 2;

/// An extractor that asks a chat model.
///
/// Reads several consecutive passages with one request and checks every item of the reply: names must occur in the
/// text, or mean a known entity of which another name occurs; types and values must be the ontology's; evidence must
/// be in the text. An item that fails is dropped and counted. Of a reply that is cut off, the whole items are used and
/// the rest is asked for by halves; one that cannot be used is asked for once more, with what is wrong with it. Passages
/// that are left without a reply are told ([`Extraction::incomplete`]).
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
    passes: usize,
    descriptions: bool,
    open: bool,
}

/// An estimate of what an extraction would cost: requests, tokens, and US dollars if the price is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// In the middle.
    pub usage: Usage,
    /// If the texts state hardly a fact.
    pub least: Usage,
    /// If each of their sentences states facts.
    pub most: Usage,
}

/// What came of one window, or of a part of it.
struct Part<'a> {
    window: Window<'a>,
    reading: Reading,
    /// Why its passages are incomplete, if they are.
    incomplete: Option<String>,
}

impl ModelExtractor {
    /// Creates an extractor with threshold 0.7 that reads every text once, eight parts at a time.
    pub fn new(model: Arc<dyn ChatModel>) -> Self {
        Self { model, threshold: 0.7, concurrency: 8, passes: 1, descriptions: false, open: false }
    }

    /// Sets the minimum confidence of facts and properties (1.0 stated, 0.7 strongly implied).
    #[must_use]
    pub fn with_threshold(self, threshold: f64) -> Self {
        Self { threshold, ..self }
    }

    /// Sets how many parts of texts are read at a time. The calls of all documents stand in one queue, that of the model's
    /// address.
    #[must_use]
    pub fn with_concurrency(self, concurrency: usize) -> Self {
        Self { concurrency: concurrency.max(1), ..self }
    }

    /// Sets how often every text is read. From the second time on, the model is asked for what was missed.
    #[must_use]
    pub fn with_passes(self, passes: usize) -> Self {
        Self { passes: passes.max(1), ..self }
    }

    /// Sets whether the model describes entities and facts.
    #[must_use]
    pub fn with_descriptions(self, descriptions: bool) -> Self {
        Self { descriptions, ..self }
    }

    /// Sets whether the model may name types that the ontology does not have. [`Ingest`](crate::Ingest) takes those that several
    /// documents tell of.
    #[must_use]
    pub fn with_open(self, open: bool) -> Self {
        Self { open, ..self }
    }

    /// Returns the minimum confidence.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Estimates what reading the passages of a document would cost, without calling the model.
    ///
    /// `price` replaces the price in the built-in table.
    pub fn estimate(
        &self,
        documents: &[(&ParsedDocument, Vec<Chunk>)],
        ontology: &Ontology,
        price: Option<Price>,
    ) -> Estimate {
        let frame = Frame::new(ontology, self.descriptions, self.open);
        let fixed = estimate_tokens(&frame.system) + estimate_tokens(&frame.schema.to_string());
        let mut usage = Usage::default();
        let mut tokens = 0;
        for (document, chunks) in documents {
            for window in window::windows(document, chunks) {
                tokens += estimate_tokens(window.text());
                let shown = estimate_tokens(&request::text(&window, &KnownEntities::default(), ""));
                usage.requests += self.passes as u64;
                usage.input_tokens += (fixed + shown) * self.passes as u64;
            }
        }
        let name = self.model.name().parse::<ModelName>().ok();
        let price = price.or_else(|| Price::for_model(&name?));
        let [least, usage, most] = REPLY_SHARES.map(|share| {
            // A reply without facts still has its frame.
            let output_tokens = (tokens as f64 * share) as u64 + 20 * usage.requests;
            let usage = Usage { output_tokens, ..usage };
            Usage { cost: price.map(|price| price.cost(&usage)), ..usage }
        });
        Estimate { usage, least, most }
    }

    /// Reads a window, by halves where a reply is cut off. `found` is what an earlier pass found.
    async fn read<'a>(
        &self,
        window: Window<'a>,
        frame: &Frame,
        known: &KnownEntities,
        found: &str,
    ) -> Result<(Vec<Part<'a>>, Usage), LlmError> {
        let mut usage = Usage::default();
        let mut parts = Vec::new();
        let mut open = vec![(window, 0)];
        while let Some((window, halvings)) = open.pop() {
            let answer = self.ask(&window, frame, known, found, &mut usage).await?;
            let halves = if matches!(answer, Answer::Cut(_)) { window.halves() } else { None };
            let (reading, incomplete) = match (halves, answer) {
                (Some([first, second]), Answer::Cut(reading)) if halvings < MOST_HALVINGS => {
                    open.push((second, halvings + 1));
                    open.push((first, halvings + 1));
                    parts.push(Part { window, reading, incomplete: None });
                    continue;
                }
                (_, Answer::Whole(reading)) => (reading, None),
                (_, Answer::Cut(reading)) => (reading, Some("the reply was cut off".to_owned())),
                (_, Answer::Unusable(reason)) => (Reading::default(), Some(reason)),
            };
            parts.push(Part { window, reading, incomplete });
        }
        Ok((parts, usage))
    }

    /// Asks for a window, and once more if the reply cannot be used.
    async fn ask(
        &self,
        window: &Window<'_>,
        frame: &Frame,
        known: &KnownEntities,
        found: &str,
        usage: &mut Usage,
    ) -> Result<Answer, LlmError> {
        let request = frame.request(request::text(window, known, found));
        let mut said = None;
        let answer = answer(self.model.chat(request.clone()).await, usage, &mut said)?;
        let faults = match &answer {
            Answer::Whole(reading) if reading.faults.len() > reading.count() => {
                reply::in_words(&reading.faults)
            }
            Answer::Unusable(_) => String::new(),
            _ => return Ok(answer),
        };
        // Where the provider gave no reply, there is nothing to mend.
        let Some(reply) = said.take() else { return Ok(answer) };
        let again = request::again(request, &reply, &faults);
        let again = self::answer(self.model.chat(again).await, usage, &mut said)?;
        Ok(match (answer, again) {
            (Answer::Whole(mut first), Answer::Whole(second) | Answer::Cut(second)) if second.is_usable() => {
                // What was right the first time stays; its faults are mended or given up.
                first.faults.clone_from(&second.faults);
                first.join(&second);
                Answer::Whole(first)
            }
            (answer @ Answer::Whole(_), _) => answer,
            (_, again) => again,
        })
    }
}

/// What came of a request.
enum Answer {
    Whole(Reading),
    /// Its end is missing.
    Cut(Reading),
    /// Nothing can be read of it, for this reason.
    Unusable(String),
}

/// Reads a reply, and keeps its text as `said`. Errors that concern only this text are answers.
fn answer(
    reply: std::result::Result<ChatReply, LlmError>,
    usage: &mut Usage,
    said: &mut Option<String>,
) -> std::result::Result<Answer, LlmError> {
    let reply = match reply {
        Ok(reply) => reply,
        Err(LlmError::ContextLength { .. }) => return Ok(Answer::Cut(Reading::default())),
        Err(error @ (LlmError::BadReply { .. } | LlmError::Refused { .. })) => {
            return Ok(Answer::Unusable(error.to_string()));
        }
        Err(error) => return Err(error),
    };
    *usage += reply.usage;
    let text = reply.text();
    let reading = reply::read(&text);
    let is_empty = text.trim().is_empty();
    *said = Some(text);
    Ok(match reply.finish {
        FinishReason::Length => Answer::Cut(reading),
        _ if reading.cut => Answer::Cut(reading),
        _ if reading.is_usable() => Answer::Whole(reading),
        FinishReason::Filter => Answer::Unusable("the provider's filter stopped the reply".to_owned()),
        _ if is_empty => Answer::Unusable("the reply is empty".to_owned()),
        _ => Answer::Unusable("the reply is not what was asked for".to_owned()),
    })
}

#[async_trait]
impl Extractor for ModelExtractor {
    fn identity(&self) -> String {
        let passes = if self.passes > 1 { format!(" passes-{}", self.passes) } else { String::new() };
        let described = if self.descriptions { " described" } else { "" };
        format!("model-{VERSION} {}{passes}{described}", self.model.name())
    }

    /// Returns false: the model reads names and facts in one request.
    fn surveys(&self) -> bool {
        false
    }

    /// Returns the number of requests at the same time: a document may be a single request.
    fn at_once(&self) -> usize {
        self.concurrency
    }

    /// Makes the smallest request. What says that any request would be refused is the error.
    async fn probe(&self) -> Result<Usage> {
        match graphwright_llm::probe(self.model.as_ref()).await {
            Err(
                LlmError::BadReply { .. } | LlmError::RateLimited { .. } | LlmError::ContextLength { .. },
            ) => Ok(Usage::default()),
            probed => Ok(probed?),
        }
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
        let mut gathering = Gathering::new(document, ontology, known, self.threshold).open(self.open);
        // Without types nothing of a reply is kept, and the schema would have an empty choice.
        let windows = if ontology.nodes.is_empty() { Vec::new() } else { window::windows(document, chunks) };
        let frame = &Frame::new(ontology, self.descriptions, self.open);
        let mut usage = Usage::default();
        for pass in 0..self.passes {
            let readings: Vec<_> = windows
                .iter()
                .map(|window| {
                    let found = if pass > 0 { gathering.found_in(window) } else { String::new() };
                    async move { self.read(window.clone(), frame, known, &found).await }
                })
                .collect();
            // In the order of the text, not of the replies: the first spelling of a name is kept.
            let readings: Vec<_> = stream::iter(readings).buffered(self.concurrency).try_collect().await?;
            for (parts, used) in readings {
                usage += used;
                for part in parts {
                    gathering.add(&part.window, &part.reading);
                    // What only a further pass could not read is read.
                    if let Some(reason) = part.incomplete.filter(|_| pass == 0) {
                        gathering.incomplete(&part.window, &reason);
                    }
                }
            }
        }
        Ok(Extraction { usage, ..gathering.finish() })
    }
}
