//! The contract that every graph store keeps.

mod limited;
mod options;
mod traced;
mod write;

use std::{fmt::Debug, sync::Arc};

use async_trait::async_trait;
use futures::stream::BoxStream;

pub use limited::{LimitedStore, Limits};
pub use options::{Capabilities, QueryMode, QueryOptions, ScanOptions, SchemaOptions, Selection, StoreInfo};
pub use traced::TracedStore;
pub use write::{Change, ChangeSet, Counters, OnExisting, WriteResult};

use crate::{
    ElementId, GraphSchema, Node, RecordStream, Relationship, Result, Statement,
    schema::{Constraint, Index},
};

/// One piece of a [`scan`](GraphStore::scan): all nodes come before the first relationship.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScanBatch {
    /// Nodes with the properties that were asked for.
    pub nodes: Vec<Node>,
    /// Relationships with the properties that were asked for.
    pub relationships: Vec<Relationship>,
}

/// A property graph that can be read and written.
///
/// Small and object safe; every implementation passes the conformance suite (feature `conformance`).
/// Decorators (time limits, traces) are ordinary implementations that hold another store.
#[async_trait]
pub trait GraphStore: Debug + Send + Sync {
    /// What kind of store this is and where.
    async fn info(&self) -> Result<StoreInfo>;

    /// What it can do beyond the rest of this trait.
    fn capabilities(&self) -> Capabilities;

    /// A token that changes whenever what is stored changes; for caches and indexes built from the store.
    async fn version(&self) -> Result<String>;

    /// Runs a statement that only reads; any write in it is refused. Rows stream.
    async fn read(&self, statement: Statement, options: QueryOptions) -> Result<RecordStream>;

    /// Runs a statement that may write, in a transaction of its own: all of it or nothing.
    async fn write(&self, statement: Statement, options: QueryOptions) -> Result<WriteResult>;

    /// Writes many changes by key in one transaction: all of them or none.
    async fn apply(&self, changes: ChangeSet) -> Result<Counters>;

    /// Describes what is stored.
    async fn schema(&self, options: SchemaOptions) -> Result<GraphSchema>;

    /// Makes an index unless an equal one exists, and waits until it is ready.
    async fn create_index(&self, index: Index) -> Result<()>;

    /// Removes an index by name; an unknown name is [`NotFound`](crate::StoreError::NotFound).
    async fn drop_index(&self, name: &str) -> Result<()>;

    /// Makes a uniqueness constraint unless an equal one exists. Fails if the data breaks it.
    async fn create_constraint(&self, constraint: Constraint) -> Result<()>;

    /// Makes nodes of these labels unique by `__id__`, by which [`apply`](Self::apply) finds them. Who knows the labels before
    /// writing saves a server from making room for each when it comes.
    async fn create_keys(&self, labels: Vec<String>) -> Result<()>;

    /// Removes a constraint by name; an unknown name is [`NotFound`](crate::StoreError::NotFound).
    async fn drop_constraint(&self, name: &str) -> Result<()>;

    /// Streams the graph: all nodes, then all relationships, as of one moment.
    async fn scan(&self, options: ScanOptions) -> Result<BoxStream<'static, Result<ScanBatch>>>;

    /// The names under which nodes have vectors or may have them, in order.
    async fn vector_names(&self) -> Result<Vec<String>>;

    /// Streams the vectors kept for nodes of a label under a property ([`Change::SetVector`]).
    async fn vectors(
        &self,
        label: &str,
        property: &str,
    ) -> Result<BoxStream<'static, Result<(ElementId, Vec<f32>)>>>;

    /// A read-only view of this moment, where the store has one ([`Capabilities::snapshot`]).
    async fn snapshot(&self) -> Result<Option<Arc<dyn GraphStore>>>;

    /// Makes everything that was committed durable and visible to readers in other processes.
    async fn checkpoint(&self) -> Result<()>;
}
