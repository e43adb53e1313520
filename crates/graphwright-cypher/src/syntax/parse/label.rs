//! Label expressions.

use std::ops::Range;

use graphwright_core::Span;

use super::Parser;
use crate::{
    diagnostic::{Code, Diagnostic},
    lexer::TokenKind,
    syntax::tree::{LabelExpression, LabelKind},
};

impl Default for LabelExpression {
    /// Returns an invalid label expression.
    fn default() -> Self {
        Self { kind: LabelKind::Invalid, span: Span::default() }
    }
}

impl Parser<'_> {
    /// Reads labels or types; the colon has been read already.
    pub(super) fn label_expression(&mut self) -> LabelExpression {
        let start = self.start();
        let first = self.label_conjunction();
        if !self.bar_joins_labels() {
            return first;
        }
        let mut operands = vec![first];
        while self.bar_joins_labels() {
            self.at += 1;
            // `:A|:B` is the older form of alternatives.
            self.eat_symbol(":");
            operands.push(self.label_conjunction());
        }
        LabelExpression { kind: LabelKind::Or(operands), span: self.span_from(start) }
    }

    /// Returns whether the `|` at this place joins labels.
    ///
    /// Where a `|` ends the expression, only the last one does: `[x IN list WHERE n:A|B | x]`.
    fn bar_joins_labels(&self) -> bool {
        if !self.at_symbol("|") || !self.bar_ends {
            return self.at_symbol("|");
        }
        let mut at = self.at + 1 + usize::from(self.symbol_at(1, ":"));
        loop {
            while self.tokens.get(at).is_some_and(|token| token.is_symbol("!")) {
                at += 1;
            }
            at = match self.tokens.get(at).map(|token| token.kind) {
                Some(TokenKind::Word | TokenKind::QuotedName | TokenKind::Symbol("%")) => at + 1,
                Some(TokenKind::Symbol("(")) => {
                    self.partners.get(at).map_or(at, |partner| *partner as usize).max(at) + 1
                }
                _ => return false,
            };
            match self.tokens.get(at).map(|token| token.kind) {
                Some(TokenKind::Symbol("|")) => return true,
                Some(TokenKind::Symbol("&")) => at += 1,
                _ => return false,
            }
        }
    }

    /// Reports each `|:` among `tokens`, as in `(n:A|:B)`. Cypher allows it only between types of a
    /// relationship that has nothing but types.
    pub(super) fn refuse_colons_behind_bars(&mut self, tokens: Range<usize>, expected: &str) {
        for bar in tokens.start..tokens.end.saturating_sub(1) {
            let (Some(first), Some(second)) = (self.tokens.get(bar), self.tokens.get(bar + 1)) else {
                return;
            };
            if first.is_symbol("|") && second.is_symbol(":") {
                let span = Span::new(first.span.start, second.span.end);
                let message = format!("expected {expected}, found `:`");
                let diagnostic = Diagnostic::new(Code::UnexpectedSyntax, second.span, message);
                self.report(diagnostic.with_help("write `|` alone").with_fix(span, "|", true));
            }
        }
    }

    fn label_conjunction(&mut self) -> LabelExpression {
        let start = self.start();
        let first = self.label_negation();
        let mut operands = vec![first];
        let mut all_colons = true;
        loop {
            let colon = self.at_symbol(":");
            if !colon && !self.at_symbol("&") {
                break;
            }
            all_colons &= colon;
            self.at += 1;
            operands.push(self.label_negation());
        }
        match operands.len() {
            1 => operands.pop().unwrap_or_default(),
            _ if all_colons => {
                LabelExpression { kind: LabelKind::Colons(operands), span: self.span_from(start) }
            }
            _ => LabelExpression { kind: LabelKind::And(operands), span: self.span_from(start) },
        }
    }

    fn label_negation(&mut self) -> LabelExpression {
        let start = self.start();
        if self.eat_symbol("!") {
            let operand = self.nested(Self::label_negation);
            return LabelExpression { kind: LabelKind::Not(Box::new(operand)), span: self.span_from(start) };
        }
        let kind = match self.kind() {
            Some(TokenKind::Word | TokenKind::QuotedName) => LabelKind::Name(self.take_name()),
            Some(TokenKind::Symbol("%")) => {
                self.at += 1;
                LabelKind::Wildcard
            }
            Some(TokenKind::Symbol("(")) => {
                self.at += 1;
                let outer = std::mem::replace(&mut self.bar_ends, false);
                let mut inner = self.nested(Self::label_expression);
                self.bar_ends = outer;
                self.expect_symbol(")");
                inner.span = self.span_from(start);
                return inner;
            }
            Some(TokenKind::Symbol("$")) => self.dynamic_label(false),
            Some(TokenKind::Parameter) if self.symbol_at(1, "(") => {
                let any = self.token_text(self.at).eq_ignore_ascii_case("$any");
                if !any && !self.token_text(self.at).eq_ignore_ascii_case("$all") {
                    self.fail("`$(…)`, `$all(…)` or `$any(…)`");
                }
                self.dynamic_label(any)
            }
            _ => {
                self.fail("a label or type");
                LabelKind::Invalid
            }
        };
        LabelExpression { kind, span: self.span_from(start) }
    }

    fn dynamic_label(&mut self, any: bool) -> LabelKind {
        if self.failed {
            return LabelKind::Invalid;
        }
        self.at += 1;
        self.expect_symbol("(");
        let expression = Box::new(self.expression());
        self.expect_symbol(")");
        LabelKind::Dynamic { any, expression }
    }
}
