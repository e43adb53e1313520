//! Refuses constructs that the engine lacks and that no pass replaces.
//!
//! They are refused by name before anything is rewritten, because the engine would report some of
//! them as errors of the text.

use graphwright_core::Span;
use graphwright_cypher::syntax::{
    tree::{
        Clause, ClauseKind, Expression, ExpressionKind, Match, MatchMode, PatternElement, Query, RemoveKind,
        SetItem, SetKind, Test,
    },
    visit::{Visit, walk_clause, walk_expression, walk_set_item},
};

use super::{Context, RewriteError};

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    Search { context, is_nested: false }.visit_query(query);
}

struct Search<'c, 't> {
    context: &'c mut Context<'t>,
    /// Whether no clause can be put before a change.
    is_nested: bool,
}

impl Search<'_, '_> {
    fn lacks(&mut self, construct: &'static str, hint: &'static str, span: Span) {
        self.context.refuse(RewriteError::unsupported(construct, hint, span));
    }

    /// Checks the target of a change. The engine wants a variable and a key.
    fn target(&mut self, target: &Expression) {
        match &target.kind {
            ExpressionKind::Index { .. } => {
                let hint = "write the name, or SET n += $map";
                self.lacks("a property named by an expression in SET or REMOVE", hint, target.span);
            }
            ExpressionKind::Property { base, .. }
                if self.is_nested && !matches!(base.kind, ExpressionKind::Variable(_)) =>
            {
                let construct = "SET of what an expression gives within FOREACH or MERGE";
                self.lacks(construct, "name it with WITH before", target.span);
            }
            _ => {}
        }
    }
}

impl Visit for Search<'_, '_> {
    fn visit_clause(&mut self, clause: &Clause) {
        match &clause.kind {
            ClauseKind::Match(Match { mode: Some(MatchMode::RepeatableElements), .. }) => {
                let hint = "write the patterns in clauses of their own";
                self.lacks("REPEATABLE ELEMENTS", hint, clause.span);
            }
            ClauseKind::Remove(items) => {
                for item in items {
                    if let RemoveKind::Property(target) = &item.kind {
                        self.target(target);
                    }
                }
            }
            ClauseKind::Create(paths) | ClauseKind::Insert(paths) if self.is_nested => {
                for element in paths.iter().flat_map(|path| &path.elements) {
                    let properties = match element {
                        PatternElement::Node(node) => &node.properties,
                        PatternElement::Relationship(relationship) => &relationship.properties,
                        PatternElement::Group(_) => continue,
                    };
                    if let Some(map) = properties
                        && matches!(map.kind, ExpressionKind::Parameter(_))
                    {
                        let construct = "a parameter as the properties in CREATE within FOREACH";
                        self.lacks(construct, "write SET n += $map after CREATE (n)", map.span);
                    }
                }
            }
            _ => {}
        }
        let nests = matches!(clause.kind, ClauseKind::ForEach(_) | ClauseKind::Merge(_));
        let outer = self.is_nested;
        self.is_nested |= nests;
        walk_clause(self, clause);
        self.is_nested = outer;
    }

    fn visit_set_item(&mut self, item: &SetItem) {
        if let SetKind::Property { target, .. } = &item.kind {
            self.target(target);
        }
        walk_set_item(self, item);
    }

    fn visit_expression(&mut self, expression: &Expression) {
        const OUTSIDE: &str = "normalize texts outside of the query";
        match &expression.kind {
            ExpressionKind::Call(call) if call.lower_name() == "normalize" => {
                self.lacks("normalize()", OUTSIDE, expression.span);
            }
            ExpressionKind::Test { test: Test::Normalized(_), .. } => {
                self.lacks("IS NORMALIZED", OUTSIDE, expression.span);
            }
            _ => {}
        }
        walk_expression(self, expression);
    }
}
