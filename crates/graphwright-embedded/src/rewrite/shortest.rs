//! Rewrites `shortestPath((a:A {x: 1})-[*]-(b))`: the ends are found first, in a `MATCH` of their
//! own.

use graphwright_cypher::syntax::{
    tree::{Clause, ClauseKind, Match, NodePattern, Pattern, PatternElement, Query, SingleQuery},
    visit::{VisitMut, walk_single_query_mut},
};

use super::Context;

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    Ends(context).visit_query(query);
}

struct Ends<'c, 't>(&'c mut Context<'t>);

impl VisitMut for Ends<'_, '_> {
    fn visit_single_query(&mut self, query: &mut SingleQuery) {
        walk_single_query_mut(self, query);
        let mut clauses = Vec::with_capacity(query.clauses.len());
        for mut clause in std::mem::take(&mut query.clauses) {
            if let ClauseKind::Match(found) = &mut clause.kind
                && !found.optional
            {
                let shortest = found.patterns.iter_mut().filter(|pattern| pattern.shortest.is_some());
                let patterns: Vec<_> = shortest.flat_map(|pattern| self.ends(pattern)).collect();
                if !patterns.is_empty() {
                    let kind = ClauseKind::Match(Match::new(patterns));
                    clauses.push(Clause { kind, span: clause.span });
                }
            }
            clauses.push(clause);
        }
        query.clauses = clauses;
    }
}

impl Ends<'_, '_> {
    /// Takes out what is said of the nodes of a path.
    fn ends(&mut self, path: &mut Pattern) -> Vec<Pattern> {
        let mut ends = Vec::new();
        for element in &mut path.elements {
            let PatternElement::Node(node) = element else { continue };
            if node.labels.is_none() && node.properties.is_none() && node.condition.is_none() {
                continue;
            }
            let name = node.variable.get_or_insert_with(|| self.0.fresh()).clone();
            let known = NodePattern { variable: Some(name), span: node.span, ..NodePattern::default() };
            ends.push(Pattern::new(vec![PatternElement::Node(std::mem::replace(node, known))]));
        }
        ends
    }
}
