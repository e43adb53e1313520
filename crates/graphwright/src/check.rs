//! What is wrong with a query before it runs, and what repairs it.

use std::sync::Arc;

use graphwright_core::{Notice, Span, store::SchemaOptions};
use graphwright_cypher::{
    Gate, Refusal, RefusalCode, Writes, diagnose, diagnose_with,
    lint::{Lint, Suggest},
    repair::{Change, Reason, Repair},
    syntax::{self, Diagnostic, Severity},
};
use serde::Serialize;

use crate::{Graph, Result};

/// Checks and repairs queries; they do not run.
///
/// ```
/// use graphwright::{CheckStatus, QueryChecker};
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let checker = QueryChecker::default();
/// let checked = checker.check("MATCH (n) RETRUN n").await;
/// assert_eq!(checked.status, CheckStatus::Error);
/// assert_eq!(checked.fixed.as_deref(), Some("MATCH (n) RETURN n"));
/// assert_eq!(checker.check("MATCH (n) DELETE n").await.status, CheckStatus::Refused);
/// # });
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct QueryChecker {
    /// What knows the names of the graph; without it the query alone is looked at.
    pub lint: Option<Lint>,
    /// Who knows the values that the graph holds, and names by their meaning; without it nobody is asked.
    pub suggest: Option<Arc<dyn Suggest>>,
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
    /// What could not be looked up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
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
    pub async fn check(&self, text: &str) -> QueryCheck {
        let refusal = self.refusal(text, Span::new(0, text.len()));
        self.judge(text, refusal).await
    }

    /// What is wrong with a text of several statements.
    pub async fn check_script(&self, text: &str) -> QueryCheck {
        let statements = syntax::parse(text).tree.statements;
        let refusal = statements.iter().find_map(|statement| self.refusal(text, statement.span));
        self.judge(text, refusal).await
    }

    /// The repaired query, with what is left to say about it.
    pub async fn fix(&self, text: &str) -> QueryCheck {
        let repaired = self.repaired(text);
        if repaired.status == CheckStatus::Refused {
            return repaired;
        }
        let (diagnostics, notices) = self.diagnose(repaired.fixed.as_deref().unwrap_or(text)).await;
        QueryCheck { status: status(&diagnostics), diagnostics, notices, ..repaired }
    }

    /// Why the gate does not let a statement pass; what is no Cypher has diagnostics instead.
    fn refusal(&self, text: &str, span: Span) -> Option<Refusal> {
        let mut refusal = self.gate.check(text.get(span.range())?).err()?;
        refusal.start += span.start;
        refusal.end += span.start;
        (refusal.code != RefusalCode::Syntax).then_some(refusal)
    }

    /// What the text says, what the schema says of it, and what the store says where it is asked.
    async fn diagnose(&self, text: &str) -> (Vec<Diagnostic>, Vec<Notice>) {
        let without = |notices| (diagnose(text, self.lint.as_ref()), notices);
        let (Some(lint), Some(suggest)) = (&self.lint, &self.suggest) else { return without(Vec::new()) };
        match diagnose_with(text, lint, &**suggest).await {
            Ok(diagnostics) => (diagnostics, Vec::new()),
            Err(error) => without(vec![no_suggestions(&error)]),
        }
    }

    fn repaired(&self, text: &str) -> QueryCheck {
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
            notices: Vec::new(),
        }
    }

    async fn judge(&self, text: &str, refusal: Option<Refusal>) -> QueryCheck {
        let (diagnostics, notices) = self.diagnose(text).await;
        let status = if refusal.is_some() { CheckStatus::Refused } else { status(&diagnostics) };
        QueryCheck { status, diagnostics, refusal, notices, ..self.repaired(text) }
    }
}

/// What is said where the store cannot be asked for values and names.
pub(crate) fn no_suggestions(reason: &dyn std::fmt::Display) -> Notice {
    Notice { code: "no_suggestions".to_owned(), message: reason.to_string() }
}

fn status(diagnostics: &[Diagnostic]) -> CheckStatus {
    match diagnostics.iter().map(|diagnostic| diagnostic.severity).max() {
        Some(Severity::Error) => CheckStatus::Error,
        Some(Severity::Warning) => CheckStatus::Warning,
        Some(Severity::Hint) | None => CheckStatus::Ok,
    }
}

impl Graph {
    /// What checks queries as the graph is now: their names, the values that it holds, and what [`cypher`](Graph::cypher) lets
    /// pass.
    ///
    /// # Errors
    /// The store's, when it is asked for its schema; those of a search index that cannot be opened.
    pub async fn query_checker(&self, writes: Writes) -> Result<QueryChecker> {
        let schema = self.store().schema(SchemaOptions::default()).await?;
        let lint = Some(Lint::new(&schema));
        let known =
            if writes == Writes::None { Some(Arc::new(schema)) } else { self.writable_names().await? };
        let suggest = Some(Arc::new(self.suggestions()?) as Arc<dyn Suggest>);
        Ok(QueryChecker { lint, suggest, gate: Gate { writes, schema: known, ..Gate::default() } })
    }
}
