//! What can go wrong while answering.

use graphwright_ontology::OntologyError;
use graphwright_retrieve::RetrieveError;
use thiserror::Error;

/// `Result` with [`AnswerError`].
pub type Result<T, E = AnswerError> = std::result::Result<T, E>;

/// Why a question could not be answered.
///
/// That the graph does not know the answer is no error. A model that fails is none either: the graph
/// alone answers then.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// Reading the graph failed.
    #[error(transparent)]
    Retrieve(#[from] RetrieveError),
    /// The ontology in the store cannot be read.
    #[error(transparent)]
    Ontology(#[from] OntologyError),
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
}
