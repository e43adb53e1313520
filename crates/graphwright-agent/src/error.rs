//! What can go wrong while answering.

use graphwright_core::StoreError;
use graphwright_ingest::IngestError;
use graphwright_llm::LlmError;
use graphwright_retrieve::RetrieveError;
use thiserror::Error;

/// `Result` with [`AgentError`].
pub type Result<T, E = AgentError> = std::result::Result<T, E>;

/// Why a question could not be answered. That the graph does not know the answer is not an error.
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
    Ontology(#[from] IngestError),
    /// The model failed. `ask` falls back on the graph alone instead of returning this.
    #[error(transparent)]
    Model(#[from] LlmError),
    /// The question has no words.
    #[error("the question is empty")]
    EmptyQuestion,
    /// There is no such reading.
    #[error("there is no reading {asked}; the question has {known}")]
    NoSuchReading {
        /// Which was asked for, from 1.
        asked: usize,
        /// How many there are.
        known: usize,
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
