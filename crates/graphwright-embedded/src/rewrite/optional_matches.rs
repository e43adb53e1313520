//! Rewrites an `OPTIONAL MATCH` that other passes turn into several clauses, as `OPTIONAL CALL {
//! MATCH … }`.

use graphwright_cypher::syntax::{
    tree::{
        CallSubquery, Clause, ClauseKind, Expression, ExpressionKind, Imports, Match, Projection,
        ProjectionItem, Query, SingleQuery,
    },
    visit::{Visit, VisitMut, walk_clause_mut, walk_expression},
};

use super::{
    Context,
    scope::Known,
    selectors, subqueries,
    template::{Part, cypher},
};

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    Matches { context, known: Known::default() }.visit_query(query);
}

struct Matches<'c, 't> {
    context: &'c mut Context<'t>,
    known: Known,
}

impl VisitMut for Matches<'_, '_> {
    fn visit_query(&mut self, query: &mut Query) {
        let outer = self.known.clone();
        for part in query.parts_mut() {
            self.known.clone_from(&outer);
            self.visit_single_query(part);
        }
        self.known = outer;
    }

    fn visit_single_query(&mut self, query: &mut SingleQuery) {
        for clause in &mut query.clauses {
            let before = self.known.clone();
            self.known.pass(clause);
            if let ClauseKind::Subquery(call) = &mut clause.kind {
                let after = std::mem::replace(&mut self.known, before.imported(call.imports.as_ref()));
                self.visit_query(&mut call.query);
                self.known = after;
                continue;
            }
            let added = self.known.added_to(&before);
            if let ClauseKind::Match(found) = &mut clause.kind
                && found.optional
                && becomes_several(found)
            {
                let items = added.iter().map(|name| ProjectionItem {
                    expression: name.part(),
                    alias: None,
                    span: clause.span,
                });
                let mut returned = Projection { items: items.collect(), ..Projection::default() };
                if added.is_empty() {
                    // A subquery has to return something.
                    returned = Projection::new(cypher!("true"), self.context.fresh());
                }
                let found = Match { optional: false, ..found.clone() };
                let clauses = vec![
                    Clause { kind: ClauseKind::Match(found), span: clause.span },
                    Clause::new(ClauseKind::Return(returned)),
                ];
                let first = SingleQuery { clauses, span: clause.span };
                let query = Query { first, unions: Vec::new(), span: clause.span };
                let imports = Some(Imports::All);
                let call = CallSubquery { optional: true, imports, query, transactions: None };
                clause.kind = ClauseKind::Subquery(call);
            }
            // Subqueries in expressions see what was known before, and what the clause itself
            // matches.
            walk_clause_mut(&mut Inner(self), clause);
        }
    }
}

/// Visits the subqueries within the expressions of a clause.
struct Inner<'m, 'c, 't>(&'m mut Matches<'c, 't>);

impl VisitMut for Inner<'_, '_, '_> {
    fn visit_query(&mut self, query: &mut Query) {
        self.0.visit_query(query);
    }
}

fn becomes_several(found: &Match) -> bool {
    let condition = found.condition.as_ref();
    let chooses = found.patterns.iter().any(|path| selectors::chooses(path, condition));
    let mut search = Hoisted(false);
    if let Some(condition) = condition {
        search.visit_expression(condition);
    }
    chooses || search.0
}

/// Looks for subqueries that the engine does not read where they stand.
struct Hoisted(bool);

impl Visit for Hoisted {
    fn visit_expression(&mut self, expression: &Expression) {
        self.0 |= matches!(&expression.kind, ExpressionKind::Subquery(subquery) if subqueries::is_hoisted(subquery));
        walk_expression(self, expression);
    }
}
