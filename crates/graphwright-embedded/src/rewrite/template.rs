//! Expressions and clauses written as Cypher, with holes for parts of the tree.

use graphwright_core::Span;
use graphwright_cypher::syntax::{
    parse,
    tree::{
        Clause, ClauseKind, Expression, ExpressionKind, Literal, Name, RelationshipPattern, StatementBody,
    },
    visit::{VisitMut, walk_expression_mut, walk_relationship_mut},
};

/// Builds an expression from Cypher with holes, as in `cypher!("$value IS NOT NULL", value =
/// operand)`. If a hole is filled with a variable, a plain name in the text that is written like
/// the hole stands for the variable too.
macro_rules! cypher {
    ($text:literal $(, $hole:ident = $value:expr)* $(,)?) => {{
        static TEMPLATE: std::sync::LazyLock<graphwright_cypher::syntax::tree::Expression> =
            std::sync::LazyLock::new(|| crate::rewrite::template::expression($text));
        crate::rewrite::template::fill(&TEMPLATE, &[$((stringify!($hole), crate::rewrite::template::Part::part($value))),*])
    }};
}
pub(super) use cypher;

/// Reads an expression that stands in source code.
pub(super) fn expression(text: &str) -> Expression {
    match clauses(&format!("RETURN {text} AS x")).pop().map(|clause| clause.kind) {
        Some(ClauseKind::Return(mut projection)) => {
            projection.items.pop().map(|item| item.expression).unwrap_or_default()
        }
        _ => Expression::default(),
    }
}

/// Reads clauses that stand in source code.
pub(super) fn clauses(text: &str) -> Vec<Clause> {
    let mut parsed = parse(text);
    debug_assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
    Placeless.visit_tree(&mut parsed.tree);
    match parsed.tree.statements.pop().map(|statement| statement.body) {
        Some(StatementBody::Query(query)) => query.first.clauses,
        _ => Vec::new(),
    }
}

/// Clears positions: what a rewrite makes stands nowhere in the text.
struct Placeless;

impl VisitMut for Placeless {
    fn visit_span(&mut self, span: &mut Span) {
        *span = Span::default();
    }
}

/// Copies a template with parts in its holes.
pub(super) fn fill(template: &Expression, holes: &[(&str, Expression)]) -> Expression {
    let mut filled = template.clone();
    Filler(holes).visit_expression(&mut filled);
    filled
}

struct Filler<'h>(&'h [(&'h str, Expression)]);

impl Filler<'_> {
    fn rename(&self, name: &mut Name) {
        if let Some(Expression { kind: ExpressionKind::Variable(variable), .. }) = self.part(name) {
            name.text.clone_from(&variable.text);
        }
    }

    fn part(&self, name: &Name) -> Option<&Expression> {
        self.0.iter().find(|(hole, _)| *hole == &*name.text).map(|(_, part)| part)
    }
}

impl VisitMut for Filler<'_> {
    fn visit_expression(&mut self, expression: &mut Expression) {
        match &mut expression.kind {
            ExpressionKind::Parameter(name) => {
                if let Some(part) = self.part(name) {
                    *expression = part.clone();
                }
                return;
            }
            ExpressionKind::Variable(name) => self.rename(name),
            ExpressionKind::ListComprehension(comprehension) => self.rename(&mut comprehension.variable),
            ExpressionKind::Quantified(quantified) => self.rename(&mut quantified.variable),
            ExpressionKind::Reduce(reduce) => {
                self.rename(&mut reduce.accumulator);
                self.rename(&mut reduce.variable);
            }
            _ => {}
        }
        walk_expression_mut(self, expression);
    }

    fn visit_relationship(&mut self, relationship: &mut RelationshipPattern) {
        relationship.variable.iter_mut().for_each(|name| self.rename(name));
        walk_relationship_mut(self, relationship);
    }
}

/// What can fill a hole.
pub(super) trait Part {
    fn part(self) -> Expression;
}

impl Part for Expression {
    fn part(self) -> Self {
        self
    }
}

impl Part for &Expression {
    fn part(self) -> Expression {
        self.clone()
    }
}

/// A variable.
impl Part for &Name {
    fn part(self) -> Expression {
        Expression { kind: ExpressionKind::Variable(self.clone()), span: self.span }
    }
}

/// A string.
impl Part for &str {
    fn part(self) -> Expression {
        Expression::new(ExpressionKind::Literal(Literal::String(self.into())))
    }
}

#[cfg(test)]
mod tests {
    use graphwright_cypher::syntax::print_expression;

    use super::*;

    #[test]
    fn holes_are_filled_and_bound_names_replaced() {
        let (each, list) = (Name::new("x"), expression("[1] + n.each"));
        let filled =
            cypher!("any(each IN $list WHERE each.list = $text)", each = &each, list = &list, text = "$list");
        assert_eq!(print_expression(&filled), "any(x IN [1] + n.each WHERE x.list = '$list')");
    }

    #[test]
    fn a_part_keeps_its_brackets() {
        let filled = cypher!("$value * 2", value = expression("a + b"));
        assert_eq!(print_expression(&filled), "(a + b) * 2");
    }
}
