//! Functions: aggregates of values that cannot be added, and forms that Neo4j no longer has.

use graphwright_core::Span;

use super::{Checker, scope::Shape};
use crate::{
    diagnostic::{Code, Diagnostic},
    syntax::tree::{CallSubquery, ClauseKind, Expression, ExpressionKind, FunctionCall, Page},
};

impl Checker<'_> {
    pub(super) fn call(&mut self, call: &FunctionCall, span: Span) {
        let ([name], [argument]) = (call.name.as_slice(), call.arguments.as_slice()) else { return };
        let is = |known: &str| name.text.eq_ignore_ascii_case(known);
        if is("sum") || is("avg") {
            self.calculated(&name.text, argument);
        } else if is("id") {
            self.identifier(argument, span);
        } else if is("exists") {
            self.existence(argument, span);
        }
    }

    /// Reports `sum` and `avg` of text, on which they fail.
    fn calculated(&mut self, function: &str, argument: &Expression) {
        const OTHERS: [&str; 7] =
            ["STRING", "BOOLEAN", "LIST", "DATE", "ZONED DATETIME", "LOCAL DATETIME", "POINT"];
        let Shape::Value { holder, key } = self.shape(argument) else { return };
        let elements = self.schema.elements(holder.kind);
        let possible = elements.of(&holder.names);
        let mut types = Vec::new();
        // Without types, the values may be numbers.
        for property in possible.clone().filter_map(|element| element.properties.get(&*key)) {
            if property.types.is_empty() {
                return;
            }
            types.extend(property.types.iter().map(|name| &**name));
        }
        if types.is_empty() || !types.iter().all(|name| OTHERS.contains(name)) {
            return;
        }
        let certain = elements.complete && possible.clone().all(|element| element.complete);
        let is_text = types.iter().all(|name| *name == "STRING");
        let what = if is_text { "text" } else { "no number" };
        let message = format!("`{function}` adds numbers, and `{key}` is {what}");
        let diagnostic = Diagnostic::new(Code::AggregateOfText, argument.span, message);
        let argument_text = self.text.get(argument.span.range()).unwrap_or_default();
        let help = if is_text {
            format!("count with count({argument_text}), or convert with toFloat({argument_text})")
        } else {
            format!("count with count({argument_text})")
        };
        // The query fails as soon as there is a row, even one that would be kept.
        let required = std::mem::replace(&mut self.required, true);
        self.report(diagnostic.with_help(help), certain);
        self.required = required;
    }

    fn identifier(&mut self, argument: &Expression, span: Span) {
        let text = self.text.get(argument.span.range()).unwrap_or_default();
        // The fix is not safe: `elementId` gives text, and the query may compare numbers.
        let diagnostic =
            Diagnostic::new(Code::DeprecatedId, span, "id() is deprecated: Neo4j uses its numbers again")
                .with_help(format!(
                    "elementId({text}) is text; where you can, use a property that identifies"
                ))
                .with_fix(span, format!("elementId({text})"), false);
        self.report(diagnostic, false);
    }

    /// Reports `exists(n.key)`, which Neo4j 5 refuses.
    fn existence(&mut self, argument: &Expression, span: Span) {
        if !matches!(argument.kind, ExpressionKind::Property { .. } | ExpressionKind::Index { .. }) {
            return;
        }
        if let Shape::Value { key, .. } = self.shape(argument) {
            self.not_null(&key);
        }
        let text = self.text.get(argument.span.range()).unwrap_or_default();
        let diagnostic =
            Diagnostic::new(Code::DeprecatedExists, span, "Neo4j 5 has no exists() of a property")
                .with_help(format!("write {text} IS NOT NULL"))
                .with_fix(span, format!("({text} IS NOT NULL)"), true);
        self.report(diagnostic, false);
    }

    /// Reports `CALL { WITH a … }`, which is now written `CALL (a) { … }`.
    pub(super) fn import(&mut self, subquery: &CallSubquery, span: Span) {
        let (None, [first, ..], true) =
            (&subquery.imports, subquery.query.first.clauses.as_slice(), subquery.query.unions.is_empty())
        else {
            return;
        };
        let ClauseKind::With(projection) = &first.kind else { return };
        let names: Option<Vec<&str>> = projection
            .items
            .iter()
            .map(|item| match (&item.expression.kind, &item.alias) {
                (ExpressionKind::Variable(_), None) => self.text.get(item.expression.span.range()),
                _ => None,
            })
            .collect();
        let plain = projection.page == Page::default()
            && projection.condition.is_none()
            && !projection.distinct
            && !projection.all;
        let (Some(names), true) = (names, plain) else { return };
        let head = Span::new(span.start, first.span.end);
        let opening = if subquery.optional { "OPTIONAL CALL" } else { "CALL" };
        let text = format!("{opening} ({}) {{", names.join(", "));
        let diagnostic =
            Diagnostic::new(Code::DeprecatedImport, first.span, "importing by WITH is deprecated")
                .with_help(format!("write {text} … }}"))
                .with_fix(head, text, false);
        self.report(diagnostic, false);
    }
}
