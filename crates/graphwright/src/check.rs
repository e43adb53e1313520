//! What is wrong with a query before it runs, and what repairs it.

use std::sync::Arc;

use graphwright_core::{Span, store::SchemaOptions};
use graphwright_cypher::{
    Gate, Refusal, RefusalCode, Writes,
    lint::Lint,
    repair::{Change, Reason, Repair},
    syntax::{self, Diagnostic, Severity},
};
use serde::Serialize;

use crate::{Graph, Result};

/// Checks and repairs queries; nothing runs.
///
/// ```
/// use graphwright::{CheckStatus, QueryChecker};
///
/// let checker = QueryChecker::default();
/// let checked = checker.check("MATCH (n) RETRUN n");
/// assert_eq!(checked.status, CheckStatus::Error);
/// assert_eq!(checked.fixed.as_deref(), Some("MATCH (n) RETURN n"));
/// assert_eq!(checker.check("MATCH (n) DELETE n").status, CheckStatus::Refused);
/// ```
#[derive(Clone, Debug, Default)]
pub struct QueryChecker {
    /// What knows the names of the graph; without it the query alone is looked at.
    pub lint: Option<Lint>,
    /// What may pass.
    pub gate: Gate,
}

/// What is wrong with a query, and what it is when it is repaired.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QueryCheck {
    /// In one word.
    pub status: CheckStatus,
    /// What was found, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Why the gate does not let it pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    /// Why it cannot be repaired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beyond_repair: Option<Reason>,
    /// The repaired query, where repairing changes something.
    pub fixed: Option<String>,
    /// What the repair changes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// What is to be said of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckStatus {
    /// It can run.
    Ok,
    /// It can run; its answer may not be what is wanted.
    Warning,
    /// It would fail or find nothing.
    Error,
    /// It may not run, or it cannot be repaired.
    Refused,
}

impl QueryChecker {
    /// What is wrong with one query.
    pub fn check(&self, text: &str) -> QueryCheck {
        let diagnostics = graphwright_cypher::diagnose(text, self.lint.as_ref());
        let refusal = self.refusal(text, Span::new(0, text.len()));
        self.with_repair(text, diagnostics, refusal)
    }

    /// What is wrong with a text of several statements.
    pub fn check_script(&self, text: &str) -> QueryCheck {
        let diagnostics = graphwright_cypher::diagnose(text, self.lint.as_ref());
        let statements = syntax::parse(text).tree.statements;
        let refusal = statements.iter().find_map(|statement| self.refusal(text, statement.span));
        self.with_repair(text, diagnostics, refusal)
    }

    /// The repaired query, with what is left to say about it.
    pub fn fix(&self, text: &str) -> QueryCheck {
        let repaired = Repair::new(self.lint.as_ref()).repair(text);
        let status = match &repaired.refused {
            Some(_) => CheckStatus::Refused,
            None => status(&repaired.diagnostics),
        };
        QueryCheck {
            status,
            diagnostics: repaired.diagnostics,
            refusal: None,
            beyond_repair: repaired.refused,
            fixed: (repaired.text != text).then_some(repaired.text),
            changes: repaired.changes,
        }
    }

    /// Why the gate does not let a statement pass; what is no Cypher has diagnostics instead.
    fn refusal(&self, text: &str, span: Span) -> Option<Refusal> {
        let mut refusal = self.gate.check(text.get(span.range())?).err()?;
        refusal.start += span.start;
        refusal.end += span.start;
        (refusal.code != RefusalCode::Syntax).then_some(refusal)
    }

    fn with_repair(&self, text: &str, diagnostics: Vec<Diagnostic>, refusal: Option<Refusal>) -> QueryCheck {
        let repair = self.fix(text);
        let status = if refusal.is_some() { CheckStatus::Refused } else { status(&diagnostics) };
        QueryCheck { status, diagnostics, refusal, ..repair }
    }
}

fn status(diagnostics: &[Diagnostic]) -> CheckStatus {
    match diagnostics.iter().map(|diagnostic| diagnostic.severity).max() {
        Some(Severity::Error) => CheckStatus::Error,
        Some(Severity::Warning) => CheckStatus::Warning,
        Some(Severity::Hint) | None => CheckStatus::Ok,
    }
}

impl Graph {
    /// What checks queries as the graph is now: their names, and what [`cypher`](Graph::cypher) lets pass.
    ///
    /// # Errors
    /// The store's, when it is asked for its schema.
    pub async fn query_checker(&self, writes: Writes) -> Result<QueryChecker> {
        let schema = self.store().schema(SchemaOptions::default()).await?;
        let lint = Some(Lint::new(&schema));
        let known =
            if writes == Writes::None { Some(Arc::new(schema)) } else { self.writable_names().await? };
        Ok(QueryChecker { lint, gate: Gate { writes, schema: known, ..Gate::default() } })
    }
}
