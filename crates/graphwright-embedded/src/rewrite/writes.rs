//! Rewrites a `CALL { … }` that only writes, as a `FOREACH` over one value.

use graphwright_cypher::syntax::{
    tree::{CallSubquery, Clause, ClauseKind, ForEach, Page, Query},
    visit::{VisitMut, walk_clause_mut},
};

use super::{Context, RewriteError, template::cypher};

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    Writes(context).visit_query(query);
}

struct Writes<'c, 't>(&'c mut Context<'t>);

impl VisitMut for Writes<'_, '_> {
    fn visit_clause(&mut self, clause: &mut Clause) {
        walk_clause_mut(self, clause);
        let ClauseKind::Subquery(subquery) = &mut clause.kind else { return };
        if !subquery.query.parts().flat_map(|part| &part.clauses).any(writes) {
            return;
        }
        match only_writes(subquery) {
            Some(clauses) => {
                let each = ForEach { variable: self.0.fresh(), list: cypher!("[1]"), clauses };
                clause.kind = ClauseKind::ForEach(each);
            }
            None => self.0.refuse(RewriteError::unsupported(
                "a write in CALL { } beside reading clauses",
                "write outside of CALL { }, or with FOREACH",
                clause.span,
            )),
        }
    }
}

/// Returns the clauses without the leading `WITH`, if they only write. That `WITH` only names what
/// comes from outside.
fn only_writes(subquery: &mut CallSubquery) -> Option<Vec<Clause>> {
    let clauses = std::mem::take(&mut subquery.query.first.clauses);
    let imports = usize::from(clauses.first().is_some_and(is_import));
    let clauses: Vec<_> = clauses.into_iter().skip(imports).collect();
    let plain = subquery.query.unions.is_empty() && subquery.transactions.is_none();
    (plain && clauses.iter().all(writes)).then_some(clauses)
}

fn is_import(clause: &Clause) -> bool {
    matches!(&clause.kind, ClauseKind::With(projection) if !projection.distinct
        && projection.page == Page::default()
        && projection.condition.is_none()
        && projection.items.iter().all(|item| item.alias.is_none()))
}

/// Tells whether a clause itself changes the graph.
fn writes(clause: &Clause) -> bool {
    matches!(
        clause.kind,
        ClauseKind::Create(_)
            | ClauseKind::Insert(_)
            | ClauseKind::Merge(_)
            | ClauseKind::Set(_)
            | ClauseKind::Remove(_)
            | ClauseKind::Delete(_)
            | ClauseKind::ForEach(_)
    )
}
