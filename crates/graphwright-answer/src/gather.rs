//! Gathers what the graph and the documents hold that a question needs.
//!
//! Names in the question are linked to the graph, passages, entities and facts are searched, and from the best of all of
//! them the graph is walked along its strongest relationships. What is found becomes one list without repetition, the
//! most telling first, in which passages and the graph share every budget.

mod found;
mod seeds;
mod walk;

use graphwright_retrieve::{Passage, RenderedContext};
use serde::Serialize;

use self::{
    found::{Found, Item, merge},
    seeds::Seeds,
};
use crate::{
    AnswerEntity, AnswerPath, Answerer, AskOptions, EvidenceOptions, Result, interpret::Interpretation,
    limits::Limits,
};

/// What a question needs of the graph and the documents, within a budget of tokens.
#[derive(Clone, Debug, Serialize)]
pub struct Evidence {
    /// The question.
    pub question: String,
    /// The pieces, the most telling first.
    pub pieces: Vec<EvidencePiece>,
    /// The pieces as a text, in the form and within the budget that were asked for.
    pub context: RenderedContext,
    /// What could not be done, such as searching by meaning.
    pub notices: Vec<String>,
}

/// A piece of evidence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EvidencePiece {
    /// What it is.
    #[serde(flatten)]
    pub content: EvidenceContent,
    /// What brought it.
    pub why: String,
}

/// The content of a piece of evidence.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EvidenceContent {
    /// A path through the graph, of several facts or of those that answer the question.
    Path(AnswerPath),
    /// One fact.
    Fact(AnswerPath),
    /// An entity, of which the text tells the properties.
    Entity(AnswerEntity),
    /// A passage of a document.
    Passage(Passage),
}

impl Evidence {
    /// Gathers the evidence for a question. No model is asked.
    ///
    /// # Errors
    /// Fails if the question is empty or too long, or if the search index cannot be read.
    pub async fn gather(answerer: &Answerer, question: &str, options: &EvidenceOptions) -> Result<Self> {
        let limits = Limits::new(&AskOptions::default());
        let read = answerer.interpret(question, limits).await?;
        let gathered = answerer.gather(question, &read, options).await?;
        Ok(gathered.within(answerer, question, options))
    }
}

/// Everything that was found for a question, the most telling first, before a budget cuts it.
#[derive(Debug)]
pub(crate) struct Gathered {
    pub(crate) found: Vec<Found>,
    pub(crate) notices: Vec<String>,
}

impl Answerer {
    pub(crate) async fn gather(
        &self,
        question: &str,
        read: &Interpretation,
        options: &EvidenceOptions,
    ) -> Result<Gathered> {
        let mut seeds = Seeds::default();
        seeds.name(read);
        seeds.search(self, question, options).await?;
        let mut graph = walk::proofs(read);
        graph.extend(self.walk(&seeds, options));
        let passages =
            seeds.passages.into_iter().map(|(passage, why)| Found::new(Item::Passage(passage), why));
        Ok(Gathered { found: merge(&self.topology, passages.collect(), graph), notices: seeds.notices })
    }
}

impl Gathered {
    fn within(self, answerer: &Answerer, question: &str, options: &EvidenceOptions) -> Evidence {
        let topology = &*answerer.topology;
        let context = found::context(&self.found).render(topology, options.format, options.tokens);
        let piece =
            |found: &Found| EvidencePiece { content: found.content(topology), why: found.why.clone() };
        let pieces = context.kept.iter().map(|&at| piece(&self.found[at])).collect();
        Evidence { question: question.to_owned(), pieces, context, notices: self.notices }
    }
}
