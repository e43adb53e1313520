//! Relaxation: texts that were to be equal are compared by part and in any case.

use graphwright_cypher::syntax::{
    parse_query, print_query,
    tree::{
        BinaryOperator, ComparisonOperator, Expression, ExpressionKind, FunctionCall, Literal, Name,
        NodePattern, Projection, RelationshipPattern,
    },
    visit::{VisitMut, walk_expression_mut, walk_node_mut, walk_relationship_mut},
};

/// Lets a query compare the texts in it by part and in any case. Returns the query and the texts, or `None` if it compares none.
pub(crate) fn relaxed(text: &str) -> Option<(String, Vec<String>)> {
    let mut query = parse_query(text)?;
    let mut relaxation = Relaxation::default();
    relaxation.visit_query(&mut query);
    (!relaxation.texts.is_empty()).then(|| (print_query(query), relaxation.texts))
}

#[derive(Default)]
struct Relaxation {
    texts: Vec<String>,
}

impl Relaxation {
    /// `toLower(toStringOrNull(value)) CONTAINS 'text'`
    fn contains(&mut self, value: Expression, text: &str) -> ExpressionKind {
        self.texts.push(text.to_owned());
        let lower = Literal::String(text.to_lowercase().into());
        ExpressionKind::Binary {
            operator: BinaryOperator::Contains,
            // A list has no lower case: what is no text does not match, rather than to fail.
            left: Box::new(call("toLower", call("toStringOrNull", value))),
            right: Box::new(Expression::new(ExpressionKind::Literal(lower))),
        }
    }

    /// Takes the texts out of the properties of a pattern. Returns the conditions that stand for them.
    fn conditions(
        &mut self,
        variable: &mut Option<Name>,
        properties: &mut Option<Box<Expression>>,
    ) -> Vec<Expression> {
        let Some(ExpressionKind::Map(entries)) = properties.as_mut().map(|properties| &mut properties.kind)
        else {
            return Vec::new();
        };
        let mut conditions = Vec::new();
        let mut kept = Vec::new();
        for (key, value) in std::mem::take(entries) {
            let ExpressionKind::Literal(Literal::String(text)) = &value.kind else {
                kept.push((key, value));
                continue;
            };
            let number = self.texts.len();
            let variable = variable.get_or_insert_with(|| Name::new(format!("relaxed_{number}")));
            let base = Box::new(Expression::new(ExpressionKind::Variable(variable.clone())));
            let property = Expression::new(ExpressionKind::Property { base, key });
            let condition = self.contains(property, text);
            conditions.push(Expression::new(condition));
        }
        if kept.is_empty() {
            *properties = None;
        } else {
            *entries = kept;
        }
        conditions
    }
}

impl VisitMut for Relaxation {
    fn visit_node(&mut self, node: &mut NodePattern) {
        let conditions = self.conditions(&mut node.variable, &mut node.properties);
        node.condition = with(node.condition.take(), conditions);
        walk_node_mut(self, node);
    }

    fn visit_relationship(&mut self, found: &mut RelationshipPattern) {
        // A path of several relationships has no property of its own.
        if found.hops.is_none() && found.quantifier.is_none() {
            let conditions = self.conditions(&mut found.variable, &mut found.properties);
            found.condition = with(found.condition.take(), conditions);
        }
        walk_relationship_mut(self, found);
    }

    /// What is returned stays as it is; what rows must meet does not.
    fn visit_projection(&mut self, projection: &mut Projection) {
        if let Some(condition) = &mut projection.condition {
            self.visit_expression(condition);
        }
    }

    fn visit_expression(&mut self, expression: &mut Expression) {
        if let ExpressionKind::Comparison { first, rest } = &expression.kind
            && let [(ComparisonOperator::Equal, right)] = rest.as_slice()
        {
            let relaxed = match (&first.kind, &right.kind) {
                (ExpressionKind::Property { .. }, ExpressionKind::Literal(Literal::String(text))) => {
                    Some((first.clone(), text.clone()))
                }
                (ExpressionKind::Literal(Literal::String(text)), ExpressionKind::Property { .. }) => {
                    Some((Box::new(right.clone()), text.clone()))
                }
                _ => None,
            };
            if let Some((value, text)) = relaxed {
                expression.kind = self.contains(*value, &text);
                return;
            }
        }
        walk_expression_mut(self, expression);
    }
}

fn with(condition: Option<Box<Expression>>, more: Vec<Expression>) -> Option<Box<Expression>> {
    let parts = condition.map(|condition| *condition).into_iter().chain(more);
    Expression::all_of(parts.collect()).map(Box::new)
}

fn call(name: &str, argument: Expression) -> Expression {
    let call =
        FunctionCall { name: vec![Name::new(name)], arguments: vec![argument], ..FunctionCall::default() };
    Expression::new(ExpressionKind::Call(Box::new(call)))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(
        "MATCH (m:Movie {title: 'Matrix', released: 1999}) RETURN m.title",
        "MATCH (m:Movie {released: 1999} WHERE toLower(toStringOrNull(m.title)) CONTAINS 'matrix')\nRETURN m.title"
    )]
    #[case(
        "MATCH (m)<--({name: 'Keanu'}) WHERE m.title = 'The Matrix' RETURN m",
        "MATCH (m)<--(relaxed_1 WHERE toLower(toStringOrNull(relaxed_1.name)) CONTAINS 'keanu') \
         WHERE toLower(toStringOrNull(m.title)) CONTAINS 'the matrix'\nRETURN m"
    )]
    fn texts_are_compared_by_part_and_in_any_case(#[case] text: &str, #[case] expected: &str) {
        let relaxed = relaxed(text).unwrap().0;
        // The number of a new variable depends on how many texts came before it.
        assert_eq!(relaxed.replace("relaxed_0", "relaxed_1"), expected);
    }

    #[rstest]
    #[case("MATCH (m:Movie) WHERE m.released = 1999 RETURN m")]
    #[case("MATCH (m:Movie) WHERE m.title <> 'x' RETURN m")]
    #[case("MATCH (m:Movie) RETURN m.title = 'x'")]
    #[case("MATCH (m:Movie")]
    fn without_texts_nothing_is_relaxed(#[case] text: &str) {
        assert_eq!(relaxed(text), None);
    }
}
