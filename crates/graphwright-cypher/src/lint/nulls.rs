//! Null: it is neither equal to anything nor different, and is the greatest value in an order.

use graphwright_core::Span;

use super::{
    Checker,
    scope::{Holder, Shape},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    syntax::tree::{ComparisonOperator, Expression, ExpressionKind, Page, Test},
};

impl Checker<'_> {
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

    /// Reports `ORDER BY n.key DESC`, which begins with the rows without the key.
    pub(super) fn order(&mut self, page: &Page) {
        for item in page.order.iter().filter(|item| item.descending) {
            let Shape::Value { holder, key } = self.shape(&item.expression) else { continue };
            if self.not_null.contains(&key) || !self.may_be_null(&holder, &key) {
                continue;
            }
            let message = format!("rows without `{key}` come first: null is the greatest value");
            let text = self.text.get(item.expression.span.range()).unwrap_or_default();
            let diagnostic = Diagnostic::new(Code::NullOrder, item.span, message)
                .with_help(format!("add WHERE {text} IS NOT NULL"));
            self.report(diagnostic, false);
        }
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
