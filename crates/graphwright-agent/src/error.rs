//! What can go wrong while an agent works.

use std::{io, path::PathBuf, time::Duration};

use graphwright_answer::AnswerError;
use graphwright_core::{Position, StoreError};
use graphwright_cypher::Refusal;
use graphwright_llm::LlmError;
use graphwright_ontology::OntologyError;
use graphwright_retrieve::RetrieveError;
use thiserror::Error;

/// `Result` with [`AgentError`].
pub type Result<T, E = AgentError> = std::result::Result<T, E>;

/// Why an agent, a tool, a thread or the file of routes failed.
///
/// That the graph does not know the answer is no error.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AgentError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Reading the graph failed.
    #[error(transparent)]
    Retrieve(#[from] RetrieveError),
    /// The ontology in the store cannot be read.
    #[error(transparent)]
    Ontology(#[from] OntologyError),
    /// The model failed. `ask` falls back on the graph alone instead of returning this.
    #[error(transparent)]
    Model(#[from] LlmError),
    /// The graph cannot be had, for a reason that the one who gives it has.
    #[error("{message}")]
    Graph {
        /// Why.
        message: String,
    },
    /// A query was refused.
    #[error("{}", refusal.message)]
    Refused {
        /// What was found.
        refusal: Refusal,
        /// Where, in the text as it was given.
        position: Position,
    },
    /// The question cannot be answered, as one without words.
    #[error(transparent)]
    Answer(AnswerError),
    /// The time of a run is over.
    #[error("the agent did not answer within {} s", limit.as_secs_f64())]
    OutOfTime {
        /// How long it had.
        limit: Duration,
    },
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The answer is not what was asked for, not even when asked for again.
    #[error("the answer does not have the form that was asked for: {message}")]
    BadOutput {
        /// What is wrong.
        message: String,
    },
    /// The thread has no run that was interrupted.
    #[error(
        "there is nothing to resume in the thread {thread}: its last question is answered, or it has none"
    )]
    NothingToResume {
        /// The thread.
        thread: String,
    },
    /// Somebody else added to the thread.
    #[error("the thread {thread} has changed meanwhile; load it again")]
    ThreadConflict {
        /// The thread.
        thread: String,
    },
    /// A thread in the store is damaged.
    #[error("the thread {thread} cannot be read: {message}")]
    UnreadableThread {
        /// The thread.
        thread: String,
        /// What is wrong.
        message: String,
    },
    /// The file of routes cannot be used.
    #[error("cannot {what} {}: {source}", path.display())]
    RouteFile {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// No route has this identifier.
    #[error("there is no route {id:?}")]
    UnknownRoute {
        /// The identifier, or the beginning of one.
        id: String,
    },
    /// Several routes have an identifier that begins so.
    #[error("{count} routes begin with {id:?}")]
    AmbiguousRoute {
        /// The beginning.
        id: String,
        /// How many.
        count: usize,
    },
    /// A toolbox holds one tool of a name.
    #[error("two tools are named `{tool}`")]
    DuplicateTool {
        /// The name.
        tool: String,
    },
    /// What a tool gives as the JSON Schema of its arguments is none.
    #[error("the JSON Schema of the tool `{tool}` is not valid: {message}")]
    BadToolSchema {
        /// The tool.
        tool: String,
        /// What is wrong.
        message: String,
    },
}

/// Gives a failure of the graph or the ontology the variant that it has here.
impl From<AnswerError> for AgentError {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Retrieve(error) => Self::Retrieve(error),
            AnswerError::Ontology(error) => Self::Ontology(error),
            error => Self::Answer(error),
        }
    }
}
