//! Clauses that change the graph.

use super::Parser;
use crate::{
    lexer::Keyword,
    syntax::tree::{
        ClauseKind, Delete, Expression, ExpressionKind, ForEach, Merge, MergeAction, Name, RemoveItem,
        RemoveKind, SetItem, SetKind,
    },
};

impl Parser<'_> {
    pub(super) fn merge(&mut self) -> Merge {
        let pattern = self.pattern();
        let mut actions = Vec::new();
        while self.at_keyword(Keyword::On) {
            let start = self.start();
            self.at += 1;
            let on_create = self.eat_keyword(Keyword::Create);
            if !on_create && !self.eat_keyword(Keyword::Match) {
                self.fail_keyword("CREATE or MATCH", &["CREATE", "MATCH"]);
            }
            self.expect_keyword(Keyword::Set);
            let items = self.list(Self::set_item);
            actions.push(MergeAction { on_create, items, span: self.span_from(start) });
        }
        Merge { pattern, actions }
    }

    pub(super) fn set_item(&mut self) -> SetItem {
        let start = self.start();
        let kind = self.set_kind();
        SetItem { kind, span: self.span_from(start) }
    }

    fn set_kind(&mut self) -> SetKind {
        if self.name_at(0) {
            if self.symbol_at(1, "=") {
                let variable = self.take_name();
                self.at += 1;
                return SetKind::Replace { variable, value: self.expression() };
            }
            if self.symbol_at(1, "+=") {
                let variable = self.take_name();
                self.at += 1;
                return SetKind::Merge { variable, value: self.expression() };
            }
            if self.symbol_at(1, ":") || self.keyword_at(1) == Some(Keyword::Is) {
                let (variable, labels) = self.labelled_variable();
                return SetKind::Labels { variable, labels };
            }
        }
        let target = self.property_target();
        self.expect_symbol("=");
        SetKind::Property { target, value: self.expression() }
    }

    fn labelled_variable(&mut self) -> (Name, crate::syntax::tree::LabelExpression) {
        let variable = self.take_name();
        self.at += 1;
        (variable, self.label_expression())
    }

    /// Reads a property or an element that can be set or removed.
    fn property_target(&mut self) -> Expression {
        let start = self.start();
        let target = self.postfix_without_labels();
        if !self.failed
            && !matches!(target.kind, ExpressionKind::Property { .. } | ExpressionKind::Index { .. })
        {
            let span = self.span_from(start);
            let message = "expected a property, as `n.name`, a variable or a variable with labels".to_owned();
            let diagnostic =
                crate::diagnostic::Diagnostic::new(crate::diagnostic::Code::UnexpectedSyntax, span, message);
            self.fail_with(diagnostic);
        }
        target
    }

    pub(super) fn remove_item(&mut self) -> RemoveItem {
        let start = self.start();
        let has_labels = self.symbol_at(1, ":") || self.keyword_at(1) == Some(Keyword::Is);
        let kind = if self.name_at(0) && has_labels {
            let (variable, labels) = self.labelled_variable();
            RemoveKind::Labels { variable, labels }
        } else {
            RemoveKind::Property(self.property_target())
        };
        RemoveItem { kind, span: self.span_from(start) }
    }

    pub(super) fn delete(&mut self, detach: Option<bool>) -> ClauseKind {
        let expressions = self.list(Self::expression);
        ClauseKind::Delete(Delete { detach, expressions })
    }

    pub(super) fn for_each(&mut self) -> ClauseKind {
        let open = self.at_symbol("(");
        self.expect_symbol("(");
        let opening = self.at;
        let variable = self.expect_name("a variable");
        self.expect_keyword(Keyword::In);
        let list = self.expression_before_bar();
        self.expect_symbol("|");
        if self.failed || !open {
            return ClauseKind::ForEach(ForEach { variable, list, clauses: Vec::new() });
        }
        let clauses = self.body_of(opening - 1, ")", Self::clauses);
        if clauses.is_empty() && !self.failed {
            // The message is to point at the closing bracket, where the clause is missing.
            self.at -= 1;
            self.fail_keyword(
                "a clause that changes the graph",
                &["SET", "CREATE", "MERGE", "DELETE", "REMOVE"],
            );
            self.failed = false;
            self.at += 1;
        }
        ClauseKind::ForEach(ForEach { variable, list, clauses })
    }
}
