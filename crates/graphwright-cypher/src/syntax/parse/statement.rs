//! Statements, queries and their parts.

use super::{Parser, advice};
use crate::{
    diagnostic::{Code, Diagnostic},
    lexer::{Keyword, TokenKind},
    syntax::tree::{Prefix, PrefixKind, Query, SingleQuery, Statement, StatementBody, Tree, Union},
};

impl Parser<'_> {
    pub(super) fn tree(&mut self) -> Tree {
        let mut statements = Vec::new();
        loop {
            while self.eat_symbol(";") {}
            if self.at >= self.tokens.len() {
                break;
            }
            statements.push(self.statement());
            if !self.at_end() && !self.at_symbol(";") {
                // Here stands a bracket that closes nothing.
                self.fail("a clause, `;` or the end");
                self.failed = false;
                self.at += 1;
            }
        }
        if statements.is_empty() && self.diagnostics.is_empty() {
            self.fail("a query");
        }
        Tree { statements }
    }

    fn statement(&mut self) -> Statement {
        let start = self.start();
        let prefixes = self.prefixes();
        let body = match self.command() {
            Some(command) => StatementBody::Command(command),
            None => StatementBody::Query(self.query()),
        };
        Statement { prefixes, body, span: self.span_from(start) }
    }

    fn prefixes(&mut self) -> Vec<Prefix> {
        let mut prefixes = Vec::new();
        loop {
            let start = self.start();
            let kind = match self.keyword() {
                Some(Keyword::Explain) => PrefixKind::Explain,
                Some(Keyword::Profile) => PrefixKind::Profile,
                Some(Keyword::Cypher) => PrefixKind::Options { version: None, settings: Vec::new() },
                _ => return prefixes,
            };
            self.at += 1;
            let kind = if matches!(kind, PrefixKind::Options { .. }) { self.options() } else { kind };
            prefixes.push(Prefix { kind, span: self.span_from(start) });
        }
    }

    fn options(&mut self) -> PrefixKind {
        let version = matches!(self.kind(), Some(TokenKind::Integer | TokenKind::Float)).then(|| {
            self.at += 1;
            self.token_text(self.at - 1).into()
        });
        let mut settings = Vec::new();
        while self.name_at(0) && self.symbol_at(1, "=") {
            let name = self.take_name();
            self.at += 1;
            settings.push((name, self.take_name()));
        }
        PrefixKind::Options { version, settings }
    }

    pub(super) fn query(&mut self) -> Query {
        let start = self.start();
        let first = self.single_query();
        let mut unions = Vec::new();
        while self.at < self.closing && self.at_keyword(Keyword::Union) {
            let start = self.start();
            self.at += 1;
            let all = self.eat_keyword(Keyword::All);
            if !all {
                self.eat_keyword(Keyword::Distinct);
            }
            unions.push(Union { all, query: self.single_query(), span: self.span_from(start) });
        }
        Query { first, unions, span: self.span_from(start) }
    }

    fn single_query(&mut self) -> SingleQuery {
        let start = self.start();
        let clauses = self.clauses();
        if clauses.is_empty() {
            self.fail_keyword("a clause", &advice::BEGINNINGS);
            self.recover();
        }
        SingleQuery { clauses, span: self.span_from(start) }
    }

    /// Reads a query in braces; the opening brace has been read already.
    pub(super) fn query_in_braces(&mut self) -> Query {
        self.body_of(self.at.saturating_sub(1), "}", Self::query)
    }

    /// Reads the body between the bracket `open` and its partner.
    pub(super) fn body_of<T: Default>(
        &mut self,
        open: usize,
        closing: &str,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if self.failed {
            return T::default();
        }
        let partner = self.partners.get(open).map_or(open, |&partner| partner as usize);
        let end = if partner > open { partner } else { self.closing };
        let outer = std::mem::replace(&mut self.closing, end);
        let outer_bar = std::mem::replace(&mut self.bar_ends, false);
        let result = self.nested(read);
        self.bar_ends = outer_bar;
        self.closing = outer;
        if self.failed {
            // Too deep: the content of the brackets is left out.
            self.failed = false;
            self.at = end;
        }
        if partner > open {
            self.at = partner;
            self.expect_symbol(closing);
        } else {
            let span = self.tokens.get(open).map_or_else(|| self.here(), |token| token.span);
            let message = format!("expected `{closing}` for this bracket, found the end of the text");
            self.fail_with(Diagnostic::new(Code::Unclosed, span, message));
        }
        result
    }
}
