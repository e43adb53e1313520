//! The errors of reading documents.

use graphwright_llm::LlmError;
use thiserror::Error;

/// `Result` with [`DocumentError`].
pub type Result<T, E = DocumentError> = std::result::Result<T, E>;

/// Why a document, or a piece of text, cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// A piece of HTML cannot be read.
    #[error("{message}")]
    Html {
        /// Why.
        message: String,
    },
    /// The parser of sentences that is part of the program cannot be read.
    #[error("sentences cannot be parsed: {message}")]
    Parser {
        /// Why.
        message: String,
    },
    /// The model that extracts facts failed.
    #[error(transparent)]
    Model(#[from] LlmError),
}

impl DocumentError {
    /// Returns what the person can do about it, if there is something to say.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Model(error) => error.hint(),
            Self::Html { .. } | Self::Parser { .. } => None,
        }
    }
}
