//! Printing of clauses.

use super::Printer;
use crate::syntax::tree::{
    CallSubquery, Clause, ClauseKind, Expression, Hint, HintKind, Imports, Match, MatchMode, OnError, Page,
    ProcedureCall, Projection, RemoveKind, SetItem, SetKind, Transactions, Yield,
};

impl Printer<'_> {
    pub(super) fn clause(&mut self, clause: &Clause) {
        self.note(clause.span);
        match &clause.kind {
            ClauseKind::Match(found) => self.match_clause(found),
            ClauseKind::Unwind(unwind) => {
                self.keyword_and("UNWIND ", &unwind.list);
                self.push(" AS ");
                self.variable(&unwind.variable);
            }
            ClauseKind::With(projection) => {
                self.push("WITH ");
                self.projection(projection);
            }
            ClauseKind::Return(projection) => {
                self.push("RETURN ");
                self.projection(projection);
            }
            ClauseKind::Page(page) => self.page(page, ""),
            ClauseKind::Finish => self.push("FINISH"),
            ClauseKind::Create(patterns) => {
                self.push("CREATE ");
                self.separated(patterns, ", ", Self::pattern);
            }
            ClauseKind::Insert(patterns) => {
                self.push("INSERT ");
                self.separated(patterns, ", ", Self::pattern);
            }
            ClauseKind::Merge(merge) => {
                self.push("MERGE ");
                self.pattern(&merge.pattern);
                for action in &merge.actions {
                    self.push(if action.on_create { " ON CREATE SET " } else { " ON MATCH SET " });
                    self.separated(&action.items, ", ", Self::set_item);
                }
            }
            ClauseKind::Set(items) => {
                self.push("SET ");
                self.separated(items, ", ", Self::set_item);
            }
            ClauseKind::Remove(items) => {
                self.push("REMOVE ");
                self.separated(items, ", ", |printer, item| match &item.kind {
                    RemoveKind::Property(target) => printer.expression(target),
                    RemoveKind::Labels { variable, labels } => {
                        printer.variable(variable);
                        printer.push(":");
                        printer.labels(labels);
                    }
                });
            }
            ClauseKind::Delete(delete) => {
                self.push(match delete.detach {
                    Some(true) => "DETACH DELETE ",
                    Some(false) => "NODETACH DELETE ",
                    None => "DELETE ",
                });
                self.separated(&delete.expressions, ", ", Self::expression);
            }
            ClauseKind::ForEach(each) => {
                self.push("FOREACH (");
                self.variable(&each.variable);
                self.push(" IN ");
                self.part_before_bar(&each.list);
                self.push(" | ");
                self.inline += 1;
                self.separated(&each.clauses, " ", Self::clause);
                self.inline -= 1;
                self.push(")");
            }
            ClauseKind::Call(call) => self.call(call),
            ClauseKind::Subquery(subquery) => self.subquery(subquery),
            ClauseKind::LoadCsv(load) => {
                self.push(if load.headers { "LOAD CSV WITH HEADERS FROM " } else { "LOAD CSV FROM " });
                self.expression(&load.source);
                self.push(" AS ");
                self.variable(&load.variable);
                self.optional(" FIELDTERMINATOR ", load.separator.as_ref());
            }
            ClauseKind::Use(graph) => self.keyword_and("USE ", graph),
            ClauseKind::Invalid => {}
        }
    }

    fn keyword_and(&mut self, keyword: &str, expression: &Expression) {
        self.push(keyword);
        self.expression(expression);
    }

    /// Writes a word and an expression, if there is one.
    pub(super) fn optional(&mut self, word: &str, expression: Option<&Expression>) {
        if let Some(expression) = expression {
            self.keyword_and(word, expression);
        }
    }

    fn match_clause(&mut self, found: &Match) {
        self.push(if found.optional { "OPTIONAL MATCH " } else { "MATCH " });
        self.push(match found.mode {
            Some(MatchMode::RepeatableElements) => "REPEATABLE ELEMENTS ",
            Some(MatchMode::DifferentRelationships) => "DIFFERENT RELATIONSHIPS ",
            None => "",
        });
        self.separated(&found.patterns, ", ", Self::pattern);
        for hint in &found.hints {
            self.hint(hint);
        }
        self.optional(" WHERE ", found.condition.as_ref());
    }

    fn hint(&mut self, hint: &Hint) {
        self.push(" USING ");
        match &hint.kind {
            HintKind::Index { kind, seek, variable, label, properties } => {
                if let Some(kind) = kind {
                    self.name(kind);
                    self.push(" ");
                }
                self.push(if *seek { "INDEX SEEK " } else { "INDEX " });
                self.variable(variable);
                self.push(":");
                self.name(label);
                self.push("(");
                self.separated(properties, ", ", Self::name);
                self.push(")");
            }
            HintKind::Scan { variable, label } => {
                self.push("SCAN ");
                self.variable(variable);
                self.push(":");
                self.name(label);
            }
            HintKind::Join(variables) => {
                self.push("JOIN ON ");
                self.separated(variables, ", ", Self::variable);
            }
        }
    }

    fn projection(&mut self, projection: &Projection) {
        self.push(if projection.distinct { "DISTINCT " } else { "" });
        if projection.all {
            self.push(if projection.items.is_empty() { "*" } else { "*, " });
        }
        self.separated(&projection.items, ", ", |printer, item| {
            printer.expression(&item.expression);
            if let Some(alias) = &item.alias {
                printer.push(" AS ");
                printer.variable(alias);
            }
        });
        self.page(&projection.page, " ");
        self.optional(" WHERE ", projection.condition.as_ref());
    }

    fn page(&mut self, page: &Page, before: &str) {
        let mut separator = before;
        if !page.order.is_empty() {
            self.push(separator);
            self.push("ORDER BY ");
            self.separated(&page.order, ", ", |printer, item| {
                printer.expression(&item.expression);
                printer.push(if item.descending { " DESC" } else { "" });
            });
            separator = " ";
        }
        for (word, count) in [("SKIP ", &page.skip), ("LIMIT ", &page.limit)] {
            if let Some(count) = count {
                self.push(separator);
                self.push(word);
                self.part(count);
                separator = " ";
            }
        }
    }

    fn set_item(&mut self, item: &SetItem) {
        self.note(item.span);
        match &item.kind {
            SetKind::Property { target, value } => {
                self.expression(target);
                self.keyword_and(" = ", value);
            }
            SetKind::Replace { variable, value } => {
                self.variable(variable);
                self.keyword_and(" = ", value);
            }
            SetKind::Merge { variable, value } => {
                self.variable(variable);
                self.keyword_and(" += ", value);
            }
            SetKind::Labels { variable, labels } => {
                self.variable(variable);
                self.push(":");
                self.labels(labels);
            }
        }
    }

    fn call(&mut self, call: &ProcedureCall) {
        self.push(if call.optional { "OPTIONAL CALL " } else { "CALL " });
        self.separated(&call.name, ".", Self::name);
        if let Some(arguments) = &call.arguments {
            self.push("(");
            self.separated(arguments, ", ", Self::part);
            self.push(")");
        }
        if let Some(results) = &call.results {
            self.results(results);
        }
    }

    fn results(&mut self, results: &Yield) {
        self.push(if results.all { " YIELD *" } else { " YIELD " });
        self.separated(&results.items, ", ", |printer, item| {
            printer.variable(&item.column);
            if let Some(alias) = &item.alias {
                printer.push(" AS ");
                printer.variable(alias);
            }
        });
        self.optional(" WHERE ", results.condition.as_ref());
    }

    fn subquery(&mut self, subquery: &CallSubquery) {
        self.push(if subquery.optional { "OPTIONAL CALL " } else { "CALL " });
        match &subquery.imports {
            Some(Imports::All) => self.push("(*) "),
            Some(Imports::Variables(variables)) => {
                self.push("(");
                self.separated(variables, ", ", Self::variable);
                self.push(") ");
            }
            None => {}
        }
        self.push("{");
        self.indent += 1;
        self.line();
        self.query(&subquery.query);
        self.indent -= 1;
        self.line();
        self.push("}");
        if let Some(transactions) = &subquery.transactions {
            self.transactions(transactions);
        }
    }

    fn transactions(&mut self, transactions: &Transactions) {
        self.push(" IN ");
        if let Some(concurrent) = &transactions.concurrent {
            self.optional("", concurrent.as_ref());
            self.push(if concurrent.is_some() { " CONCURRENT " } else { "CONCURRENT " });
        }
        self.push("TRANSACTIONS");
        if let Some(rows) = &transactions.rows {
            self.keyword_and(" OF ", rows);
            self.push(" ROWS");
        }
        self.push(match transactions.on_error {
            Some(OnError::Continue) => " ON ERROR CONTINUE",
            Some(OnError::Break) => " ON ERROR BREAK",
            Some(OnError::Fail) => " ON ERROR FAIL",
            None => "",
        });
        if let Some(status) = &transactions.status {
            self.push(" REPORT STATUS AS ");
            self.variable(status);
        }
    }
}
