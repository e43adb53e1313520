//! The entry point: an [`Answerer`] takes a graph and answers questions about it.

use std::{
    sync::{Arc, OnceLock},
    time::Instant,
};

use graphwright_core::{GraphStore, StoreError, names, store::SchemaOptions};
use graphwright_llm::{ChatModel, Reranker};
use graphwright_ontology::Ontology;
use graphwright_retrieve::{RetrieveError, SearchIndex, Topology, Vocabulary};
use tokio::sync::OnceCell;

use crate::{
    Answer, AnswerError, AnswerStatus, AnswerWay, AskOptions, Event, Learned, Result, evidence,
    interpret::{Interpretation, Interpreter, named_entities},
    limits::Limits,
    respond,
};

/// The most characters of a question.
const MOST_CHARACTERS: usize = 20_000;

/// Answers questions about one graph.
///
/// ```
/// use std::sync::Arc;
/// use graphwright_answer::{Answerer, AskOptions};
/// use graphwright_core::{GraphStore, NodeKey, Properties, RelationshipKey, store::ChangeSet};
/// use graphwright_embedded::EmbeddedStore;
///
/// # tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(async {
/// let store = EmbeddedStore::in_memory();
/// let (team, ledger) = (NodeKey::new("Team", "t"), NodeKey::new("Service", "s"));
/// let mut changes = ChangeSet::new();
/// changes.upsert_node(team.clone(), &[], Properties::from([("name".into(), "Payments".into())]));
/// changes.upsert_node(ledger.clone(), &[], Properties::from([("name".into(), "ledger".into())]));
/// let owns = RelationshipKey { kind: "OWNS".into(), from: team, to: ledger, id: "r".into() };
/// changes.upsert_relationship(owns, Properties::new());
/// store.apply(changes).await.unwrap();
///
/// let answerer = Answerer::open(Arc::new(store)).await.unwrap();
/// let answer = answerer.ask("Which team owns ledger?", &AskOptions::default()).await.unwrap();
/// assert_eq!(answer.entities[0].name, "Payments");
/// assert!(answer.answer.starts_with("Payments is the team that owns ledger."));
/// assert_eq!(answer.paths[0].relationships[0].kind, "OWNS");
/// # });
/// ```
#[derive(Clone, Debug)]
pub struct Answerer {
    pub(crate) store: Arc<dyn GraphStore>,
    pub(crate) topology: Arc<Topology>,
    pub(crate) interpreter: Arc<Interpreter>,
    pub(crate) model: Option<Arc<dyn ChatModel>>,
    pub(crate) judge: Option<Arc<dyn ChatModel>>,
    pub(crate) search: Option<Arc<SearchIndex>>,
    pub(crate) reranker: Option<Arc<dyn Reranker>>,
    /// What pairs have taught.
    pub(crate) learned: Option<Learned>,
    /// What is suggested to who asks for nothing that is here.
    pub(crate) suggestions: Arc<OnceLock<Vec<String>>>,
    fingerprint: Arc<OnceCell<String>>,
}

impl Answerer {
    /// Opens an answerer: reads the graph and its ontology from a store.
    pub async fn open(store: Arc<dyn GraphStore>) -> Result<Self> {
        let topology = Topology::load(&*store).await?;
        let ontology = Ontology::load(&*store).await?.unwrap_or_default();
        Ok(Self::new(store, Arc::new(topology), &ontology))
    }

    /// Creates an answerer over a topology that is already loaded. `store` is only asked for what that does not hold: the texts of
    /// passages, and the schema.
    pub fn new(store: Arc<dyn GraphStore>, topology: Arc<Topology>, ontology: &Ontology) -> Self {
        let vocabulary = Arc::new(Vocabulary::build(&topology));
        Self::with_vocabulary(store, topology, &vocabulary, ontology)
    }

    fn with_vocabulary(
        store: Arc<dyn GraphStore>,
        topology: Arc<Topology>,
        vocabulary: &Arc<Vocabulary>,
        ontology: &Ontology,
    ) -> Self {
        let interpreter = Arc::new(Interpreter::new(&topology, vocabulary, ontology));
        let (model, judge, search, reranker, learned) = (None, None, None, None, None);
        let (suggestions, fingerprint) = (Arc::default(), Arc::default());
        Self {
            store,
            topology,
            interpreter,
            model,
            judge,
            search,
            reranker,
            learned,
            suggestions,
            fingerprint,
        }
    }

    /// Creates an answerer over a topology and its words, with the ontology that the graph was built with. Costs the same for
    /// a small graph and a large one.
    ///
    /// # Errors
    /// Fails if the graph's record of its ontology cannot be read.
    pub fn over(
        store: Arc<dyn GraphStore>,
        topology: Arc<Topology>,
        vocabulary: &Arc<Vocabulary>,
    ) -> Result<Self> {
        let records = topology.nodes_with_label(names::META).map(|record| topology.node(record));
        let ontology = Ontology::from_records(records)?.unwrap_or_default();
        Ok(Self::with_vocabulary(store, topology, vocabulary, &ontology))
    }

    /// Sets a model that writes the answers, from the evidence only.
    #[must_use]
    pub fn with_model(mut self, model: Arc<dyn ChatModel>) -> Self {
        self.model = Some(model);
        self
    }

    /// Sets a model that judges whether the evidence supports what models write, behind the [check](Self::check).
    #[must_use]
    pub fn with_judge(mut self, model: Arc<dyn ChatModel>) -> Self {
        self.judge = Some(model);
        self
    }

    /// Sets a search index, which finds passages by their words when the graph does not answer. The
    /// passages are shown, and given to the model.
    #[must_use]
    pub fn with_search(mut self, search: Arc<SearchIndex>) -> Self {
        self.search = Some(search);
        self
    }

    /// Sets a reranker, which ranks anew the passages that are gathered as evidence.
    #[must_use]
    pub fn with_reranker(mut self, reranker: Arc<dyn Reranker>) -> Self {
        self.reranker = Some(reranker);
        self
    }

    /// Returns the graph that the answers are read from.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// Returns the store of the graph.
    pub fn store(&self) -> &Arc<dyn GraphStore> {
        &self.store
    }

    /// Returns the [fingerprint](graphwright_core::GraphSchema::fingerprint) of the schema. The store is asked for it once.
    ///
    /// # Errors
    /// Fails if the store cannot give its schema.
    pub async fn schema_fingerprint(&self) -> Result<&str> {
        let read =
            async { Ok::<_, StoreError>(self.store.schema(SchemaOptions::default()).await?.fingerprint()) };
        Ok(self.fingerprint.get_or_try_init(|| read).await.map_err(RetrieveError::from)?)
    }

    /// Describes what the graph holds in at most so many tokens, for the instructions of a model.
    pub fn outline(&self, tokens: u64) -> String {
        self.interpreter.schema.outline(&self.topology, tokens)
    }

    /// Reads a question. A search finds the documents that it may mean by what they are about.
    pub(crate) async fn interpret(&self, question: &str, limits: Limits) -> Result<Interpretation> {
        let characters = question.chars().count();
        if characters > MOST_CHARACTERS {
            return Err(AnswerError::QuestionTooLong { characters, limit: MOST_CHARACTERS });
        }
        let near = self.documents_near(question).await?;
        let interpretation = self.interpreter.interpret(question, &self.topology, limits, &near);
        if interpretation.tokens.is_empty() { Err(AnswerError::EmptyQuestion) } else { Ok(interpretation) }
    }

    /// Answers a question.
    pub async fn ask(&self, question: &str, options: &AskOptions) -> Result<Answer> {
        self.ask_with_events(question, options, &|_| {}).await
    }

    /// Answers a question and calls `events` with what happens on the way. The last event is
    /// [`Event::Done`].
    pub async fn ask_with_events(
        &self,
        question: &str,
        options: &AskOptions,
        events: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<Answer> {
        let start = Instant::now();
        events(Event::Started { question: question.to_owned() });
        let interpretation = self.interpret(question, Limits::new(options)).await?;
        if self.asks_nothing(question) {
            let mut answer = self.talk(question).await?;
            answer.elapsed_ms = milliseconds(start);
            events(Event::Done { answer: Box::new(answer.clone()) });
            return Ok(answer);
        }
        if let Some(reason) = &interpretation.given_up {
            events(Event::GaveUp { reason: reason.clone() });
        }
        let named = named_entities(&interpretation.segmentations);
        let linked =
            named.iter().map(|(node, score)| evidence::entity(&self.topology, *node, *score)).collect();
        events(Event::Linked { entities: linked });
        let mut answer = self.read_graph(question, &interpretation, options).await?;
        if answer.status == AnswerStatus::Answered {
            self.tell_doubts(&mut answer, &named);
        }
        if answer.way == AnswerWay::Learned {
            events(Event::Step { what: "reading it as pairs have taught".to_owned() });
        }
        events(Event::Gathered {
            entities: answer.entities.len(),
            paths: answer.paths.len(),
            passages: answer.passages.len(),
        });
        let model = self.model.as_ref().filter(|_| !options.without_model);
        if let Some(model) = model {
            events(Event::Step { what: format!("asking {}", model.name()) });
            self.let_model_write(&**model, &mut answer, &interpretation, options, events).await?;
        }
        if answer.model.is_none() {
            respond::tell_of_no_model(&mut answer);
        }
        if answer.status == AnswerStatus::NotInGraph && named.is_empty() {
            answer.suggestions = self.shown_suggestions().await?;
        }
        answer.elapsed_ms = milliseconds(start);
        events(Event::Done { answer: Box::new(answer.clone()) });
        Ok(answer)
    }
}

fn milliseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}
