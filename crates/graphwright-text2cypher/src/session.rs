//! What the steps of a flow work with, for one question.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use graphwright_answer::{Answer, AnswerStatus, Answerer, Event, stream_reply};
use graphwright_core::{
    GraphSchema, GraphStore,
    schema::{Pattern, Target},
};
use graphwright_cypher::lint::{Lint, Suggest};
use graphwright_llm::{ChatModel, ChatRequest, Usage, without_thoughts};

use crate::{error::Result, event::Asked, examples::ExampleBook, options::FlowOptions, record::Record};

/// Tells whoever listens what happens.
pub(crate) type Tell = Arc<dyn Fn(Event) + Send + Sync>;

/// What the steps of a flow work with, for one question.
pub(crate) struct Session {
    pub(crate) store: Arc<dyn GraphStore>,
    pub(crate) answerer: Answerer,
    /// The schema without what is left out.
    pub(crate) schema: Arc<GraphSchema>,
    pub(crate) lint: Lint,
    pub(crate) suggest: Arc<dyn Suggest>,
    pub(crate) model: Arc<dyn ChatModel>,
    pub(crate) options: FlowOptions,
    pub(crate) record: Arc<Record>,
    /// The fingerprint of the whole schema.
    pub(crate) fingerprint: Arc<str>,
    /// The examples, if they are to be used.
    pub(crate) examples: Option<Arc<ExampleBook>>,
    tell: Tell,
    ledger: Mutex<Ledger>,
}

/// What a run has cost, and what its answer should not hide. It is kept outside the run, so that it outlives one that is cut off.
#[derive(Clone, Debug, Default)]
struct Ledger {
    usage: Usage,
    steps: Vec<String>,
}

impl fmt::Debug for Session {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Session").field("options", &self.options).finish_non_exhaustive()
    }
}

/// What a session is made of.
pub(crate) struct Parts {
    pub(crate) store: Arc<dyn GraphStore>,
    pub(crate) answerer: Answerer,
    pub(crate) schema: Arc<GraphSchema>,
    pub(crate) suggest: Arc<dyn Suggest>,
    pub(crate) model: Arc<dyn ChatModel>,
    pub(crate) record: Arc<Record>,
    pub(crate) fingerprint: Arc<str>,
    pub(crate) examples: Option<Arc<ExampleBook>>,
}

impl Session {
    pub(crate) fn new(parts: Parts, options: FlowOptions, tell: Tell) -> Self {
        let Parts { store, answerer, schema, suggest, model, record, fingerprint, examples } = parts;
        let schema = without(&schema, &options.left_out).map_or(schema, Arc::new);
        let (lint, ledger) = (Lint::new(&schema), Mutex::default());
        let examples = examples.filter(|_| !options.without_examples);
        Self {
            store,
            answerer,
            schema,
            lint,
            suggest,
            model,
            options,
            record,
            fingerprint,
            examples,
            tell,
            ledger,
        }
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells whoever listens.
    pub(crate) fn tell(&self, event: Event) {
        (self.tell)(event);
    }

    /// Tells that something is under way.
    pub(crate) fn tell_step(&self, what: impl Into<String>) {
        self.tell(Event::Step { what: what.into() });
    }

    /// Notes what the answer should not hide.
    pub(crate) fn note(&self, note: impl Into<String>) {
        let note = note.into();
        self.tell(Event::Step { what: note.clone() });
        let mut ledger = self.ledger();
        if !ledger.steps.contains(&note) {
            ledger.steps.push(note);
        }
    }

    /// Counts what a call used.
    pub(crate) fn spend(&self, usage: Usage) {
        self.ledger().usage += usage;
    }

    /// Asks the model, and returns its text without its thoughts. A reply that breaks off is asked for once more.
    pub(crate) async fn chat(&self, what: &str, mut request: ChatRequest) -> Result<String> {
        self.tell_step(format!("asking {} {what}", self.model.name()));
        request.temperature = Some(0.0);
        // What is not yet an answer is nobody's to read.
        let tell = |event| match event {
            Event::Restarted { .. } | Event::Reasoning { .. } => self.tell(event),
            _ => {}
        };
        let reply = stream_reply(&*self.model, request, tell).await?;
        self.spend(reply.usage);
        Ok(without_thoughts(&reply.text()).to_owned())
    }

    /// Adds to an answer what the run has cost, and its steps.
    pub(crate) fn close(&self, answer: &mut Answer) {
        let ledger = self.ledger().clone();
        answer.usage = ledger.usage;
        answer.steps.splice(0..0, ledger.steps);
    }

    /// An answer that there is none, by the model.
    pub(crate) fn no_answer(&self, asked: &Asked, text: String) -> Answer {
        Answer {
            question: asked.question.clone(),
            status: AnswerStatus::NotInGraph,
            answer: text,
            model: Some(self.model.name().to_owned()),
            ..Answer::default()
        }
    }
}

/// Returns the schema without some labels and relationship types, or `None` if all are to stay.
fn without(schema: &GraphSchema, left_out: &[String]) -> Option<GraphSchema> {
    if left_out.is_empty() {
        return None;
    }
    let stays = |name: &String| !left_out.contains(name);
    let mut schema = schema.clone();
    schema.labels.retain(|label| stays(&label.name));
    schema.relationship_types.retain(|kind| stays(&kind.name));
    let is_whole = |pattern: &Pattern| [&pattern.from, &pattern.kind, &pattern.to].into_iter().all(stays);
    // A type that is counted more often than its patterns would show the lint that there are labels which it does not know.
    for pattern in schema.patterns.iter().filter(|pattern| !is_whole(pattern)) {
        for kind in schema.relationship_types.iter_mut().filter(|kind| kind.name == pattern.kind) {
            kind.count = kind.count.saturating_sub(pattern.count);
            kind.observed = kind.observed.min(kind.count);
        }
    }
    schema.patterns.retain(is_whole);
    schema.relationship_types.retain(|kind| kind.count > 0);
    schema.indexes.retain(|index| match &index.target {
        Target::Label(name) | Target::RelationshipType(name) => stays(name),
    });
    schema.constraints.retain(|constraint| stays(&constraint.label));
    Some(schema)
}
