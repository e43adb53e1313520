//! What can go wrong in a measurement.

use std::path::PathBuf;

use graphwright_core::StoreError;
use thiserror::Error;

/// `Result` with [`Error`](enum@Error).
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why something could not be measured.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// What was being done, as `read`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// A line of a file is not what it must be.
    #[error("{}, line {line}: {message}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// The results in the output folder are of another run.
    #[error("{} holds the results of another run: {difference}", path.display())]
    OtherRun {
        /// The file of results.
        path: PathBuf,
        /// What is different.
        difference: String,
    },
    /// The store failed, not the query.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Error {
    /// What the person can do about it, if there is something to say.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::File { .. } => None,
            Self::Line { .. } => Some(
                r#"a line is an object as {"graph": "…", "gold_cypher": "…", "pred_cypher": "…"}"#.to_owned(),
            ),
            Self::OtherRun { .. } => Some("begin anew, or name another folder for the results".to_owned()),
            Self::Store(error) => error.hint(),
        }
    }
}
