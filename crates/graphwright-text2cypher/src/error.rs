//! The errors of flows from questions to Cypher.

use graphwright_answer::AnswerError;
use graphwright_core::StoreError;
use graphwright_journal::JournalError;
use graphwright_llm::LlmError;
use thiserror::Error;

/// A `Result` with [`Text2CypherError`] as the default error.
pub type Result<T, E = Text2CypherError> = std::result::Result<T, E>;

/// Why a question could not be put to a flow, or why a step of one failed.
///
/// It is no error if the graph lacks what is asked for, if no right query is written, or if a model fails: that is an answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Text2CypherError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The graph cannot be read, or the question has no words.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// The model failed. [`Text2Cypher::ask`](crate::Text2Cypher::ask) answers from the graph alone instead of returning this error.
    #[error(transparent)]
    Model(#[from] LlmError),
    /// The file of examples cannot be used.
    #[error(transparent)]
    ExampleFile(#[from] JournalError),
    /// No example has this identifier.
    #[error("there is no example {id:?}")]
    UnknownExample {
        /// The identifier, or the beginning of one.
        id: String,
    },
    /// Several examples have an identifier that begins with the given text.
    #[error("{count} examples begin with {id:?}")]
    AmbiguousExample {
        /// The beginning.
        id: String,
        /// The number of examples.
        count: usize,
    },
    /// A text is no example.
    #[error("{}{message}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
    BadExample {
        /// The line, from 1, if it is one of several.
        line: Option<usize>,
        /// What is wrong.
        message: String,
    },
    /// No flow has that name.
    #[error("there is no flow {name:?}")]
    UnknownFlow {
        /// The name.
        name: String,
    },
    /// The caller cancelled the work.
    #[error("cancelled")]
    Cancelled,
}
