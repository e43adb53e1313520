//! The errors of agents.

use std::time::Duration;

use graphwright_answer::AnswerError;
use graphwright_core::{Position, StoreError};
use graphwright_cypher::Refusal;
use graphwright_journal::JournalError;
use graphwright_llm::LlmError;
use graphwright_ontology::OntologyError;
use graphwright_retrieve::{RetrieveError, query::QueryError};
use thiserror::Error;

/// A `Result` with [`AgentError`] as the default error.
pub type Result<T, E = AgentError> = std::result::Result<T, E>;

/// The error of an agent, a tool, a thread or the journal of routes.
///
/// A question that the graph cannot answer is not an error.
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
    /// The model failed. [`AgentAnswerer::ask`](crate::AgentAnswerer::ask) answers from the graph
    /// alone instead of returning this error.
    #[error(transparent)]
    Model(#[from] LlmError),
    /// The graph is not available, for a reason that its source gives.
    #[error("{message}")]
    Graph {
        /// The reason.
        message: String,
    },
    /// A query was refused.
    #[error("{}", refusal.message)]
    Refused {
        /// The reason for the refusal.
        refusal: Refusal,
        /// The position in the text as it was given.
        position: Position,
    },
    /// The question cannot be answered, for example because it has no words.
    #[error(transparent)]
    Answer(AnswerError),
    /// The run exceeded its time limit.
    #[error("the agent did not answer within {} s", limit.as_secs_f64())]
    OutOfTime {
        /// The limit.
        limit: Duration,
    },
    /// The caller cancelled the work.
    #[error("cancelled")]
    Cancelled,
    /// The answer does not have the requested form, even after the model was asked again.
    #[error("the answer does not have the form that was asked for: {message}")]
    BadOutput {
        /// What is wrong.
        message: String,
    },
    /// The thread has no interrupted run.
    #[error(
        "there is nothing to resume in the thread {thread}: its last question is answered, or it has none"
    )]
    NothingToResume {
        /// The identifier of the thread.
        thread: String,
    },
    /// Another writer added to the thread.
    #[error("the thread {thread} has changed meanwhile; load it again")]
    ThreadConflict {
        /// The identifier of the thread.
        thread: String,
    },
    /// A thread in the store is damaged.
    #[error("the thread {thread} cannot be read: {message}")]
    UnreadableThread {
        /// The identifier of the thread.
        thread: String,
        /// What is wrong.
        message: String,
    },
    /// The file of routes cannot be used.
    #[error(transparent)]
    RouteFile(#[from] JournalError),
    /// No route has this identifier.
    #[error("there is no route {id:?}")]
    UnknownRoute {
        /// The identifier, or the beginning of one.
        id: String,
    },
    /// Several routes have an identifier that begins with the given text.
    #[error("{count} routes begin with {id:?}")]
    AmbiguousRoute {
        /// The beginning.
        id: String,
        /// The number of routes.
        count: usize,
    },
    /// Two tools in a toolbox have one name.
    #[error("two tools are named `{tool}`")]
    DuplicateTool {
        /// The name of the tool.
        tool: String,
    },
    /// The JSON Schema of a tool's arguments is not valid.
    #[error("the JSON Schema of the tool `{tool}` is not valid: {message}")]
    BadToolSchema {
        /// The name of the tool.
        tool: String,
        /// What is wrong.
        message: String,
    },
}

impl From<QueryError> for AgentError {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::Store(error) => Self::Store(error),
            QueryError::Refused { refusal, position } => Self::Refused { refusal, position },
        }
    }
}

/// Unwraps failures of the graph or the ontology, which have variants of their own here.
impl From<AnswerError> for AgentError {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Retrieve(error) => Self::Retrieve(error),
            AnswerError::Ontology(error) => Self::Ontology(error),
            error => Self::Answer(error),
        }
    }
}
