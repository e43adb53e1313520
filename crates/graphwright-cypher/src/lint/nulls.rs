//! Null: it is neither equal to anything nor different, and is the greatest value in an order.

use graphwright_core::Span;

use super::{
    Checker,
    scope::{Holder, Shape},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    syntax::tree::{
        Clause, ClauseKind, ComparisonOperator, Expression, ExpressionKind, LogicalOperator, Page,
        PatternElement, ProjectionItem, Test,
    },
};

/// A `MATCH` whose rows no other clause has changed yet, so that a condition may be added to it.
pub(super) struct OpenMatch {
    /// The variables that it binds.
    binds: Vec<Box<str>>,
    /// The condition, and whether `AND` may follow it without brackets around it.
    condition: Option<(Span, bool)>,
    end: usize,
}

impl OpenMatch {
    /// Returns `None` for a clause that is no `MATCH`, or that keeps rows without a match.
    fn read(clause: &Clause) -> Option<Self> {
        let ClauseKind::Match(found) = &clause.kind else { return None };
        if found.optional {
            return None;
        }
        let elements = found.patterns.iter().flat_map(|pattern| &pattern.elements);
        let names = elements.filter_map(|element| match element {
            PatternElement::Node(node) => node.variable.as_ref(),
            PatternElement::Relationship(found) if found.hops.is_none() => found.variable.as_ref(),
            PatternElement::Relationship(_) | PatternElement::Group(_) => None,
        });
        let is_closed = |condition: &Expression| !matches!(&condition.kind, ExpressionKind::Logical { operator, .. } if *operator != LogicalOperator::And);
        Some(Self {
            binds: names.map(|name| name.text.clone()).collect(),
            condition: found.condition.as_ref().map(|condition| (condition.span, is_closed(condition))),
            end: clause.span.end,
        })
    }
}

impl Checker<'_> {
    /// Notes a clause that has been read.
    pub(super) fn keep_match(&mut self, clause: &Clause) {
        if !matches!(clause.kind, ClauseKind::Match(_)) {
            self.matches.clear();
        }
        self.matches.extend(OpenMatch::read(clause));
    }

    /// Records that rows without this property have been dropped.
    pub(super) fn not_null(&mut self, key: &str) {
        if !self.not_null.iter().any(|known| **known == *key) {
            self.not_null.push(key.into());
        }
    }

    /// Records `x IS NOT NULL`.
    pub(super) fn null_test(&mut self, operand: &Expression, test: &Test) {
        if let (Test::Null, Shape::Value { key, .. }) = (test, self.shape(operand)) {
            self.not_null(&key);
        }
    }

    /// Reports `x = null`, which is never true.
    pub(super) fn compared_with_null(
        &mut self,
        operand: &Expression,
        operator: ComparisonOperator,
        whole: Span,
    ) {
        let message = "a comparison with null is null, which is never true";
        let diagnostic = Diagnostic::new(Code::ComparisonWithNull, whole, message);
        let test = match operator {
            ComparisonOperator::Equal => "IS NULL",
            ComparisonOperator::NotEqual => "IS NOT NULL",
            _ => {
                self.report(diagnostic, true);
                return;
            }
        };
        let operand_text = self.text.get(operand.span.range()).unwrap_or_default();
        let simple = matches!(operand.kind, ExpressionKind::Property { .. } | ExpressionKind::Variable(_));
        let fixed =
            if simple { format!("{operand_text} {test}") } else { format!("({operand_text}) {test}") };
        self.report(diagnostic.with_help(format!("write {fixed}")).with_fix(whole, fixed, true), true);
    }

    /// Reports `n.key <> value`, which also drops nodes without the key.
    pub(super) fn null_is_dropped(&mut self, holder: &Holder, key: &str, span: Span) {
        if self.not_null.iter().any(|known| **known == *key) || !self.may_be_null(holder, key) {
            return;
        }
        let message = format!("rows without `{key}` are dropped too: null is not different from anything");
        let text = self.text.get(span.range()).unwrap_or_default();
        let help = format!("add OR {text} IS NULL where they are meant to stay");
        self.report(Diagnostic::new(Code::NullDropped, span, message).with_help(help), false);
    }

    /// Reports `ORDER BY n.key DESC`, which begins with the rows without the key. `columns` are those of the
    /// projection that the page belongs to.
    pub(super) fn order(&mut self, page: &Page, columns: &[ProjectionItem]) {
        for (place, item) in page.order.iter().enumerate().filter(|(_, item)| item.descending) {
            let Shape::Value { holder, key } = self.shape(&item.expression) else { continue };
            if self.not_null.contains(&key) || !self.may_be_null(&holder, &key) {
                continue;
            }
            let message = format!("rows without `{key}` come first: null is the greatest value");
            let sorted = item.value(columns);
            let text = self.text.get(sorted.span.range()).unwrap_or_default();
            let mut diagnostic = Diagnostic::new(Code::NullOrder, item.span, message)
                .with_help(format!("add WHERE {text} IS NOT NULL"));
            // Without a limit, the rows without the key are rows that were asked for. Under a second key, they may stand first by
            // right.
            if let (Some(_), 0, Some((span, fix))) = (&page.limit, place, self.filter_for(sorted, text)) {
                diagnostic = diagnostic.with_fix(span, fix, true);
            }
            self.report(diagnostic, false);
        }
    }

    /// Returns the place and text of a condition that drops the rows in which a property is null, in the first `MATCH` directly
    /// before that binds the property's variable.
    fn filter_for(&self, sorted: &Expression, text: &str) -> Option<(Span, String)> {
        let ExpressionKind::Property { base, .. } = &sorted.kind else { return None };
        let ExpressionKind::Variable(variable) = &base.kind else { return None };
        let found = self.matches.iter().find(|found| found.binds.contains(&variable.text))?;
        Some(match &found.condition {
            None => (Span::new(found.end, found.end), format!(" WHERE {text} IS NOT NULL")),
            Some((span, is_closed)) => {
                let condition = self.text.get(span.range())?;
                let condition = if *is_closed { condition.to_owned() } else { format!("({condition})") };
                (*span, format!("{condition} AND {text} IS NOT NULL"))
            }
        })
    }

    fn may_be_null(&self, holder: &Holder, key: &str) -> bool {
        let mut owners = self
            .schema
            .elements(holder.kind)
            .of(&holder.names)
            .filter_map(|element| element.properties.get(key));
        owners.any(|property| property.has_nulls)
    }
}
