//! What callers ask of a store, and what a store says of itself.

use std::time::Duration;

use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::Counters;
use crate::{Result, StoreError};

/// Whether a statement runs, and whether its plan comes with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueryMode {
    /// It runs.
    #[default]
    Run,
    /// It does not run: no rows come, and [`Summary`](crate::Summary) says what it would do
    /// ([`query_type`](crate::Summary::query_type)) and by which plan. [`read`](crate::GraphStore::read) explains statements
    /// that write too.
    Explain,
    /// It runs, slower, and the plan comes with what each operator did.
    Profile,
}

impl QueryMode {
    /// What Cypher puts before a statement that is to run in this way.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Run => "",
            Self::Explain => "EXPLAIN ",
            Self::Profile => "PROFILE ",
        }
    }
}

/// How one query runs, and its limits.
#[derive(Clone, Debug)]
pub struct QueryOptions {
    /// Whether it runs, and whether its plan comes with it.
    pub mode: QueryMode,
    /// How long it may take; the default is 30 s.
    pub time_limit: Option<Duration>,
    /// How many rows at most; the rest is cut and [`Summary::truncated`](crate::Summary::truncated) says so.
    pub row_limit: Option<usize>,
    /// How many changes a write may make ([`Counters::changes`]). One that makes more is taken back and fails as
    /// [`TooManyChanges`](crate::StoreError::TooManyChanges).
    pub change_limit: Option<u64>,
    /// Whether a write is taken back once it has run. Its rows and counters then say what it would have done.
    pub dry_run: bool,
    /// Cancels the query when triggered.
    pub cancel: CancellationToken,
}

impl QueryOptions {
    /// Fails where a write has made more changes than it may.
    ///
    /// # Errors
    /// [`TooManyChanges`](StoreError::TooManyChanges); the store then takes the write back.
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

/// What a store can do beyond the trait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Capabilities {
    /// [`snapshot`](crate::GraphStore::snapshot) gives a view of one moment.
    pub snapshot: bool,
    /// The store may be written in this process (not opened as a reader).
    pub write: bool,
    /// The store has full-text indexes that stem.
    pub full_text: bool,
    /// The store has vector indexes.
    pub vector: bool,
    /// The store is a server that reads the text of a statement itself: what it says when asked to explain one
    /// ([`QueryMode::Explain`]) is a second opinion on whether the statement only reads.
    pub explains: bool,
}

/// What kind of store this is and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoreInfo {
    /// `embedded` or `neo4j`.
    pub kind: String,
    /// Path or address, without secrets.
    pub address: String,
    /// Engine and version, as `kglite 0.21.5`.
    pub engine: String,
    /// Size on disk in bytes, where known.
    pub bytes: Option<u64>,
}

/// Which names to look at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// All names.
    #[default]
    All,
    /// None.
    None,
    /// Only these.
    Only(Vec<String>),
    /// All but these.
    Except(Vec<String>),
}

impl Selection {
    /// Whether `name` is selected.
    pub fn includes(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::None => false,
            Self::Only(names) => names.iter().any(|candidate| candidate == name),
            Self::Except(names) => names.iter().all(|candidate| candidate != name),
        }
    }

    /// Only these names.
    pub fn only<T: Into<String>>(names: impl IntoIterator<Item = T>) -> Self {
        Self::Only(names.into_iter().map(Into::into).collect())
    }
}

/// How closely to look when describing the schema.
#[derive(Clone, Debug)]
pub struct SchemaOptions {
    /// Labels to describe.
    pub labels: Selection,
    /// Relationship types to describe.
    pub relationship_types: Selection,
    /// How many elements of a label or type to look at for properties and samples; the default is 1,000.
    pub sample: usize,
    /// How many sample values to keep for a property; the default is 5.
    pub values: usize,
}

impl Default for SchemaOptions {
    fn default() -> Self {
        Self { labels: Selection::All, relationship_types: Selection::All, sample: 1_000, values: 5 }
    }
}

/// What a scan reads. A node is read when any of its labels is selected; a relationship when its type is.
#[derive(Clone, Debug, Default)]
pub struct ScanOptions {
    /// Labels of nodes to read.
    pub labels: Selection,
    /// Types of relationships to read.
    pub relationship_types: Selection,
    /// Properties to read of nodes.
    pub node_properties: Selection,
    /// Properties to read of relationships.
    pub relationship_properties: Selection,
}
