//! What can go wrong with an ontology.

use std::path::PathBuf;

use graphwright_core::StoreError;
use thiserror::Error;

/// `Result` with [`OntologyError`].
pub type Result<T, E = OntologyError> = std::result::Result<T, E>;

/// Why an ontology cannot be read, used or stored.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OntologyError {
    /// The ontology is not usable.
    #[error("{}: {message}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong, where, and the nearest right word.
        message: String,
    },
    /// The file cannot be read.
    #[error("cannot read {}: {message}", path.display())]
    Read {
        /// The path.
        path: PathBuf,
        /// Why.
        message: String,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl OntologyError {
    /// Returns what the person can do about it, if there is something to say.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Invalid { .. } => Some("docs/ontology.md shows the form".to_owned()),
            Self::Read { .. } => Some("check the path, and that you may read it".to_owned()),
            Self::Store(error) => error.hint(),
        }
    }
}
