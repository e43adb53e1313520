//! Guards `CASE x WHEN y`, with conditions where the engine would compare otherwise than Cypher.

use graphwright_cypher::syntax::tree::{Case, CaseCondition, ComparisonOperator, Expression, ExpressionKind};

use super::{Guard, Kind, Operand, Part, Scope, checks::compare, equality::is_harmless};
use crate::rewrite::{kinds::common, make::with_value};

impl Guard<'_, '_> {
    /// Guards a `CASE`. Returns the kind of its results.
    pub(super) fn case(&mut self, expression: &mut Expression, scope: &Scope) -> Kind {
        let ExpressionKind::Case(case) = &mut expression.kind else { return Kind::Unknown };
        let subject = case.subject.as_mut().map(|subject| self.expression(subject, scope).own);
        let mut wanted = Vec::new();
        let mut results = Vec::new();
        let mut is_simple = true;
        for alternative in &mut case.alternatives {
            for condition in &mut alternative.conditions {
                is_simple &= matches!(condition, CaseCondition::Value(_));
                match condition {
                    CaseCondition::Value(condition) if subject.is_none() => self.truth(condition, scope),
                    CaseCondition::Value(value)
                    | CaseCondition::Comparison(_, value)
                    | CaseCondition::Binary(_, value) => wanted.push(self.expression(value, scope).own),
                    CaseCondition::Test { .. } => {}
                }
            }
            is_simple &= alternative.conditions.len() == 1;
            results.push(self.expression(&mut alternative.value, scope).own);
        }
        if let Some(otherwise) = &mut case.otherwise {
            results.push(self.expression(otherwise, scope).own);
        }
        let harmless = |kind: Kind| is_harmless(kind) && kind != Kind::Null;
        if let Some(subject) = subject
            && !(is_simple && (harmless(subject) || wanted.iter().all(|kind| harmless(*kind))))
        {
            expression.kind = self.with_conditions(case, subject, wanted).kind;
        }
        common(results.into_iter())
    }

    /// Builds the `CASE` with a condition for each value. `wanted` holds the kinds of the values in
    /// order.
    fn with_conditions(&mut self, case: &mut Case, subject: Kind, wanted: Vec<Kind>) -> Expression {
        let name = self.context.fresh();
        let mut wanted = wanted.into_iter();
        for alternative in &mut case.alternatives {
            let conditions: Vec<_> = alternative
                .conditions
                .drain(..)
                .map(|condition| {
                    let local = Operand { value: (&name).part(), kind: subject };
                    self.condition(local, condition, &mut wanted)
                })
                .collect();
            alternative.conditions.extend(Expression::any_of(conditions).map(CaseCondition::Value));
        }
        let value = case.subject.take().unwrap_or_default();
        let nothing = Case { subject: None, alternatives: Vec::new(), otherwise: None };
        let case = Box::new(std::mem::replace(case, nothing));
        with_value(name, value, Expression::new(ExpressionKind::Case(case)))
    }

    fn condition(
        &mut self,
        local: Operand,
        condition: CaseCondition,
        wanted: &mut impl Iterator<Item = Kind>,
    ) -> Expression {
        let subject = local.value.clone();
        match condition {
            CaseCondition::Value(value) => self.asked(local, ComparisonOperator::Equal, value, wanted.next()),
            CaseCondition::Comparison(operator, value) => self.asked(local, operator, value, wanted.next()),
            CaseCondition::Binary(operator, value) => {
                wanted.next();
                let (left, right) = (Box::new(subject), Box::new(value));
                Expression::new(ExpressionKind::Binary { operator, left, right })
            }
            CaseCondition::Test { negated, test } => {
                Expression::new(ExpressionKind::Test { operand: Box::new(subject), negated, test })
            }
        }
    }

    fn asked(
        &mut self,
        local: Operand,
        operator: ComparisonOperator,
        value: Expression,
        kind: Option<Kind>,
    ) -> Expression {
        let mut operands = [local, Operand { value, kind: kind.unwrap_or_default() }];
        let guarded = self.compared(operator, &mut operands);
        let [left, right] = operands;
        guarded.unwrap_or_else(|| compare(operator, &left.value, &right.value))
    }
}
