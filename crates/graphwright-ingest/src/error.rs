//! Errors of ingesting, importing and exporting.

use std::path::PathBuf;

use graphwright_core::StoreError;
use graphwright_documents::DocumentError;
use graphwright_llm::LlmError;
use graphwright_ontology::OntologyError;
use thiserror::Error;

/// A `Result` whose error is an [`IngestError`] by default.
pub type Result<T, E = IngestError> = std::result::Result<T, E>;

/// An error that ends a run.
///
/// A single document that cannot be read does not end the run: the report lists it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IngestError {
    /// The ontology is not usable.
    #[error(transparent)]
    Ontology(OntologyError),
    /// A document cannot be read.
    #[error(transparent)]
    Document(DocumentError),
    /// Neither the caller nor the graph has an ontology, and there is nothing to infer one with.
    #[error("there is no ontology to read the documents by")]
    NoOntology,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The model failed.
    #[error(transparent)]
    Model(#[from] LlmError),
    /// A file or folder cannot be read at all.
    #[error("cannot read {}: {message}", path.display())]
    Read {
        /// Path of the file or folder.
        path: PathBuf,
        /// The reason.
        message: String,
    },
    /// The graph has no such document.
    #[error("the graph has no document `{document}`")]
    UnknownDocument {
        /// Which was named.
        document: String,
        /// The document of the graph with the nearest name; none in a graph without documents.
        nearest: Option<String>,
    },
    /// Two entities cannot be merged, or a merge cannot be undone.
    #[error("{message}")]
    Merge {
        /// The reason.
        message: String,
    },
    /// The run ended early. Everything written so far is consistent, and a second run does the rest.
    #[error("{cause} ({done})")]
    Interrupted {
        /// What was done before the end.
        done: String,
        /// What ended the run.
        #[source]
        cause: Box<IngestError>,
    },
    /// An internal thread failed.
    #[error("{message}")]
    Internal {
        /// Which thread, and the reason.
        message: String,
    },
    /// The caller cancelled the run. Everything written so far is consistent.
    #[error("cancelled")]
    Cancelled,
}

impl From<OntologyError> for IngestError {
    fn from(error: OntologyError) -> Self {
        match error {
            OntologyError::Store(error) => Self::Store(error),
            error => Self::Ontology(error),
        }
    }
}

impl From<DocumentError> for IngestError {
    fn from(error: DocumentError) -> Self {
        match error {
            DocumentError::Model(error) => Self::Model(error),
            error => Self::Document(error),
        }
    }
}

impl IngestError {
    /// Returns what a person can do about the error, or `None` if there is nothing to suggest.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Ontology(error) => error.hint(),
            Self::NoOntology => Some("give one, or a way to infer one".to_owned()),
            Self::Read { .. } => Some("check the path, and that you may read it".to_owned()),
            Self::UnknownDocument { nearest, .. } => Some(match nearest {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => "the graph has no documents".to_owned(),
            }),
            Self::Merge { .. } => {
                Some("the list of duplicates shows identifiers that can be merged".to_owned())
            }
            Self::Cancelled => Some("what was written is whole; run it again to go on".to_owned()),
            Self::Model(error) => error.hint(),
            Self::Interrupted { cause, .. } => cause.hint(),
            Self::Store(error) => error.hint(),
            Self::Document(error) => error.hint(),
            Self::Internal { .. } => None,
        }
    }

    /// Adds how many documents of the run were finished. Returns `self` unchanged if none were.
    pub(crate) fn after_documents(self, done: usize, total: usize) -> Self {
        if done == 0 {
            return self;
        }
        let done = format!("{done} of {total} documents were read and stay in the graph");
        Self::Interrupted { done, cause: Box::new(self) }
    }
}
