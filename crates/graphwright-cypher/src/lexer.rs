//! Splits Cypher text into tokens.
//!
//! Every token knows its bytes in the text, so that edits and diagnostics point at what was written. A word says which
//! keyword it is written as; whether it is a keyword or a name depends on its place.

mod keyword;
mod scan;
#[cfg(test)]
mod tests;
mod unescape;

use std::borrow::Cow;

use graphwright_core::Span;
use thiserror::Error;

pub use keyword::Keyword;
pub(crate) use scan::{is_name_part, is_name_start, scan};
pub(crate) use unescape::{unescape, unquote};

use crate::diagnostic::Code;

/// A piece of Cypher text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// The keyword that a word without quotes is written as.
    pub keyword: Option<Keyword>,
    /// Where it stands, in bytes.
    pub span: Span,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A keyword or a name without quotes.
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
    /// Punctuation or an operator, by its text.
    Symbol(&'static str),
}

/// Text that cannot be split into tokens.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct LexError {
    /// The kind of fault.
    pub code: Code,
    /// What is wrong.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// The tokens of a text, and its comments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// The tokens, in order.
    pub tokens: Vec<Token>,
    /// The comments, in order; a `//` comment without its line end.
    pub comments: Vec<Span>,
}

impl Token {
    /// Its text.
    pub fn text<'a>(&self, source: &'a str) -> &'a str {
        source.get(self.span.range()).unwrap_or_default()
    }

    /// Whether it is this keyword, in any case and without quotes.
    pub fn is_word(&self, source: &str, word: &str) -> bool {
        self.kind == TokenKind::Word && self.text(source).eq_ignore_ascii_case(word)
    }

    /// Whether it is this symbol.
    pub fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.kind, TokenKind::Symbol(found) if found == symbol)
    }

    /// The name that a word, a quoted name or a parameter gives, without quotes and `$`.
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
    match errors.into_iter().next() {
        Some(error) => Err(error),
        None => Ok(tokens),
    }
}
