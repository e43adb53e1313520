//! A text with its tokens, brackets and clauses: what the gate and the rewrites look at.

mod outline;

use std::{borrow::Cow, ops::Range};

use graphwright_core::Span;

pub(crate) use outline::{Block, BlockKind, Clause, Keyword};

use crate::{
    diagnostic::Code,
    lexer::{LexError, Token, TokenKind, tokenize},
};

/// A text whose brackets match.
#[derive(Debug)]
pub(crate) struct Source<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    comments: Vec<Span>,
    /// For each bracket its partner; for other tokens themselves.
    partners: Vec<usize>,
    /// For each token the innermost bracket around it.
    around: Vec<Option<usize>>,
}

impl<'a> Source<'a> {
    pub(crate) fn parse(text: &'a str) -> Result<Self, LexError> {
        let found = tokenize(text)?;
        let partners = match_brackets(text, &found.tokens)?;
        let around = surround(&partners);
        Ok(Self { text, tokens: found.tokens, comments: found.comments, partners, around })
    }

    pub(crate) fn comments(&self) -> &[Span] {
        &self.comments
    }

    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    pub(crate) fn kind(&self, index: usize) -> Option<TokenKind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    pub(crate) fn text(&self, index: usize) -> &'a str {
        self.tokens.get(index).map_or("", |token| token.text(self.text))
    }

    pub(crate) fn name(&self, index: usize) -> Option<Cow<'a, str>> {
        self.tokens.get(index).and_then(|token| token.name(self.text))
    }

    /// Where a token stands; beyond the last one, the end of the text.
    pub(crate) fn span(&self, index: usize) -> Span {
        self.tokens.get(index).map_or(Span::new(self.text.len(), self.text.len()), |token| token.span)
    }

    /// From the first token of a range to its last; where it is empty, the place before the next token.
    pub(crate) fn span_of(&self, range: &Range<usize>) -> Span {
        let start = self.span(range.start).start;
        match range.end.checked_sub(1) {
            Some(last) if last >= range.start => Span::new(start, self.span(last).end),
            _ => Span::new(start, start),
        }
    }

    pub(crate) fn is_word(&self, index: usize, word: &str) -> bool {
        self.tokens.get(index).is_some_and(|token| token.is_word(self.text, word))
    }

    pub(crate) fn is_any_word(&self, index: usize, words: &[&str]) -> bool {
        words.iter().any(|word| self.is_word(index, word))
    }

    pub(crate) fn is_symbol(&self, index: usize, symbol: &str) -> bool {
        self.tokens.get(index).is_some_and(|token| token.is_symbol(symbol))
    }

    pub(crate) fn is_any_symbol(&self, index: usize, symbols: &[&str]) -> bool {
        symbols.iter().any(|symbol| self.is_symbol(index, symbol))
    }

    /// Whether it is a name, with or without quotes (or a keyword in its place).
    pub(crate) fn is_name(&self, index: usize) -> bool {
        matches!(self.kind(index), Some(TokenKind::Word | TokenKind::QuotedName))
    }

    /// The other bracket of a pair; any other token is its own partner.
    pub(crate) fn partner(&self, index: usize) -> usize {
        self.partners.get(index).copied().unwrap_or(index)
    }

    /// The innermost bracket around a token.
    pub(crate) fn around(&self, index: usize) -> Option<usize> {
        self.around.get(index).copied().flatten()
    }

    /// The text of a place.
    pub(crate) fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Whether a colon stands between a key and a value of a map.
    pub(crate) fn is_map_colon(&self, index: usize) -> bool {
        self.is_symbol(index, ":")
            && self
                .around(index)
                .is_some_and(|open| self.is_symbol(open, "{") && self.subquery(open).is_none())
    }

    /// Whether the token before a place has the property; false at the beginning.
    #[expect(clippy::unused_self, reason = "it reads as a question about the text")]
    pub(crate) fn before(&self, index: usize, test: impl FnOnce(usize) -> bool) -> bool {
        index.checked_sub(1).is_some_and(test)
    }

    /// The tokens of a range that stand in no bracket of their own; opening brackets stand for the whole pair.
    pub(crate) fn level(&self, range: Range<usize>) -> impl Iterator<Item = usize> + '_ {
        let mut at = range.start;
        std::iter::from_fn(move || {
            let index = at;
            (index < range.end).then(|| {
                at = self.partner(index).max(index) + 1;
                index
            })
        })
    }

    /// Whether a name can only be a label, a type, a property or an alias here, never a keyword.
    pub(crate) fn is_name_position(&self, index: usize) -> bool {
        let marked = |before| {
            self.is_any_symbol(before, &[".", ":", "::", "&", "!"]) && !self.is_map_colon(before)
                || self.is_word(before, "AS")
                || self.is_symbol(before, "|") && self.is_label_alternative(before)
        };
        let is_key = || {
            self.is_map_colon(index + 1)
                && self.before(index, |before| self.is_any_symbol(before, &["{", ","]))
        };
        self.before(index, marked) || is_key()
    }

    /// Whether `|` stands before the body of a comprehension, of `reduce` or of `FOREACH`: the last one in its brackets.
    pub(crate) fn is_body_bar(&self, bar: usize) -> bool {
        let Some(open) = self.around(bar) else { return false };
        let has_body = if self.is_symbol(open, "[") {
            self.is_symbol(open + 1, "(")
                || self.is_name(open + 1) && (self.is_word(open + 2, "IN") || self.is_symbol(open + 2, "="))
        } else {
            self.before(open, |word| self.is_any_word(word, &["REDUCE", "FOREACH"]))
        };
        self.is_symbol(bar, "|")
            && has_body
            && !self.level(bar + 1..self.partner(open)).any(|index| self.is_symbol(index, "|"))
    }

    /// Whether `|` stands between labels or types rather than before the body of a comprehension.
    fn is_label_alternative(&self, bar: usize) -> bool {
        !self.is_body_bar(bar)
            && self.before(bar, |name| {
                self.is_symbol(name, ")")
                    || self.is_name(name)
                        && self.before(name, |mark| {
                            self.is_any_symbol(mark, &[":", "&", "!"])
                                || self.is_symbol(mark, "|") && self.is_label_alternative(mark)
                        })
            })
    }
}

fn surround(partners: &[usize]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut around = Vec::with_capacity(partners.len());
    for (index, &partner) in partners.iter().enumerate() {
        if partner < index {
            open.pop();
        }
        around.push(open.last().copied());
        if partner > index {
            open.push(index);
        }
    }
    around
}

fn match_brackets(text: &str, tokens: &[Token]) -> Result<Vec<usize>, LexError> {
    let mut partners: Vec<usize> = (0..tokens.len()).collect();
    let mut open: Vec<usize> = Vec::new();
    let fail = |token: &Token, message: &str| LexError {
        code: Code::Unclosed,
        message: message.to_owned(),
        span: token.span,
    };
    for (index, token) in tokens.iter().enumerate() {
        let TokenKind::Symbol(symbol) = token.kind else { continue };
        let expected = match symbol {
            "(" | "[" | "{" => {
                open.push(index);
                continue;
            }
            ")" => "(",
            "]" => "[",
            "}" => "{",
            _ => continue,
        };
        let Some(partner) =
            open.pop().filter(|&partner| tokens.get(partner).is_some_and(|token| token.is_symbol(expected)))
        else {
            return Err(fail(token, &format!("`{symbol}` closes nothing")));
        };
        if let Some(slot) = partners.get_mut(index) {
            *slot = partner;
        }
        if let Some(slot) = partners.get_mut(partner) {
            *slot = index;
        }
    }
    match open.pop().and_then(|index| tokens.get(index)) {
        Some(token) => Err(fail(token, &format!("`{}` is not closed", token.text(text)))),
        None => Ok(partners),
    }
}
