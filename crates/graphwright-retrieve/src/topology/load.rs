//! Reads a topology from a store, or from nodes and relationships.

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
};
use crate::{Result, RetrieveError};

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
    while let Some(batch) = batches.try_next().await? {
        for node in batch.nodes {
            builder.add_node(node).map_err(full)?;
        }
        for relationship in &batch.relationships {
            builder.add_relationship(relationship).map_err(full)?;
        }
    }
    Ok(builder)
}
