//! Replaces the procedures of Neo4j that list names. The engine's own leave out labels and show its
//! internal names.

use graphwright_cypher::syntax::{
    tree::{Clause, ClauseKind, Name, ProcedureCall, Projection, Query, SingleQuery},
    visit::{VisitMut, walk_single_query_mut},
};

use super::{Context, template, template::Part};

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    Listings(context).visit_query(query);
}

struct Listings<'c, 't>(&'c mut Context<'t>);

impl VisitMut for Listings<'_, '_> {
    fn visit_single_query(&mut self, query: &mut SingleQuery) {
        walk_single_query_mut(self, query);
        let alone = query.clauses.len() == 1;
        let mut clauses = Vec::with_capacity(query.clauses.len());
        for clause in std::mem::take(&mut query.clauses) {
            match &clause.kind {
                ClauseKind::Call(call) if let Some((column, search)) = listing(call) => {
                    let name = list(call, column, search, &mut clauses);
                    if alone {
                        clauses.push(Clause::new(ClauseKind::Return(Projection::new(
                            (&name).part(),
                            name.clone(),
                        ))));
                        self.0.rewritten.columns = Some(vec![name.text.to_string()]);
                    }
                }
                _ => clauses.push(clause),
            }
        }
        query.clauses = clauses;
    }
}

/// Adds the clauses that list names. Returns the variable that holds them.
fn list(call: &ProcedureCall, column: &str, search: &str, clauses: &mut Vec<Clause>) -> Name {
    let results = call.results.as_ref();
    let yielded = results.and_then(|results| results.items.iter().find(|item| &*item.column.text == column));
    let name =
        yielded.map_or_else(|| Name::new(column), |item| item.alias.as_ref().unwrap_or(&item.column).clone());
    let mut listed = Projection::new((&Name::new("_gw_name")).part(), name.clone());
    listed.distinct = true;
    listed.all = !clauses.is_empty();
    listed.condition = results.and_then(|results| results.condition.clone());
    clauses.extend(template::clauses(search));
    clauses.push(Clause::new(ClauseKind::With(listed)));
    name
}

/// Returns the column of a procedure that lists names, and the search that replaces the procedure.
fn listing(call: &ProcedureCall) -> Option<(&'static str, &'static str)> {
    let [space, name] = call.name.as_slice() else { return None };
    match (&*space.text, &*name.text) {
        ("db", "labels") => Some((
            "label",
            "MATCH (_gw_n) UNWIND [_gw_l IN labels(_gw_n) WHERE NOT _gw_l IN ['Node', 'KgliteRecipe', 'KgliteSkill'] \
             | CASE WHEN _gw_l =~ '(Node|KgliteRecipe|KgliteSkill)_+' THEN substring(_gw_l, 0, size(_gw_l) - 1) \
             ELSE _gw_l END] AS _gw_name",
        )),
        ("db", "relationshipTypes") => {
            Some(("relationshipType", "MATCH ()-[_gw_r]->() WITH DISTINCT type(_gw_r) AS _gw_name"))
        }
        _ => None,
    }
}
