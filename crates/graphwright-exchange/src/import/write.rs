//! Second pass of an import: writes everything to the store in batches.

use std::sync::Arc;

use graphwright_core::{
    GraphStore, NodeKey, RelationshipKey,
    schema::{Constraint, Index},
    store::{Change, ChangeSet, OnExisting},
};
use tokio::sync::mpsc;

use super::{check::Counts, join, progress_of, read};
use crate::{
    ExchangeError, ImportOptions, ImportPhase, ImportProgress, ImportReport, InputProblem, Result, Source,
    item::{Item, NodeItem, Place, RelationshipItem, Sink},
    registry::Registry,
};

/// Default number of nodes and relationships in one transaction.
const BATCH: usize = 50_000;

/// A piece of work that the reading thread hands to the writer.
enum Work {
    Changes(ChangeSet, Counts),
    Constraint(Constraint),
    Index(Index),
}

pub(super) async fn write(
    store: &dyn GraphStore,
    sources: Arc<[Source]>,
    registry: Registry,
    counts: Counts,
    options: &ImportOptions,
    progress: &mut (dyn FnMut(ImportProgress) + Send),
    report: &mut ImportReport,
) -> Result<()> {
    // A short channel: the reading thread may be two batches ahead, but must not fill the memory.
    let (sender, mut receiver) = mpsc::channel(2);
    let thread_options = options.clone();
    let task = tokio::task::spawn_blocking(move || {
        let mut feed = Feed::new(registry, thread_options.batch.unwrap_or(BATCH), sender);
        for source in sources.iter() {
            read(source, &thread_options, &mut feed)?;
        }
        feed.flush()
    });
    let total = Some(counts.nodes + counts.relationships);
    let outcome = loop {
        let Some(work) = receiver.recv().await else { break Ok(()) };
        if options.cancel.is_cancelled() {
            break Err(ExchangeError::Cancelled);
        }
        if let Err(error) = take(store, work, report).await {
            break Err(error.after(report));
        }
        progress(progress_of(ImportPhase::Writing, report.nodes, report.relationships, total));
    };
    // The reading thread waits on a full channel; dropping the receiver ends it.
    drop(receiver);
    let read = join(task).await;
    // First: when the writer has failed, the reader only fails because nobody takes its work.
    outcome?;
    read.map_err(|error| error.after(report))
}

async fn take(store: &dyn GraphStore, work: Work, report: &mut ImportReport) -> Result<()> {
    match work {
        Work::Changes(changes, counts) => {
            let is_vector = |change: &&Change| matches!(change, Change::SetVector { .. });
            let vectors = changes.changes.iter().filter(is_vector).count();
            report.changed += store.apply(changes).await?;
            report.nodes += counts.nodes;
            report.relationships += counts.relationships;
            report.vectors += vectors as u64;
        }
        Work::Constraint(constraint) => {
            store.create_constraint(constraint).await?;
            report.schema += 1;
        }
        Work::Index(index) => {
            store.create_index(index).await?;
            report.schema += 1;
        }
    }
    Ok(())
}

struct Feed {
    registry: Registry,
    item: u64,
    size: usize,
    batch: ChangeSet,
    /// Vectors of the batch. They follow its other changes, since stores write changes of one kind
    /// together.
    vectors: Vec<Change>,
    counts: Counts,
    sender: mpsc::Sender<Work>,
}

impl Feed {
    fn new(registry: Registry, size: usize, sender: mpsc::Sender<Work>) -> Self {
        let (batch, vectors, counts) = (ChangeSet::new(), Vec::new(), Counts::default());
        Self { registry, item: 0, size, batch, vectors, counts, sender }
    }

    fn node(&mut self, node: NodeItem) -> Result<()> {
        let mut labels = node.labels.into_iter();
        let key = NodeKey::new(labels.next().unwrap_or_default(), node.id);
        for (property, vector) in node.vectors {
            self.vectors.push(Change::SetVector { key: key.clone(), property, vector });
        }
        let (labels, properties) = (labels.collect(), node.properties);
        self.counts.nodes += 1;
        self.push(Change::UpsertNode { key, labels, properties, on_existing: OnExisting::Merge })
    }

    fn relationship(&mut self, relationship: RelationshipItem) -> Result<()> {
        let (from, to) = (self.registry.key(&relationship.from), self.registry.key(&relationship.to));
        let (Some(from), Some(to)) = (from, to) else { return Ok(()) };
        let RelationshipItem { kind, id, properties, .. } = relationship;
        let key = RelationshipKey { kind, from, to, id };
        self.counts.relationships += 1;
        self.push(Change::UpsertRelationship { key, properties, on_existing: OnExisting::Merge })
    }

    fn push(&mut self, change: Change) -> Result<()> {
        self.batch.push(change);
        self.flush_if_full()
    }

    fn flush_if_full(&mut self) -> Result<()> {
        if self.batch.len() + self.vectors.len() < self.size { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<()> {
        self.batch.changes.append(&mut self.vectors);
        if self.batch.is_empty() {
            return Ok(());
        }
        let work = Work::Changes(std::mem::take(&mut self.batch), std::mem::take(&mut self.counts));
        self.send(work)
    }

    /// Sends work to the writer. Fails if the writer has stopped; the writer then has the reason.
    fn send(&mut self, work: Work) -> Result<()> {
        self.sender.blocking_send(work).map_err(|_| ExchangeError::Cancelled)
    }
}

impl Sink for Feed {
    fn item(&mut self, _: &Place<'_>, item: Item) -> Result<()> {
        self.item += 1;
        if self.registry.is_skipped(self.item) {
            return Ok(());
        }
        match item {
            Item::Node(node) => self.node(node),
            Item::Relationship(relationship) => self.relationship(relationship),
            Item::Vector { node, property, values } => {
                let Some(key) = self.registry.key(&node) else { return Ok(()) };
                self.vectors.push(Change::SetVector { key, property, vector: values });
                self.flush_if_full()
            }
            Item::Constraint(constraint) => {
                self.flush()?;
                self.send(Work::Constraint(constraint))
            }
            Item::Index(index) => {
                self.flush()?;
                self.send(Work::Index(index))
            }
        }
    }

    /// Ignores the problem: the first pass has reported it.
    fn problem(&mut self, _: InputProblem) -> Result<()> {
        Ok(())
    }

    /// Ignores the note: the first pass has reported it.
    fn note(&mut self, _: InputProblem) {}
}
