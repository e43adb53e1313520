//! Errors of the parser's data.

use thiserror::Error;

/// A `Result` whose error is [`EnglishError`] unless told otherwise.
pub type Result<T, E = EnglishError> = std::result::Result<T, E>;

/// An error of this crate. Its variants are what a caller can act on.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum EnglishError {
    /// The parser's data cannot be read: a tensor or a list is missing, or two do not fit each other.
    #[error("the parser's data is damaged: {message}")]
    DamagedParser {
        /// What is wrong.
        message: String,
    },
}

impl EnglishError {
    pub(crate) fn damaged(message: impl Into<String>) -> Self {
        Self::DamagedParser { message: message.into() }
    }
}
