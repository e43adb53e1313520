//! What can go wrong in a store.

use std::{path::PathBuf, time::Duration};

use thiserror::Error;

/// `Result` with [`StoreError`].
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// Where in a query text: line and column count characters from 1, `offset` counts bytes from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Byte offset, from 0.
    pub offset: usize,
}

/// Why a store could not do what was asked. The variants are what a caller can act on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The query text is not valid.
    #[error("{message}")]
    Syntax {
        /// What is wrong.
        message: String,
        /// Where, if the engine says.
        position: Option<Position>,
    },
    /// The query is valid Cypher, but this store does not run this construct.
    #[error("{construct} is not supported by the {store} store")]
    Unsupported {
        /// The store's name, as `embedded`.
        store: &'static str,
        /// The construct by its Cypher name.
        construct: String,
        /// What to write instead.
        hint: String,
    },
    /// The query is valid but failed on these values (type, missing parameter, division by zero …).
    #[error("{message}")]
    Evaluation {
        /// What failed.
        message: String,
    },
    /// A write was sent where only reading is allowed.
    #[error("this is a write, and {context} only reads")]
    ReadOnly {
        /// What only reads, as `a snapshot`.
        context: String,
    },
    /// A constraint forbids the write; nothing was written.
    #[error("{message}")]
    Constraint {
        /// Which constraint, and the values.
        message: String,
    },
    /// The write would change more than it may; nothing was written.
    #[error("this write makes {changes} changes, and {limit} are allowed; nothing was written")]
    TooManyChanges {
        /// How many nodes, relationships, properties and labels it would change.
        changes: u64,
        /// How many it may.
        limit: u64,
    },
    /// A node or relationship that the write names does not exist; nothing was written.
    #[error("{what} does not exist")]
    NotFound {
        /// What is missing.
        what: String,
    },
    /// The time limit passed; the work was stopped.
    #[error("stopped after the time limit of {limit:?}")]
    TimedOut {
        /// The limit.
        limit: Duration,
    },
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
    /// Another process is writing to this store.
    #[error("{} is being written by {holder}", path.display())]
    Locked {
        /// The store.
        path: PathBuf,
        /// The process, as `process 4711 (graphwright ingest)`.
        holder: String,
    },
    /// The store cannot be reached or opened.
    #[error("cannot open {address}: {message}")]
    Unavailable {
        /// Path or address, without secrets.
        address: String,
        /// Why.
        message: String,
        /// What to do.
        hint: String,
    },
    /// The disk failed in the middle of work.
    #[error("{message}")]
    Io {
        /// What was being done.
        message: String,
        /// The cause.
        #[source]
        source: Option<std::io::Error>,
    },
    /// The connection to a server was lost in the middle of work that was not committed.
    #[error("the connection to {address} was lost: {message}")]
    Disconnected {
        /// The server.
        address: String,
        /// How.
        message: String,
    },
    /// The answer to a commit was lost: the write is there as a whole or not at all.
    #[error("it is not known whether the write was committed: {message}")]
    CommitUnknown {
        /// Why.
        message: String,
    },
    /// What is stored is damaged.
    #[error("{address} is damaged: {message}")]
    Corrupt {
        /// Path or address.
        address: String,
        /// What is damaged.
        message: String,
    },
    /// Anything else that the engine reports.
    #[error("{message}")]
    Engine {
        /// The engine's words.
        message: String,
    },
}

impl StoreError {
    /// Whether the same call may succeed later without a change.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Locked { .. } | Self::TimedOut { .. } | Self::Disconnected { .. })
    }

    /// A stable name for programs, as `syntax`.
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

    /// What the person can do about it, if there is something to say.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unsupported { hint, .. } | Self::Unavailable { hint, .. } => Some(hint.clone()),
            Self::ReadOnly { .. } => Some("open it for writing if you mean it".to_owned()),
            Self::Locked { .. } => Some("wait until it ends, or stop it; reading works beside it".to_owned()),
            Self::TooManyChanges { .. } => {
                Some("narrow what is changed, or raise the limit of changes".to_owned())
            }
            Self::TimedOut { .. } => Some("narrow the query, or raise the time limit".to_owned()),
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
