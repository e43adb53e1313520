//! What can go wrong while retrieving.

use std::path::{Path, PathBuf};

use graphwright_core::StoreError;
use graphwright_llm::{EmbedderIdentity, LlmError};
use thiserror::Error;

/// `Result` with [`RetrieveError`].
pub type Result<T, E = RetrieveError> = std::result::Result<T, E>;

/// Why something could not be retrieved. The variants are what a caller can act on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RetrieveError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The embedder failed.
    #[error("the embedder failed: {0}")]
    Embedder(#[from] LlmError),
    /// The index holds vectors of another embedder, and vectors of two embedders cannot be compared.
    #[error("the search index was made with the embedder {} and is being used with {}", .index.name, .given.name)]
    OtherEmbedder {
        /// What the index was made with.
        index: Box<EmbedderIdentity>,
        /// What it is being used with.
        given: Box<EmbedderIdentity>,
    },
    /// The embedder returned something other than one vector of its own length for each text.
    #[error("the embedder {name} returned {got} where {wanted} was expected")]
    BadVectors {
        /// Which embedder.
        name: String,
        /// What was expected.
        wanted: String,
        /// What came back.
        got: String,
    },
    /// There is no index yet.
    #[error("there is no search index in {}", path.display())]
    NoIndex {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The index cannot be read.
    #[error("the search index in {} cannot be read: {message}", path.display())]
    Damaged {
        /// The index.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// The disk failed.
    #[error("{action} {}: {source}", path.display())]
    Io {
        /// What was being done, as `cannot write`.
        action: &'static str,
        /// To which file or folder.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
}

impl RetrieveError {
    pub(crate) fn io(action: &'static str, path: &Path, source: std::io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }

    /// A failure of the text index in a folder, or in memory.
    pub(crate) fn text_index(folder: Option<&Path>, error: &tantivy::TantivyError) -> Self {
        let path = folder.map_or_else(|| PathBuf::from("memory"), Path::to_owned);
        Self::Damaged { path, message: error.to_string() }
    }

    /// A stable name for programs, as `other_embedder`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Store(error) => error.code(),
            Self::Embedder(_) => "embedder",
            Self::OtherEmbedder { .. } => "other_embedder",
            Self::BadVectors { .. } => "bad_vectors",
            Self::NoIndex { .. } => "no_index",
            Self::Damaged { .. } => "damaged_index",
            Self::Io { .. } => "io",
        }
    }

    /// What the person can do about it, if there is something to say.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Store(error) => error.hint(),
            Self::OtherEmbedder { index, .. } => {
                Some(format!("embed all texts anew, or choose the embedder {} again", index.name))
            }
            Self::Io { .. } => Some(
                "check the space left and that you may write there; the graph itself is not affected"
                    .to_owned(),
            ),
            Self::NoIndex { .. } | Self::Damaged { .. } => {
                Some("ingest again to make it; the graph itself is not affected".to_owned())
            }
            _ => None,
        }
    }
}
