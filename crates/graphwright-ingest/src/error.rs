//! What can go wrong while ingesting.

use std::path::PathBuf;

use graphwright_core::StoreError;
use graphwright_llm::LlmError;
use thiserror::Error;

/// `Result` with [`IngestError`].
pub type Result<T, E = IngestError> = std::result::Result<T, E>;

/// Why documents could not be ingested. A document that cannot be read is not an error of the run: it is reported.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IngestError {
    /// The ontology file is not usable.
    #[error("{}: {message}", path.display())]
    Ontology {
        /// The file.
        path: PathBuf,
        /// What is wrong, where, and the nearest right word.
        message: String,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The model failed.
    #[error(transparent)]
    Model(#[from] LlmError),
    /// A file or folder cannot be read at all.
    #[error("cannot read {}: {message}", path.display())]
    Read {
        /// The path.
        path: PathBuf,
        /// Why.
        message: String,
    },
    /// Two entities cannot be merged, or a merge cannot be undone.
    #[error("{message}")]
    Merge {
        /// Why.
        message: String,
    },
    /// The caller cancelled; what was written is whole.
    #[error("cancelled")]
    Cancelled,
}
