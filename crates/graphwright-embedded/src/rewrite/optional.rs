//! Rewrites `OPTIONAL CALL`: collects the rows of the subquery in a list, and gives a row of nulls
//! if the list is empty.

use graphwright_core::Span;
use graphwright_cypher::syntax::{
    tree::{
        CallSubquery, Clause, ClauseKind, Expression, ExpressionKind, Imports, Literal, Name, ProcedureCall,
        Projection, ProjectionItem, Query, SingleQuery, Unwind,
    },
    visit::{VisitMut, walk_single_query_mut},
};

use super::{
    Context, RewriteError,
    make::with_all,
    template::{Part, cypher},
};

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    Optional(context).visit_query(query);
}

struct Optional<'c, 't>(&'c mut Context<'t>);

impl VisitMut for Optional<'_, '_> {
    fn visit_single_query(&mut self, query: &mut SingleQuery) {
        let last = query.clauses.len().saturating_sub(1);
        for (place, mut clause) in std::mem::take(&mut query.clauses).into_iter().enumerate() {
            if let ClauseKind::Call(call) = &mut clause.kind
                && std::mem::take(&mut call.optional)
            {
                let subquery = self.of_procedure(call, clause.span, place == last);
                clause.kind = ClauseKind::Subquery(subquery);
            }
            match &mut clause.kind {
                ClauseKind::Subquery(call) if call.optional => {
                    call.optional = false;
                    match self.columns(&call.query) {
                        Some(columns) => query.clauses.extend(self.collected(call, &columns)),
                        None => query.clauses.push(clause),
                    }
                }
                _ => query.clauses.push(clause),
            }
        }
        walk_single_query_mut(self, query);
    }
}

impl Optional<'_, '_> {
    /// Rewrites `OPTIONAL CALL procedure() YIELD a` as a subquery.
    fn of_procedure(&mut self, call: &mut ProcedureCall, span: Span, is_last: bool) -> CallSubquery {
        let yielded = call.results.iter().flat_map(|results| &results.items);
        let items: Vec<_> = yielded
            .map(|item| ProjectionItem {
                expression: item.alias.as_ref().unwrap_or(&item.column).part(),
                alias: None,
                span: item.span,
            })
            .collect();
        if items.is_empty() || is_last {
            let hint = "name what the procedure gives after YIELD, and return it";
            let construct = "OPTIONAL CALL of a procedure without YIELD and RETURN";
            self.0.refuse(RewriteError::unsupported(construct, hint, span));
        }
        let returned = ClauseKind::Return(Projection { items, ..Projection::default() });
        let clauses = vec![Clause { kind: ClauseKind::Call(call.clone()), span }, Clause::new(returned)];
        let query = Query { first: SingleQuery { clauses, span }, unions: Vec::new(), span };
        CallSubquery { optional: true, imports: Some(Imports::All), query, transactions: None }
    }

    /// Lists the columns that a subquery returns. Returns `None` if it only writes.
    fn columns(&mut self, query: &Query) -> Option<Vec<Name>> {
        let Some(Clause { kind: ClauseKind::Return(returned), span }) = query.first.clauses.last() else {
            return None;
        };
        if returned.all {
            let hint = "name what it returns";
            self.0.refuse(RewriteError::unsupported("RETURN * in OPTIONAL CALL { }", hint, *span));
        }
        Some(returned.items.iter().filter_map(ProjectionItem::name).cloned().collect())
    }

    fn collected(&mut self, call: &mut CallSubquery, columns: &[Name]) -> [Clause; 3] {
        let (rows, row) = (self.0.fresh(), self.0.fresh());
        let list = |items| Expression::new(ExpressionKind::List(items));
        let nulls = columns.iter().map(|_| Expression::new(ExpressionKind::Literal(Literal::Null)));
        let whole = list(columns.iter().map(Part::part).collect());
        let clauses = vec![
            Clause::new(ClauseKind::Subquery(CallSubquery {
                optional: false,
                imports: call.imports.clone(),
                query: std::mem::take(&mut call.query),
                transactions: None,
            })),
            Clause::new(ClauseKind::Return(Projection::new(
                cypher!("collect($whole)", whole = whole),
                rows.clone(),
            ))),
        ];
        let first = SingleQuery { clauses, span: Span::default() };
        let query = Query { first, ..Query::default() };
        let imports = Some(call.imports.take().unwrap_or(Imports::All));
        let padded = cypher!(
            "CASE WHEN size($rows) = 0 THEN [$nulls] ELSE $rows END",
            rows = &rows,
            nulls = list(nulls.collect()),
        );
        let items = columns.iter().enumerate().map(|(place, column)| {
            let place = Expression::new(ExpressionKind::Literal(Literal::Integer(place as u64)));
            (cypher!("$row[$place]", row = &row, place = place), column.clone())
        });
        [
            Clause::new(ClauseKind::Subquery(CallSubquery {
                optional: false,
                imports,
                query,
                transactions: None,
            })),
            Clause::new(ClauseKind::Unwind(Unwind { list: padded, variable: row.clone() })),
            with_all(items.collect()),
        ]
    }
}
