//! A model at work: it reads the documents of a corpus, answers the questions of it, and answers them as an agent.
//!
//! Everything runs as it does for people, and is compared with what people wrote down. The tests play the model; anybody with a
//! key gets the same figures of a real one (`graphwright eval live`).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use futures::StreamExt;
use graphwright::{
    AgentOptions, Answer, AskOptions, Event, Graph, GraphStore, Ontology, Statement, ToolContext, llm::Usage,
    store::QueryOptions, value::Value,
};
use serde::Serialize;
use serde_json::Value as Json;

use crate::{
    Error, Result,
    corpus::{Corpus, FactKey, FactScore, fact_key, is_right, property_key},
};

/// What is behind a statement that the check could not find in the evidence.
const UNVERIFIED: &str = "[unverified]";

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct LiveReport {
    /// The model.
    pub model: String,
    /// Reading the documents.
    pub reading: ReadingScore,
    /// Answering from evidence that Graphwright chooses.
    pub answers: AnswerScore,
    /// Answering as an agent that looks for itself.
    pub agent: Option<AnswerScore>,
}

/// How documents were read.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReadingScore {
    /// Documents that were read.
    pub documents: u64,
    /// Their words.
    pub words: usize,
    /// Passages without a usable reply.
    pub incomplete: u64,
    /// Files that failed.
    pub failed: usize,
    /// Facts and properties in the graph, each with the document that states it.
    pub facts: FactScore,
    /// What it took.
    pub usage: Usage,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
}

/// How questions were answered.
#[derive(Clone, Debug, Default, Serialize)]
pub struct AnswerScore {
    /// Questions.
    pub asked: usize,
    /// Answers that are what people wrote down.
    pub right: usize,
    /// Answers in the model's words.
    pub by_model: usize,
    /// Answers of the model that were refused, or did not come, so that the graph answered.
    pub refused: usize,
    /// Statements that were marked, since the evidence does not bear them out.
    pub unverified: usize,
    /// Calls of tools.
    pub tool_calls: usize,
    /// What it took.
    pub usage: Usage,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
}

/// Lets the graph's model read the corpus into the graph, which is empty, and answer `questions` of it.
///
/// # Errors
/// Fails if the graph has no model, if that cannot read, or if the store fails. Where the model fails at a question, the graph
/// answers, which counts as refused.
pub async fn measure(
    graph: Graph,
    corpus: &Corpus,
    questions: usize,
    with_agent: bool,
    tell: impl Fn(&str),
) -> Result<LiveReport> {
    let model = graph.model().ok_or(Error::NoModel)?.name().to_owned();
    let reading = read(&graph, corpus, &tell).await?;
    let graph = Arc::new(graph.without_routes());
    let questions = &corpus.questions[..questions.min(corpus.questions.len())];
    let mut report = LiveReport { model, reading, answers: AnswerScore::default(), agent: None };
    for question in questions {
        let text = question["question"].as_str().unwrap_or_default();
        tell(text);
        let heard = Heard::default();
        let options = AskOptions::default();
        let answer = graph.ask(text).with(options).events(heard.listener()).await?;
        report.answers.add(question, &answer, &corpus.gold, &heard);
    }
    if with_agent {
        let mut score = AnswerScore::default();
        for question in questions {
            let text = question["question"].as_str().unwrap_or_default();
            tell(&format!("agent: {text}"));
            let heard = Heard::default();
            let agent = graph.agent(&AgentOptions::default()).await?;
            let context = ToolContext::new("live").with_events(heard.listener());
            let answer = graph.ask_agent(&agent, text, &context).await?;
            score.add(question, &answer, &corpus.gold, &heard);
        }
        report.agent = Some(score);
    }
    Ok(report)
}

async fn read(graph: &Graph, corpus: &Corpus, tell: &impl Fn(&str)) -> Result<ReadingScore> {
    tell("reading the documents");
    let ontology = Ontology::read(&corpus.ontology).map_err(graphwright::Error::from)?;
    let started = Instant::now();
    let read = graph.ingest([corpus.documents.clone()]).ontology(ontology).await?;
    let elapsed_ms = milliseconds(started);
    Ok(ReadingScore {
        documents: read.report.documents.added,
        words: words(graph.store().as_ref()).await?,
        incomplete: read.report.unread.passages,
        failed: read.report.failed.len(),
        facts: FactScore::of(&facts(graph.store().as_ref()).await?, &corpus.facts()),
        usage: read.report.usage,
        elapsed_ms,
    })
}

fn milliseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

impl AnswerScore {
    fn add(&mut self, question: &Json, answer: &Answer, gold: &[Json], heard: &Heard) {
        let told = serde_json::to_value(answer).unwrap_or_default();
        let heard = heard.lock();
        self.asked += 1;
        self.right += usize::from(is_right(question, &told, gold));
        self.by_model += usize::from(answer.model.is_some());
        self.refused += usize::from(heard.fallback);
        self.unverified += answer.answer.matches(UNVERIFIED).count();
        self.tool_calls += heard.tool_calls;
        self.usage += answer.usage;
        self.elapsed_ms += answer.elapsed_ms;
    }
}

/// What was told while a question was answered.
#[derive(Clone, Debug, Default)]
struct Heard(Arc<Mutex<Told>>);

#[derive(Debug, Default)]
struct Told {
    fallback: bool,
    tool_calls: usize,
}

impl Heard {
    fn lock(&self) -> std::sync::MutexGuard<'_, Told> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn listener(&self) -> impl Fn(Event) + Send + Sync + 'static {
        let heard = self.clone();
        move |event| {
            let mut told = heard.lock();
            match event {
                Event::Fallback { .. } => told.fallback = true,
                Event::ToolCall { .. } => told.tool_calls += 1,
                _ => {}
            }
        }
    }
}

/// Reads all rows of a statement, as lists of values.
async fn rows(store: &dyn GraphStore, statement: &'static str) -> Result<Vec<Vec<Value>>> {
    let options = QueryOptions { time_limit: None, ..QueryOptions::default() };
    let mut stream = store.read(Statement::fixed(statement), options).await?;
    let mut rows = Vec::new();
    while let Some(row) = stream.next().await {
        rows.push(row?.into_iter().collect());
    }
    Ok(rows)
}

async fn words(store: &dyn GraphStore) -> Result<usize> {
    let texts = rows(store, "MATCH (c:Chunk) RETURN c.text").await?;
    Ok(texts.iter().flatten().filter_map(Value::as_str).map(|text| text.split_whitespace().count()).sum())
}

/// Returns the facts and properties in the graph, once for each document that states them.
async fn facts(store: &dyn GraphStore) -> Result<BTreeSet<FactKey>> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut documents = BTreeMap::new();
    for row in rows(store, "MATCH (c:Chunk) RETURN c.`__id__`, c.document").await? {
        if let [id, document] = row.as_slice() {
            documents.insert(text(id), text(document));
        }
    }
    let mut found = BTreeSet::new();
    let statement = "MATCH (a:`__Entity__`)-[r]->(b:`__Entity__`) RETURN type(r), a.name, b.name, r.chunks";
    for row in rows(store, statement).await? {
        let [kind, from, to, chunks] = row.as_slice() else { continue };
        let stated = chunks.as_list().unwrap_or_default().iter().filter_map(Value::as_str);
        let documents = stated.filter_map(|chunk| documents.get(chunk));
        found.extend(documents.map(|document| fact_key(document, &text(kind), &text(from), &text(to))));
    }
    let statement = "MATCH (e:`__Entity__`)-[r:FROM_CHUNK]->(c:Chunk) WHERE r.property IS NOT NULL \
                     RETURN e, r.property, r.value, c.document";
    for row in rows(store, statement).await? {
        let [Value::Node(entity), property, value, document] = row.as_slice() else { continue };
        let (name, value) = (entity.display_name(), serde_json::to_value(value).unwrap_or_default());
        found.insert(property_key(&text(document), entity.kind(), &text(property), name, &value));
    }
    Ok(found)
}
