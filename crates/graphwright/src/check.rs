//! Finds what is wrong with a query before it runs, and repairs it.

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

/// Checks and repairs queries without running them.
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
    /// Checks against the names of the graph. With `None`, only the query itself is checked.
    pub lint: Option<Lint>,
    /// Suggests values that the graph holds, and names by their meaning. With `None`, nothing is
    /// suggested.
    pub suggest: Option<Arc<dyn Suggest>>,
    /// Decides what may pass.
    pub gate: Gate,
}

/// The findings about a query, and its repaired text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QueryCheck {
    /// The outcome in one word.
    pub status: CheckStatus,
    /// The findings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Why the gate does not let the query pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    /// Why the query cannot be repaired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beyond_repair: Option<Reason>,
    /// The repaired query, if repairing changes something.
    pub fixed: Option<String>,
    /// What the repair changes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// What could not be looked up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
}

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckStatus {
    /// The query can run.
    Ok,
    /// The query can run; its answer may not be what is wanted.
    Warning,
    /// The query would fail or find nothing.
    Error,
    /// The query may not run, or it cannot be repaired.
    Refused,
}

impl QueryChecker {
    /// Checks one query.
    pub async fn check(&self, text: &str) -> QueryCheck {
        let refusal = self.refusal(text, Span::new(0, text.len()));
        self.judge(text, refusal).await
    }

    /// Checks a text of several statements.
    pub async fn check_script(&self, text: &str) -> QueryCheck {
        let statements = syntax::parse(text).tree.statements;
        let refusal = statements.iter().find_map(|statement| self.refusal(text, statement.span));
        self.judge(text, refusal).await
    }

    /// Repairs a query, and reports what is left to say about it.
    pub async fn fix(&self, text: &str) -> QueryCheck {
        let repaired = self.repaired(text);
        if repaired.status == CheckStatus::Refused {
            return repaired;
        }
        let (diagnostics, notices) = self.diagnose(repaired.fixed.as_deref().unwrap_or(text)).await;
        QueryCheck { status: status(&diagnostics), diagnostics, notices, ..repaired }
    }

    /// Tells why the gate does not let a statement pass. A text that is no Cypher has diagnostics
    /// instead.
    fn refusal(&self, text: &str, span: Span) -> Option<Refusal> {
        let mut refusal = self.gate.check(text.get(span.range())?).err()?;
        refusal.start += span.start;
        refusal.end += span.start;
        (refusal.code != RefusalCode::Syntax).then_some(refusal)
    }

    /// Collects diagnostics from the text, the schema, and the store if it may be asked.
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

/// Builds the notice for a store that cannot be asked for values and names.
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
    /// Builds a checker for the graph as it is now: its names, its values, and what
    /// [`cypher`](Graph::cypher) lets pass.
    ///
    /// # Errors
    /// Fails if the store cannot give its schema, or the search index cannot be opened.
    pub async fn query_checker(&self, writes: Writes) -> Result<QueryChecker> {
        let schema = self.store().schema(SchemaOptions::default()).await?;
        let lint = Some(Lint::new(&schema));
        // For a query that reads, the gate takes the counts; for one that writes, the names.
        let known =
            if writes == Writes::None { Some(Arc::new(schema)) } else { self.writable_names().await? };
        let suggest = Some(Arc::new(self.suggestions()?) as Arc<dyn Suggest>);
        Ok(QueryChecker { lint, suggest, gate: Gate { writes, schema: known, ..Gate::default() } })
    }
}
