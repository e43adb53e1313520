//! What can go wrong while ingesting.

use std::path::PathBuf;

use graphwright_core::StoreError;
use graphwright_llm::LlmError;
use thiserror::Error;

use crate::exchange::{ImportReport, InputProblem};

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
    /// A piece of HTML cannot be read.
    #[error("{message}")]
    Html {
        /// Why.
        message: String,
    },
    /// Two entities cannot be merged, or a merge cannot be undone.
    #[error("{message}")]
    Merge {
        /// Why.
        message: String,
    },
    /// A file to import holds something that cannot be imported.
    #[error("{0}")]
    Input(Box<InputProblem>),
    /// The work ended in the middle; what was written is whole, and doing it again does the rest.
    #[error("{cause} ({done})")]
    Interrupted {
        /// What is done.
        done: String,
        /// Why it ended.
        #[source]
        cause: Box<IngestError>,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {message}", path.display())]
    Write {
        /// The path.
        path: PathBuf,
        /// Why.
        message: String,
    },
    /// A thread of ours failed.
    #[error("{message}")]
    Internal {
        /// Which, and why.
        message: String,
    },
    /// The caller cancelled; what was written is whole.
    #[error("cancelled")]
    Cancelled,
}

impl From<InputProblem> for IngestError {
    fn from(problem: InputProblem) -> Self {
        Self::Input(Box::new(problem))
    }
}

impl IngestError {
    /// What the person can do about it, if there is something to say.
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

    /// The same error, saying how many documents of a run were done before it.
    pub(crate) fn after_documents(self, done: usize, total: usize) -> Self {
        if done == 0 {
            return self;
        }
        let done = format!("{done} of {total} documents were read and stay in the graph");
        Self::Interrupted { done, cause: Box::new(self) }
    }

    /// The same error, saying what an import had done before it.
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
