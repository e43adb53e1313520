//! Errors of stores.

use std::{borrow::Cow, path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A `Result` whose error is [`StoreError`] unless told otherwise.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// A place in a query text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The offset in bytes, from 0.
    pub offset: usize,
}

/// An error of a store. Its variants are what a caller can act on.
///
/// Its serialized form is for another process of the same version; it leaves out the cause of an
/// error of the disk.
#[derive(Debug, Error, Serialize, Deserialize)]
#[non_exhaustive]
pub enum StoreError {
    /// The query text is not valid.
    #[error("{message}")]
    Syntax {
        /// What is wrong.
        message: String,
        /// The place of the error, if the engine tells it.
        position: Option<Position>,
    },
    /// The query is valid Cypher, but this store does not run this construct.
    #[error("{construct} is not supported by the {store} store")]
    Unsupported {
        /// The store's name, as `embedded`.
        store: Cow<'static, str>,
        /// The construct, by its Cypher name.
        construct: String,
        /// What to write instead.
        hint: String,
    },
    /// The query is valid but failed on these values: a wrong type, a missing parameter, a division
    /// by zero.
    #[error("{message}")]
    Evaluation {
        /// What failed.
        message: String,
    },
    /// A write was sent where only reads are allowed.
    #[error("this is a write, and {context} only reads")]
    ReadOnly {
        /// What only reads, as `a snapshot`.
        context: String,
    },
    /// A constraint forbids the write. Nothing was written.
    #[error("{message}")]
    Constraint {
        /// The constraint, and the values that break it.
        message: String,
    },
    /// The write would make more changes than allowed. Nothing was written.
    #[error("this write makes {changes} changes, and {limit} are allowed; nothing was written")]
    TooManyChanges {
        /// The number of nodes, relationships, properties and labels that it would change.
        changes: u64,
        /// The number of changes that it may make.
        limit: u64,
    },
    /// A node or relationship that the write names does not exist. Nothing was written.
    #[error("{what} does not exist")]
    NotFound {
        /// What is missing.
        what: String,
    },
    /// The time limit passed, and the work was stopped.
    #[error("stopped after the time limit of {limit:?}")]
    TimedOut {
        /// The limit.
        limit: Duration,
    },
    /// The query needed more memory than it may have, and was stopped.
    #[error("stopped at the memory budget of {} MB for a query", budget / 1_000_000)]
    OverBudget {
        /// The budget in bytes.
        budget: u64,
    },
    /// The query or a value of it is nested so deeply that it cannot be run.
    #[error("the query, or a value that it makes, is nested too deeply to be run")]
    TooDeep,
    /// The caller cancelled the work.
    #[error("cancelled")]
    Cancelled,
    /// Another process is writing to this store.
    #[error("{} is being written by {holder}", path.display())]
    Locked {
        /// The path of the store.
        path: PathBuf,
        /// The process that writes, as `process 4711 (graphwright ingest)`.
        holder: String,
    },
    /// The store cannot be reached or opened.
    #[error("cannot open {address}: {message}")]
    Unavailable {
        /// The path or address, without secrets.
        address: String,
        /// The reason.
        message: String,
        /// What to do about it.
        hint: String,
    },
    /// The disk failed in the middle of work.
    #[error("{message}")]
    Io {
        /// What was being done.
        message: String,
        /// The cause.
        #[source]
        #[serde(skip)]
        source: Option<std::io::Error>,
    },
    /// The connection to a server was lost during work that was not committed.
    #[error("the connection to {address} was lost: {message}")]
    Disconnected {
        /// The address of the server.
        address: String,
        /// How the connection was lost.
        message: String,
    },
    /// The answer to a commit was lost: the write is there as a whole or not at all.
    #[error("it is not known whether the write was committed: {message}")]
    CommitUnknown {
        /// The reason.
        message: String,
    },
    /// The stored data is damaged.
    #[error("{address} is damaged: {message}")]
    Corrupt {
        /// The path or address.
        address: String,
        /// What is damaged.
        message: String,
        /// Whether a repair can go on with what is whole.
        repairable: bool,
    },
    /// Any other error that the engine reports.
    #[error("{message}")]
    Engine {
        /// The engine's own words.
        message: String,
    },
}

impl StoreError {
    /// Returns whether the same call may succeed later without a change.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Locked { .. } | Self::TimedOut { .. } | Self::Disconnected { .. })
    }

    /// Returns a stable name for programs, as `syntax`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Syntax { .. } => "syntax",
            Self::Unsupported { .. } => "unsupported",
            Self::Evaluation { .. } => "evaluation",
            Self::ReadOnly { .. } => "read_only",
            Self::Constraint { .. } => "constraint",
            Self::TooManyChanges { .. } => "too_many_changes",
            Self::NotFound { .. } => "not_found",
            Self::TimedOut { .. } => "timed_out",
            Self::OverBudget { .. } => "over_budget",
            Self::TooDeep => "too_deep",
            Self::Cancelled => "cancelled",
            Self::Locked { .. } => "locked",
            Self::Unavailable { .. } => "unavailable",
            Self::Io { .. } => "io",
            Self::Disconnected { .. } => "disconnected",
            Self::CommitUnknown { .. } => "commit_unknown",
            Self::Corrupt { .. } => "corrupt",
            Self::Engine { .. } => "engine",
        }
    }

    /// Returns what a person can do about the error, if there is something to say.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unsupported { hint, .. } | Self::Unavailable { hint, .. } => Some(hint.clone()),
            Self::ReadOnly { .. } => Some("open it for writing if you mean it".to_owned()),
            Self::Locked { .. } => Some("wait until it ends, or stop it; reading works beside it".to_owned()),
            Self::TooManyChanges { .. } => {
                Some("narrow what is changed, or raise the limit of changes".to_owned())
            }
            Self::TimedOut { .. } => Some("narrow the query, or raise the time limit".to_owned()),
            Self::OverBudget { .. } => Some(
                "narrow the query (a label, a condition, fewer steps), or raise the memory budget".to_owned(),
            ),
            Self::TooDeep => Some("write it with fewer levels".to_owned()),
            Self::Corrupt { repairable: true, .. } => {
                Some("repair it to go on with what is whole, or ingest again into another store".to_owned())
            }
            Self::Corrupt { .. } => {
                Some("name another store, and ingest again or import an export into it".to_owned())
            }
            Self::Syntax { position: Some(_), .. } => {
                Some("correct the query; the place is where the parser stopped".to_owned())
            }
            Self::Io { .. } => {
                Some("check the space left and the disk; what was committed before is whole".to_owned())
            }
            Self::Disconnected { .. } => Some(
                "see whether the server runs, and try again; what was committed before is whole".to_owned(),
            ),
            Self::CommitUnknown { .. } => {
                Some("look whether the write is there before you repeat it".to_owned())
            }
            _ => None,
        }
    }
}
