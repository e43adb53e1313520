//! Reading documents: names first, over all of them, then entities and facts.

use std::{collections::BTreeSet, sync::Arc};

use aho_corasick::{AhoCorasick, MatchKind};
use futures::StreamExt;
use graphwright_core::{Chunk, Document, GraphStore, NodeKey, Statement, Value, names, store::QueryOptions};

use super::{
    Graph, Ingest, fail,
    plan::{Plan, blocking},
};
use crate::{
    Extraction, Failure, IngestError, Result,
    extract::{KnownEntities, KnownEntity},
    ledger::Ledger,
    report::{IngestReport, Progress},
    resolve::{Resolver, entity_key, join_known, named_in},
};

impl Ingest {
    /// Collects the names that the ontology, the graph and the documents to read introduce. A document that is as
    /// before is read again when it holds a name that is new, since the name may mean something there now.
    pub(super) async fn survey(
        &self,
        plan: &mut Plan,
        ledger: &Ledger,
        progress: &(dyn Fn(Progress) + Send + Sync),
    ) -> Result<Known> {
        let stored = known_in(self.store.as_ref(), ledger).await?;
        let old: BTreeSet<_> =
            stored.iter().flat_map(meanings).map(|(name, entity, _)| (name, entity)).collect();
        let reading = plan.reading().map(|(index, _)| index).collect();
        let mut introduced = self.survey_documents(plan, reading, progress).await?;
        let fresh = introduced
            .iter()
            .flat_map(meanings)
            .filter_map(|(name, entity, text)| (!old.contains(&(name, entity))).then(|| text.to_owned()));
        let more = self.find_holding(plan, fresh.collect()).await;
        for index in &more {
            plan.files[*index].read = true;
        }
        introduced.extend(self.survey_documents(plan, more, progress).await?);
        let introduced: Vec<KnownEntity> = named_in(&plan.ontology).chain(introduced).collect();
        let mut merged: Vec<KnownEntity> = introduced.clone();
        merged
            .extend(ledger.known().into_iter().filter(|entity| ledger.is_merged(&entity.kind, &entity.name)));
        Ok(Known {
            resolver: Resolver::new(&join_known(merged), &join_known(stored.iter().cloned())),
            all: Arc::new(join_known(introduced.into_iter().chain(stored))),
        })
    }

    async fn survey_documents(
        &self,
        plan: &Plan,
        indexes: Vec<usize>,
        progress: &(dyn Fn(Progress) + Send + Sync),
    ) -> Result<Vec<KnownEntity>> {
        let total = indexes.len();
        let surveys = indexes.into_iter().map(|index| async move {
            let Some(document) = self.document(plan, index).await else { return Ok(Vec::new()) };
            let (extractor, ontology) = (Arc::clone(&self.extractor), Arc::clone(&plan.ontology));
            let runtime = tokio::runtime::Handle::current();
            let survey = blocking(move || runtime.block_on(extractor.survey(&document, &ontology))).await;
            survey.unwrap_or(Err(IngestError::Cancelled))
        });
        let mut surveys = futures::stream::iter(surveys).buffered(self.concurrency);
        let (mut known, mut done) = (Vec::new(), 0);
        while let Some(survey) = surveys.next().await {
            self.check_cancelled()?;
            known.extend(survey?);
            done += 1;
            progress(Progress::Surveyed { done, total });
        }
        Ok(known)
    }

    /// Files that are not to be read yet but hold one of the names.
    async fn find_holding(&self, plan: &Plan, names: BTreeSet<String>) -> Vec<usize> {
        let names: Vec<String> = names.into_iter().filter(|name| name.chars().count() > 1).collect();
        let matcher = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostFirst)
            .build(&names);
        let Some(matcher) = matcher.ok().filter(|_| !names.is_empty()) else { return Vec::new() };
        let mut holding = Vec::new();
        for index in (0..plan.files.len()).filter(|&index| !plan.files[index].read) {
            if let Some(document) = self.document(plan, index).await
                && holds_word(&matcher, &document.text)
            {
                holding.push(index);
            }
        }
        holding
    }

    /// Reads the planned documents, some at once, and writes them in order.
    pub(super) async fn read_and_write(
        &self,
        plan: &Plan,
        known: &Known,
        graph: &mut Graph,
        report: &mut IngestReport,
        progress: &(dyn Fn(Progress) + Send + Sync),
    ) -> Result<()> {
        let (mut done, total) = (0, plan.reading().count());
        let written = self.write_readings(plan, known, graph, report, progress, &mut done).await;
        written.map_err(|error| error.after_documents(done, total))
    }

    async fn write_readings(
        &self,
        plan: &Plan,
        known: &Known,
        graph: &mut Graph,
        report: &mut IngestReport,
        progress: &(dyn Fn(Progress) + Send + Sync),
        done: &mut usize,
    ) -> Result<()> {
        let total = plan.reading().count();
        let readings = plan.reading().map(|(index, _)| {
            let known = Arc::clone(&known.all);
            async move { (index, self.extract(plan, index, known).await) }
        });
        let mut readings = futures::stream::iter(readings).buffered(self.concurrency);
        while let Some((index, reading)) = readings.next().await {
            self.check_cancelled()?;
            let planned = &plan.files[index];
            match reading {
                Ok(reading) => {
                    let document = reading.document.source.clone();
                    self.write(plan, planned, reading, &known.resolver, graph, report).await?;
                    progress(Progress::Written { document, done: *done + 1, total });
                }
                Err(error) if concerns_one_document(&error) => {
                    let failure = Failure { path: planned.file.shown(), reason: error.to_string() };
                    fail(&mut report.failed, failure, progress);
                }
                Err(error) => return Err(error),
            }
            *done += 1;
        }
        Ok(())
    }

    async fn extract(&self, plan: &Plan, index: usize, known: Arc<KnownEntities>) -> Result<Reading> {
        let file = &plan.files[index].file;
        let Some(document) = self.document(plan, index).await else {
            return Err(IngestError::Read {
                path: file.path.clone(),
                message: "it changed meanwhile".to_owned(),
            });
        };
        let (extractor, ontology) = (Arc::clone(&self.extractor), Arc::clone(&plan.ontology));
        let (splitter, runtime) = (self.splitter, tokio::runtime::Handle::current());
        let reading = blocking(move || {
            let chunks = splitter.split(&document);
            let extraction = runtime.block_on(extractor.extract(&document, &chunks, &ontology, &known))?;
            Ok(Reading { document, chunks, extraction })
        });
        reading.await.unwrap_or(Err(IngestError::Cancelled))
    }
}

/// The names that are known before documents are read.
#[derive(Debug)]
pub(super) struct Known {
    /// For the extractor.
    all: Arc<KnownEntities>,
    /// For what it reads.
    resolver: Resolver,
}

/// The names of an entity: key of the name, key of the entity, and the name as it is written.
fn meanings(entity: &KnownEntity) -> impl Iterator<Item = (NodeKey, NodeKey, &str)> {
    let key = entity_key(&entity.kind, &entity.name);
    let names = std::iter::once(&entity.name).chain(&entity.aliases);
    names.map(move |name| (entity_key(&entity.kind, name), key.clone(), name.as_str()))
}

/// What was read of a document.
#[derive(Debug)]
pub(super) struct Reading {
    pub document: Arc<Document>,
    pub chunks: Vec<Chunk>,
    pub extraction: Extraction,
}

/// Whether the other documents may go on after this.
fn concerns_one_document(error: &IngestError) -> bool {
    use graphwright_llm::LlmError;
    match error {
        IngestError::Read { .. } => true,
        IngestError::Model(error) => matches!(
            error,
            LlmError::BadReply { .. } | LlmError::ContextLength { .. } | LlmError::Refused { .. }
        ),
        _ => false,
    }
}

/// Whether a name stands in the text as a word of its own.
fn holds_word(matcher: &AhoCorasick, text: &str) -> bool {
    matcher.find_iter(text).any(|found| {
        let before = text[..found.start()].chars().next_back();
        let after = text[found.end()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// The entities of the graph: those that documents name, by the names that they use (so that a name which was merged
/// stays a name of its own), then those that come from elsewhere.
async fn known_in(store: &dyn GraphStore, ledger: &Ledger) -> Result<Vec<KnownEntity>> {
    let statement = Statement::fixed("MATCH (e:`__Entity__`) RETURN e");
    let options = QueryOptions { time_limit: None, ..QueryOptions::default() };
    let mut rows = store.read(statement, options).await?;
    let mut known = ledger.known();
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
            inferred: false,
        });
    }
    known.sort();
    Ok(known)
}
