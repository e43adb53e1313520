//! The errors of a measurement.

use std::path::{Path, PathBuf};

use graphwright_core::StoreError;
use graphwright_retrieve::RetrieveError;
use thiserror::Error;

/// A `Result` with [`Error`](enum@Error).
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error that prevents a measurement.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// The failed action, as `read`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// A line of a file is malformed.
    #[error("{}, line {line}: {message}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The message: what is wrong with the line.
        message: String,
    },
    /// A line of a file that a run keeps is malformed.
    #[error("{}, line {line}: {message}", path.display())]
    Kept {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The message: what is wrong with the line.
        message: String,
    },
    /// A line of a file of questions is malformed.
    #[error("{}, line {line}: {message}", path.display())]
    Question {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The message: what is wrong with the line.
        message: String,
    },
    /// The gold query of a question does not run.
    #[error("the gold query of {question} does not run: {message}")]
    Gold {
        /// The identifier of the question.
        question: String,
        /// The message of whoever refused it.
        message: String,
    },
    /// The output folder holds the results of another run.
    #[error("{} holds the results of another run: {difference}", path.display())]
    OtherRun {
        /// The file of results.
        path: PathBuf,
        /// The difference between the runs.
        difference: String,
    },
    /// A recorded exchange is malformed.
    #[error("{}: {message}", path.display())]
    Recording {
        /// The file.
        path: PathBuf,
        /// The message: what is wrong with it.
        message: String,
    },
    /// A file is of another form.
    #[error("{}: {message}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// The message: what is wrong with it, and where.
        message: String,
    },
    /// Search failed.
    #[error(transparent)]
    Retrieve(#[from] RetrieveError),
    /// The local server that plays recordings cannot be started.
    #[error("cannot start the local server: {0}")]
    Server(std::io::Error),
    /// A line of a corpus is malformed.
    #[error("{}, line {line}: {message}", path.display())]
    Corpus {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The message: what is wrong with the line.
        message: String,
    },
    /// What was to be measured failed.
    #[error(transparent)]
    Graph(#[from] graphwright::Error),
    /// A measure of a model has none.
    #[error("no model is set")]
    NoModel,
    /// A model cannot be asked.
    #[error(transparent)]
    Model(#[from] graphwright_llm::LlmError),
    /// The store failed, rather than the query.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Error {
    pub(crate) fn cannot_read(path: &Path, source: std::io::Error) -> Self {
        Self::File { action: "read", path: path.to_owned(), source }
    }

    pub(crate) fn bad_recording(path: &Path, error: &serde_saphyr::Error) -> Self {
        Self::Recording { path: path.to_owned(), message: error.to_string() }
    }

    pub(crate) fn form(path: &Path, message: &str) -> Self {
        Self::Form { path: path.to_owned(), message: message.to_owned() }
    }

    pub(crate) const fn no_server(error: std::io::Error) -> Self {
        Self::Server(error)
    }

    /// Returns advice for the user, if there is any.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::File { .. } | Self::Server(_) => None,
            Self::Recording { .. } => Some(
                "a recording is a YAML document with `when` (path, method) and `then` (status, header, body)"
                    .to_owned(),
            ),
            Self::Line { .. } => Some(
                r#"a line is an object as {"graph": "…", "gold_cypher": "…", "pred_cypher": "…"}"#.to_owned(),
            ),
            Self::Kept { .. } => Some("remove the file, and begin anew".to_owned()),
            Self::Question { .. } => Some(
                r#"a line is an object as {"id": "…", "kind": "look_up", "question": "…", "cypher": "MATCH …"}"#
                    .to_owned(),
            ),
            Self::Gold { .. } => Some("mend it, or name the graph that it is about".to_owned()),
            Self::Model(error) => error.hint(),
            Self::OtherRun { .. } => Some("begin anew, or name another folder for the results".to_owned()),
            Self::Form { .. } => {
                Some("`graphwright eval retrieval --help` tells the forms of the files".to_owned())
            }
            Self::Retrieve(error) => error.hint(),
            Self::Store(error) => error.hint(),
            Self::Corpus { .. } => {
                Some("a line is an object, as those of examples/software-catalogue".to_owned())
            }
            Self::Graph(error) => error.hint(),
            Self::NoModel => Some("name one, as openai/gpt-4o-mini".to_owned()),
        }
    }
}
