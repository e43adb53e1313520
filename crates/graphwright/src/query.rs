//! Queries written by people or models: always through the gate.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use graphwright_agent::{
    ResultCache, ResultKey,
    query::{check_read, position_at, read, relocate, split_mode, truncation},
};
use graphwright_core::{
    Notice, Plan, Properties, QueryType, Record, Value,
    store::{Counters, QueryMode, QueryOptions},
};
use graphwright_cypher::{Checked, Gate, Lookup, Refusal, RefusalCode, Writes, lookups};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::{
    Error, Finding, Graph, Result,
    approval::{Approve, Unapproved},
    plan::findings,
    suggest::short_texts,
};

/// Limits and permissions of a query.
#[derive(Clone, Debug)]
#[non_exhaustive]
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
    /// Whether the result of the same query may be given again as long as the store holds the same ([`Settings::cache`](crate::Settings::cache)); off by
    /// default. What writes, calls a procedure, or asks the clock or chance is run each time. It takes one or two more exchanges with a server.
    pub remembered: bool,
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
            remembered: false,
        }
    }
}

impl CypherOptions {
    /// Whether it may write.
    #[must_use]
    pub fn write(mut self, write: bool) -> Self {
        self.write = write;
        self
    }

    /// Whether a write may make labels and relationship types that are new.
    #[must_use]
    pub fn new_names(mut self, new_names: bool) -> Self {
        self.new_names = new_names;
        self
    }

    /// The most nodes, relationships, properties and labels that a write may change.
    #[must_use]
    pub fn change_limit(mut self, changes: u64) -> Self {
        self.change_limit = changes;
        self
    }

    /// Whether a write is taken back once it has run.
    #[must_use]
    pub fn dry_run(mut self, dry_run: bool) -> Self {
        self.dry_run = dry_run;
        self
    }

    /// Who decides whether a write happens.
    #[must_use]
    pub fn approval(mut self, person: Arc<dyn Approve>) -> Self {
        self.approval = Some(person);
        self
    }

    /// Whether it runs, and whether its plan comes with it.
    #[must_use]
    pub fn mode(mut self, mode: QueryMode) -> Self {
        self.mode = mode;
        self
    }

    /// The most rows.
    #[must_use]
    pub fn row_limit(mut self, rows: usize) -> Self {
        self.row_limit = rows;
        self
    }

    /// The most bytes that all rows, or text and parameters of a write, may take.
    #[must_use]
    pub fn byte_limit(mut self, bytes: usize) -> Self {
        self.byte_limit = bytes;
        self
    }

    /// The longest it may run.
    #[must_use]
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.time_limit = time;
        self
    }

    /// Cancels it when triggered.
    #[must_use]
    pub fn cancel(mut self, cancel: CancellationToken) -> Self {
        self.cancel = cancel;
        self
    }

    /// Whether the result of the same query may be given again.
    #[must_use]
    pub fn remembered(mut self, remembered: bool) -> Self {
        self.remembered = remembered;
        self
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
    /// Whether it is what the same query gave before.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub from_cache: bool,
}

impl CypherResult {
    /// About how many bytes it takes.
    fn size(&self) -> usize {
        let values = self.rows.iter().flat_map(|row| row.iter());
        let notices = self.notices.iter().map(|notice| notice.message.len());
        values.map(Value::size).sum::<usize>() + notices.sum::<usize>()
    }
}

/// Where the result of a query is kept, and the version of the store that it holds for.
struct Place<'a> {
    cache: &'a ResultCache,
    key: ResultKey,
    version: String,
}

impl Graph {
    /// Checks a text, with what the graph holds where that matters.
    async fn pass_gate(&self, text: &str, options: &CypherOptions) -> Result<Result<Checked, Refusal>> {
        if !options.write {
            return Ok(check_read(&**self.store(), text, options.row_limit).await?);
        }
        let schema = if options.new_names { None } else { self.writable_names().await? };
        let row_limit = Some(options.row_limit);
        Ok(Gate { writes: Writes::Plain, schema, row_limit, ..Gate::default() }.check(text))
    }

    /// Where the result of a query is kept, if it may be given again.
    async fn place(
        &self,
        checked: &Checked,
        parameters: &Properties,
        options: &CypherOptions,
    ) -> Option<Place<'_>> {
        let cache =
            self.results.as_ref().filter(|_| options.remembered && checked.repeatable && !checked.writes)?;
        let version = self.store().version().await.ok()?;
        let text = checked.statement.text();
        let key =
            ResultCache::key(&("query", &version, text, parameters, options.row_limit, options.byte_limit));
        Some(Place { cache, key, version })
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
        let place =
            if mode == QueryMode::Run { self.place(&checked, &parameters, options).await } else { None };
        if let Some(kept) = place.as_ref().and_then(|place| place.cache.get::<CypherResult>(place.key)) {
            let elapsed_ms = started.elapsed().as_secs_f64() * 1_000.0;
            return Ok(CypherResult { from_cache: true, elapsed_ms, ..kept });
        }
        if checked.writes {
            within_size(text, &parameters, options.byte_limit).map_err(refused)?;
        }
        let texts = short_texts(&parameters);
        let statement = checked.statement.clone().with_all(parameters);
        let store = self.store();
        let kind = store.info().await?.kind;
        let (table, counters) = if checked.writes && mode != QueryMode::Explain {
            if let Some(approval) = options.approval.as_deref().filter(|_| !options.dry_run) {
                self.seek_approval(approval, text, &statement, &limits).await.map_err(
                    |error| match error {
                        Unapproved::Failed(error) => relocate(error, &checked, text).into(),
                        Unapproved::Refused => Error::NotApproved,
                    },
                )?;
            }
            let result =
                store.write(statement, limits).await.map_err(|error| relocate(error, &checked, text))?;
            (result.table.within(options.byte_limit), Some(result.counters))
        } else {
            (read(&**store, text, &checked, statement, limits, options.byte_limit).await?, None)
        };
        let elapsed_ms = started.elapsed().as_secs_f64() * 1_000.0;
        let lookups = lookups(&bare);
        self.remember(&lookups);
        let mut notices = table.summary.notices.clone();
        let found_nothing = table.rows.is_empty() && table.summary.truncated.is_none();
        if found_nothing && counters.is_none() && mode != QueryMode::Explain {
            notices.extend(self.missing_values(&bare, texts).await);
        }
        let findings = match &table.summary.plan {
            Some(plan) => judge(plan, self.without_index(lookups).await, &mut notices),
            None => Vec::new(),
        };
        let result = CypherResult {
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
            from_cache: false,
        };
        if let Some(Place { cache, key, version }) = place
            && store.version().await.is_ok_and(|now| now == version)
        {
            cache.put(key, &result, result.size());
        }
        Ok(result)
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

/// What makes the plan slow. The query has run: where the store does not say which indexes it has, that is a notice.
fn judge(plan: &Plan, missing: Result<Vec<Lookup>>, notices: &mut Vec<Notice>) -> Vec<Finding> {
    let missing = missing.unwrap_or_else(|error| {
        let message = format!("which indexes would help is not known: {error}");
        notices.push(Notice { code: "indexes_unknown".to_owned(), message });
        Vec::new()
    });
    findings(plan, &missing)
}

#[cfg(test)]
mod tests {
    use graphwright_core::StoreError;

    use super::*;

    #[test]
    fn a_query_that_has_run_does_not_fail_because_indexes_are_not_known() {
        let plan = Plan { operator: "CartesianProduct".to_owned(), ..Plan::default() };
        let mut notices = Vec::new();
        let findings = judge(&plan, Err(StoreError::Cancelled.into()), &mut notices);
        assert_eq!(findings.len(), 1);
        assert_eq!(notices[0].message, "which indexes would help is not known: cancelled");
    }
}
