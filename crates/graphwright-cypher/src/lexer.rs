//! Splits Cypher text into tokens.
//!
//! Every token knows its bytes in the text, so that edits and diagnostics point at what was written. Keywords are not
//! told from names here: that depends on the place, and Cypher reserves few words.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use graphwright_core::Span;
use thiserror::Error;

/// A piece of Cypher text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
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

/// Operators and punctuation, longer ones before their beginnings. Arrows are not tokens of their own: `<-1` may
/// also be a comparison with a negative number.
const SYMBOLS: [&str; 31] = [
    "<=", "<>", ">=", "=~", "!=", "..", "||", "+=", "::", "(", ")", "[", "]", "{", "}", ",", ".", ":", ";",
    "+", "-", "*", "/", "%", "^", "=", "<", ">", "|", "&", "!",
];

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

/// Takes off back-ticks and undoubles those within.
fn unquote(text: &str) -> Cow<'_, str> {
    match text.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')) {
        None => Cow::Borrowed(text),
        Some(inner) if inner.contains('`') => Cow::Owned(inner.replace("``", "`")),
        Some(inner) => Cow::Borrowed(inner),
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
    let mut lexer = Lexer { text, at: 0, found: Tokens::default() };
    while let Some(first) = lexer.peek() {
        lexer.step(first)?;
    }
    Ok(lexer.found)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    found: Tokens,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    fn step(&mut self, first: char) -> Result<(), LexError> {
        match first {
            _ if first.is_whitespace() || first == '\u{feff}' => self.at += first.len_utf8(),
            '/' if self.rest().starts_with("//") => self.line_comment(),
            '/' if self.rest().starts_with("/*") => self.block_comment()?,
            '\'' | '"' => self.string(first)?,
            '`' => self.quoted_name(self.at, TokenKind::QuotedName)?,
            '$' => self.parameter()?,
            '0'..='9' => self.number()?,
            '.' if self.second().is_some_and(|next| next.is_ascii_digit()) && !self.follows_dot() => {
                self.number()?;
            }
            _ if is_name_start(first) => {
                let start = self.at;
                self.skip_while(is_name_part);
                self.push(TokenKind::Word, start);
            }
            _ => self.symbol(first)?,
        }
        Ok(())
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        self.found.tokens.push(Token { kind, span: Span::new(start, self.at) });
    }

    fn fail(&self, message: impl Into<String>, start: usize) -> LexError {
        LexError { message: message.into(), span: Span::new(start, self.at.max(start)) }
    }

    fn skip_while(&mut self, accept: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|character| !accept(character)).unwrap_or(rest.len());
    }

    /// Whether the text just before is `..`, so that `*..5` ends in an integer.
    fn follows_dot(&self) -> bool {
        self.text.get(..self.at).is_some_and(|before| before.ends_with('.'))
    }

    fn line_comment(&mut self) {
        let start = self.at;
        self.skip_while(|character| character != '\n' && character != '\r');
        self.found.comments.push(Span::new(start, self.at));
    }

    fn block_comment(&mut self) -> Result<(), LexError> {
        let start = self.at;
        match self.rest().get(2..).and_then(|inner| inner.find("*/")) {
            Some(length) => {
                self.at += length + 4;
                self.found.comments.push(Span::new(start, self.at));
                Ok(())
            }
            None => Err(LexError {
                message: "this comment is not closed with */".to_owned(),
                span: Span::new(start, self.text.len()),
            }),
        }
    }

    fn string(&mut self, quote: char) -> Result<(), LexError> {
        let start = self.at;
        let mut escaped = false;
        for (offset, character) in self.rest().char_indices().skip(1) {
            match character {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if character == quote => {
                    self.at += offset + 1;
                    self.push(TokenKind::String, start);
                    return Ok(());
                }
                _ => {}
            }
        }
        self.at = self.text.len();
        Err(self.fail(format!("this string is not closed with {quote}"), start))
    }

    fn quoted_name(&mut self, start: usize, kind: TokenKind) -> Result<(), LexError> {
        self.at += 1;
        loop {
            let Some(length) = self.rest().find('`') else {
                self.at = self.text.len();
                return Err(self.fail("this name is not closed with a back-tick", start));
            };
            self.at += length + 1;
            if self.peek() == Some('`') {
                self.at += 1;
            } else {
                self.push(kind, start);
                return Ok(());
            }
        }
    }

    fn parameter(&mut self) -> Result<(), LexError> {
        let start = self.at;
        self.at += 1;
        match self.peek() {
            Some('`') => return self.quoted_name(start, TokenKind::Parameter),
            Some(first) if is_name_part(first) => self.skip_while(is_name_part),
            _ => return Err(self.fail("a parameter's name must follow $", start)),
        }
        self.push(TokenKind::Parameter, start);
        Ok(())
    }

    fn number(&mut self) -> Result<(), LexError> {
        let start = self.at;
        let radix = self.rest().get(..2).unwrap_or_default();
        let mut kind = TokenKind::Integer;
        if radix.eq_ignore_ascii_case("0x") || radix.eq_ignore_ascii_case("0o") {
            self.at += 2;
            self.skip_while(|character| character.is_ascii_hexdigit() || character == '_');
        } else {
            self.digits();
            if self.peek() == Some('.') && self.second().is_some_and(|next| next.is_ascii_digit()) {
                kind = TokenKind::Float;
                self.at += 1;
                self.digits();
            }
            if self.skip_exponent() {
                kind = TokenKind::Float;
            }
        }
        if self.peek().is_some_and(is_name_part) {
            self.skip_while(is_name_part);
            return Err(self.fail("a number cannot be followed by letters", start));
        }
        self.push(kind, start);
        Ok(())
    }

    fn digits(&mut self) {
        self.skip_while(|character| character.is_ascii_digit() || character == '_');
    }

    fn skip_exponent(&mut self) -> bool {
        let rest = self.rest();
        let Some(exponent) = rest.strip_prefix(['e', 'E']) else { return false };
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if !digits.starts_with(|character: char| character.is_ascii_digit()) {
            return false;
        }
        self.at += rest.len() - digits.len();
        self.digits();
        true
    }

    fn symbol(&mut self, first: char) -> Result<(), LexError> {
        let start = self.at;
        let Some(symbol) = SYMBOLS.into_iter().find(|symbol| self.rest().starts_with(symbol)) else {
            self.at += first.len_utf8();
            return Err(self.fail(format!("`{first}` has no meaning in Cypher"), start));
        };
        self.at += symbol.len();
        self.push(TokenKind::Symbol(symbol), start);
        Ok(())
    }
}

/// Whether a name without quotes may begin with it.
pub(crate) fn is_name_start(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

/// Whether a name without quotes may contain it.
pub(crate) fn is_name_part(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}
