//! Paths of any length: the engine stops at ten hops unless a bound is written.

use graphwright_core::Span;

use super::{Context, RewriteError};
use crate::syntax::{
    tree::{
        Clause, ClauseKind, Expression, ExpressionKind, Hops, NodePattern, Pattern, PatternElement,
        PatternGroup, Quantifier, Query, RelationshipPattern, SubqueryKind,
    },
    visit::{VisitMut, walk_clause_mut, walk_expression_mut, walk_pattern_mut},
};

/// More hops than a graph in memory has relationships on one path.
const ALL: u64 = 1_000_000_000;

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    Lengths { context, in_count: false }.visit_query(query);
}

struct Lengths<'c, 't> {
    context: &'c mut Context<'t>,
    in_count: bool,
}

impl VisitMut for Lengths<'_, '_> {
    fn visit_clause(&mut self, clause: &mut Clause) {
        if let (ClauseKind::Match(found), false) = (&mut clause.kind, self.in_count) {
            found.patterns.iter_mut().for_each(|path| self.name_path(path));
        }
        walk_clause_mut(self, clause);
    }

    fn visit_expression(&mut self, expression: &mut Expression) {
        let outer = self.in_count;
        self.in_count |= matches!(&expression.kind, ExpressionKind::Subquery(subquery) if subquery.kind == SubqueryKind::Count);
        walk_expression_mut(self, expression);
        self.in_count = outer;
    }

    fn visit_pattern(&mut self, path: &mut Pattern) {
        if !self.in_count {
            self.name_node(path);
        }
        for place in 0..path.elements.len() {
            let (before, rest) = path.elements.split_at_mut(place);
            let Some((element, after)) = rest.split_first_mut() else { continue };
            match element {
                PatternElement::Relationship(relationship) => self.relationship(relationship),
                PatternElement::Group(group) => {
                    let is_node =
                        |element: Option<&PatternElement>| matches!(element, Some(PatternElement::Node(_)));
                    let is_between = is_node(before.last()) && is_node(after.first());
                    match one_relationship(group).filter(|_| is_between) {
                        Some(relationship) => *element = PatternElement::Relationship(relationship),
                        None => self.refuse(group.span),
                    }
                }
                PatternElement::Node(_) => {}
            }
        }
        walk_pattern_mut(self, path);
    }
}

impl Lengths<'_, '_> {
    /// The engine lists the relationships of `[r*]` from the end where it began to search, unless the path has a name.
    fn name_path(&mut self, path: &mut Pattern) {
        let lists = path.elements.iter().any(|element| {
            matches!(element, PatternElement::Relationship(relationship)
                if relationship.variable.is_some() && relationship.hops.is_some())
        });
        if lists && path.variable.is_none() && path.shortest.is_none() {
            path.variable = Some(self.context.fresh());
        }
    }

    /// In `p = (:A)` the engine's path is null unless the node has a name.
    fn name_node(&mut self, path: &mut Pattern) {
        if let ([PatternElement::Node(NodePattern { variable: variable @ None, .. })], Some(_)) =
            (path.elements.as_mut_slice(), &path.variable)
        {
            *variable = Some(self.context.fresh());
        }
    }

    fn relationship(&mut self, relationship: &mut RelationshipPattern) {
        if let Some(quantifier) = relationship.quantifier.take() {
            if relationship.variable.is_some() || relationship.condition.is_some() {
                return self.refuse(relationship.span);
            }
            relationship.hops = Some(bounds(&quantifier));
        }
        if let Some(hops) = &mut relationship.hops {
            hops.least.get_or_insert(1);
            hops.most.get_or_insert(ALL);
        }
    }

    fn refuse(&mut self, span: Span) {
        let hint = "write a variable-length relationship, as -[:TYPE*1..3]->";
        self.context.refuse(RewriteError::unsupported("a quantified path pattern", hint, span));
    }
}

fn bounds(quantifier: &Quantifier) -> Hops {
    let most = Some(quantifier.most.unwrap_or(ALL));
    Hops { least: Some(quantifier.least), most, span: quantifier.span }
}

/// `(()-[:R]->()){1,3}` says the same as `-[:R*1..3]->`.
fn one_relationship(group: &PatternGroup) -> Option<RelationshipPattern> {
    let is_empty = |node: &NodePattern| {
        node.variable.is_none()
            && node.labels.is_none()
            && node.properties.is_none()
            && node.condition.is_none()
    };
    let PatternGroup { pattern, condition: None, quantifier: Some(quantifier), .. } = group else {
        return None;
    };
    match pattern.elements.as_slice() {
        [
            PatternElement::Node(first),
            PatternElement::Relationship(
                relationship @ RelationshipPattern {
                    variable: None,
                    hops: None,
                    properties: None,
                    condition: None,
                    quantifier: None,
                    ..
                },
            ),
            PatternElement::Node(last),
        ] if is_empty(first) && is_empty(last) && pattern.variable.is_none() => {
            Some(RelationshipPattern { hops: Some(bounds(quantifier)), ..relationship.clone() })
        }
        _ => None,
    }
}
