//! Lists, comprehensions and other expressions that bring a variable of their own.

use super::Parser;
use crate::{
    lexer::{Keyword, TokenKind},
    syntax::tree::{
        Alternative, BinaryOperator, Case, CaseCondition, Expression, ExpressionKind, ListComprehension,
        PatternComprehension, Quantified, QuantifiedKind, Reduce, SubqueryBody, SubqueryExpression,
        SubqueryKind,
    },
};

impl Parser<'_> {
    /// Reads a list, a list comprehension or a pattern comprehension.
    pub(super) fn brackets_of_list(&mut self) -> ExpressionKind {
        self.at += 1;
        // `[null IN list]` is a list with one condition.
        let is_literal = matches!(
            self.keyword(),
            Some(
                Keyword::Null
                    | Keyword::True
                    | Keyword::False
                    | Keyword::Inf
                    | Keyword::Infinity
                    | Keyword::Nan
            )
        );
        if self.name_at(0) && !is_literal && self.keyword_at(1) == Some(Keyword::In) {
            return self.list_comprehension();
        }
        let is_named =
            self.name_at(0) && self.symbol_at(1, "=") && self.symbol_at(2, "(") && self.pattern_ahead(2);
        if is_named || self.at_symbol("(") && self.pattern_ahead(0) {
            return self.pattern_comprehension();
        }
        ExpressionKind::List(self.list_until("]", Self::expression))
    }

    fn list_comprehension(&mut self) -> ExpressionKind {
        let variable = self.take_name();
        self.at += 1;
        let list = self.expression_before_bar();
        let condition = self.eat_keyword(Keyword::Where).then(|| self.expression_before_bar());
        let value = self.eat_symbol("|").then(|| self.expression());
        self.expect_symbol("]");
        ExpressionKind::ListComprehension(Box::new(ListComprehension { variable, list, condition, value }))
    }

    fn pattern_comprehension(&mut self) -> ExpressionKind {
        let start = self.start();
        let pattern = self.pattern();
        if self.at_symbol(",") || self.at_symbol("]") {
            // It is a list of conditions on patterns.
            let kind = ExpressionKind::Pattern(Box::new(pattern));
            let mut items = vec![Expression { kind, span: self.span_from(start) }];
            while self.eat_symbol(",") {
                items.push(self.expression());
            }
            self.expect_symbol("]");
            return ExpressionKind::List(items);
        }
        let condition = self.eat_keyword(Keyword::Where).then(|| self.expression_before_bar());
        self.expect_symbol("|");
        let value = self.expression();
        self.expect_symbol("]");
        ExpressionKind::PatternComprehension(Box::new(PatternComprehension { pattern, condition, value }))
    }

    pub(super) fn quantified(&mut self, keyword: Keyword) -> ExpressionKind {
        let kind = match keyword {
            Keyword::All => QuantifiedKind::All,
            Keyword::Any => QuantifiedKind::Any,
            Keyword::None => QuantifiedKind::None,
            _ => QuantifiedKind::Single,
        };
        self.at += 2;
        let variable = self.take_name();
        self.at += 1;
        let list = self.expression();
        let condition = self.condition();
        self.expect_symbol(")");
        ExpressionKind::Quantified(Box::new(Quantified { kind, variable, list, condition }))
    }

    pub(super) fn reduce(&mut self) -> ExpressionKind {
        self.at += 2;
        let accumulator = self.take_name();
        self.at += 1;
        let initial = self.expression();
        self.expect_symbol(",");
        let variable = self.expect_name("a variable");
        self.expect_keyword(Keyword::In);
        let list = self.expression_before_bar();
        self.expect_symbol("|");
        let value = self.expression();
        self.expect_symbol(")");
        ExpressionKind::Reduce(Box::new(Reduce { accumulator, initial, variable, list, value }))
    }

    pub(super) fn subquery_expression(&mut self, keyword: Keyword) -> ExpressionKind {
        let kind = match keyword {
            Keyword::Exists => SubqueryKind::Exists,
            Keyword::Count => SubqueryKind::Count,
            _ => SubqueryKind::Collect,
        };
        self.at += 2;
        // The variable of a path may be spelled like a clause: `{ match = (a)-->(b) }`.
        let is_query = self.keyword().is_some_and(Keyword::begins_clause) && !self.symbol_at(1, "=");
        let body = if is_query {
            SubqueryBody::Query(self.query_in_braces())
        } else {
            // `EXISTS { (a)-->(b) }` is short for `EXISTS { MATCH (a)-->(b) }`.
            let open = self.at - 1;
            let (patterns, condition) = self.body_of(open, "}", |parser| {
                let patterns = parser.patterns();
                let condition = parser.condition();
                if parser.at < parser.closing {
                    parser.fail("`}`");
                }
                (patterns, condition)
            });
            SubqueryBody::Patterns { patterns, condition }
        };
        ExpressionKind::Subquery(Box::new(SubqueryExpression { kind, body }))
    }

    pub(super) fn case(&mut self) -> ExpressionKind {
        self.at += 1;
        let subject = (!self.at_keyword(Keyword::When)).then(|| self.expression());
        let mut alternatives = Vec::new();
        while self.at_keyword(Keyword::When) {
            let start = self.start();
            self.at += 1;
            let conditions = if subject.is_some() {
                self.list(Self::case_condition)
            } else {
                vec![CaseCondition::Value(self.expression())]
            };
            self.expect_keyword(Keyword::Then);
            let value = self.expression();
            alternatives.push(Alternative { conditions, value, span: self.span_from(start) });
        }
        if alternatives.is_empty() {
            self.fail_keyword("WHEN", &["WHEN"]);
        }
        let otherwise = self.eat_keyword(Keyword::Else).then(|| self.expression());
        if !self.eat_keyword(Keyword::End) {
            self.fail_keyword("WHEN, ELSE or END", &["WHEN", "ELSE", "END"]);
        }
        ExpressionKind::Case(Box::new(Case { subject, alternatives, otherwise }))
    }

    fn case_condition(&mut self) -> CaseCondition {
        if let Some(operator) = self.comparison() {
            self.at += 1;
            return CaseCondition::Comparison(operator, self.expression());
        }
        if self.eat_symbol("=~") {
            return CaseCondition::Binary(BinaryOperator::Matches, self.expression());
        }
        if self.eat_symbol("::") {
            let test = crate::syntax::tree::Test::Type(self.value_type());
            return CaseCondition::Test { negated: false, test };
        }
        let next_is_word = matches!(self.kind_at(1), Some(TokenKind::Word));
        let operator = match self.keyword() {
            Some(Keyword::Is) if next_is_word || self.symbol_at(1, "::") => {
                self.at += 1;
                let negated = self.eat_keyword(Keyword::Not);
                return CaseCondition::Test { negated, test: self.test() };
            }
            Some(Keyword::Starts) if self.keyword_at(1) == Some(Keyword::With) => BinaryOperator::StartsWith,
            Some(Keyword::Ends) if self.keyword_at(1) == Some(Keyword::With) => BinaryOperator::EndsWith,
            Some(Keyword::Contains) if self.at_second_value() => BinaryOperator::Contains,
            Some(Keyword::In) if self.at_second_value() => BinaryOperator::In,
            _ => return CaseCondition::Value(self.expression()),
        };
        self.at +=
            if matches!(operator, BinaryOperator::StartsWith | BinaryOperator::EndsWith) { 2 } else { 1 };
        CaseCondition::Binary(operator, self.expression())
    }

    /// Returns whether a value begins behind the next token.
    fn at_second_value(&self) -> bool {
        match self.kind_at(1) {
            Some(TokenKind::Symbol(symbol)) => matches!(symbol, "[" | "(" | "{"),
            Some(TokenKind::Word) => !matches!(self.keyword_at(1), Some(Keyword::Then)),
            kind => kind.is_some(),
        }
    }
}
