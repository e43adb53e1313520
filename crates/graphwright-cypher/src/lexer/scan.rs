//! The scanner: one pass over the bytes, which continues behind what it cannot read.

use graphwright_core::Span;

use super::{Keyword, LexError, Token, TokenKind, Tokens, unescape::code_point};
use crate::diagnostic::Code;

/// Returns whether an unquoted name may begin with `character`: Unicode's `XID_Start` (Standard
/// Annex 31) and `_`.
pub(crate) fn is_name_start(character: char) -> bool {
    (unicode_ident::is_xid_start(character) || character == '_') && is_basic(character)
}

/// Returns whether an unquoted name may contain `character`: Unicode's `XID_Continue`, which adds
/// digits and combining marks to letters.
pub(crate) fn is_name_part(character: char) -> bool {
    unicode_ident::is_xid_continue(character) && is_basic(character)
}

/// Returns whether `character` fits in 16 bits. Neo4j 5 accepts no others in an unquoted name.
fn is_basic(character: char) -> bool {
    u32::from(character) <= 0xFFFF
}

/// Splits `text` into tokens and also returns its faults. Unreadable text is left out, or kept as
/// the token that it was meant to be.
pub(crate) fn scan(text: &str) -> (Tokens, Vec<LexError>) {
    let mut scanner = Scanner { text, at: 0, found: Tokens::default(), errors: Vec::new() };
    // An estimate of four bytes per token spares most growth of the vector.
    scanner.found.tokens.reserve(text.len() / 4 + 1);
    while let Some(byte) = scanner.byte(0) {
        scanner.step(byte);
    }
    (scanner.found, scanner.errors)
}

/// Returns the length of the comment that begins a text, if one does. One that is not closed takes all
/// of it.
///
/// A comment of one line ends at a line feed or carriage return alone, as in Neo4j's grammar
/// (`SINGLE_LINE_COMMENT`): the other line ends of Unicode stand in it as any character does.
pub(crate) fn comment_length(text: &str) -> Option<usize> {
    let inner = text.get(2..)?;
    match &text.as_bytes()[..2] {
        b"//" => Some(2 + inner.find(['\n', '\r']).unwrap_or(inner.len())),
        b"/*" => Some(inner.find("*/").map_or(text.len(), |length| length + 4)),
        _ => None,
    }
}

/// The most faults that are reported for one text.
const MAX_ERRORS: usize = 100;

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    found: Tokens,
    errors: Vec<LexError>,
}

impl<'a> Scanner<'a> {
    fn byte(&self, offset: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + offset).copied()
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn step(&mut self, byte: u8) {
        if byte == b'/'
            && let Some(length) = comment_length(self.rest())
        {
            return self.comment(length);
        }
        match byte {
            // Neo4j skips the ASCII separators 0x1C to 0x1F as blanks too.
            b' ' | b'\n' | b'\t' | b'\r' | 0x0B | 0x0C | 0x1C..=0x1F => self.at += 1,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(),
            b'\'' | b'"' => self.string(byte),
            b'`' => self.quoted_name(self.at, TokenKind::QuotedName),
            b'$' => self.parameter(),
            b'0'..=b'9' => self.number(),
            b'.' if self.byte(1).is_some_and(|next| next.is_ascii_digit()) && !self.follows_dot() => {
                self.number();
            }
            b'\\' => self.escape(),
            0x80.. => self.beyond_ascii(),
            _ => self.symbol(byte),
        }
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        self.found.tokens.push(Token { kind, keyword: None, span: Span::new(start, self.at) });
    }

    fn fail(&mut self, code: Code, message: impl Into<String>, start: usize) {
        if self.errors.len() < MAX_ERRORS {
            let span = Span::new(start, self.at.max(start));
            self.errors.push(LexError { code, message: message.into(), span });
        }
    }

    fn skip_while(&mut self, accept: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|character| !accept(character)).unwrap_or(rest.len());
    }

    /// Moves past the rest of a name.
    fn skip_name(&mut self) {
        while let Some(byte) = self.byte(0) {
            if byte.is_ascii_alphanumeric() || byte == b'_' {
                self.at += 1;
            } else if byte >= 0x80 && self.peek().is_some_and(is_name_part) {
                self.at += self.peek().map_or(1, char::len_utf8);
            } else {
                break;
            }
        }
    }

    fn word(&mut self) {
        let start = self.at;
        self.skip_name();
        let keyword = Keyword::from_word(self.text.get(start..self.at).unwrap_or_default());
        let span = Span::new(start, self.at);
        self.found.tokens.push(Token { kind: TokenKind::Word, keyword, span });
    }

    /// Reports a character code outside of quotes. Neo4j decodes it before it reads tokens, so a
    /// keyword may hide behind it.
    fn escape(&mut self) {
        let start = self.at;
        self.at += 1;
        let is_code =
            self.byte(0) == Some(b'u') && code_point(self.rest().get(1..).unwrap_or_default()).is_some();
        if is_code {
            self.at += 5;
            self.fail(
                Code::InvalidUnicodeLiteral,
                "write the character itself: a character code stands only in quotes",
                start,
            );
        } else {
            self.fail(Code::InvalidUnicodeCharacter, r"`\` has no meaning in Cypher", start);
        }
    }

    fn beyond_ascii(&mut self) {
        let Some(first) = self.peek() else {
            self.at += 1;
            return;
        };
        // A byte order mark may begin a file.
        if first.is_whitespace() || first == '\u{feff}' {
            self.at += first.len_utf8();
        } else if is_name_start(first) {
            self.word();
        } else {
            let start = self.at;
            self.at += first.len_utf8();
            self.fail(Code::InvalidUnicodeCharacter, format!("`{first}` has no meaning in Cypher"), start);
        }
    }

    /// Returns whether the text just before is `.`, so that `*..5` ends in an integer.
    fn follows_dot(&self) -> bool {
        self.at.checked_sub(1).is_some_and(|before| self.text.as_bytes().get(before) == Some(&b'.'))
    }

    fn comment(&mut self, length: usize) {
        let (start, is_block) = (self.at, self.byte(1) == Some(b'*'));
        self.at += length;
        let span = Span::new(start, self.at);
        if is_block && (length < 4 || !self.text[..self.at].ends_with("*/")) {
            self.fail(Code::Unclosed, "this comment is not closed with */", start);
        } else {
            self.found.comments.push(span);
        }
    }

    fn string(&mut self, quote: u8) {
        let start = self.at;
        self.at += 1;
        while let Some(byte) = self.byte(0) {
            self.at += 1;
            if byte == quote {
                self.push(TokenKind::String, start);
                return;
            }
            if byte == b'\\' {
                self.string_escape();
            }
        }
        let quote = char::from(quote);
        // The rest of the text is kept as a string, so that the parser sees a value here.
        self.fail(Code::Unclosed, format!("this string is not closed with {quote}"), start);
        self.push(TokenKind::String, start);
    }

    /// Moves past the character that follows a backslash.
    fn string_escape(&mut self) {
        let start = self.at - 1;
        let Some(escaped) = self.peek() else { return };
        self.at += escaped.len_utf8();
        if escaped == 'u' && code_point(self.rest()).is_none() && !self.is_surrogate() {
            let message = r"\u must be followed by 4 hexadecimal digits of a character";
            self.fail(Code::InvalidUnicodeLiteral, message, start);
        }
    }

    /// Returns whether the next digits are half of a surrogate pair; the other half may come before
    /// or after.
    fn is_surrogate(&self) -> bool {
        let half = self.rest().get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        half.is_some_and(|half| (0xD800..0xE000).contains(&half))
    }

    fn quoted_name(&mut self, start: usize, kind: TokenKind) {
        self.at += 1;
        loop {
            let Some(length) = self.rest().find('`') else {
                self.at = self.text.len();
                self.fail(Code::Unclosed, "this name is not closed with a back-tick", start);
                return self.push(kind, start);
            };
            self.at += length + 1;
            // A doubled back-tick stands for one within the name.
            if self.byte(0) == Some(b'`') {
                self.at += 1;
            } else {
                return self.push(kind, start);
            }
        }
    }

    fn parameter(&mut self) {
        let start = self.at;
        self.at += 1;
        match self.peek() {
            Some('`') => self.quoted_name(start, TokenKind::Parameter),
            // A parameter's name may begin with a digit: `$0`.
            Some(first) if is_name_part(first) => {
                self.skip_name();
                self.push(TokenKind::Parameter, start);
            }
            // A dynamic label: `n:$(expression)`.
            Some('(') => self.push(TokenKind::Symbol("$"), start),
            _ => self.fail(Code::UnexpectedSyntax, "a parameter's name must follow $", start),
        }
    }

    fn number(&mut self) {
        let start = self.at;
        let mut kind = TokenKind::Integer;
        let mut is_whole = true;
        let radix = match (self.byte(0), self.byte(1)) {
            (Some(b'0'), Some(b'x' | b'X')) => Some(16),
            (Some(b'0'), Some(b'o' | b'O')) => Some(8),
            _ => None,
        };
        if let Some(radix) = radix {
            self.at += 2;
            let digits = self.at;
            self.skip_while(|character| character.is_digit(radix) || character == '_');
            is_whole = self
                .text
                .as_bytes()
                .get(digits..self.at)
                .is_some_and(|digits| digits.iter().any(|&digit| digit != b'_'));
        } else {
            self.digits();
            if self.byte(0) == Some(b'.') && self.byte(1).is_some_and(|next| next.is_ascii_digit()) {
                kind = TokenKind::Float;
                self.at += 1;
                self.digits();
            }
            if self.skip_exponent() {
                kind = TokenKind::Float;
            }
        }
        if self.peek().is_some_and(is_name_part) {
            self.skip_name();
            self.fail(Code::InvalidNumberLiteral, "a number cannot be followed by letters", start);
        // Underscores alone, as in `0x__`, give no value.
        } else if !is_whole {
            self.fail(Code::InvalidNumberLiteral, "digits must follow 0x or 0o", start);
        }
        self.push(kind, start);
    }

    fn digits(&mut self) {
        while self.byte(0).is_some_and(|byte| byte.is_ascii_digit() || byte == b'_') {
            self.at += 1;
        }
    }

    fn skip_exponent(&mut self) -> bool {
        if !matches!(self.byte(0), Some(b'e' | b'E')) {
            return false;
        }
        let sign = usize::from(matches!(self.byte(1), Some(b'+' | b'-')));
        // Without digits the `e` belongs to no number, and the caller reports the letters.
        if !self.byte(1 + sign).is_some_and(|byte| byte.is_ascii_digit()) {
            return false;
        }
        self.at += 1 + sign;
        self.digits();
        true
    }

    /// Reads a symbol. Arrows are not symbols of their own: `<-1` may also be a comparison with a
    /// negative number.
    fn symbol(&mut self, byte: u8) {
        let start = self.at;
        let symbol = match (byte, self.byte(1)) {
            (b'<', Some(b'=')) => "<=",
            (b'<', Some(b'>')) => "<>",
            (b'>', Some(b'=')) => ">=",
            (b'=', Some(b'~')) => "=~",
            (b'!', Some(b'=')) => "!=",
            (b'.', Some(b'.')) => "..",
            (b'|', Some(b'|')) => "||",
            (b'+', Some(b'=')) => "+=",
            (b':', Some(b':')) => "::",
            (b'(', _) => "(",
            (b')', _) => ")",
            (b'[', _) => "[",
            (b']', _) => "]",
            (b'{', _) => "{",
            (b'}', _) => "}",
            (b',', _) => ",",
            (b'.', _) => ".",
            (b':', _) => ":",
            (b';', _) => ";",
            (b'+', _) => "+",
            (b'-', _) => "-",
            (b'*', _) => "*",
            (b'/', _) => "/",
            (b'%', _) => "%",
            (b'^', _) => "^",
            (b'=', _) => "=",
            (b'<', _) => "<",
            (b'>', _) => ">",
            (b'|', _) => "|",
            (b'&', _) => "&",
            (b'!', _) => "!",
            _ => {
                self.at += 1;
                let message = format!("`{}` has no meaning in Cypher", char::from(byte).escape_default());
                return self.fail(Code::UnexpectedSyntax, message, start);
            }
        };
        self.at += symbol.len();
        self.push(TokenKind::Symbol(symbol), start);
    }
}
