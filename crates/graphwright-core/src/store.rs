//! The contract that every graph store keeps, and wrappers around stores.
//!
//! [`GraphStore`] is the trait. [`LimitedStore`] bounds the time and the rows of every query, and
//! [`TracedStore`] opens a span for every call; both hold any other store.
//!
//! Reads and writes take a [`Statement`] and [`QueryOptions`]. Bulk writes by key take a
//! [`ChangeSet`].

mod limited;
mod options;
mod traced;
mod write;

use std::{fmt::Debug, sync::Arc};

use async_trait::async_trait;
use futures::stream::BoxStream;

pub use limited::{LimitedStore, Limits};
pub use options::{Capabilities, QueryMode, QueryOptions, ScanOptions, StoreInfo};
pub use traced::TracedStore;
pub use write::{Change, ChangeSet, Counters, OnExisting, WriteResult};

use crate::{
    ElementId, GraphSchema, Node, RecordStream, Relationship, Result, Statement,
    schema::{Constraint, Index},
};
pub use crate::{schema::options::SchemaOptions, selection::Selection};

/// A piece of a [`scan`](GraphStore::scan). All nodes come before the first relationship.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScanBatch {
    /// Nodes, with the properties that were asked for.
    pub nodes: Vec<Node>,
    /// Relationships, with the properties that were asked for.
    pub relationships: Vec<Relationship>,
}

/// A property graph that can be read and written.
///
/// The trait is small and object safe. Every implementation passes the conformance suite (feature
/// `conformance`). Decorators (time limits, traces) are ordinary implementations that hold another
/// store.
#[async_trait]
pub trait GraphStore: Debug + Send + Sync {
    /// Returns the kind of the store, its address and its engine.
    async fn info(&self) -> Result<StoreInfo>;

    /// Returns what the store can do beyond the rest of this trait.
    fn capabilities(&self) -> Capabilities;

    /// Returns a token that changes whenever the stored data changes.
    ///
    /// Caches and indexes that are built from the store compare it.
    async fn version(&self) -> Result<String>;

    /// Runs a statement that only reads, and streams its rows. Any write in it is refused.
    async fn read(&self, statement: Statement, options: QueryOptions) -> Result<RecordStream>;

    /// Runs a statement that may write, in a transaction of its own: all of it is written, or
    /// nothing.
    async fn write(&self, statement: Statement, options: QueryOptions) -> Result<WriteResult>;

    /// Writes many changes by key in one transaction: all of them, or none.
    async fn apply(&self, changes: ChangeSet) -> Result<Counters>;

    /// Describes what is stored.
    async fn schema(&self, options: SchemaOptions) -> Result<GraphSchema>;

    /// Creates an index unless an equal one exists, and waits until it is ready.
    async fn create_index(&self, index: Index) -> Result<()>;

    /// Removes an index by name. An unknown name is [`NotFound`](crate::StoreError::NotFound).
    async fn drop_index(&self, name: &str) -> Result<()>;

    /// Creates a uniqueness constraint unless an equal one exists. Fails if the data breaks it.
    async fn create_constraint(&self, constraint: Constraint) -> Result<()>;

    /// Makes nodes of these labels unique by `__id__`, by which [`apply`](Self::apply) finds them.
    ///
    /// A caller that knows all labels before it writes saves a server from making room for each
    /// when it comes.
    async fn create_keys(&self, labels: Vec<String>) -> Result<()>;

    /// Removes a constraint by name. An unknown name is [`NotFound`](crate::StoreError::NotFound).
    async fn drop_constraint(&self, name: &str) -> Result<()>;

    /// Streams the graph as of one moment: all nodes, then all relationships.
    async fn scan(&self, options: ScanOptions) -> Result<BoxStream<'static, Result<ScanBatch>>>;

    /// Returns the names under which nodes have vectors or may have them, in order.
    async fn vector_names(&self) -> Result<Vec<String>>;

    /// Streams the vectors of the nodes with a label, under a property ([`Change::SetVector`]).
    async fn vectors(
        &self,
        label: &str,
        property: &str,
    ) -> Result<BoxStream<'static, Result<(ElementId, Vec<f32>)>>>;

    /// Returns a read-only view of this moment, if the store has one ([`Capabilities::snapshot`]).
    async fn snapshot(&self) -> Result<Option<Arc<dyn GraphStore>>>;

    /// Folds what was committed into the form that opens fastest.
    ///
    /// What was committed is durable, and visible to readers in other processes, before this is
    /// called. So a checkpoint that cannot be written is no error here: it is logged as a warning.
    async fn checkpoint(&self) -> Result<()>;
}
