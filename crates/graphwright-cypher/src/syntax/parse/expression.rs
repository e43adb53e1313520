//! Operators and their operands.

use super::{MAX_HEIGHT, Parser};
use crate::{
    diagnostic::{Code, Diagnostic},
    lexer::{Keyword, TokenKind},
    syntax::{
        level,
        tree::{
            BinaryOperator, ComparisonOperator, Expression, ExpressionKind, LogicalOperator, Test,
            UnaryOperator,
        },
    },
};

#[derive(Clone, Copy)]
enum Infix {
    Logical(LogicalOperator),
    Comparison(ComparisonOperator),
    Binary(BinaryOperator),
    Is,
    HasType,
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Expression {
        self.expression_in(false)
    }

    /// Reads an expression that `|` ends.
    pub(super) fn expression_before_bar(&mut self) -> Expression {
        self.expression_in(true)
    }

    fn expression_in(&mut self, bar_ends: bool) -> Expression {
        let outer_bar = std::mem::replace(&mut self.bar_ends, bar_ends);
        // Heights of sibling expressions do not add up: the tallest counts.
        let outer = std::mem::take(&mut self.height);
        let expression = self.nested(|parser| parser.operators(0));
        self.climb(1);
        self.height = self.height.max(outer);
        self.bar_ends = outer_bar;
        expression
    }

    /// Adds levels to the height of the tree, and reports if it exceeds [`MAX_HEIGHT`].
    pub(super) fn climb(&mut self, levels: usize) {
        self.height += levels;
        if self.height > MAX_HEIGHT && !self.failed {
            let message = format!("expected at most {MAX_HEIGHT} operators within each other, found more");
            let diagnostic = Diagnostic::new(Code::NestedTooDeeply, self.here(), message);
            self.fail_with(diagnostic.with_help("write a list, or split the query with WITH"));
        }
    }

    fn operators(&mut self, least: u8) -> Expression {
        let start = self.start();
        let outer = std::mem::take(&mut self.height);
        let mut left = self.operand(least);
        while let Some((infix, level)) = self.infix().filter(|(_, level)| *level >= least) {
            self.climb(1);
            if self.failed {
                break;
            }
            let kind = self.apply(infix, level, left);
            left = Expression { kind, span: self.span_from(start) };
        }
        self.height = self.height.max(outer);
        left
    }

    fn apply(&mut self, infix: Infix, level: u8, left: Expression) -> ExpressionKind {
        match infix {
            Infix::Logical(operator) => {
                let mut operands = vec![left];
                while matches!(self.infix(), Some((Infix::Logical(next), _)) if next == operator) {
                    self.at += 1;
                    operands.push(self.operators(level + 1));
                }
                ExpressionKind::Logical { operator, operands }
            }
            Infix::Comparison(_) => {
                let mut rest = Vec::with_capacity(1);
                while let Some((Infix::Comparison(operator), _)) = self.infix() {
                    self.at += 1;
                    rest.push((operator, self.operators(level + 1)));
                }
                ExpressionKind::Comparison { first: Box::new(left), rest }
            }
            Infix::Binary(operator) => {
                self.at += 1;
                if matches!(operator, BinaryOperator::StartsWith | BinaryOperator::EndsWith) {
                    self.expect_keyword(Keyword::With);
                }
                let right = Box::new(self.operators(level + 1));
                ExpressionKind::Binary { operator, left: Box::new(left), right }
            }
            Infix::Is => self.is_test(left),
            Infix::HasType => {
                self.at += 1;
                let test = Test::Type(self.value_type());
                ExpressionKind::Test { operand: Box::new(left), negated: false, test }
            }
        }
    }

    fn infix(&self) -> Option<(Infix, u8)> {
        use BinaryOperator as Binary;
        let binary = |operator: Binary| (Infix::Binary(operator), operator.level());
        let logical = |operator: LogicalOperator| (Infix::Logical(operator), operator.level());
        let token = self.token_at(0)?;
        Some(match token.kind {
            TokenKind::Symbol(symbol) => match symbol {
                "+" => binary(Binary::Add),
                "-" => binary(Binary::Subtract),
                "||" => binary(Binary::Concatenate),
                "*" => binary(Binary::Multiply),
                "/" => binary(Binary::Divide),
                "%" => binary(Binary::Modulo),
                "^" => binary(Binary::Power),
                "=~" => binary(Binary::Matches),
                "::" => (Infix::HasType, level::PREDICATE),
                _ => (Infix::Comparison(comparison_of(symbol)?), level::COMPARISON),
            },
            TokenKind::Word => match token.keyword? {
                Keyword::Or => logical(LogicalOperator::Or),
                Keyword::Xor => logical(LogicalOperator::Xor),
                Keyword::And => logical(LogicalOperator::And),
                // The `IN` of `CALL … IN TRANSACTIONS` never gets here: it stands behind braces.
                Keyword::In => binary(Binary::In),
                Keyword::Starts => binary(Binary::StartsWith),
                Keyword::Ends => binary(Binary::EndsWith),
                Keyword::Contains => binary(Binary::Contains),
                Keyword::Is => (Infix::Is, level::PREDICATE),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Reads `IS NULL` and the other tests; the operator is the next token.
    fn is_test(&mut self, left: Expression) -> ExpressionKind {
        self.at += 1;
        // `n IS Person` tests labels.
        let labels_ahead = self.name_at(0) && !self.at_test() && !self.at_keyword(Keyword::Not);
        if labels_ahead {
            let labels = self.label_expression();
            return ExpressionKind::Labels { base: Box::new(left), labels };
        }
        let negated = self.eat_keyword(Keyword::Not);
        ExpressionKind::Test { operand: Box::new(left), negated, test: self.test() }
    }

    fn at_test(&self) -> bool {
        use Keyword::{Nfc, Nfd, Nfkc, Nfkd, Normalized, Null, Typed};
        matches!(self.keyword(), Some(Null | Normalized | Typed | Nfc | Nfd | Nfkc | Nfkd))
    }

    /// Reads the test behind `IS` or `IS NOT`.
    pub(super) fn test(&mut self) -> Test {
        if self.eat_keyword(Keyword::Null) {
            return Test::Null;
        }
        if self.eat_symbol("::") || self.eat_keyword(Keyword::Typed) {
            return Test::Type(self.value_type());
        }
        if self.at_keyword(Keyword::Normalized) || self.keyword_at(1) == Some(Keyword::Normalized) {
            let form = self.normal_form();
            self.expect_keyword(Keyword::Normalized);
            return Test::Normalized(form);
        }
        self.fail_keyword("NULL, NORMALIZED or `::` with a type", &["NULL", "NORMALIZED", "TYPED"]);
        Test::Null
    }

    /// Returns the comparison operator at the next token.
    pub(super) fn comparison(&self) -> Option<ComparisonOperator> {
        match self.kind()? {
            TokenKind::Symbol(symbol) => comparison_of(symbol),
            _ => None,
        }
    }

    /// Reads a value with the signs or `NOT`s before it.
    fn operand(&mut self, least: u8) -> Expression {
        // Prefixes are read in a loop rather than by recursion, so that many of them need no stack.
        let starts = self.prefix_starts(least);
        self.climb(starts.len());
        if starts.is_empty() || self.failed {
            return self.postfix();
        }
        let is_not = matches!(starts.last(), Some((UnaryOperator::Not, _)));
        let mut expression = if is_not { self.operators(level::NOT.max(least)) } else { self.postfix() };
        for (operator, start) in starts.into_iter().rev() {
            let kind = ExpressionKind::Unary { operator, operand: Box::new(expression) };
            expression = Expression { kind, span: self.span_from(start) };
        }
        expression
    }

    fn prefix_starts(&mut self, least: u8) -> Vec<(UnaryOperator, usize)> {
        let mut starts = Vec::new();
        loop {
            let operator = match self.kind() {
                Some(TokenKind::Symbol("-")) => UnaryOperator::Minus,
                Some(TokenKind::Symbol("+")) => UnaryOperator::Plus,
                Some(TokenKind::Word) if self.at_keyword(Keyword::Not) && self.negates() => {
                    UnaryOperator::Not
                }
                _ => return starts,
            };
            let after_sign = matches!(starts.last(), Some((UnaryOperator::Minus | UnaryOperator::Plus, _)));
            if operator == UnaryOperator::Not && (least > level::NOT || after_sign) {
                let message = "expected a value, found `NOT`";
                let diagnostic = Diagnostic::new(Code::UnexpectedSyntax, self.here(), message);
                self.report(diagnostic.with_help("put brackets around NOT and its condition"));
            }
            if operator != UnaryOperator::Not && matches!(starts.last(), Some((UnaryOperator::Not, _))) {
                // The sign belongs to the first value behind `NOT`.
                return starts;
            }
            starts.push((operator, self.start()));
            self.at += 1;
        }
    }

    /// Returns whether `NOT` stands before a condition rather than being a name.
    fn negates(&self) -> bool {
        match self.kind_at(1) {
            None => false,
            Some(TokenKind::Symbol(symbol)) => matches!(symbol, "(" | "[" | "{" | "-" | "+" | "$"),
            Some(_) => !matches!(
                self.keyword_at(1),
                Some(Keyword::As | Keyword::And | Keyword::Or | Keyword::In | Keyword::Is)
            ),
        }
    }

    /// Reads a value with the properties, elements and labels behind it.
    fn postfix(&mut self) -> Expression {
        let start = self.start();
        let base = self.postfix_without_labels();
        self.labels_of(base, start)
    }

    fn labels_of(&mut self, base: Expression, start: usize) -> Expression {
        let is_label = self.at_symbol(":")
            && (self.name_at(1)
                || ["(", "!", "%", "$"].iter().any(|symbol| self.symbol_at(1, symbol))
                || self.kind_at(1) == Some(TokenKind::Parameter));
        if !is_label {
            return base;
        }
        self.at += 1;
        let labels = self.label_expression();
        Expression {
            kind: ExpressionKind::Labels { base: Box::new(base), labels },
            span: self.span_from(start),
        }
    }

    pub(super) fn postfix_without_labels(&mut self) -> Expression {
        let start = self.start();
        let mut base = self.atom();
        loop {
            let kind = if self.eat_symbol(".") {
                let key = self.expect_name("a property");
                ExpressionKind::Property { base: Box::new(base), key }
            } else if self.eat_symbol("[") {
                self.element(base)
            } else {
                return base;
            };
            base = Expression { kind, span: self.span_from(start) };
            self.climb(1);
        }
    }

    fn element(&mut self, base: Expression) -> ExpressionKind {
        let base = Box::new(base);
        let from = if self.at_symbol("..") { None } else { Some(Box::new(self.expression())) };
        if !self.eat_symbol("..") {
            self.expect_symbol("]");
            return ExpressionKind::Index { base, index: from.unwrap_or_default() };
        }
        let to = if self.at_symbol("]") { None } else { Some(Box::new(self.expression())) };
        self.expect_symbol("]");
        ExpressionKind::Slice { base, from, to }
    }
}

fn comparison_of(symbol: &str) -> Option<ComparisonOperator> {
    Some(match symbol {
        "=" => ComparisonOperator::Equal,
        "<>" => ComparisonOperator::NotEqual,
        "<" => ComparisonOperator::Less,
        "<=" => ComparisonOperator::LessOrEqual,
        ">" => ComparisonOperator::Greater,
        ">=" => ComparisonOperator::GreaterOrEqual,
        _ => return None,
    })
}
