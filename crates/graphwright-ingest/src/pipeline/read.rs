//! Reads documents: first the names in all of them, then entities and facts.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::Arc,
};

use aho_corasick::AhoCorasick;
use futures::{Stream, StreamExt};
use graphwright_core::{Chunk, GraphStore, NodeKey, Statement, Value, names, store::QueryOptions};
use graphwright_documents::{
    DocumentError, Extraction, Failure, ParsedDocument,
    extraction::{KnownEntities, KnownEntity, folder_of},
};

use graphwright_llm::Usage;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::{
    Graph, Ingest, fail,
    plan::{Plan, PlannedFile, blocking},
};
use crate::{
    IngestError, Result,
    ledger::Ledger,
    lexical,
    report::{IngestReport, Progress},
    resolve::{Resolver, entity_key, join_known, name_by_keys, name_by_references, named_in},
    validate::names_other_types,
};

/// The number of documents that wait for new types before it is decided. If the run is stopped, they are read again.
const MOST_WAITING: usize = 200;

/// Number of documents in the first wave.
const FIRST_WAVE: usize = 8;

impl Ingest {
    /// Collects the names that the ontology, the graph and the documents introduce.
    ///
    /// An unchanged document is read again if it holds a name that is new or gone, since it may
    /// mean something else now.
    pub(super) async fn survey(
        &self,
        plan: &mut Plan,
        ledger: &Ledger,
        progress: &(dyn Fn(Progress) + Send + Sync),
    ) -> Result<Known> {
        let elsewhere = known_elsewhere(self.store.as_ref(), ledger).await?;
        let before = Meanings::new(introduced_before(plan, ledger).values().flatten().chain(&elsewhere));
        let mut introduced = introduced_before(plan, ledger);
        let reading = plan.reading().map(|(index, _)| index).collect();
        self.survey_documents(plan, reading, &mut introduced, progress).await?;
        let after = Meanings::new(introduced.values().flatten().chain(&elsewhere));
        let more = self.find_holding(plan, before.difference(&after)).await;
        for index in &more {
            plan.files[*index].read = true;
        }
        self.survey_documents(plan, more, &mut introduced, progress).await?;
        let mut names: Vec<KnownEntity> =
            named_in(&plan.ontology).chain(introduced.values().flatten().cloned()).collect();
        drop_keys(&mut names);
        name_by_keys(&mut names, &plan.ontology);
        name_by_references(&mut names);
        let mut merged = names.clone();
        merged
            .extend(ledger.known().into_iter().filter(|entity| ledger.is_merged(&entity.kind, &entity.name)));
        Ok(Known {
            resolver: Resolver::new(&join_known(merged), &join_known(elsewhere.iter().cloned())),
            all: Arc::new(join_known(names.into_iter().chain(elsewhere))),
            introduced: if self.extractor.surveys() { introduced } else { BTreeMap::new() },
        })
    }

    async fn survey_documents(
        &self,
        plan: &Plan,
        indexes: Vec<usize>,
        introduced: &mut BTreeMap<String, Vec<KnownEntity>>,
        progress: &(dyn Fn(Progress) + Send + Sync),
    ) -> Result<()> {
        let total = indexes.len();
        let stop = self.cancel.child_token();
        let _stops_when_dropped = stop.clone().drop_guard();
        // Collected, as a closure that is kept across an await hides from the compiler that the run may move between
        // threads.
        let surveys: Vec<_> = indexes
            .into_iter()
            .map(|index| (index, stop.clone()))
            .map(|(index, stop)| async move {
                let source = plan.files[index].file.source.clone();
                if stop.is_cancelled() {
                    return (source, Err(IngestError::Cancelled));
                }
                let Some(document) = self.document(plan, index).await else {
                    return (source, Ok(Vec::new()));
                };
                let (extractor, ontology) = (Arc::clone(&self.extractor), Arc::clone(&plan.ontology));
                let runtime = tokio::runtime::Handle::current();
                // It may compute for long without yielding, and a panic must end as an error.
                let survey =
                    blocking(move || unless_stopped(&runtime, &stop, extractor.survey(&document, &ontology)))
                        .await;
                let survey = survey.unwrap_or_else(|| Err(defect(&source)));
                (source, survey)
            })
            .collect();
        let mut surveys = futures::stream::iter(surveys).buffered(self.at_once());
        let surveyed = self.take_surveys(plan, &mut surveys, total, introduced, progress).await;
        leave(&stop, &mut surveys).await;
        surveyed
    }

    async fn take_surveys(
        &self,
        plan: &Plan,
        surveys: &mut (impl Stream<Item = (String, Result<Vec<KnownEntity>>)> + Unpin + Send),
        total: usize,
        introduced: &mut BTreeMap<String, Vec<KnownEntity>>,
        progress: &(dyn Fn(Progress) + Send + Sync),
    ) -> Result<()> {
        let listed = Resolver::new(&join_known(named_in(&plan.ontology)), &KnownEntities::default());
        let mut done = 0;
        while let Some((source, survey)) = surveys.next().await {
            self.check_cancelled()?;
            let mut names = survey?;
            names.retain(|entity| {
                let closed = plan.ontology.nodes.get(&entity.kind).is_some_and(|node| node.closed);
                !closed || listed.known_name(&listed.resolve(&entity.kind, &entity.name)).is_some()
            });
            if self.extractor.surveys() {
                introduced.insert(source, names);
            }
            done += 1;
            progress(Progress::Surveyed { done, total });
        }
        Ok(())
    }

    /// Finds files outside the plan that hold one of the names.
    async fn find_holding(&self, plan: &Plan, names: BTreeSet<String>) -> Vec<usize> {
        // A name of one letter would be found in almost every document.
        let names: Vec<String> = names.into_iter().filter(|name| name.chars().count() > 1).collect();
        let of_folders: HashSet<&str> = names.iter().map(String::as_str).collect();
        let matcher = AhoCorasick::builder().ascii_case_insensitive(true).build(&names);
        let Some(matcher) = matcher.ok().filter(|_| !names.is_empty()) else { return Vec::new() };
        let mut holding = Vec::new();
        for index in (0..plan.files.len()).filter(|&index| !plan.files[index].read) {
            if let Some(document) = self.document(plan, index).await
                && (of_folders.contains(folder_of(&document.source)) || holds_word(&matcher, &document.text))
            {
                holding.push(index);
            }
        }
        holding
    }

    /// Reads the planned documents, several at a time, and writes them in order.
    pub(super) async fn read_and_write(
        &self,
        plan: &mut Plan,
        known: &Known,
        graph: &mut Graph,
        report: &mut IngestReport,
        progress: &(dyn Fn(Progress) + Send + Sync),
    ) -> Result<()> {
        let mut written = Written {
            done: 0,
            failed: 0,
            total: plan.reading().count(),
            extent: Extent::new(plan),
            progress,
        };
        let read = self.read_in_waves(plan, known, graph, report, &mut written).await;
        // Also when the run ends early: what was read is not read, or paid for, again.
        let flushed = self.flush(graph).await.map(|documents| written.tell(documents));
        read.and(flushed).map_err(|error| error.after_documents(written.done - written.failed, written.total))
    }

    /// Reads the documents in waves, each twice as large as the one before, where names are not known from a survey: a name
    /// that one wave finds is known in the next.
    async fn read_in_waves(
        &self,
        plan: &mut Plan,
        known: &Known,
        graph: &mut Graph,
        report: &mut IngestReport,
        written: &mut Written<'_>,
    ) -> Result<()> {
        let mut rest: Vec<usize> = plan.reading().map(|(index, _)| index).collect();
        if self.extractor.surveys() {
            self.read_planned(plan, rest, known, graph, report, written).await?;
            return self.add_waiting(plan, known, graph, report, written).await;
        }
        let (mut size, mut wider) = (FIRST_WAVE, None);
        while !rest.is_empty() {
            let wave = rest.drain(..size.min(rest.len())).collect();
            self.read_planned(plan, wave, wider.as_ref().unwrap_or(known), graph, report, written).await?;
            if graph.waiting.len() >= MOST_WAITING || rest.is_empty() {
                self.add_waiting(plan, wider.as_ref().unwrap_or(known), graph, report, written).await?;
            }
            wider = Some(known.with(graph.ledger.known()));
            size *= 2;
        }
        Ok(())
    }

    async fn read_planned(
        &self,
        plan: &Plan,
        wave: Vec<usize>,
        known: &Known,
        graph: &mut Graph,
        report: &mut IngestReport,
        written: &mut Written<'_>,
    ) -> Result<()> {
        let stop = self.cancel.child_token();
        let _stops_when_dropped = stop.clone().drop_guard();
        // Collected as the surveys above.
        let readings: Vec<_> = wave
            .into_iter()
            .map(|index| {
                let (known, stop) = (Arc::clone(&known.all), stop.clone());
                async move { (index, self.extract(plan, index, known, stop).await) }
            })
            .collect();
        let mut readings = futures::stream::iter(readings).buffered(self.at_once());
        let added = self.add_readings(plan, &mut readings, known, graph, report, written).await;
        leave(&stop, &mut readings).await;
        added
    }

    async fn add_readings(
        &self,
        plan: &Plan,
        readings: &mut (impl Stream<Item = (usize, Result<Reading>)> + Unpin + Send),
        known: &Known,
        graph: &mut Graph,
        report: &mut IngestReport,
        written: &mut Written<'_>,
    ) -> Result<()> {
        loop {
            let next = match graph.pending.due() {
                Some(due) => tokio::time::timeout_at(due, readings.next()).await,
                None => Ok(readings.next().await),
            };
            self.check_cancelled()?;
            match next {
                Ok(Some((index, reading))) => {
                    let planned = &plan.files[index];
                    match reading {
                        Ok(mut reading) => {
                            if self.open && names_other_types(&reading.extraction, &plan.ontology) {
                                report.usage += std::mem::take(&mut reading.extraction.usage);
                                graph.waiting.push((index, reading));
                            } else {
                                self.add(plan, planned, reading, known, graph, report).await?;
                            }
                            written.expect(planned, &report.usage);
                        }
                        Err(error) if concerns_one_document(&error) => {
                            let failure = Failure { path: planned.file.shown(), reason: error.to_string() };
                            fail(&mut report.failed, failure, written.progress);
                            written.done += 1;
                            written.failed += 1;
                        }
                        Err(error) => return Err(error),
                    }
                }
                Ok(None) => return Ok(()),
                Err(_waited) => {}
            }
            if graph.pending.is_due() {
                written.tell(self.flush(graph).await?);
            }
        }
    }

    async fn extract(
        &self,
        plan: &Plan,
        index: usize,
        known: Arc<KnownEntities>,
        stop: CancellationToken,
    ) -> Result<Reading> {
        if stop.is_cancelled() {
            return Err(IngestError::Cancelled);
        }
        let file = &plan.files[index].file;
        let Some(document) = self.document(plan, index).await else {
            return Err(IngestError::Read {
                path: file.path.clone(),
                message: "it changed meanwhile".to_owned(),
            });
        };
        let (extractor, ontology) = (Arc::clone(&self.extractor), Arc::clone(&plan.ontology));
        let (splitter, runtime) = (self.splitter, tokio::runtime::Handle::current());
        let only = plan.files[index].only.clone();
        let reading = blocking(move || {
            let chunks = splitter.split(&document);
            let extract = |chunks: &[Chunk]| {
                unless_stopped(&runtime, &stop, extractor.extract(&document, chunks, &ontology, &known))
            };
            let extraction = match only {
                Some(only) => {
                    let again = chunks.iter().filter(|chunk| only.contains(&chunk.index));
                    extract(&again.cloned().collect::<Vec<_>>())?
                }
                None => extract(&chunks)?,
            };
            Ok(Reading { document, chunks, extraction })
        });
        reading.await.unwrap_or_else(|| Err(defect(&file.source)))
    }
}

/// Waits for an extractor on a thread, until the run is left.
fn unless_stopped<T>(
    runtime: &Handle,
    stop: &CancellationToken,
    work: impl Future<Output = Result<T, DocumentError>>,
) -> Result<T> {
    let done = runtime.block_on(stop.run_until_cancelled(work));
    Ok(done.ok_or(IngestError::Cancelled)??)
}

/// Stops what is still being read, and waits for it: a thread that outlives its runtime panics.
async fn leave<T>(stop: &CancellationToken, running: &mut (impl Stream<Item = T> + Unpin + Send)) {
    stop.cancel();
    while running.next().await.is_some() {}
}

/// Reports that the thread which read a document panicked.
fn defect(source: &str) -> IngestError {
    IngestError::Internal {
        message: format!("reading {source} met a defect of this program; leave the file out, and report it"),
    }
}

/// Drops the names that are no names but what another entity of the type is identified by: a record was read before the
/// one that it refers to.
fn drop_keys(names: &mut Vec<KnownEntity>) {
    let keys: HashSet<(String, String)> = names
        .iter()
        .flat_map(|entity| entity.keys.values().flatten().map(|key| (entity.kind.clone(), key.clone())))
        .collect();
    names.retain(|entity| {
        !entity.keys.is_empty() || !keys.contains(&(entity.kind.clone(), entity.name.clone()))
    });
}

/// How many documents are done, and who is told.
pub(super) struct Written<'a> {
    done: usize,
    /// Those of them that could not be read.
    failed: usize,
    total: usize,
    extent: Extent,
    progress: &'a (dyn Fn(Progress) + Send + Sync),
}

/// How much text is to be read, and has been, in bytes.
struct Extent {
    all: usize,
    read: usize,
    /// Of a document that is not kept in memory.
    usual: usize,
}

impl Extent {
    fn new(plan: &Plan) -> Self {
        let sizes: Vec<usize> =
            plan.reading().filter_map(|(_, file)| Some(file.document.as_ref()?.text.len())).collect();
        let usual = sizes.iter().sum::<usize>() / sizes.len().max(1);
        let others = plan.reading().count() - sizes.len();
        Self { all: sizes.iter().sum::<usize>() + others * usual, read: 0, usual }
    }
}

impl Written<'_> {
    /// Tells what the whole run will take, if it takes in proportion to the text what it took so far.
    fn expect(&mut self, planned: &PlannedFile, usage: &Usage) {
        self.extent.read +=
            planned.document.as_ref().map_or(self.extent.usual, |document| document.text.len());
        if usage.requests == 0 || self.extent.read == 0 {
            return;
        }
        let factor = self.extent.all.max(self.extent.read) as f64 / self.extent.read as f64;
        let scaled = |number: u64| (number as f64 * factor).round() as u64;
        let usage = Usage {
            requests: scaled(usage.requests),
            input_tokens: scaled(usage.input_tokens),
            cached_tokens: scaled(usage.cached_tokens),
            output_tokens: scaled(usage.output_tokens),
            reasoning_tokens: scaled(usage.reasoning_tokens),
            cost: usage.cost.map(|cost| cost * factor),
            cached_replies: scaled(usage.cached_replies),
        };
        (self.progress)(Progress::Expected { usage });
    }

    pub(super) fn tell(&mut self, documents: Vec<String>) {
        for document in documents {
            self.done += 1;
            (self.progress)(Progress::Written { document, done: self.done, total: self.total });
        }
    }
}

/// Names that are known before documents are read.
#[derive(Debug)]
pub(super) struct Known {
    /// Entities for the extractor.
    all: Arc<KnownEntities>,
    /// Resolver for what the extractor returns.
    pub(super) resolver: Resolver,
    /// Results of surveys, by document.
    introduced: BTreeMap<String, Vec<KnownEntity>>,
}

impl Known {
    /// Returns these names with further ones. Those here come first.
    fn with(&self, more: Vec<KnownEntity>) -> Self {
        let all = Arc::new(join_known(self.all.entities.iter().cloned().chain(more)));
        Self { resolver: Resolver::new(&all, &KnownEntities::default()), all, introduced: BTreeMap::new() }
    }

    /// Returns what the survey of a document found, in the form that the store keeps.
    pub(super) fn introduced_by(&self, document: &str) -> Option<String> {
        serde_json::to_string(self.introduced.get(document)?).ok()
    }
}

/// Returns what the stored documents introduce: their survey results or, without a survey, the
/// names of their entities.
fn introduced_before(plan: &Plan, ledger: &Ledger) -> BTreeMap<String, Vec<KnownEntity>> {
    let names = plan.stored.values().map(|document| {
        let surveyed = serde_json::from_str(document.text(lexical::INTRODUCES)).ok();
        (document.id.clone(), surveyed.unwrap_or_else(|| ledger.known_of(&document.id)))
    });
    names.collect()
}

/// Meanings of names: for the key of a name and the key of an entity, the name as written and
/// whether its type is only inferred.
#[derive(Debug, Default, PartialEq)]
struct Meanings(BTreeMap<(NodeKey, NodeKey), (String, bool)>);

impl Meanings {
    fn new<'a>(entities: impl Iterator<Item = &'a KnownEntity>) -> Self {
        let mut meanings = BTreeMap::new();
        for entity in entities {
            let key = entity_key(&entity.kind, &entity.name);
            let names =
                std::iter::once(&entity.name).chain(&entity.aliases).chain(entity.keys.values().flatten());
            for name in names {
                let meaning = (entity_key(&entity.kind, name), key.clone());
                let (_, inferred) = meanings.entry(meaning).or_insert_with(|| (name.clone(), true));
                *inferred &= entity.inferred;
            }
        }
        Self(meanings)
    }

    /// Returns the names whose meanings differ between the two.
    fn difference(&self, other: &Self) -> BTreeSet<String> {
        let missing = |from: &Self, to: &Self| -> Vec<String> {
            let same = |(meaning, (_, inferred)): &(&(NodeKey, NodeKey), &(String, bool))| {
                to.0.get(*meaning).is_some_and(|(_, other)| other == inferred)
            };
            from.0.iter().filter(|pair| !same(pair)).map(|(_, (name, _))| name.clone()).collect()
        };
        missing(self, other).into_iter().chain(missing(other, self)).collect()
    }
}

/// Result of reading a document.
#[derive(Debug)]
pub(super) struct Reading {
    pub document: Arc<ParsedDocument>,
    pub chunks: Vec<Chunk>,
    pub extraction: Extraction,
}

/// Returns whether the other documents may go on after this error.
fn concerns_one_document(error: &IngestError) -> bool {
    use graphwright_llm::LlmError;
    match error {
        IngestError::Read { .. } => true,
        IngestError::Model(error) => matches!(
            error,
            LlmError::BadReply { .. }
                | LlmError::ContextLength { .. }
                | LlmError::Refused { .. }
                // When it goes on, the circuit breaker ends the run.
                | LlmError::Unavailable { .. }
        ),
        _ => false,
    }
}

/// Returns whether a name occurs in the text as a whole word.
fn holds_word(matcher: &AhoCorasick, text: &str) -> bool {
    // Names may lie in one another: "Data" must not hide "Database".
    matcher.find_overlapping_iter(text).any(|found| {
        let before = text[..found.start()].chars().next_back();
        let after = text[found.end()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// Returns the entities in the graph that do not come from documents.
async fn known_elsewhere(store: &dyn GraphStore, ledger: &Ledger) -> Result<Vec<KnownEntity>> {
    let statement = Statement::fixed("MATCH (e:`__Entity__`) RETURN e");
    let options = QueryOptions { time_limit: None, ..QueryOptions::default() };
    let mut rows = store.read(statement, options).await?;
    let mut known = Vec::new();
    while let Some(row) = rows.next().await {
        let Some(Value::Node(node)) = row?.into_iter().next() else { continue };
        if ledger.has_claims_about(&NodeKey::new(node.kind(), node.id())) {
            continue;
        }
        let aliases = node.properties.get(names::ALIASES).and_then(Value::as_list).unwrap_or_default();
        known.push(KnownEntity {
            kind: node.kind().to_owned(),
            name: node.display_name().to_owned(),
            aliases: aliases.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            ..KnownEntity::default()
        });
    }
    // The store gives rows in any order, and the first spelling of a name wins.
    known.sort();
    Ok(known)
}
