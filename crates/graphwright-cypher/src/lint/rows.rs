//! Columns and rows beyond what was asked for.

use graphwright_core::Span;

use super::{
    Checker,
    products::{Names, is_pinned_node},
    scope::{Holder, Shape},
};
use crate::{
    builder::quote,
    diagnostic::{Code, Diagnostic},
    syntax::{
        semantics::aggregates,
        tree::{Clause, ClauseKind, ExpressionKind, Name, PatternElement, Projection, SingleQuery},
        visit::Visit,
    },
};

impl<'a> Checker<'a> {
    /// Reports `RETURN n` for a node with a vector.
    pub(super) fn whole_nodes(&mut self, projection: &Projection) {
        for item in &projection.items {
            let ExpressionKind::Variable(name) = &item.expression.kind else { continue };
            let Some(Shape::Element(holder) | Shape::Elements(holder)) = self.scope.get(&name.text) else {
                continue;
            };
            let Some((vector, others)) = self.vector(&holder.clone()) else { continue };
            let message = format!("all of `{}` is returned, with the vector `{vector}`", name.text);
            let list: Vec<String> =
                others.iter().filter_map(|key| Some(format!(".{}", quote(key).ok()?))).collect();
            let text =
                format!("{} {{{}}}", self.text.get(name.span.range()).unwrap_or_default(), list.join(", "));
            let mut diagnostic = Diagnostic::new(Code::WholeNodeWithVector, item.expression.span, message)
                .with_help(format!("write {text}"));
            if item.alias.is_some() {
                diagnostic = diagnostic.with_fix(item.expression.span, text, false);
            }
            self.report(diagnostic, false);
        }
    }

    /// Returns the vector property of a holder and its other properties.
    fn vector(&self, holder: &Holder) -> Option<(&'a str, Vec<&'a str>)> {
        holder.names.known()?;
        let mut possible = self.schema.elements(holder.kind).of(&holder.names);
        let element = possible.find(|element| element.vector.is_some())?;
        let vector = element.vector.as_deref()?;
        let mut others: Vec<&str> =
            element.properties.keys().map(|key| &**key).filter(|key| *key != vector).collect();
        others.sort_unstable();
        Some((vector, others))
    }

    /// Reports an aggregate of the value that rows are grouped by, of which each group has one.
    pub(super) fn grouped_by_itself(&mut self, projection: &Projection) {
        let keys = projection.items.iter().filter_map(|item| match &item.expression.kind {
            ExpressionKind::Variable(name) => Some(name),
            _ => None,
        });
        for item in &projection.items {
            let ExpressionKind::Call(call) = &item.expression.kind else { continue };
            let ([function], [argument]) = (call.name.as_slice(), call.arguments.as_slice()) else {
                continue;
            };
            let ExpressionKind::Variable(counted) = &argument.kind else { continue };
            let counts = ["count", "collect"].iter().any(|name| function.text.eq_ignore_ascii_case(name));
            if !counts || !call.distinct || !keys.clone().any(|key| key.text == counted.text) {
                continue;
            }
            let message = format!("rows are grouped by `{}`, so each group has one of it", counted.text);
            let help = format!("leave the column `{}` out, or count something else", counted.text);
            self.report(
                Diagnostic::new(Code::GroupedByItself, item.expression.span, message).with_help(help),
                false,
            );
        }
    }

    /// Reports `MATCH (a)-->(b) RETURN a.name`, which gives a row for each `b`.
    pub(super) fn repeated_rows(&mut self, query: &SingleQuery) {
        let [
            Clause { kind: ClauseKind::Match(found), .. },
            Clause { kind: ClauseKind::Return(projection), .. },
        ] = query.clauses.as_slice()
        else {
            return;
        };
        let [pattern] = found.patterns.as_slice() else { return };
        if projection.distinct
            || projection.all
            || pattern.variable.is_some()
            || pattern.shortest.is_some()
            || pattern.elements.len() < 3
            || projection.items.iter().any(|item| aggregates(&item.expression))
        {
            return;
        }
        let mut used = Names::default();
        used.visit_projection(projection);
        let returned =
            |name: &Option<Name>| name.as_ref().is_some_and(|name| used.found.contains(&name.text));
        let (Some(PatternElement::Node(first)), Some(PatternElement::Node(last))) =
            (pattern.elements.first(), pattern.elements.last())
        else {
            return;
        };
        let relationship_returned = pattern.elements.iter().any(|element| match element {
            PatternElement::Relationship(relationship) => returned(&relationship.variable),
            PatternElement::Group(_) => true,
            PatternElement::Node(_) => false,
        });
        if relationship_returned || returned(&first.variable) == returned(&last.variable) {
            return;
        }
        let end = if returned(&first.variable) { last } else { first };
        if is_pinned_node(end, found.condition.as_ref()) {
            return;
        }
        let message = "a row comes for each match of the pattern, also where the columns are the same";
        let Some(item) = projection.items.first() else { return };
        let diagnostic = Diagnostic::new(Code::RepeatedRows, item.span, message)
            .with_help("write RETURN DISTINCT where each is wanted once")
            .with_fix(Span::new(item.span.start, item.span.start), "DISTINCT ", false);
        self.report(diagnostic, false);
    }
}
