//! The entry point: a [`Text2Cypher`] takes a graph and a model, and asks questions through flows.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use graphwright_answer::{Answer, AnswerError, AnswerStatus, Answerer, AskOptions, Event};
use graphwright_core::{GraphSchema, GraphStore, store::SchemaOptions};
use graphwright_cypher::lint::Suggest;
use graphwright_flow::{FlowError, Runner, Steps};
use graphwright_llm::{BuiltinEmbedder, ChatModel};
use graphwright_retrieve::Suggestions;

use crate::{
    error::{Result, Text2CypherError},
    event::{Asked, Outcome},
    examples::ExampleBook,
    flows::{Auto, Naive, Planner, Retry, RetryCheck},
    learn,
    options::{FlowName, FlowOptions, Learning},
    record::Record,
    session::{Parts, Session, Tell},
    steps,
};

/// Answers questions about one graph by Cypher that a model writes.
///
/// ```
/// use std::sync::Arc;
/// use graphwright_answer::{AnswerStatus, Answerer};
/// use graphwright_core::{GraphStore, NodeKey, Properties, store::ChangeSet};
/// use graphwright_embedded::EmbeddedStore;
/// use graphwright_llm::ScriptedModel;
/// use graphwright_text2cypher::{FlowName, FlowOptions, Text2Cypher};
///
/// # tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(async {
/// let store = EmbeddedStore::in_memory();
/// let mut changes = ChangeSet::new();
/// let properties = Properties::from([("name".into(), "ledger".into()), ("tier".into(), 1.into())]);
/// changes.upsert_node(NodeKey::new("Service", "s1"), &[], properties);
/// store.apply(changes).await.unwrap();
/// let store: Arc<dyn GraphStore> = Arc::new(store);
///
/// let model = ScriptedModel::replies([
///     "```cypher\nMATCH (s:Service) WHERE s.tier = 1 RETURN s.name\n```",
///     "The service is ledger [2].",
/// ]);
/// let answerer = Answerer::open(Arc::clone(&store)).await.unwrap();
/// let flows = Text2Cypher::open(store, answerer, Arc::new(model)).await.unwrap();
/// let options = FlowOptions::new(FlowName::Naive);
/// let answer = flows.ask("Which service has tier 1?", &options, |_| {}).await.unwrap();
/// assert_eq!(answer.status, AnswerStatus::Answered);
/// assert_eq!(answer.answer, "The service is ledger [2].");
/// assert_eq!(answer.entities[0].name, "ledger");
/// # });
/// ```
#[derive(Clone, Debug)]
pub struct Text2Cypher {
    store: Arc<dyn GraphStore>,
    answerer: Answerer,
    schema: Arc<GraphSchema>,
    suggest: Arc<dyn Suggest>,
    model: Arc<dyn ChatModel>,
    record: Arc<Record>,
    fingerprint: Arc<str>,
    examples: Option<Arc<ExampleBook>>,
    learning: Learning,
}

impl Text2Cypher {
    /// Reads the schema of a graph. The answerer reads questions about the same graph, and answers by the graph alone when a flow fails.
    ///
    /// # Errors
    /// Fails if the store cannot give its schema.
    pub async fn open(
        store: Arc<dyn GraphStore>,
        answerer: Answerer,
        model: Arc<dyn ChatModel>,
    ) -> Result<Self> {
        let schema = Arc::new(store.schema(SchemaOptions::default()).await?.without_reserved());
        let suggestions =
            Suggestions::new(Arc::clone(&store)).with_embedder(Arc::new(BuiltinEmbedder::new()));
        let (suggest, record) = (Arc::new(suggestions), Arc::default());
        let fingerprint = schema.fingerprint().into();
        let (examples, learning) = (None, Learning::default());
        Ok(Self { store, answerer, schema, suggest, model, record, fingerprint, examples, learning })
    }

    /// Sets the book of examples, and from whose questions further ones are learned. Without it, models are shown none.
    #[must_use]
    pub fn with_examples(self, book: Arc<ExampleBook>, learning: Learning) -> Self {
        Self { examples: Some(book), learning, ..self }
    }

    /// Verifies the examples of another schema than that of now: their queries must have no errors, run and give rows. What does not
    /// hold becomes a candidate. Returns how many hold, and how many do not. Without a book there are none.
    ///
    /// # Errors
    /// Fails if the book cannot be read or written.
    pub async fn verify_examples(&self) -> Result<(usize, usize)> {
        let Some(book) = self.examples.clone() else { return Ok((0, 0)) };
        let session = self.session(&FlowOptions::default(), Arc::new(|_| {}));
        let read = Arc::clone(&book);
        let examples = steps::in_background(move || read.read()).await?.examples;
        let (mut holding, mut failing) = (0, 0);
        for example in examples.iter().filter(|example| *example.schema != *self.fingerprint) {
            if steps::verify(&session, &book, example).await? {
                holding += 1;
            } else {
                failing += 1;
            }
        }
        Ok((holding, failing))
    }

    /// Replaces what finds stored values and names that are near to those in a question or a query. By default, values are compared by
    /// spelling and by meaning.
    #[must_use]
    pub fn with_suggestions(self, suggest: Arc<dyn Suggest>) -> Self {
        Self { suggest, ..self }
    }

    /// Answers a question through a flow, and calls `events` with what happens on the way. The last event is [`Event::Done`].
    ///
    /// If the model fails or the time is over, the graph alone answers, and the answer says so.
    ///
    /// # Errors
    /// Fails if the question has no words, the graph cannot be read, or the work is cancelled.
    pub async fn ask(
        &self,
        question: &str,
        options: &FlowOptions,
        events: impl Fn(Event) + Send + Sync + 'static,
    ) -> Result<Answer> {
        let start = Instant::now();
        if !question.chars().any(char::is_alphanumeric) {
            return Err(AnswerError::EmptyQuestion.into());
        }
        let tell: Tell = Arc::new(events);
        tell(Event::Started { question: question.to_owned() });
        let session = Arc::new(self.session(options, Arc::clone(&tell)));
        for name in options.left_out.iter().filter(|name| !self.is_known(name)) {
            session.note(format!("Nothing in the graph is called {name}: nothing is left out by it."));
        }
        let asked = Asked {
            question: question.to_owned(),
            conversation: options.conversation.clone(),
            ..Asked::default()
        };
        let mut answer = match run(&session, asked).await {
            Ok(outcome) => {
                let left = options.limits.time.saturating_sub(start.elapsed());
                self.learn(&session, &outcome, left).await;
                *outcome.answer
            }
            Err(FlowError::Cancelled) => return Err(Text2CypherError::Cancelled),
            Err(error) => self.without_flow(question, reason(options.flow, &error), &session).await?,
        };
        question.clone_into(&mut answer.question);
        session.close(&mut answer);
        answer.elapsed_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.note_outcome(question, options.flow, &answer);
        tell(Event::Done { answer: Box::new(answer.clone()) });
        Ok(answer)
    }

    fn session(&self, options: &FlowOptions, tell: Tell) -> Session {
        let parts = Parts {
            store: Arc::clone(&self.store),
            answerer: self.answerer.clone(),
            schema: Arc::clone(&self.schema),
            suggest: Arc::clone(&self.suggest),
            model: Arc::clone(&self.model),
            record: Arc::clone(&self.record),
            fingerprint: Arc::clone(&self.fingerprint),
            examples: self.examples.clone(),
        };
        Session::new(parts, options.clone(), tell)
    }

    /// Tells whether a label or relationship type has this name.
    fn is_known(&self, name: &str) -> bool {
        let mut elements = self.schema.labels.iter().chain(&self.schema.relationship_types);
        elements.any(|element| element.name == name)
    }

    /// Answers from the graph alone, and gives the reason.
    async fn without_flow(&self, question: &str, reason: String, session: &Session) -> Result<Answer> {
        session.tell(Event::Fallback { reason: reason.clone() });
        let mut answer = self.answerer.ask(question, &AskOptions::default().without_model()).await?;
        answer.add_remark(&reason);
        answer.steps.push(reason);
        Ok(answer)
    }

    /// Learns from an answer, if that may be.
    async fn learn(&self, session: &Session, outcome: &Outcome, left: Duration) {
        learn::count_uses(session, outcome.shown.clone()).await;
        let may_learn = match self.learning {
            Learning::Off => false,
            Learning::Own => !session.options.anonymous,
            Learning::All => true,
        };
        if may_learn {
            let learning = learn::learn(session, outcome, left);
            session.options.cancel.run_until_cancelled(learning).await;
        }
    }

    /// Notes for [`FlowName::Auto`] what became of a question of its kind.
    fn note_outcome(&self, question: &str, flow: FlowName, answer: &Answer) {
        if answer.status == AnswerStatus::Talk {
            return;
        }
        let answered = answer.model.is_some() && answer.status == AnswerStatus::Answered;
        self.record.add(&self.answerer.question_kind(question).kind, flow, answered);
    }
}

/// Runs the flow that the options name.
async fn run(session: &Arc<Session>, asked: Asked) -> Result<Outcome, FlowError> {
    let shared = || Arc::clone(session);
    match session.options.flow {
        FlowName::Naive => run_flow(Naive(shared()), session, asked).await,
        FlowName::Retry => run_flow(Retry(shared()), session, asked).await,
        FlowName::RetryCheck => run_flow(RetryCheck(shared()), session, asked).await,
        FlowName::Planner => run_flow(Planner::new(shared()), session, asked).await,
        FlowName::Auto => run_flow(Auto::new(shared()), session, asked).await,
    }
}

async fn run_flow<F: Steps<Start = Asked, Stop = Outcome>>(
    flow: F,
    session: &Session,
    asked: Asked,
) -> Result<Outcome, FlowError> {
    let runner = Runner::new(flow).with_time_limit(session.options.limits.time);
    runner.run(asked).with_cancellation(&session.options.cancel).await
}

/// Says why a flow gave no answer.
fn reason(flow: FlowName, error: &FlowError) -> String {
    match error {
        // Which step it was says nothing to who asked.
        FlowError::StepFailed { source, .. } => format!("The flow `{flow}` could not answer: {source}."),
        FlowError::OutOfTime { limit } => {
            format!("The flow `{flow}` did not answer within {}.", seconds(*limit))
        }
        other => format!("The flow `{flow}` could not answer: {other}."),
    }
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}
