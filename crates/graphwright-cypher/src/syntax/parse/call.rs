//! `CALL`: procedures and subqueries.

use super::Parser;
use crate::{
    lexer::Keyword,
    syntax::tree::{
        CallSubquery, ClauseKind, Imports, OnError, ProcedureCall, Transactions, Yield, YieldItem,
    },
};

impl Parser<'_> {
    pub(super) fn call(&mut self, optional: bool) -> ClauseKind {
        if self.at_symbol("{") || self.at_symbol("(") {
            return self.subquery(optional);
        }
        let mut name = vec![self.expect_name("a procedure or `{`")];
        while self.eat_symbol(".") {
            name.push(self.expect_name("a procedure"));
        }
        let arguments = self.eat_symbol("(").then(|| self.list_until(")", Self::expression));
        let results = self.at_keyword(Keyword::Yield).then(|| self.results());
        ClauseKind::Call(ProcedureCall { optional, name, arguments, results })
    }

    fn results(&mut self) -> Yield {
        let start = self.start();
        self.at += 1;
        let all = self.eat_symbol("*");
        let items = if all { Vec::new() } else { self.list(Self::yield_item) };
        let condition = self.condition();
        Yield { all, items, condition, span: self.span_from(start) }
    }

    fn yield_item(&mut self) -> YieldItem {
        let start = self.start();
        let column = self.expect_name("a column of the procedure");
        let alias = self.eat_keyword(Keyword::As).then(|| self.expect_name("a name for the column"));
        YieldItem { column, alias, span: self.span_from(start) }
    }

    fn subquery(&mut self, optional: bool) -> ClauseKind {
        let imports = self.eat_symbol("(").then(|| self.imports());
        self.expect_symbol("{");
        let query = self.query_in_braces();
        let transactions = self.at_keyword(Keyword::In).then(|| self.transactions());
        ClauseKind::Subquery(CallSubquery { optional, imports, query, transactions })
    }

    fn imports(&mut self) -> Imports {
        if self.eat_symbol("*") {
            self.expect_symbol(")");
            return Imports::All;
        }
        Imports::Variables(self.list_until(")", |parser| parser.expect_name("a variable")))
    }

    fn transactions(&mut self) -> Transactions {
        let start = self.start();
        self.at += 1;
        let mut found = Transactions::default();
        if self.eat_keyword(Keyword::Concurrent) {
            found.concurrent = Some(None);
        } else if !self.at_keyword(Keyword::Transactions) {
            let count = self.expression();
            self.expect_keyword(Keyword::Concurrent);
            found.concurrent = Some(Some(count));
        }
        self.expect_keyword(Keyword::Transactions);
        loop {
            if self.eat_keyword(Keyword::Of) {
                found.rows = Some(self.expression());
                if !self.eat_keyword(Keyword::Rows) && !self.eat_keyword(Keyword::Row) {
                    self.fail_keyword("ROWS", &["ROWS"]);
                }
            } else if self.eat_keyword(Keyword::On) {
                self.expect_keyword(Keyword::Error);
                found.on_error = Some(match self.keyword() {
                    Some(Keyword::Continue) => OnError::Continue,
                    Some(Keyword::Break) => OnError::Break,
                    Some(Keyword::Fail) => OnError::Fail,
                    _ => {
                        self.fail_keyword("CONTINUE, BREAK or FAIL", &["CONTINUE", "BREAK", "FAIL"]);
                        break;
                    }
                });
                self.at += 1;
            } else if self.eat_keyword(Keyword::Report) {
                self.expect_keyword(Keyword::Status);
                self.expect_keyword(Keyword::As);
                found.status = Some(self.expect_name("a variable"));
            } else {
                break;
            }
        }
        found.span = self.span_from(start);
        found
    }
}
