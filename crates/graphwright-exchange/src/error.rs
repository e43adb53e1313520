//! What can go wrong while importing or exporting.

use std::path::PathBuf;

use graphwright_core::StoreError;
use thiserror::Error;

use crate::{ImportReport, InputProblem};

/// `Result` with [`ExchangeError`].
pub type Result<T, E = ExchangeError> = std::result::Result<T, E>;

/// Why a graph could not be imported or exported.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file cannot be read at all.
    #[error("cannot read {}: {message}", path.display())]
    Read {
        /// The path.
        path: PathBuf,
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
        cause: Box<ExchangeError>,
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

impl From<InputProblem> for ExchangeError {
    fn from(problem: InputProblem) -> Self {
        Self::Input(Box::new(problem))
    }
}

impl ExchangeError {
    /// Returns what the person can do about it, if there is something to say.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Input(problem) => Some(problem.hint.clone()).filter(|hint| !hint.is_empty()),
            Self::Read { .. } => Some("check the path, and that you may read it".to_owned()),
            Self::Write { .. } => {
                Some("check the path, the space left, and that you may write there".to_owned())
            }
            Self::Cancelled => Some("what was written is whole; run it again to go on".to_owned()),
            Self::Interrupted { cause, .. } => cause.hint(),
            Self::Store(error) => error.hint(),
            Self::Internal { .. } => None,
        }
    }

    /// Adds what an import had done before the error.
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
