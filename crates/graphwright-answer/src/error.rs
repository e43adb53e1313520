//! The errors of answering.

use graphwright_ontology::OntologyError;
use graphwright_retrieve::RetrieveError;
use thiserror::Error;

/// `Result` with [`AnswerError`].
pub type Result<T, E = AnswerError> = std::result::Result<T, E>;

/// Why a question could not be answered.
///
/// It is no error if the graph does not know the answer, nor if a model fails: then the graph alone
/// answers.
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
    /// The question is longer than any question.
    #[error("the question has {characters} characters, and the limit is {limit}")]
    QuestionTooLong {
        /// Length of the question.
        characters: usize,
        /// Greatest length.
        limit: usize,
    },
    /// The question has no reading of that number.
    #[error("there is no reading {asked}; the question has {known}")]
    NoSuchReading {
        /// The number that was asked for, counted from 1.
        asked: usize,
        /// How many readings there are.
        known: usize,
    },
}
