//! Rewrites `CREATE p = …` and `MERGE p = …`: the path is matched after it is made.

use graphwright_cypher::syntax::{
    tree::{
        Clause, ClauseKind, Direction, ForEach, Match, Name, NodePattern, Pattern, PatternElement, Query,
        RelationshipPattern, SingleQuery,
    },
    visit::{VisitMut, walk_single_query_mut},
};

use super::{Context, RewriteError, make::with_all};

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    Made(context).visit_query(query);
}

struct Made<'c, 't>(&'c mut Context<'t>);

impl VisitMut for Made<'_, '_> {
    fn visit_single_query(&mut self, query: &mut SingleQuery) {
        for mut clause in std::mem::take(&mut query.clauses) {
            let found: Vec<_> =
                paths(&mut clause.kind).iter_mut().filter_map(|path| self.found(path)).collect();
            if let ClauseKind::ForEach(each) = &mut clause.kind {
                self.within(each);
            }
            query.clauses.push(clause);
            if !found.is_empty() {
                // Cypher wants a `WITH` between writing and reading.
                query.clauses.push(with_all(Vec::new()));
                query.clauses.push(Clause::new(ClauseKind::Match(Match::new(found))));
            }
        }
        walk_single_query_mut(self, query);
    }
}

impl Made<'_, '_> {
    /// Names the parts of a named path. Returns the path as it is matched afterwards.
    fn found(&mut self, path: &mut Pattern) -> Option<Pattern> {
        let variable = path.variable.take()?;
        let elements = path.elements.iter_mut().map(|element| match element {
            PatternElement::Node(node) => {
                let variable = Some(self.name(&mut node.variable));
                PatternElement::Node(NodePattern { variable, span: node.span, ..NodePattern::default() })
            }
            PatternElement::Relationship(relationship) => PatternElement::Relationship(RelationshipPattern {
                variable: Some(self.name(&mut relationship.variable)),
                // Its variable is bound already, so the direction tells nothing more.
                direction: Direction::Either,
                span: relationship.span,
                ..RelationshipPattern::default()
            }),
            PatternElement::Group(group) => PatternElement::Group(group.clone()),
        });
        let elements = elements.collect();
        Some(Pattern { variable: Some(variable), ..Pattern::new(elements) })
    }

    fn name(&mut self, variable: &mut Option<Name>) -> Name {
        variable.get_or_insert_with(|| self.0.fresh()).clone()
    }

    /// Refuses path variables within `FOREACH`, where nothing can be matched.
    fn within(&mut self, each: &mut ForEach) {
        for clause in &mut each.clauses {
            if let ClauseKind::ForEach(inner) = &mut clause.kind {
                self.within(inner);
            }
            if let Some(name) = paths(&mut clause.kind).iter().find_map(|path| path.variable.as_ref()) {
                let construct = "a path variable in CREATE or MERGE within FOREACH";
                let hint = "leave the variable out";
                self.0.refuse(RewriteError::unsupported(construct, hint, name.span));
            }
        }
    }
}

fn paths(clause: &mut ClauseKind) -> &mut [Pattern] {
    match clause {
        ClauseKind::Create(paths) => paths,
        ClauseKind::Merge(merge) => std::slice::from_mut(&mut merge.pattern),
        _ => &mut [],
    }
}
