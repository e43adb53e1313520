//! Writes documents, several in one transaction.

use std::{
    collections::{BTreeSet, HashSet},
    time::Duration,
};

use futures::StreamExt;
use graphwright_core::{Statement, Value, store::QueryOptions};
use tokio::time::Instant;

use super::{
    Graph, Ingest,
    plan::{Plan, PlannedFile},
    read::{Known, Reading},
};
use crate::{
    Result,
    ledger::{Delta, DocumentClaims, Projection, StoredDocument, load_documents},
    lexical::{self, Origin},
    report::{IngestReport, MOST_DROPPED_ITEMS},
    validate::{Validator, project_invalid},
};

/// How long a document that was read may wait for others, so that they share a transaction.
///
/// A commit costs time in proportion to the graph. One second of work is all that a killed run loses, and no reply of a
/// model waits longer.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// Number of nodes and relationships that are written in one transaction, a document more or less.
const ELEMENTS: usize = 20_000;

/// Documents that were read and are not in the store yet.
#[derive(Debug, Default)]
pub(super) struct Pending {
    delta: Delta,
    documents: Vec<String>,
    since: Option<Instant>,
}

impl Pending {
    fn add(&mut self, document: &str, delta: Delta) {
        self.delta.append(delta);
        self.documents.push(document.to_owned());
        self.since.get_or_insert_with(Instant::now);
    }

    /// Returns when it must be written; `None` if there is nothing to write.
    pub(super) fn due(&self) -> Option<Instant> {
        self.since.map(|since| since + LONGEST_WAIT)
    }

    /// Returns whether it should be written now.
    pub(super) fn is_due(&self) -> bool {
        self.delta.len() >= ELEMENTS || self.due().is_some_and(|due| due <= Instant::now())
    }
}

impl Ingest {
    /// Adds a document to what is to be written.
    pub(super) async fn add(
        &self,
        plan: &Plan,
        planned: &PlannedFile,
        reading: Reading,
        known: &Known,
        graph: &mut Graph,
        report: &mut IngestReport,
    ) -> Result<()> {
        let Reading { document, chunks, mut extraction } = reading;
        let now = self.now();
        report.usage += extraction.usage;
        let incomplete = std::mem::take(&mut extraction.incomplete);
        report.unread.add(planned.only.as_ref().map_or(chunks.len(), BTreeSet::len), &incomplete);
        let validator = Validator {
            document: &document,
            chunks: &chunks,
            ontology: &plan.ontology,
            resolver: &known.resolver,
            threshold: self.threshold,
            now: now.clone(),
        };
        let mut validated = validator.validate(extraction);
        if planned.only.is_some() {
            validated.claims =
                graph.ledger.claims_of(&document.id).cloned().unwrap_or_default().join(validated.claims);
        }
        for (reason, count) in &validated.dropped {
            *report.dropped.entry(*reason).or_default() += count;
        }
        let room = MOST_DROPPED_ITEMS.saturating_sub(report.dropped_items.len());
        let dropped = validated.invalid.iter().chain(&validated.unread);
        let items = dropped.take(room).map(|item| item.listed(&document.source));
        report.dropped_items.extend(items);
        let path = planned.file.path.to_string_lossy().into_owned();
        let introduces = known.introduced_by(&document.id);
        let origin = Origin { path, extractor: plan.extractor.clone(), introduces, incomplete, now };
        let mut delta = Delta {
            before: self.stored(planned.stored.as_ref()).await?,
            after: lexical::project(&document, &chunks, &origin),
        };
        if self.keep_invalid {
            delta.after.extend(project_invalid(&document.id, &validated.invalid));
        }
        delta.append(graph.ledger.replace(&document.id, validated.claims));
        graph.pending.add(&document.source, delta);
        Ok(())
    }

    /// Adds to what is to be written that a document is gone, with everything only it states.
    pub(super) async fn remove(&self, document: &StoredDocument, graph: &mut Graph) -> Result<()> {
        let mut delta = Delta { before: self.stored(Some(document)).await?, after: Projection::default() };
        delta.append(graph.ledger.replace(&document.id, DocumentClaims::default()));
        graph.pending.add(&document.id, delta);
        Ok(())
    }

    /// Writes what is pending in one transaction. Returns the documents that it concerns.
    pub(super) async fn flush(&self, graph: &mut Graph) -> Result<Vec<String>> {
        let Pending { delta, documents, .. } = std::mem::take(&mut graph.pending);
        let changes = delta.changes();
        if !changes.is_empty() {
            self.store.apply(changes).await?;
        }
        graph.tally.note(&delta);
        Ok(documents)
    }

    async fn stored(&self, document: Option<&StoredDocument>) -> Result<Projection> {
        match document {
            Some(document) => lexical::project_stored(self.store.as_ref(), document).await,
            None => Ok(Projection::default()),
        }
    }

    /// Updates the links between documents, in one transaction.
    pub(super) async fn link(&self, report: &mut IngestReport) -> Result<()> {
        let documents = load_documents(self.store.as_ref()).await?;
        let (after, ambiguous) = lexical::project_links(documents.values());
        let delta = Delta { before: lexical::project_stored_links(self.store.as_ref()).await?, after };
        report.ambiguous_links = ambiguous;
        report.links = delta.count_relationships();
        let changes = delta.changes();
        if !changes.is_empty() {
            self.store.apply(changes).await?;
        }
        Ok(())
    }

    /// Counts everything for a run that has nothing to do.
    pub(super) async fn count_all(&self, plan: &Plan, report: &mut IngestReport) -> Result<()> {
        report.documents.unchanged = plan.files.len() as u64;
        report.chunks.unchanged = self.count_chunks(plan).await?;
        let entities = Statement::fixed("MATCH (e:`__Entity__`) RETURN count(e)");
        report.entities.unchanged = self.count(entities).await?;
        let facts = Statement::fixed("MATCH (a:`__Entity__`)-[r]->(b:`__Entity__`) RETURN count(r)");
        report.relationships.unchanged = self.count(facts).await?;
        Ok(())
    }

    /// Counts the passages of documents that this run does not read.
    pub(super) async fn count_chunks(&self, plan: &Plan) -> Result<u64> {
        let same: HashSet<&str> =
            plan.files.iter().filter(|file| !file.read).map(|file| file.file.source.as_str()).collect();
        // One pass over the passages: a list of documents as a condition would be searched for each passage.
        let chunks = Statement::fixed("MATCH (c:Chunk) RETURN c.document, count(c)");
        let options = QueryOptions { time_limit: None, ..QueryOptions::default() };
        let mut rows = self.store.read(chunks, options).await?;
        let mut count = 0;
        while let Some(row) = rows.next().await {
            let row = row?;
            if let [Value::String(document), Value::Integer(chunks)] = row.as_slice()
                && same.contains(document.as_str())
            {
                count += u64::try_from(*chunks).unwrap_or_default();
            }
        }
        Ok(count)
    }

    pub(super) async fn count(&self, statement: Statement) -> Result<u64> {
        let options = QueryOptions { time_limit: None, ..QueryOptions::default() };
        let table = self.store.read(statement, options).await?.collect().await?;
        let number = table.rows.first().and_then(|row| row.first()).and_then(Value::as_integer);
        Ok(number.and_then(|number| u64::try_from(number).ok()).unwrap_or_default())
    }
}
