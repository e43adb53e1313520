//! The parser: recursive descent, with operator precedence for expressions.
//!
//! [`parse`] reads a text into a [`Tree`] and never fails. It reads each token once and looks ahead
//! only as far as a bracket's partner, which is known beforehand, so its time grows with the length
//! of the text.
//!
//! At the first fault of a clause the parser stops reading tokens: the functions that are still
//! running see the end of the text and complete what they have. The next clause is read as if
//! nothing had been wrong.

mod advice;
mod atom;
mod brackets;
mod call;
mod clause;
mod command;
mod comprehension;
mod expression;
mod label;
mod pattern;
mod projection;
mod statement;
#[cfg(test)]
mod tests;
mod update;
mod value_type;

use graphwright_core::Span;

use super::tree::{Name, Query, Statement, StatementBody, Tree};
use crate::{
    diagnostic::{Code, Diagnostic},
    lexer::{Keyword, Token, TokenKind, scan, unquote},
};

/// The limit on how deeply brackets and subqueries may be nested.
pub const MAX_NESTING: usize = 100;

/// The limit on the height of the tree of one expression. Operators at one level, as in `1 + 1 +
/// 1`, count too.
pub const MAX_HEIGHT: usize = 600;

/// The most faults that are reported for one text.
const MAX_DIAGNOSTICS: usize = 100;

/// A parsed text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// The tree. Text that could not be read is missing or invalid in it.
    pub tree: Tree,
    /// The faults, in the order of the text. The text is valid Cypher if there are none.
    pub diagnostics: Vec<Diagnostic>,
    /// The places of the comments.
    pub comments: Vec<Span>,
}

/// Parses a text.
///
/// ```
/// use graphwright_cypher::syntax::parse;
///
/// assert!(parse("MATCH (n:Person) RETURN n.name").diagnostics.is_empty());
///
/// let parsed = parse("MATCH (n:Person RETURN n.name ODER BY n.name");
/// let messages: Vec<_> = parsed.diagnostics.iter().map(|found| found.message.as_str()).collect();
/// assert_eq!(messages, [
///     "expected `)`, found `RETURN`",
///     "expected a clause, an operator or the end, found `ODER`",
/// ]);
/// assert_eq!(parsed.diagnostics[1].help.as_deref(), Some("write ORDER"));
/// ```
pub fn parse(text: &str) -> Parsed {
    parse_with_tokens(text).0
}

/// Parses a text that is one query and nothing else. Returns `None` for any other text.
pub fn parse_query(text: &str) -> Option<Query> {
    let parsed = parse(text);
    if !parsed.diagnostics.is_empty() {
        return None;
    }
    let mut statements = parsed.tree.statements;
    match (statements.pop()?, statements.is_empty()) {
        (Statement { prefixes, body: StatementBody::Query(query), .. }, true) if prefixes.is_empty() => {
            Some(query)
        }
        _ => None,
    }
}

/// Parses a text and also returns its tokens.
pub(crate) fn parse_with_tokens(text: &str) -> (Parsed, Vec<Token>) {
    let (found, errors) = scan(text);
    let diagnostics =
        errors.into_iter().map(|error| Diagnostic::new(error.code, error.span, error.message)).collect();
    let partners = brackets::partners(&found.tokens);
    let end = found.tokens.len();
    let mut parser = Parser {
        text,
        tokens: found.tokens,
        partners,
        at: 0,
        closing: end,
        failed: false,
        nesting: 0,
        height: 0,
        bar_ends: false,
        diagnostics,
    };
    let tree = parser.tree();
    let mut diagnostics = parser.diagnostics;
    // All faults of the scanner were added before those of the parser.
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    (Parsed { tree, diagnostics, comments: found.comments }, parser.tokens)
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    /// The index of each bracket's partner. Other tokens and brackets without a partner have their
    /// own index.
    partners: Vec<u32>,
    /// The index of the next token.
    at: usize,
    /// The index of the token that ends the clauses being read.
    closing: usize,
    /// Whether the clause has a fault. No further tokens are visible then until
    /// [`Parser::recover`].
    failed: bool,
    nesting: usize,
    /// The greatest height among the expressions read so far within the current one.
    height: usize,
    /// Whether `|` ends the expression rather than joining labels.
    bar_ends: bool,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Parser<'a> {
    fn token_at(&self, offset: usize) -> Option<&Token> {
        if self.failed { None } else { self.tokens.get(self.at + offset) }
    }

    fn kind(&self) -> Option<TokenKind> {
        self.kind_at(0)
    }

    fn kind_at(&self, offset: usize) -> Option<TokenKind> {
        self.token_at(offset).map(|token| token.kind)
    }

    fn keyword(&self) -> Option<Keyword> {
        self.keyword_at(0)
    }

    fn keyword_at(&self, offset: usize) -> Option<Keyword> {
        self.token_at(offset).and_then(|token| token.keyword)
    }

    fn at_keyword(&self, keyword: Keyword) -> bool {
        self.keyword() == Some(keyword)
    }

    fn at_symbol(&self, symbol: &str) -> bool {
        self.symbol_at(0, symbol)
    }

    fn symbol_at(&self, offset: usize, symbol: &str) -> bool {
        self.token_at(offset).is_some_and(|token| token.is_symbol(symbol))
    }

    fn at_end(&self) -> bool {
        self.token_at(0).is_none()
    }

    fn name_at(&self, offset: usize) -> bool {
        matches!(self.kind_at(offset), Some(TokenKind::Word | TokenKind::QuotedName))
    }

    /// Returns whether the next token is `word`, which is not a [`Keyword`].
    fn at_word(&self, word: &str) -> bool {
        self.token_at(0).is_some_and(|token| token.is_word(self.text, word))
    }

    fn token_text(&self, index: usize) -> &'a str {
        self.tokens.get(index).and_then(|token| self.text.get(token.span.range())).unwrap_or_default()
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.at_keyword(keyword);
        self.at += usize::from(found);
        found
    }

    fn eat_symbol(&mut self, symbol: &str) -> bool {
        let found = self.at_symbol(symbol);
        self.at += usize::from(found);
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        self.at += usize::from(found);
        found
    }

    fn expect_keyword(&mut self, keyword: Keyword) {
        if !self.eat_keyword(keyword) {
            self.fail_keyword(keyword.as_str(), &[keyword.as_str()]);
        }
    }

    fn expect_symbol(&mut self, symbol: &str) {
        if !self.eat_symbol(symbol) {
            self.fail(&format!("`{symbol}`"));
        }
    }

    /// Reads a name. `what` describes the name in the message if there is none.
    fn expect_name(&mut self, what: &str) -> Name {
        if self.name_at(0) {
            return self.take_name();
        }
        self.fail(what);
        Name { text: "".into(), span: self.here() }
    }

    /// Reads the next token as a name, whatever it is.
    fn take_name(&mut self) -> Name {
        let Some(token) = self.token_at(0) else { return Name { text: "".into(), span: self.here() } };
        let span = token.span;
        let text = self.text.get(span.range()).unwrap_or_default();
        self.at += 1;
        Name { text: unquote(text).into(), span }
    }

    /// Reads a name, unless the next token is none or a keyword of `except`.
    fn optional_name(&mut self, except: &[Keyword]) -> Option<Name> {
        let is_keyword = self.keyword().is_some_and(|keyword| except.contains(&keyword));
        (self.name_at(0) && !is_keyword).then(|| self.take_name())
    }

    /// Reads one or more items separated by commas.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let mut items = vec![item(self)];
        while self.eat_symbol(",") {
            items.push(item(self));
        }
        items
    }

    /// Reads items separated by commas up to the bracket `closing`, possibly none.
    fn list_until<T>(&mut self, closing: &str, item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let items = if self.at_symbol(closing) { Vec::new() } else { self.list(item) };
        self.expect_symbol(closing);
        items
    }

    /// Returns how far the partner of the bracket `offset` tokens ahead lies behind it. Returns
    /// zero if it has no partner.
    fn partner_offset(&self, offset: usize) -> usize {
        let index = self.at + offset;
        let partner = self.partners.get(index).map_or(index, |&partner| partner as usize);
        partner.saturating_sub(index)
    }

    /// Returns the place of the next token, or the end of the text.
    fn here(&self) -> Span {
        match self.tokens.get(self.at) {
            Some(token) => token.span,
            None => Span::new(self.text.len(), self.text.len()),
        }
    }

    fn start(&self) -> usize {
        self.here().start
    }

    /// Returns the span from `start` to the end of the last token read.
    fn span_from(&self, start: usize) -> Span {
        let end = self
            .at
            .checked_sub(1)
            .and_then(|last| self.tokens.get(last))
            .map_or(start, |token| token.span.end);
        // Nothing may have been read since `start`.
        Span::new(start.min(end), end)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports that `expected` should stand here, and stops reading the clause.
    fn fail(&mut self, expected: &str) {
        self.fail_keyword(expected, &[]);
    }

    /// Reports that `expected` should stand here, possibly one of `keywords` misspelled, and stops
    /// reading the clause.
    fn fail_keyword(&mut self, expected: &str, keywords: &[&str]) {
        // Only the first fault of a clause is real; the others would follow from it.
        if self.failed {
            return;
        }
        let diagnostic = advice::unexpected(self, expected, keywords);
        self.fail_with(diagnostic);
    }

    fn fail_with(&mut self, diagnostic: Diagnostic) {
        if !self.failed {
            self.report(diagnostic);
            self.failed = true;
        }
    }

    /// Reads something nested in brackets, unless that exceeds [`MAX_NESTING`].
    fn nested<T: Default>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        if self.nesting >= MAX_NESTING {
            let message = format!("expected at most {MAX_NESTING} levels of nesting, found more");
            self.fail_with(
                Diagnostic::new(Code::NestedTooDeeply, self.here(), message)
                    .with_help("split the query with WITH"),
            );
            return T::default();
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }

    /// Skips to the next clause of the body being read, or to its end.
    fn recover(&mut self) {
        self.failed = false;
        while self.at < self.closing && !self.at_symbol(";") && !self.at_clause() {
            // A clause within brackets belongs to them, so they are skipped as a whole.
            let ahead = self.partner_offset(0);
            self.at += if self.at + ahead < self.closing { ahead + 1 } else { 1 };
        }
    }

    /// Returns whether a clause begins here, as far as the neighbouring tokens show.
    fn at_clause(&self) -> bool {
        let Some(keyword) = self.keyword() else { return false };
        if !keyword.begins_clause() && keyword != Keyword::Union {
            return false;
        }
        let before = self.at.checked_sub(1).and_then(|before| self.tokens.get(before));
        // Behind these a clause's keyword is a name or a part of an operator: `STARTS WITH`,
        // `n.set`.
        let is_part = before.is_some_and(|before| {
            matches!(before.keyword, Some(Keyword::On | Keyword::Starts | Keyword::Ends | Keyword::As))
                || matches!(before.kind, TokenKind::Symbol("." | ":" | "$" | "&"))
        });
        let is_name = [".", ":", ")", ",", "="].iter().any(|symbol| self.symbol_at(1, symbol));
        !is_part && !is_name
    }
}
