//! Clauses: what they define and where they may stand.

use super::{Aggregates, Checker, Scope, patterns::Purpose, projections::Columns, types::Type};
use crate::{
    diagnostic::Code,
    syntax::tree::{
        CallSubquery, Clause, ClauseKind, ExpressionKind, Imports, ProcedureCall, Query, RemoveKind, SetItem,
        SetKind, SingleQuery,
    },
};

/// The place of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The query is the statement.
    Top,
    /// The query is in `CALL { … }`.
    Call,
    /// The query is in `EXISTS { … }` or another subquery expression, and may only read.
    Value,
}

impl ClauseKind {
    /// Returns whether the clause itself changes the graph.
    pub(crate) fn updates(&self) -> bool {
        matches!(
            self,
            Self::Create(_)
                | Self::Insert(_)
                | Self::Merge(_)
                | Self::Set(_)
                | Self::Remove(_)
                | Self::Delete(_)
                | Self::ForEach(_)
        )
    }
}

fn ends_with_return(part: &SingleQuery) -> bool {
    part.clauses.last().is_some_and(|last| matches!(last.kind, ClauseKind::Return(_)))
}

/// Returns the variables that a part of a subquery imports by a `WITH` at its beginning.
fn imported<'t>(part: &'t SingleQuery, outer: &Scope<'t>) -> Scope<'t> {
    let first = part.clauses.iter().find(|clause| !matches!(clause.kind, ClauseKind::Use(_)));
    let Some(Clause { kind: ClauseKind::With(projection), .. }) = first else { return Scope::new() };
    if projection.all {
        return outer.clone();
    }
    let names = projection.items.iter().filter_map(|item| match &item.expression.kind {
        ExpressionKind::Variable(name) if item.alias.is_none() => outer.get_key_value(&*name.text),
        _ => None,
    });
    names.map(|(name, value)| (*name, *value)).collect()
}

impl<'t> Checker<'t> {
    /// Checks a query whose parts all begin with the current scope. Leaves the returned columns as
    /// the scope.
    pub(super) fn query(&mut self, query: &'t Query, role: Role) {
        let begin = self.scope.clone();
        self.parts(query, role, |_| begin.clone());
    }

    /// Checks the parts of a query, each in the scope that `begin` returns for it. Leaves the
    /// returned columns as the scope.
    fn parts(&mut self, query: &'t Query, role: Role, begin: impl Fn(&'t SingleQuery) -> Scope<'t>) {
        self.scope = begin(&query.first);
        let columns = self.single_query(&query.first, role);
        let mut result = std::mem::take(&mut self.scope);
        let first_kind = query.unions.first().map(|union| union.all);
        for union in &query.unions {
            if Some(union.all) != first_kind {
                let message = "expected one kind of UNION in a query, found UNION and UNION ALL";
                self.report(Code::InvalidClauseComposition, union.span, message);
            }
            self.scope = begin(&union.query);
            let others = self.single_query(&union.query, role);
            // The types of a column are those of all parts.
            result.extend(self.scope.drain());
            if let (Some(columns), Some(others)) = (&columns, &others)
                && !same_names(columns, others)
            {
                let message =
                    format!("expected the columns {}, found {}", columns.join(", "), others.join(", "));
                self.report_with_help(
                    Code::DifferentColumnsInUnion,
                    union.span,
                    message,
                    "give the columns of all parts the same names with AS",
                );
            }
        }
        self.scope = result;
    }

    /// Checks the clauses of a part in order. Returns the names of its columns, if they can be
    /// known.
    fn single_query(&mut self, query: &'t SingleQuery, role: Role) -> Option<Vec<&'t str>> {
        let mut columns = None;
        let mut returned = false;
        let count = query.clauses.len();
        for (index, clause) in query.clauses.iter().enumerate() {
            if returned {
                let message = "expected nothing behind RETURN or FINISH, found another clause";
                self.report_with_help(
                    Code::InvalidClauseComposition,
                    clause.span,
                    message,
                    "write WITH in place of RETURN",
                );
                returned = false;
            }
            if role == Role::Value && clause.kind.updates() {
                let message = "expected clauses that read, found one that changes the graph";
                self.report(Code::InvalidClauseComposition, clause.span, message);
            }
            match &clause.kind {
                ClauseKind::Return(projection) => {
                    let kind = if role == Role::Call { Columns::Exported } else { Columns::Returned };
                    columns = self.projection(projection, clause.span, kind);
                    returned = true;
                }
                ClauseKind::Finish => {
                    self.scope.clear();
                    returned = true;
                }
                ClauseKind::Call(call) => self.procedure(call, clause, count == 1),
                kind => {
                    if index + 1 == count && role != Role::Value && !kind.updates() {
                        self.last_clause(clause);
                    }
                    self.clause(clause);
                }
            }
        }
        columns
    }

    /// Reports a last clause that a query cannot end with.
    fn last_clause(&mut self, clause: &'t Clause) {
        let name = match &clause.kind {
            ClauseKind::Match(_) => "MATCH",
            ClauseKind::With(_) => "WITH",
            ClauseKind::Unwind(_) => "UNWIND",
            ClauseKind::LoadCsv(_) => "LOAD CSV",
            ClauseKind::Page(_) => "ORDER BY, SKIP or LIMIT",
            ClauseKind::Subquery(call) if ends_with_return(&call.query.first) => {
                "CALL with a subquery that returns rows"
            }
            _ => return,
        };
        let message =
            format!("expected RETURN, FINISH or a clause that changes the graph at the end, found {name}");
        self.report_with_help(Code::InvalidClauseComposition, clause.span, message, "add RETURN");
    }

    fn clause(&mut self, clause: &'t Clause) {
        match &clause.kind {
            ClauseKind::Match(found) => {
                self.patterns(&found.patterns, Purpose::Match);
                self.optional_condition(found.condition.as_ref());
            }
            ClauseKind::Unwind(unwind) => {
                self.expression(&unwind.list);
                let element = self.element_type(&unwind.list);
                self.define(&unwind.variable, element);
            }
            ClauseKind::With(projection) => {
                self.projection(projection, clause.span, Columns::Passed);
            }
            ClauseKind::Return(projection) => {
                self.projection(projection, clause.span, Columns::Returned);
            }
            ClauseKind::Page(page) => {
                for item in &page.order {
                    self.expression(&item.expression);
                }
                self.row_counts(page);
            }
            ClauseKind::Create(patterns) | ClauseKind::Insert(patterns) => {
                self.patterns(patterns, Purpose::Create);
            }
            ClauseKind::Merge(merge) => {
                self.patterns(std::slice::from_ref(&merge.pattern), Purpose::Merge);
                for item in merge.actions.iter().flat_map(|action| &action.items) {
                    self.set_item(item);
                }
            }
            ClauseKind::Set(items) => {
                for item in items {
                    self.set_item(item);
                }
            }
            ClauseKind::Remove(items) => {
                for item in items {
                    match &item.kind {
                        RemoveKind::Property(target) => {
                            self.expression(target);
                        }
                        RemoveKind::Labels { variable, .. } => {
                            self.variable(variable);
                        }
                    }
                }
            }
            ClauseKind::Delete(delete) => {
                for expression in &delete.expressions {
                    let found = self.expression(expression);
                    if matches!(expression.kind, ExpressionKind::Labels { .. }) {
                        let message = "expected a node, relationship or path, found a label or type";
                        self.report_with_help(
                            Code::InvalidDelete,
                            expression.span,
                            message,
                            "write REMOVE for labels",
                        );
                    } else {
                        self.expect(found, Type::ENTITY | Type::PATH, expression.span);
                    }
                }
            }
            ClauseKind::ForEach(each) => {
                let found = self.expression(&each.list);
                self.expect(found, Type::LIST, each.list.span);
                let element = self.element_type(&each.list);
                let outer = self.scope.clone();
                self.scope.insert(&each.variable.text, element);
                for inner in &each.clauses {
                    if !inner.kind.updates() {
                        let message = "expected a clause that changes the graph, found one that reads";
                        self.report(Code::InvalidClauseComposition, inner.span, message);
                    }
                    self.clause(inner);
                }
                self.scope = outer;
            }
            ClauseKind::Call(call) => self.procedure(call, clause, false),
            ClauseKind::Subquery(subquery) => self.subquery(subquery),
            ClauseKind::LoadCsv(load) => {
                self.expression(&load.source);
                self.define(&load.variable, if load.headers { Type::MAP } else { Type::LIST });
            }
            // The graph behind USE may be a name that looks like a variable.
            ClauseKind::Use(_) | ClauseKind::Finish | ClauseKind::Invalid => {}
        }
    }

    fn set_item(&mut self, item: &'t SetItem) {
        match &item.kind {
            SetKind::Property { target, value } => {
                self.expression(target);
                self.expression(value);
            }
            SetKind::Replace { variable, value } | SetKind::Merge { variable, value } => {
                let found = self.variable(variable);
                self.expect(found, Type::ENTITY, variable.span);
                let found = self.expression(value);
                self.expect(found, Type::CONTAINER, value.span);
            }
            SetKind::Labels { variable, .. } => {
                let found = self.variable(variable);
                self.expect(found, Type::NODE, variable.span);
            }
        }
    }

    fn procedure(&mut self, call: &'t ProcedureCall, clause: &'t Clause, alone: bool) {
        for argument in call.arguments.iter().flatten() {
            self.expression(argument);
        }
        if call.arguments.is_none() && !alone {
            let message = "expected the arguments of the procedure, found none";
            let help =
                "write them in brackets; only a CALL that stands alone takes parameters of the same names";
            self.report_with_help(Code::InvalidArgumentPassingMode, clause.span, message, help);
        }
        let Some(results) = &call.results else { return };
        if results.all && !alone {
            let message = "expected the columns of the procedure, found `*`";
            self.report(Code::UnexpectedSyntax, results.span, message);
        }
        for item in &results.items {
            self.define(item.alias.as_ref().unwrap_or(&item.column), Type::ANY);
        }
        self.optional_condition(results.condition.as_ref());
    }

    fn subquery(&mut self, subquery: &'t CallSubquery) {
        let outer = self.scope.clone();
        let outer_constants = self.constants.clone();
        let outer_aggregates = std::mem::replace(&mut self.aggregates, Aggregates::Forbidden);
        match &subquery.imports {
            Some(Imports::All) => self.constants = outer.clone(),
            Some(Imports::Variables(names)) => {
                self.constants = Scope::new();
                for name in names {
                    let found = self.variable(name);
                    self.constants.insert(&name.text, found);
                }
            }
            None => self.constants = Scope::new(),
        }
        let begin = self.constants.clone();
        // Without `CALL (a, b)`, each part imports by a WITH at its beginning.
        self.parts(&subquery.query, Role::Call, |part| {
            let mut scope = begin.clone();
            if subquery.imports.is_none() {
                scope.extend(imported(part, &outer));
            }
            scope
        });
        let mut result = Scope::new();
        if subquery.query.parts().all(ends_with_return) {
            // Imported variables exist outside already, so they are no new columns.
            result.extend(self.scope.drain().filter(|(name, _)| !begin.contains_key(name)));
        }
        self.scope = outer;
        self.constants = outer_constants;
        self.aggregates = outer_aggregates;
        for (name, value) in result {
            if self.scope.insert(name, value).is_some() {
                let message = format!(
                    "expected a new name for the column of the subquery, found `{name}`, which is defined already"
                );
                self.report_with_help(
                    Code::VariableAlreadyBound,
                    subquery.query.span,
                    message,
                    "rename it with AS",
                );
            }
        }
        if let Some(status) =
            subquery.transactions.as_ref().and_then(|transactions| transactions.status.as_ref())
        {
            self.define(status, Type::MAP);
        }
    }
}

fn same_names(left: &[&str], right: &[&str]) -> bool {
    let sorted = |names: &[&str]| {
        let mut names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        names.sort_unstable();
        names
    };
    sorted(left) == sorted(right)
}
