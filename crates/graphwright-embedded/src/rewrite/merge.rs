//! Rewrites `MERGE` of a path whose ends are not all known. Row by row, the path is created if it
//! is missing, then matched.

use graphwright_cypher::syntax::tree::{
    Clause, ClauseKind, Direction, Expression, ExpressionKind, ForEach, Match, Merge, Name, NodePattern,
    Pattern, PatternElement, Projection, Query, RelationshipPattern, SubqueryBody, SubqueryExpression,
    SubqueryKind,
};

use super::{Context, RewriteError, make::property, scope::Known, template::cypher};

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    Merges(context).query(query, &Known::default());
}

struct Merges<'c, 't>(&'c mut Context<'t>);

impl Merges<'_, '_> {
    fn query(&mut self, query: &mut Query, known: &Known) {
        for part in query.parts_mut() {
            self.clauses(&mut part.clauses, known.clone());
        }
    }

    fn clauses(&mut self, clauses: &mut Vec<Clause>, mut known: Known) {
        for mut clause in std::mem::take(clauses) {
            let before = known.clone();
            known.pass(&clause);
            match &mut clause.kind {
                ClauseKind::Subquery(subquery) => {
                    let seen = before.imported(subquery.imports.as_ref());
                    self.query(&mut subquery.query, &seen);
                }
                ClauseKind::ForEach(each) => {
                    let mut seen = before;
                    seen.add(&each.variable);
                    self.clauses(&mut each.clauses, seen);
                }
                ClauseKind::Merge(merge) if !is_native(&merge.pattern, &before) => {
                    if let Some(kinds) = self.rewrite(merge, &before, clause.span) {
                        let span = clause.span;
                        clauses.extend(kinds.map(|kind| Clause { kind, span }));
                        continue;
                    }
                }
                _ => {}
            }
            clauses.push(clause);
        }
    }

    fn rewrite(
        &mut self,
        merge: &mut Merge,
        known: &Known,
        span: graphwright_core::Span,
    ) -> Option<[ClauseKind; 3]> {
        if merge.actions.iter().any(|action| !action.on_create) {
            let construct = "ON MATCH after MERGE of a path with unknown ends";
            let hint = "MERGE the nodes first, then the relationship between them";
            self.0.refuse(RewriteError::unsupported(construct, hint, span));
            return None;
        }
        let mut forms = Forms::default();
        for element in &merge.pattern.elements {
            match element {
                PatternElement::Node(node) => self.node(node, known, &mut forms),
                PatternElement::Relationship(relationship) => self.relationship(relationship, &mut forms),
                PatternElement::Group(_) => return None,
            }
        }
        let body = SubqueryBody::Patterns {
            patterns: vec![Pattern::new(forms.probed)],
            condition: Expression::all_of(forms.probe_conditions),
        };
        let subquery = SubqueryExpression { kind: SubqueryKind::Count, body };
        let count = Expression::new(ExpressionKind::Subquery(Box::new(subquery)));
        let mut clauses = vec![Clause::new(ClauseKind::Create(vec![Pattern::new(forms.created)]))];
        let items: Vec<_> = merge.actions.iter().flat_map(|action| action.items.clone()).collect();
        if !items.is_empty() {
            clauses.push(Clause::new(ClauseKind::Set(items)));
        }
        let list = cypher!("CASE WHEN $count = 0 THEN [1] ELSE [] END", count = count);
        let mut path = Pattern::new(forms.matched);
        path.variable = merge.pattern.variable.take();
        let mut found = Match::new(vec![path]);
        found.condition = Expression::all_of(forms.match_conditions);
        Some([
            ClauseKind::ForEach(ForEach { variable: self.0.fresh(), list, clauses }),
            ClauseKind::With(Projection { all: true, ..Projection::default() }),
            ClauseKind::Match(found),
        ])
    }

    fn node(&mut self, node: &NodePattern, known: &Known, forms: &mut Forms) {
        let is_known = known.has(node.variable.as_ref());
        let name = node.variable.clone().unwrap_or_else(|| self.0.fresh());
        // The probe must not bind the names of what is created after it.
        let probe = if is_known { name.clone() } else { self.0.fresh() };
        forms.filter(&probe, &name, node.properties.as_deref());
        let of = |variable: Name| NodePattern {
            variable: Some(variable),
            labels: node.labels.clone(),
            properties: None,
            condition: None,
            span: node.span,
        };
        forms.probed.push(PatternElement::Node(of(probe)));
        forms.matched.push(PatternElement::Node(of(name.clone())));
        forms.created.push(PatternElement::Node(if is_known {
            NodePattern { variable: Some(name), span: node.span, ..NodePattern::default() }
        } else {
            NodePattern { properties: node.properties.clone(), ..of(name) }
        }));
    }

    fn relationship(&mut self, relationship: &RelationshipPattern, forms: &mut Forms) {
        let name = relationship.variable.clone().unwrap_or_else(|| self.0.fresh());
        let probe = self.0.fresh();
        forms.filter(&probe, &name, relationship.properties.as_deref());
        let of = |variable: Name| RelationshipPattern {
            variable: Some(variable),
            properties: None,
            ..relationship.clone()
        };
        forms.probed.push(PatternElement::Relationship(of(probe)));
        forms.matched.push(PatternElement::Relationship(of(name.clone())));
        let direction = match relationship.direction {
            Direction::Either => Direction::Right,
            direction => direction,
        };
        let properties = relationship.properties.clone();
        forms.created.push(PatternElement::Relationship(RelationshipPattern {
            direction,
            properties,
            ..of(name)
        }));
    }
}

/// A path in the three forms in which it is written.
#[derive(Default)]
struct Forms {
    /// The form that tests whether the path exists.
    probed: Vec<PatternElement>,
    probe_conditions: Vec<Expression>,
    /// The form that creates the path.
    created: Vec<PatternElement>,
    /// The form that finds the path at the end.
    matched: Vec<PatternElement>,
    match_conditions: Vec<Expression>,
}

impl Forms {
    fn filter(&mut self, probe: &Name, name: &Name, properties: Option<&Expression>) {
        let Some(ExpressionKind::Map(entries)) = properties.map(|properties| &properties.kind) else {
            return;
        };
        for (key, value) in entries {
            let equal = |of: &Name| cypher!("$of = $value", of = property(of, key), value = value);
            self.probe_conditions.push(equal(probe));
            self.match_conditions.push(equal(name));
        }
    }
}

/// Tells whether the engine merges the path itself: one node, or one relationship with a direction
/// between two known nodes.
fn is_native(path: &Pattern, known: &Known) -> bool {
    match path.elements.as_slice() {
        [
            PatternElement::Node(first),
            PatternElement::Relationship(relationship),
            PatternElement::Node(last),
        ] => {
            known.has(first.variable.as_ref())
                && known.has(last.variable.as_ref())
                && relationship.direction != Direction::Either
        }
        elements => elements.len() == 1,
    }
}
