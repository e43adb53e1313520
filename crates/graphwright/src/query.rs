//! Queries written by people or models: always through the gate.

use std::{
    borrow::Cow,
    sync::Arc,
    time::{Duration, Instant},
};

use graphwright_core::{
    GraphStore, Notice, Plan, Position, Properties, QueryType, Record, Statement, StoreError, Summary,
    store::{Counters, QueryMode, QueryOptions},
};
use graphwright_cypher::{
    Bound, Checked, Gate, Lookup, Refusal, RefusalCode, Writes, lexer::tokenize, lookups,
};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::{
    Error, Finding, Graph, Result,
    approval::{Approve, Unapproved},
    plan::findings,
};

/// Limits and permissions of a query.
#[derive(Clone, Debug)]
pub struct CypherOptions {
    /// Whether it may write; off by default. A write may hold `CREATE`, `MERGE`, `SET`, `REMOVE` and `DELETE`, and calls no procedure.
    pub write: bool,
    /// Whether a write may make labels and relationship types that neither the graph nor its ontology has; off by default.
    pub new_names: bool,
    /// The most nodes, relationships, properties and labels that a write may change; 10,000 by default. One that would change more
    /// is taken back.
    pub change_limit: u64,
    /// Whether a write is taken back once it has run; the counters say what it would have changed.
    pub dry_run: bool,
    /// Who decides whether a write happens, after it has been tried out. Without anybody, it happens.
    pub approval: Option<Arc<dyn Approve>>,
    /// Whether it runs, and whether its plan comes with it. A text that begins with `EXPLAIN` or `PROFILE` says so itself, but what
    /// is only to be explained does not run because it begins with `PROFILE`.
    pub mode: QueryMode,
    /// The most rows; 100 by default.
    pub row_limit: usize,
    /// The most bytes that all rows may take together, and that the text and the parameters of a write may; 10 MB by default.
    pub byte_limit: usize,
    /// The longest it may run; 30 s by default.
    pub time_limit: Duration,
    /// Cancels it when triggered.
    pub cancel: CancellationToken,
}

impl Default for CypherOptions {
    fn default() -> Self {
        Self {
            write: false,
            new_names: false,
            change_limit: 10_000,
            dry_run: false,
            approval: None,
            mode: QueryMode::Run,
            row_limit: 100,
            byte_limit: 10_000_000,
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
    /// Whether the write was taken back, because only its effect was asked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
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
    /// Checks a text, with what the graph holds where that matters.
    async fn pass_gate(&self, text: &str, options: &CypherOptions) -> Result<Result<Checked, Refusal>> {
        let mut gate = Gate { row_limit: Some(options.row_limit), ..Gate::default() };
        if options.write {
            gate.writes = Writes::Plain;
            gate.schema = if options.new_names { None } else { self.writable_names().await? };
            return Ok(gate.check(text));
        }
        let checked = gate.check(text);
        if !checked.as_ref().is_err_and(|refusal| refusal.code == RefusalCode::Work) {
            return Ok(checked);
        }
        // In a small graph it may be little work.
        gate.schema = Some(Arc::new(self.counted_schema().await?));
        Ok(gate.check(text))
    }

    /// Runs a query that somebody or some model wrote, after the gate has checked it.
    ///
    /// # Errors
    /// [`Refused`](Error::Refused) by the gate or by what the server says of the statement, [`NotApproved`](Error::NotApproved), or the store's error with its position in the text as it was given.
    pub async fn cypher(
        &self,
        text: &str,
        parameters: Properties,
        options: &CypherOptions,
    ) -> Result<CypherResult> {
        let started = Instant::now();
        let (mode, bare) = split_mode(text, options.mode);
        let refused = |refusal: Refusal| {
            let position = position_at(text, refusal.start);
            Error::Refused { refusal, position }
        };
        let checked = self.pass_gate(&bare, options).await?.map_err(refused)?;
        let limits = QueryOptions {
            mode,
            time_limit: Some(options.time_limit),
            row_limit: Some(options.row_limit),
            change_limit: Some(options.change_limit),
            dry_run: options.dry_run,
            cancel: options.cancel.clone(),
        };
        if checked.writes {
            within_size(text, &parameters, options.byte_limit).map_err(refused)?;
        }
        let statement = checked.statement.clone().with_all(parameters);
        let store = self.store();
        let kind = store.info().await?.kind;
        let (table, counters) = if checked.writes && mode != QueryMode::Explain {
            if let Some(approval) = options.approval.as_deref().filter(|_| !options.dry_run) {
                self.seek_approval(approval, text, &statement, &limits).await.map_err(
                    |error| match error {
                        Unapproved::Failed(error) => relocate(error, &checked, text),
                        Unapproved::Refused => Error::NotApproved,
                    },
                )?;
            }
            let result =
                store.write(statement, limits).await.map_err(|error| relocate(error, &checked, text))?;
            (result.table.within(options.byte_limit), Some(result.counters))
        } else {
            if mode != QueryMode::Explain && store.capabilities().explains {
                let opinion = second_opinion(store.as_ref(), &statement, &limits).await;
                opinion.map_err(|error| relocate(error, &checked, text))?.map_err(refused)?;
            }
            let read =
                async { store.read(statement, limits).await?.collect_within(options.byte_limit).await };
            (read.await.map_err(|error| relocate(error, &checked, text))?, None)
        };
        let elapsed_ms = started.elapsed().as_secs_f64() * 1_000.0;
        let lookups = lookups(&bare);
        self.remember(&lookups);
        let mut notices = table.summary.notices.clone();
        let found_nothing = table.rows.is_empty() && table.summary.truncated.is_none();
        if found_nothing && counters.is_none() && mode != QueryMode::Explain {
            notices.extend(self.missing_values(&bare, &lookups).await);
        }
        let findings = match &table.summary.plan {
            Some(plan) => judge(plan, self.without_index(lookups).await, &mut notices),
            None => Vec::new(),
        };
        Ok(CypherResult {
            columns: table.columns,
            rows: table.rows,
            truncated: truncation(&table.summary, &checked.bounds),
            notices,
            dry_run: options.dry_run && counters.is_some(),
            counters,
            query_type: table.summary.query_type,
            plan: table.summary.plan,
            findings,
            store: kind,
            elapsed_ms,
        })
    }
}

/// Refuses a write that is larger than it may be.
fn within_size(text: &str, parameters: &Properties, limit: usize) -> Result<(), Refusal> {
    let sizes = parameters.iter().map(|(name, value)| name.len().saturating_add(value.size()));
    let size = sizes.fold(text.len(), usize::saturating_add);
    if size <= limit {
        return Ok(());
    }
    Err(Refusal {
        code: RefusalCode::Size,
        message: format!("the text and parameters of this write take {size} bytes, and {limit} are allowed"),
        start: 0,
        end: text.len(),
        help: "write in several statements, or import a file".to_owned(),
    })
}

/// What a server says that a statement does which the gate takes for reading: anything but reading is a refusal.
async fn second_opinion(
    store: &dyn GraphStore,
    statement: &Statement,
    limits: &QueryOptions,
) -> Result<Result<(), Refusal>, StoreError> {
    let options = QueryOptions { mode: QueryMode::Explain, ..limits.clone() };
    let said = store.read(statement.clone(), options).await?.collect().await?.summary.query_type;
    Ok(match said {
        Some(QueryType::Read) => Ok(()),
        other => Err(Refusal {
            code: RefusalCode::Write,
            message: match other {
                Some(kind) => {
                    format!("the store says that the type of this statement is {}, not read", kind.as_str())
                }
                None => "the store does not say that this statement only reads".to_owned(),
            },
            start: 0,
            end: 0,
            help: "ask for what is there".to_owned(),
        }),
    })
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

    #[tokio::test]
    async fn the_stores_opinion_stops_a_write_without_the_gate() {
        let store = graphwright_embedded::EmbeddedStore::in_memory();
        let opinion = |text| {
            let (store, limits) = (&store, QueryOptions::default());
            async move { second_opinion(store, &Statement::fixed(text), &limits).await.unwrap() }
        };
        assert_eq!(opinion("MATCH (n) RETURN n").await, Ok(()));
        for text in ["CREATE (:A)", "MATCH (n) SET n.x = 1 RETURN n"] {
            assert_eq!(opinion(text).await.unwrap_err().code, RefusalCode::Write, "{text}");
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
