//! Dispatch to clauses, and the clauses that read.

use super::{Parser, advice};
use crate::{
    lexer::{Keyword, TokenKind},
    syntax::tree::{Clause, ClauseKind, Hint, HintKind, LoadCsv, Match, MatchMode, Unwind},
};

impl Parser<'_> {
    /// Reads clauses up to the end of the body.
    pub(super) fn clauses(&mut self) -> Vec<Clause> {
        let mut clauses: Vec<Clause> = Vec::new();
        while self.at < self.closing && !self.at_symbol(";") && !self.at_keyword(Keyword::Union) {
            let before = self.at;
            let clause = self.clause(clauses.is_empty());
            let is_empty = matches!(clause.kind, ClauseKind::Invalid);
            if !is_empty || clauses.is_empty() {
                clauses.push(clause);
            }
            if self.failed {
                self.recover();
            }
            // Nothing was read, so the loop would not end without a step.
            if self.at == before {
                self.at += 1;
            }
        }
        clauses
    }

    fn clause(&mut self, first: bool) -> Clause {
        let start = self.start();
        let keyword =
            self.keyword().filter(|keyword| keyword.begins_clause()).or_else(|| self.mistyped(first));
        let kind = if let Some(keyword) = keyword {
            self.at += 1;
            self.clause_of(keyword)
        } else {
            let (expected, words) = expectation(first);
            self.fail_keyword(expected, words);
            ClauseKind::Invalid
        };
        Clause { kind, span: self.span_from(start) }
    }

    /// Returns the keyword of the clause that a misspelled word was meant to begin, and reports the
    /// fault.
    fn mistyped(&mut self, first: bool) -> Option<Keyword> {
        if self.kind() != Some(TokenKind::Word) || self.keyword().is_some() {
            return None;
        }
        let (expected, words) = expectation(first);
        let keyword = Keyword::from_word(advice::nearest(self.token_text(self.at), words)?.0)?;
        if !keyword.begins_clause() {
            return None;
        }
        let diagnostic = advice::unexpected(self, expected, words);
        self.report(diagnostic);
        Some(keyword)
    }

    fn clause_of(&mut self, keyword: Keyword) -> ClauseKind {
        match keyword {
            Keyword::Match => ClauseKind::Match(self.match_clause(false)),
            Keyword::Optional if self.eat_keyword(Keyword::Call) => self.call(true),
            Keyword::Optional => {
                self.expect_keyword(Keyword::Match);
                ClauseKind::Match(self.match_clause(true))
            }
            Keyword::Unwind => {
                let list = self.expression();
                self.expect_keyword(Keyword::As);
                ClauseKind::Unwind(Unwind { list, variable: self.expect_name("a variable") })
            }
            Keyword::With => ClauseKind::With(self.projection(true)),
            Keyword::Return => ClauseKind::Return(self.projection(false)),
            Keyword::Order | Keyword::Skip | Keyword::Offset | Keyword::Limit => {
                ClauseKind::Page(self.page(Some(keyword)))
            }
            Keyword::Finish => ClauseKind::Finish,
            Keyword::Create => ClauseKind::Create(self.patterns()),
            Keyword::Insert => ClauseKind::Insert(self.patterns()),
            Keyword::Merge => ClauseKind::Merge(self.merge()),
            Keyword::Set => ClauseKind::Set(self.list(Self::set_item)),
            Keyword::Remove => ClauseKind::Remove(self.list(Self::remove_item)),
            Keyword::Detach => {
                self.expect_keyword(Keyword::Delete);
                self.delete(Some(true))
            }
            Keyword::NoDetach => {
                self.expect_keyword(Keyword::Delete);
                self.delete(Some(false))
            }
            Keyword::Delete => self.delete(None),
            Keyword::ForEach => self.for_each(),
            Keyword::Call => self.call(false),
            Keyword::Load => self.load_csv(),
            Keyword::Use => {
                // The graph itself may be called `graph`.
                if self.name_at(1) {
                    self.eat_keyword(Keyword::Graph);
                }
                ClauseKind::Use(self.expression())
            }
            _ => ClauseKind::Invalid,
        }
    }

    fn match_clause(&mut self, optional: bool) -> Match {
        let mode = self.match_mode();
        let patterns = self.patterns();
        let mut hints = Vec::new();
        while self.at_keyword(Keyword::Using) {
            hints.push(self.hint());
        }
        let condition = self.condition();
        Match { optional, mode, patterns, hints, condition }
    }

    /// Reads `WHERE` and its expression, if they stand here.
    pub(super) fn condition(&mut self) -> Option<crate::syntax::tree::Expression> {
        self.eat_keyword(Keyword::Where).then(|| self.expression())
    }

    fn match_mode(&mut self) -> Option<MatchMode> {
        let next = self.keyword_at(1);
        let mode = match self.keyword()? {
            Keyword::Repeatable if matches!(next, Some(Keyword::Element | Keyword::Elements)) => {
                MatchMode::RepeatableElements
            }
            Keyword::Different if matches!(next, Some(Keyword::Relationship | Keyword::Relationships)) => {
                MatchMode::DifferentRelationships
            }
            _ => return None,
        };
        self.at += 2;
        Some(mode)
    }

    fn hint(&mut self) -> Hint {
        let start = self.start();
        self.at += 1;
        let kind = if self.eat_keyword(Keyword::Join) {
            self.expect_keyword(Keyword::On);
            HintKind::Join(self.list(|parser| parser.expect_name("a variable")))
        } else if self.eat_keyword(Keyword::Scan) {
            let variable = self.expect_name("a variable");
            self.expect_symbol(":");
            HintKind::Scan { variable, label: self.expect_name("a label") }
        } else {
            let kind = if self.at_keyword(Keyword::Index) { None } else { self.optional_name(&[]) };
            self.expect_keyword(Keyword::Index);
            // The variable itself may be called `seek`.
            let seek = self.name_at(1) && self.eat_keyword(Keyword::Seek);
            let variable = self.expect_name("a variable");
            self.expect_symbol(":");
            let label = self.expect_name("a label");
            self.expect_symbol("(");
            let properties = self.list_until(")", |parser| parser.expect_name("a property"));
            HintKind::Index { kind, seek, variable, label, properties }
        };
        Hint { kind, span: self.span_from(start) }
    }

    fn load_csv(&mut self) -> ClauseKind {
        self.expect_keyword(Keyword::Csv);
        let headers = self.eat_keyword(Keyword::With);
        if headers {
            self.expect_keyword(Keyword::Headers);
        }
        self.expect_keyword(Keyword::From);
        let source = self.expression();
        self.expect_keyword(Keyword::As);
        let variable = self.expect_name("a variable");
        let separator = self.eat_keyword(Keyword::FieldTerminator).then(|| self.expression());
        ClauseKind::LoadCsv(LoadCsv { headers, source, variable, separator })
    }
}

/// Returns the description of what may begin a clause, and the words for it.
fn expectation(first: bool) -> (&'static str, &'static [&'static str]) {
    if first {
        ("a clause", &advice::BEGINNINGS)
    } else {
        ("a clause, an operator or the end", &advice::CONTINUATIONS)
    }
}
