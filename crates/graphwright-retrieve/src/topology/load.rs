//! Reads a topology from a store, or from nodes and relationships.

use std::{
    io,
    sync::mpsc,
    thread::{self, JoinHandle},
};

use futures::TryStreamExt;
use graphwright_core::{
    GraphStore, Node, Relationship, names,
    store::{ScanOptions, Selection},
};
use tantivy::directory::OwnedBytes;

use super::{
    Topology,
    build::Builder,
    data::{Data, MEMORY},
    edges::Edges,
};
use crate::{Result, RetrieveError};

/// Batches that wait for the thread that collects them.
const BATCHES_IN_WAIT: usize = 2;

impl Topology {
    /// Reads the graph of a store into memory, by one scan. Nodes are in the order of their `__id__` and relationships in that
    /// of their start, type and end, whatever the order of the store: what is equally good comes in the same order from every
    /// store.
    ///
    /// Facts that have ended or not begun today are not shown ([`facts_of_other_times`](Self::facts_of_other_times)).
    pub async fn load(store: &dyn GraphStore) -> Result<Self> {
        // Before the scan: a write in between makes the topology look old, never new.
        let version = store.version().await?;
        let builder = scan(store).await?;
        crate::sealed::blocking(move || Self::in_memory(builder, &version)).await.map(Self::today)
    }

    /// Builds a topology from nodes and relationships in memory. It shows facts of all times.
    pub fn from_parts(
        version: impl Into<String>,
        nodes: Vec<Node>,
        relationships: Vec<Relationship>,
    ) -> Self {
        let mut builder = Builder::default();
        let add = || {
            nodes.into_iter().try_for_each(|node| builder.add_node(node))?;
            relationships.into_iter().try_for_each(|relationship| builder.add_relationship(&relationship))
        };
        let added: std::io::Result<()> = add();
        let built = added
            .map_err(|source| RetrieveError::io("cannot write", MEMORY.as_ref(), source))
            .and_then(|()| Self::in_memory(builder, &version.into()));
        // Only more than four thousand million of them fail, which no list in memory holds.
        built.unwrap_or_else(|error| Self::of(Data::nothing(error.to_string())))
    }

    fn in_memory(builder: Builder, version: &str) -> Result<Self> {
        let io = |source| RetrieveError::io("cannot write", MEMORY.as_ref(), source);
        let (adjacency, values, manifest) = builder.write(version, Vec::new(), Vec::new()).map_err(io)?;
        Data::open(manifest, MEMORY.as_ref(), OwnedBytes::new(adjacency), OwnedBytes::new(values))
            .map(Self::of)
            .map_err(|message| io(std::io::Error::other(message)))
    }
}

/// Collects what a store holds.
pub(super) async fn scan(store: &dyn GraphStore) -> Result<Builder> {
    let options = ScanOptions {
        labels: Selection::All,
        relationship_types: Selection::All,
        node_properties: Selection::Except(vec![names::EMBEDDING.to_owned()]),
        relationship_properties: Selection::All,
    };
    let full = |source| RetrieveError::io("cannot make the snapshot in", MEMORY.as_ref(), source);
    let mut batches = store.scan(options).await?;
    let mut builder = Builder::default();
    let collector = Collector::start().map_err(full)?;
    while let Some(batch) = batches.try_next().await? {
        for node in batch.nodes {
            builder.add_node(node).map_err(full)?;
        }
        let placed = batch.relationships.into_iter().filter_map(|relationship| {
            let ends = builder.ends(&relationship)?;
            Some((ends, relationship))
        });
        if !collector.add(placed.collect()) {
            break;
        }
    }
    builder.edges = collector.finish().map_err(full)?;
    Ok(builder)
}

/// A relationship with the positions of its ends.
type Placed = ((u32, u32), Relationship);

/// Collects relationships in a thread of its own, while the next are read and their ends are found.
struct Collector {
    batches: mpsc::SyncSender<Vec<Placed>>,
    thread: JoinHandle<io::Result<Edges>>,
}

impl Collector {
    fn start() -> io::Result<Self> {
        let (batches, received) = mpsc::sync_channel::<Vec<Placed>>(BATCHES_IN_WAIT);
        let collect = move || {
            let mut edges = Edges::default();
            for (ends, relationship) in received.iter().flatten() {
                edges.add(ends, &relationship)?;
            }
            Ok(edges)
        };
        let thread = thread::Builder::new().name("graphwright-snapshot".to_owned()).spawn(collect)?;
        Ok(Self { batches, thread })
    }

    /// Returns whether more is wanted; [`finish`](Self::finish) says why not.
    fn add(&self, batch: Vec<Placed>) -> bool {
        batch.is_empty() || self.batches.send(batch).is_ok()
    }

    fn finish(self) -> io::Result<Edges> {
        drop(self.batches);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}
