//! Moves conditions from patterns to `WHERE`, if the engine reads them only there.
//!
//! These are label expressions, conditions in brackets, and properties of labelled nodes. The
//! latter move because a property name that no node of the label has is an error in a pattern.

use graphwright_cypher::syntax::{
    tree::{
        Clause, ClauseKind, Expression, ExpressionKind, Hops, LabelExpression, Name, NodePattern, Pattern,
        PatternElement, Query, RelationshipPattern, SubqueryBody,
    },
    visit::{VisitMut, walk_clause_mut, walk_expression_mut},
};

use super::{
    Context, RewriteError,
    labels::{Element, condition, split},
    make::property,
    template::{Part, cypher},
};

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    Filters(context).visit_query(query);
}

struct Filters<'c, 't>(&'c mut Context<'t>);

impl VisitMut for Filters<'_, '_> {
    fn visit_clause(&mut self, clause: &mut Clause) {
        walk_clause_mut(self, clause);
        if let ClauseKind::Match(found) = &mut clause.kind {
            self.take_out(&mut found.patterns, &mut found.condition);
        }
    }

    fn visit_expression(&mut self, expression: &mut Expression) {
        walk_expression_mut(self, expression);
        match &mut expression.kind {
            ExpressionKind::PatternComprehension(comprehension) => {
                let pattern = std::slice::from_mut(&mut comprehension.pattern);
                self.take_out(pattern, &mut comprehension.condition);
            }
            ExpressionKind::Subquery(subquery) => {
                if let SubqueryBody::Patterns { patterns, condition } = &mut subquery.body {
                    self.take_out(patterns, condition);
                }
            }
            _ => {}
        }
    }
}

impl Filters<'_, '_> {
    /// Moves what the brackets of patterns say into a condition.
    fn take_out(&mut self, patterns: &mut [Pattern], filter: &mut Option<Expression>) {
        let mut conditions = Vec::new();
        for element in patterns.iter_mut().flat_map(|pattern| &mut pattern.elements) {
            match element {
                PatternElement::Node(node) => self.node(node, &mut conditions),
                PatternElement::Relationship(relationship) => {
                    self.relationship(relationship, &mut conditions);
                }
                PatternElement::Group(_) => {}
            }
        }
        conditions.extend(filter.take());
        *filter = Expression::all_of(conditions);
    }

    fn node(&mut self, node: &mut NodePattern, conditions: &mut Vec<Expression>) {
        if node.labels.is_some()
            && let Some(ExpressionKind::Map(_)) = node.properties.as_ref().map(|map| &map.kind)
            && let Some(ExpressionKind::Map(entries)) = node.properties.take().map(|map| map.kind)
        {
            for (key, value) in entries {
                let subject = property(&self.name(&mut node.variable), &key);
                conditions.push(cypher!("$subject = $value", subject = subject, value = value));
            }
        }
        conditions.extend(node.condition.take().map(|condition| *condition));
        for rest in rest(&mut node.labels, Element::Node) {
            let subject = (&self.name(&mut node.variable)).part();
            conditions.push(condition(&rest, &subject, Element::Node));
        }
    }

    fn relationship(&mut self, relationship: &mut RelationshipPattern, conditions: &mut Vec<Expression>) {
        let repeats = relationship.hops.is_some() || relationship.quantifier.is_some();
        if let Some(condition) = relationship.condition.take() {
            if repeats {
                let hint =
                    "write the condition after the pattern, as WHERE all(r IN relationships(p) WHERE …)";
                let construct = "WHERE within a variable-length relationship";
                self.0.refuse(RewriteError::unsupported(construct, hint, condition.span));
            }
            conditions.push(*condition);
        }
        // The engine reports an error for bounds between which no number lies.
        if let Some(hops) = &mut relationship.hops
            && hops.least.unwrap_or(1) > hops.most.unwrap_or(u64::MAX)
        {
            *hops = Hops { least: Some(1), most: Some(1), span: hops.span };
            conditions.push(cypher!("false"));
        }
        for rest in rest(&mut relationship.types, Element::Relationship) {
            let variable = self.name(&mut relationship.variable);
            conditions.push(if repeats {
                let each = self.0.fresh();
                let condition = condition(&rest, &(&each).part(), Element::Relationship);
                cypher!(
                    "all(each IN $list WHERE $condition)",
                    each = &each,
                    list = &variable,
                    condition = condition
                )
            } else {
                condition(&rest, &(&variable).part(), Element::Relationship)
            });
        }
    }

    fn name(&mut self, variable: &mut Option<Name>) -> Name {
        variable.get_or_insert_with(|| self.0.fresh()).clone()
    }
}

/// Returns the parts of a label expression that the engine does not read.
fn rest(labels: &mut Option<LabelExpression>, element: Element) -> Vec<LabelExpression> {
    let Some(all) = labels.take() else { return Vec::new() };
    let (kept, rest) = split(all, element);
    *labels = kept;
    rest
}
