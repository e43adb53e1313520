//! Errors of retrieval.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use graphwright_core::StoreError;
use graphwright_llm::{EmbedderIdentity, LlmError};
use tantivy::{
    TantivyError,
    directory::error::{OpenReadError, OpenWriteError},
};
use thiserror::Error;

/// A `Result` whose error is a [`RetrieveError`] by default.
pub type Result<T, E = RetrieveError> = std::result::Result<T, E>;

/// An error of retrieval. The variants are what a caller can act on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RetrieveError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The embedder failed.
    #[error("the embedder failed: {0}")]
    Embedder(#[from] LlmError),
    /// The index holds vectors of another embedder. Vectors of two embedders cannot be compared.
    #[error("the search index was made with the embedder {} and is being used with {}", .index.name, .given.name)]
    OtherEmbedder {
        /// Embedder that the index was made with.
        index: Box<EmbedderIdentity>,
        /// Embedder that it is used with.
        given: Box<EmbedderIdentity>,
    },
    /// The embedder did not return one vector of its own length for each text.
    #[error("the embedder {name} returned {got} where {wanted} was expected")]
    BadVectors {
        /// Name of the embedder.
        name: String,
        /// What was expected.
        wanted: String,
        /// What came back.
        got: String,
    },
    /// An index that was named is not there, or cannot be searched.
    #[error("{message}")]
    BadIndex {
        /// What is wrong, with the indexes that there are.
        message: String,
    },
    /// The query of a retriever does not pass the gate.
    #[error("the retrieval query is refused: {message}")]
    BadQuery {
        /// Why.
        message: String,
    },
    /// There is no index yet.
    #[error("there is no search index in {}", path.display())]
    NoIndex {
        /// Folder that was searched for the index.
        path: PathBuf,
    },
    /// The index is not as it was written, or of another version.
    #[error("the search index is damaged: {}: {message}", path.display())]
    Damaged {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// The snapshot of the graph is not as it was written.
    #[error("the snapshot of the graph is damaged: {}: {message}", path.display())]
    DamagedTopology {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// A file or folder cannot be read or written.
    #[error("{action} {}: {source}", path.display())]
    Io {
        /// What failed, such as `cannot write`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
}

impl RetrieveError {
    pub(crate) fn io(action: &'static str, path: &Path, source: std::io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }

    /// Wraps an error of the text index in a folder, or in memory if `folder` is `None`.
    pub(crate) fn text_index(folder: Option<&Path>, error: &TantivyError) -> Self {
        let path = folder.map_or_else(|| PathBuf::from("memory"), Path::to_owned);
        match error {
            TantivyError::IoError(cause)
            | TantivyError::OpenWriteError(OpenWriteError::IoError { io_error: cause, .. })
            | TantivyError::OpenReadError(OpenReadError::IoError { io_error: cause, .. }) => {
                // A block of a file of ours that is not what was written.
                let inner = cause.get_ref().and_then(|inner| inner.downcast_ref::<Self>());
                if let Some(Self::Damaged { path, message }) = inner {
                    return Self::Damaged { path: path.clone(), message: message.clone() };
                }
                let source = std::io::Error::new(cause.kind(), Arc::clone(cause));
                Self::io("cannot use", &path, source)
            }
            _ => Self::Damaged { path, message: error.to_string() },
        }
    }

    /// Returns a stable name for programs, such as `other_embedder`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Store(error) => error.code(),
            Self::Embedder(_) => "embedder",
            Self::OtherEmbedder { .. } => "other_embedder",
            Self::BadVectors { .. } => "bad_vectors",
            Self::BadIndex { .. } => "bad_index",
            Self::BadQuery { .. } => "bad_query",
            Self::NoIndex { .. } => "no_index",
            Self::Damaged { .. } => "damaged_index",
            Self::DamagedTopology { .. } => "damaged_topology",
            Self::Io { .. } => "io",
        }
    }

    /// Returns what a person can do about the error, or `None` if there is nothing to suggest.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Store(error) => error.hint(),
            Self::OtherEmbedder { index, .. } => {
                Some(format!("embed all texts anew, or choose the embedder {} again", index.name))
            }
            Self::BadQuery { .. } => Some(
                "it goes on after `WITH node, score` and may only read, such as `RETURN node.text AS text, score`"
                    .to_owned(),
            ),
            Self::Io { .. } => Some(
                "check the space left and that you may read and write there; the graph itself is not affected"
                    .to_owned(),
            ),
            Self::NoIndex { .. } | Self::Damaged { .. } => {
                Some("ingest again to make it; the graph itself is not affected".to_owned())
            }
            Self::DamagedTopology { .. } => {
                Some("try again, which makes it anew; the graph itself is not affected".to_owned())
            }
            _ => None,
        }
    }
}
