//! What callers ask of a store, and what a store tells about itself.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::Counters;
use crate::{Result, StoreError, selection::Selection};

/// A mode of running a statement: whether it runs, and whether its plan is returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum QueryMode {
    /// Runs the statement.
    #[default]
    Run,
    /// Explains the statement without running it.
    ///
    /// No rows come. [`Summary`](crate::Summary) tells what the statement would do
    /// ([`query_type`](crate::Summary::query_type)) and by which plan.
    /// [`read`](crate::GraphStore::read) also explains statements that write.
    Explain,
    /// Runs the statement, slower, and returns the plan with what each operator did.
    Profile,
}

impl QueryMode {
    /// Returns the keyword that Cypher puts before a statement that runs in this mode.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Run => "",
            Self::Explain => "EXPLAIN ",
            Self::Profile => "PROFILE ",
        }
    }
}

/// Options and limits of one query.
#[derive(Clone, Debug)]
pub struct QueryOptions {
    /// Whether the statement runs, and whether its plan is returned.
    pub mode: QueryMode,
    /// The time that it may take. Defaults to 30 s.
    pub time_limit: Option<Duration>,
    /// The most rows to return. [`Summary::truncated`](crate::Summary::truncated) tells that rows
    /// were cut.
    pub row_limit: Option<usize>,
    /// The most changes that a write may make ([`Counters::changes`]).
    ///
    /// A write that makes more is rolled back and fails with
    /// [`TooManyChanges`](crate::StoreError::TooManyChanges).
    pub change_limit: Option<u64>,
    /// Whether a write is rolled back once it has run.
    ///
    /// Its rows and counters then tell what it would have done.
    pub dry_run: bool,
    /// Cancels the query when triggered.
    pub cancel: CancellationToken,
}

impl QueryOptions {
    /// Checks that a write has made no more changes than it may.
    ///
    /// # Errors
    ///
    /// Returns [`TooManyChanges`](StoreError::TooManyChanges) if it has; the store then rolls the
    /// write back.
    pub fn check_changes(&self, counters: &Counters) -> Result<()> {
        match self.change_limit {
            Some(limit) if counters.changes() > limit => {
                Err(StoreError::TooManyChanges { changes: counters.changes(), limit })
            }
            _ => Ok(()),
        }
    }
}

impl Default for QueryOptions {
    fn default() -> Self {
        Self {
            mode: QueryMode::Run,
            time_limit: Some(Duration::from_secs(30)),
            row_limit: None,
            change_limit: None,
            dry_run: false,
            cancel: CancellationToken::new(),
        }
    }
}

/// The capabilities of a store beyond the rest of the trait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Capabilities {
    /// [`snapshot`](crate::GraphStore::snapshot) returns a view of one moment.
    pub snapshot: bool,
    /// This process may write to the store (it was not opened as a reader).
    pub write: bool,
    /// The store has full-text indexes that stem.
    pub full_text: bool,
    /// The store has vector indexes.
    pub vector: bool,
    /// The store is a server that parses statements itself.
    ///
    /// Its answer to [`QueryMode::Explain`] is a second opinion on whether a statement only reads.
    pub explains: bool,
}

/// The kind of a store, its address and its engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoreInfo {
    /// `embedded` or `neo4j`.
    pub kind: String,
    /// The path or address, without secrets.
    pub address: String,
    /// The engine and its version, as `kglite 0.21.5`.
    pub engine: String,
    /// The size on disk in bytes, if known.
    pub bytes: Option<u64>,
    /// What its owner should look into, such as commits that could not be read and were put aside.
    pub notices: Vec<String>,
}

/// Options for a scan: the elements and properties to read.
///
/// A node is read when any of its labels is selected, a relationship when its type is.
#[derive(Clone, Debug, Default)]
pub struct ScanOptions {
    /// The labels of nodes to read.
    pub labels: Selection,
    /// The types of relationships to read.
    pub relationship_types: Selection,
    /// The properties of nodes to read.
    pub node_properties: Selection,
    /// The properties of relationships to read.
    pub relationship_properties: Selection,
}
