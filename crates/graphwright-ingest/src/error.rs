//! Errors of ingesting, importing and exporting.

use std::path::PathBuf;

use graphwright_core::StoreError;
use graphwright_llm::LlmError;
use thiserror::Error;

use crate::exchange::{ImportReport, InputProblem};

/// A `Result` whose error is an [`IngestError`] by default.
pub type Result<T, E = IngestError> = std::result::Result<T, E>;

/// An error that ends a run.
///
/// A single document that cannot be read does not end the run: the report lists it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IngestError {
    /// The ontology file is invalid.
    #[error("{}: {message}", path.display())]
    Ontology {
        /// Path of the ontology file.
        path: PathBuf,
        /// What is wrong, where, and the nearest valid word.
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
        /// Path of the file or folder.
        path: PathBuf,
        /// The reason.
        message: String,
    },
    /// HTML text cannot be parsed.
    #[error("{message}")]
    Html {
        /// The reason.
        message: String,
    },
    /// Two entities cannot be merged, or a merge cannot be undone.
    #[error("{message}")]
    Merge {
        /// The reason.
        message: String,
    },
    /// A file to import holds something that cannot be imported.
    #[error("{0}")]
    Input(Box<InputProblem>),
    /// The run ended early. Everything written so far is consistent, and a second run does the
    /// rest.
    #[error("{cause} ({done})")]
    Interrupted {
        /// What was done before the end.
        done: String,
        /// What ended the run.
        #[source]
        cause: Box<IngestError>,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {message}", path.display())]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// The reason.
        message: String,
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

impl From<InputProblem> for IngestError {
    fn from(problem: InputProblem) -> Self {
        Self::Input(Box::new(problem))
    }
}

impl IngestError {
    /// Returns what a person can do about the error, or `None` if there is nothing to suggest.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Input(problem) => Some(problem.hint.clone()).filter(|hint| !hint.is_empty()),
            Self::Ontology { .. } => Some(
                "docs/ontology.md shows the form; `graphwright ontology schema` prints it for editors"
                    .to_owned(),
            ),
            Self::Read { .. } => Some("check the path, and that you may read it".to_owned()),
            Self::Write { .. } => {
                Some("check the path, the space left, and that you may write there".to_owned())
            }
            Self::Merge { .. } => {
                Some("`graphwright duplicates list` shows identifiers that can be merged".to_owned())
            }
            Self::Cancelled => Some("what was written is whole; run it again to go on".to_owned()),
            Self::Model(error) => error.hint(),
            Self::Interrupted { cause, .. } => cause.hint(),
            Self::Store(error) => error.hint(),
            _ => None,
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

    /// Adds what the import had written. Returns `self` unchanged if it had written nothing.
    pub(crate) fn after(self, report: &ImportReport) -> Self {
        if report.nodes + report.relationships + report.statements == 0 {
            return self;
        }
        let ImportReport { nodes, relationships, statements, .. } = report;
        let done = match statements {
            0 => format!("{nodes} nodes and {relationships} relationships had been written"),
            _ => format!("{statements} statements had been run and stay done"),
        };
        Self::Interrupted { done, cause: Box::new(self) }
    }
}
