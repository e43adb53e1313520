//! Queries written by people or models: always through the gate.

use std::{
    borrow::Cow,
    time::{Duration, Instant},
};

use graphwright_core::{
    Notice, Plan, Position, Properties, QueryType, Record, StoreError, Summary,
    store::{Counters, QueryMode, QueryOptions},
};
use graphwright_cypher::{Bound, Checked, Gate, Lookup, lexer::tokenize, lookups};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::{Error, Finding, Graph, Result, plan::findings};

/// Limits and permissions of a query.
#[derive(Clone, Debug)]
pub struct CypherOptions {
    /// Whether it may write; off by default.
    pub write: bool,
    /// Whether it runs, and whether its plan comes with it. A text that begins with `EXPLAIN` or `PROFILE` says so itself, but what
    /// is only to be explained does not run because it begins with `PROFILE`.
    pub mode: QueryMode,
    /// The most rows; 100 by default.
    pub row_limit: usize,
    /// The longest it may run; 30 s by default.
    pub time_limit: Duration,
    /// Cancels it when triggered.
    pub cancel: CancellationToken,
}

impl Default for CypherOptions {
    fn default() -> Self {
        Self {
            write: false,
            mode: QueryMode::Run,
            row_limit: 100,
            time_limit: Duration::from_secs(30),
            cancel: CancellationToken::new(),
        }
    }
}

/// What a query gave.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CypherResult {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows, each in the order of `columns`.
    pub rows: Vec<Record>,
    /// Why rows may be missing, where a limit cut the result.
    pub truncated: Option<String>,
    /// What the store says beside the rows.
    pub notices: Vec<Notice>,
    /// What a write changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counters: Option<Counters>,
    /// What the query does, where the store says it.
    pub query_type: Option<QueryType>,
    /// How the store runs it, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// What makes the plan slow.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// The kind of store.
    pub store: String,
    /// How long it took, in milliseconds.
    pub elapsed_ms: f64,
}

impl Graph {
    /// Runs a query that somebody or some model wrote, after the gate has checked it.
    ///
    /// # Errors
    /// [`Refused`](Error::Refused) by the gate, or the store's error with its position in the text as it was given.
    pub async fn cypher(
        &self,
        text: &str,
        parameters: Properties,
        options: &CypherOptions,
    ) -> Result<CypherResult> {
        let started = Instant::now();
        let (mode, bare) = split_mode(text, options.mode);
        let gate = Gate { write: options.write, row_limit: Some(options.row_limit), ..Gate::default() };
        let checked = gate.check(&bare).map_err(|refusal| {
            let position = position_at(text, refusal.start);
            Error::Refused { refusal, position }
        })?;
        let limits = QueryOptions {
            mode,
            time_limit: Some(options.time_limit),
            row_limit: Some(options.row_limit),
            cancel: options.cancel.clone(),
        };
        let statement = checked.statement.clone().with_all(parameters);
        let store = self.store();
        let kind = store.info().await?.kind;
        let (table, counters) = if checked.writes && mode != QueryMode::Explain {
            let result =
                store.write(statement, limits).await.map_err(|error| relocate(error, &checked, text))?;
            (result.table, Some(result.counters))
        } else {
            let read = async { store.read(statement, limits).await?.collect().await };
            (read.await.map_err(|error| relocate(error, &checked, text))?, None)
        };
        let elapsed_ms = started.elapsed().as_secs_f64() * 1_000.0;
        let lookups = lookups(&bare);
        self.remember(&lookups);
        let mut notices = table.summary.notices.clone();
        let findings = match &table.summary.plan {
            Some(plan) => judge(plan, self.without_index(lookups).await, &mut notices),
            None => Vec::new(),
        };
        Ok(CypherResult {
            columns: table.columns,
            rows: table.rows,
            truncated: truncation(&table.summary, &checked.bounds),
            notices,
            counters,
            query_type: table.summary.query_type,
            plan: table.summary.plan,
            findings,
            store: kind,
            elapsed_ms,
        })
    }
}

/// What makes the plan slow. The query has run: where the store does not say which indexes it has, that is a notice.
fn judge(plan: &Plan, missing: Result<Vec<Lookup>>, notices: &mut Vec<Notice>) -> Vec<Finding> {
    let missing = missing.unwrap_or_else(|error| {
        let message = format!("which indexes would help is not known: {error}");
        notices.push(Notice { code: "indexes_unknown".to_owned(), message });
        Vec::new()
    });
    findings(plan, &missing)
}

/// The text with blanks in place of a leading `EXPLAIN` or `PROFILE`, and the mode that it or the caller asks for.
fn split_mode(text: &str, asked: QueryMode) -> (QueryMode, Cow<'_, str>) {
    let Some(first) = tokenize(text).ok().and_then(|lexed| lexed.tokens.into_iter().next()) else {
        return (asked, Cow::Borrowed(text));
    };
    let said = match first.text(text).to_ascii_uppercase().as_str() {
        "EXPLAIN" => QueryMode::Explain,
        "PROFILE" => QueryMode::Profile,
        _ => return (asked, Cow::Borrowed(text)),
    };
    let mode = if asked == QueryMode::Explain { asked } else { said };
    let mut bare = text.to_owned();
    bare.replace_range(first.span.range(), &" ".repeat(first.span.range().len()));
    (mode, Cow::Owned(bare))
}

/// Rows cut by the store, or paths cut by the gate.
fn truncation(summary: &Summary, bounds: &[Bound]) -> Option<String> {
    let hops = bounds.iter().find_map(|bound| match bound {
        Bound::Hops { limit, .. } => {
            Some(format!("paths without a bound were followed for {limit} hops at most"))
        }
        Bound::Rows { .. } => None,
    });
    let reasons: Vec<_> = summary.truncated.iter().cloned().chain(hops).collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

/// Points an error at the text as it was given.
fn relocate(error: StoreError, checked: &Checked, text: &str) -> Error {
    match error {
        StoreError::Syntax { message, position: Some(position) } => {
            let position = position_at(text, checked.origin(position.offset));
            // What follows the text is ours.
            let at_end = position.offset >= text.trim_end().len();
            let message = if at_end { "the query ends before it is complete".to_owned() } else { message };
            StoreError::Syntax { message, position: Some(position) }.into()
        }
        other => other.into(),
    }
}

fn position_at(text: &str, offset: usize) -> Position {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    Position {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        offset,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_only_to_be_explained_does_not_run_because_of_its_text() {
        use QueryMode::{Explain, Profile, Run};
        for (text, asked, expected) in [
            ("RETURN 1", Run, Run),
            ("RETURN 1", Profile, Profile),
            ("profile RETURN 1", Run, Profile),
            ("EXPLAIN RETURN 1", Run, Explain),
            ("EXPLAIN RETURN 1", Profile, Explain),
            ("PROFILE RETURN 1", Explain, Explain),
        ] {
            let (mode, bare) = split_mode(text, asked);
            assert_eq!((mode, bare.trim_start()), (expected, "RETURN 1"), "{text} {asked:?}");
        }
    }

    #[test]
    fn a_query_that_has_run_does_not_fail_because_indexes_are_not_known() {
        let plan = Plan { operator: "CartesianProduct".to_owned(), ..Plan::default() };
        let mut notices = Vec::new();
        let findings = judge(&plan, Err(StoreError::Cancelled.into()), &mut notices);
        assert_eq!(findings.len(), 1);
        assert_eq!(notices[0].message, "which indexes would help is not known: cancelled");
    }
}
