//! How much a query asks for, as far as its tree shows.

use graphwright_cypher::syntax::{
    parse_query,
    tree::{Clause, ClauseKind, Expression, ExpressionKind, Pattern, PatternElement},
    visit::{Visit, walk_clause, walk_expression, walk_pattern},
};

/// The most relationships of a query that is simple.
const MOST_HOPS: usize = 3;

/// Tells whether a query is so plain that it rarely means something else than it seems to: a short pattern, one projection, no subquery.
pub(crate) fn is_simple(text: &str) -> bool {
    let Some(query) = parse_query(text) else { return false };
    let mut cost = Cost::default();
    cost.visit_query(&query);
    query.unions.is_empty() && cost.hops <= MOST_HOPS && cost.projections <= 1 && !cost.has_subquery
}

#[derive(Default)]
struct Cost {
    hops: usize,
    projections: usize,
    has_subquery: bool,
}

impl Visit for Cost {
    fn visit_clause(&mut self, clause: &Clause) {
        match clause.kind {
            ClauseKind::With(_) | ClauseKind::Return(_) => self.projections += 1,
            ClauseKind::Subquery(_) | ClauseKind::Call(_) => self.has_subquery = true,
            _ => {}
        }
        walk_clause(self, clause);
    }

    fn visit_pattern(&mut self, pattern: &Pattern) {
        let hops = pattern.elements.iter().map(|element| match element {
            PatternElement::Node(_) => 0,
            // A path of any length may go by many.
            PatternElement::Relationship(found) if found.hops.is_some() || found.quantifier.is_some() => {
                MOST_HOPS + 1
            }
            PatternElement::Relationship(_) => 1,
            PatternElement::Group(_) => MOST_HOPS + 1,
        });
        self.hops += hops.sum::<usize>();
        walk_pattern(self, pattern);
    }

    fn visit_expression(&mut self, expression: &Expression) {
        self.has_subquery |=
            matches!(expression.kind, ExpressionKind::Subquery(_) | ExpressionKind::PatternComprehension(_));
        walk_expression(self, expression);
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("MATCH (p)-[:ACTED_IN]->(m)<-[:DIRECTED]-(d) RETURN d.name", true)]
    #[case("MATCH (a)-->(b)-->(c)-->(d)-->(e) RETURN e", false)]
    #[case("MATCH (a)-[*1..3]->(b) RETURN b", false)]
    #[case("MATCH (a) WITH a LIMIT 3 RETURN a", false)]
    #[case("MATCH (a) WHERE EXISTS { (a)-->() } RETURN a", false)]
    #[case("MATCH (a) RETURN a UNION MATCH (b) RETURN b AS a", false)]
    #[case("MATCH (a", false)]
    fn plain_queries_are_told_apart(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(is_simple(text), expected);
    }
}
