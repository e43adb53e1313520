//! Splits Cypher text into tokens.
//!
//! [`tokenize`] returns the tokens and comments of a text. Each token knows its bytes in the text,
//! so that edits and diagnostics point at what was written. A word carries the [`Keyword`] that it
//! is written as; whether it is a keyword or a name depends on its place, which the parser knows.

mod keyword;
mod scan;
#[cfg(test)]
mod tests;
mod unescape;

use std::borrow::Cow;

use graphwright_core::Span;
use thiserror::Error;

pub use keyword::Keyword;
pub(crate) use scan::{comment_length, is_name_part, is_name_start, scan};
pub(crate) use unescape::{unescape, unquote};

use crate::diagnostic::Code;

/// A token of Cypher text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind of token.
    pub kind: TokenKind,
    /// The keyword that an unquoted word spells, if any.
    pub keyword: Option<Keyword>,
    /// The token's place in the text, in bytes.
    pub span: Span,
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// An unquoted word: a keyword or a name.
    Word,
    /// A name in back-ticks.
    QuotedName,
    /// A string in single or double quotes.
    String,
    /// An integer: `1`, `0x1F`, `0o17`.
    Integer,
    /// A float: `1.5`, `.5`, `1e9`.
    Float,
    /// A parameter: `$name`, `` $`name` ``, `$0`.
    Parameter,
    /// Punctuation or an operator, with its text.
    Symbol(&'static str),
}

/// An error for text that cannot be split into tokens.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct LexError {
    /// The code of the fault.
    pub code: Code,
    /// The message.
    pub message: String,
    /// The place of the fault, in bytes.
    pub span: Span,
}

/// The tokens and comments of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// The tokens, in order of appearance.
    pub tokens: Vec<Token>,
    /// The comments, in order of appearance. A `//` comment excludes its line end.
    pub comments: Vec<Span>,
}

impl Token {
    /// Returns the token's text within `source`.
    pub fn text<'a>(&self, source: &'a str) -> &'a str {
        source.get(self.span.range()).unwrap_or_default()
    }

    /// Returns whether the token is the unquoted word `word`, in any case.
    pub fn is_word(&self, source: &str, word: &str) -> bool {
        self.kind == TokenKind::Word && self.text(source).eq_ignore_ascii_case(word)
    }

    /// Returns whether the token is the symbol `symbol`.
    pub fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.kind, TokenKind::Symbol(found) if found == symbol)
    }

    /// Returns the name that a word, a quoted name or a parameter gives, without quotes and `$`.
    /// Returns `None` for other tokens.
    pub fn name<'a>(&self, source: &'a str) -> Option<Cow<'a, str>> {
        let text = self.text(source);
        match self.kind {
            TokenKind::Word => Some(Cow::Borrowed(text)),
            TokenKind::QuotedName => Some(unquote(text)),
            TokenKind::Parameter => Some(unquote(text.get(1..)?)),
            _ => None,
        }
    }
}

/// Splits `text` into tokens and comments.
///
/// # Errors
///
/// Returns the first fault: an unclosed string, name or comment, a malformed number or character
/// code, or a character without meaning in Cypher.
///
/// ```
/// use graphwright_cypher::lexer::tokenize;
///
/// let text = "RETURN 'it''s' // done";
/// let tokens = tokenize(text)?;
/// assert_eq!(tokens.tokens[1].text(text), "'it'");
/// assert_eq!(tokens.comments.len(), 1);
/// # Ok::<_, graphwright_cypher::lexer::LexError>(())
/// ```
pub fn tokenize(text: &str) -> Result<Tokens, LexError> {
    let (tokens, errors) = scan(text);
    // The scanner continues behind a fault; callers of this function want the first one.
    match errors.into_iter().next() {
        Some(error) => Err(error),
        None => Ok(tokens),
    }
}
