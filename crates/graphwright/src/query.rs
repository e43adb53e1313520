//! Queries written by people or models. They always pass the gate.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use graphwright_agent::ResultCache;
use graphwright_core::{
    Notice, Plan, Properties, QueryType, Record, Value,
    cache::CacheKey,
    store::{Counters, QueryMode, QueryOptions},
};
use graphwright_cypher::{Checked, Gate, Lookup, Refusal, RefusalCode, Writes, lookups};
use graphwright_retrieve::query::{
    check_read, found_nothing, position_at, read, relocate, split_mode, truncation,
};
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
    /// Whether the query may write. Off by default. A write may use `CREATE`, `MERGE`, `SET`,
    /// `REMOVE` and `DELETE`, and may call no procedure.
    pub write: bool,
    /// Whether a write may make labels and relationship types that neither the graph nor its
    /// ontology has. Off by default.
    pub new_names: bool,
    /// The most nodes, relationships, properties and labels that a write may change. Defaults to
    /// 10,000. A write that would change more is taken back.
    pub change_limit: u64,
    /// Whether a write is taken back once it has run. The counters say what it would have changed.
    pub dry_run: bool,
    /// Who decides whether a write happens, after it has been tried out. With `None`, it happens.
    pub approval: Option<Arc<dyn Approve>>,
    /// Whether the query runs, and whether its plan comes with the result. A text that begins with
    /// `EXPLAIN` or `PROFILE` says so itself. [`QueryMode::Explain`] wins over a leading `PROFILE`:
    /// the query does not run.
    pub mode: QueryMode,
    /// The most rows. Defaults to 100.
    pub row_limit: usize,
    /// The most bytes for all rows together, and for the text and parameters of a write. Defaults
    /// to 10 MB.
    pub byte_limit: usize,
    /// The longest time the query may run. Defaults to 30 s.
    pub time_limit: Duration,
    /// Cancels the query when triggered.
    pub cancel: CancellationToken,
    /// Whether a remembered result may be given while the store holds the same
    /// ([`Settings::cache`](crate::Settings::cache)). Off by default. Queries that write, call a
    /// procedure, or depend on the clock or on chance always run. With a server, it costs one or
    /// two more exchanges.
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
    /// Sets whether the query may write.
    #[must_use]
    pub fn write(mut self, write: bool) -> Self {
        self.write = write;
        self
    }

    /// Sets whether a write may make new labels and relationship types.
    #[must_use]
    pub fn new_names(mut self, new_names: bool) -> Self {
        self.new_names = new_names;
        self
    }

    /// Sets the most nodes, relationships, properties and labels that a write may change.
    #[must_use]
    pub fn change_limit(mut self, changes: u64) -> Self {
        self.change_limit = changes;
        self
    }

    /// Sets whether a write is taken back once it has run.
    #[must_use]
    pub fn dry_run(mut self, dry_run: bool) -> Self {
        self.dry_run = dry_run;
        self
    }

    /// Sets who decides whether a write happens.
    #[must_use]
    pub fn approval(mut self, person: Arc<dyn Approve>) -> Self {
        self.approval = Some(person);
        self
    }

    /// Sets whether the query runs, and whether its plan comes with the result.
    #[must_use]
    pub fn mode(mut self, mode: QueryMode) -> Self {
        self.mode = mode;
        self
    }

    /// Sets the most rows.
    #[must_use]
    pub fn row_limit(mut self, rows: usize) -> Self {
        self.row_limit = rows;
        self
    }

    /// Sets the most bytes for all rows, and for the text and parameters of a write.
    #[must_use]
    pub fn byte_limit(mut self, bytes: usize) -> Self {
        self.byte_limit = bytes;
        self
    }

    /// Sets the longest time the query may run.
    #[must_use]
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.time_limit = time;
        self
    }

    /// Sets the token that cancels the query.
    #[must_use]
    pub fn cancel(mut self, cancel: CancellationToken) -> Self {
        self.cancel = cancel;
        self
    }

    /// Sets whether a remembered result may be given.
    #[must_use]
    pub fn remembered(mut self, remembered: bool) -> Self {
        self.remembered = remembered;
        self
    }
}

/// The result of a query.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CypherResult {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows, with values in the order of `columns`.
    pub rows: Vec<Record>,
    /// Why rows may be missing, if a limit cut the result.
    pub truncated: Option<String>,
    /// What the store says beside the rows.
    pub notices: Vec<Notice>,
    /// What a write changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counters: Option<Counters>,
    /// Whether the write was taken back, because only its effect was asked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
    /// What the query does, if the store says it.
    pub query_type: Option<QueryType>,
    /// How the store runs the query, if the plan was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// What makes the plan slow.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// The kind of store.
    pub store: String,
    /// Elapsed time in milliseconds.
    pub elapsed_ms: f64,
    /// Whether the result was remembered from an earlier run of this query.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub from_cache: bool,
}

impl CypherResult {
    /// Estimates the size in bytes.
    fn size(&self) -> usize {
        let values = self.rows.iter().flat_map(|row| row.iter());
        let notices = self.notices.iter().map(|notice| notice.message.len());
        values.map(Value::size).sum::<usize>() + notices.sum::<usize>()
    }
}

/// The place of a remembered result, and the version of the store for which it holds.
struct Place<'a> {
    cache: &'a ResultCache,
    key: CacheKey,
    version: String,
}

impl Graph {
    /// Checks a text, against the names that the graph holds if that matters.
    async fn pass_gate(
        &self,
        text: &str,
        parameters: &Properties,
        options: &CypherOptions,
    ) -> Result<Result<Checked, Refusal>> {
        if !options.write {
            return Ok(check_read(&**self.store(), text, parameters, options.row_limit).await?);
        }
        let schema = if options.new_names { None } else { self.writable_names().await? };
        let row_limit = Some(options.row_limit);
        let gate = Gate { writes: Writes::Plain, schema, row_limit, ..Gate::default() };
        Ok(gate.check_with(text, parameters))
    }

    /// Finds the place of the query's remembered result, if it may be remembered.
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
            CacheKey::new(&("query", &version, text, parameters, options.row_limit, options.byte_limit));
        Some(Place { cache, key, version })
    }

    /// Runs a query that a person or a model wrote, after the gate has checked it.
    ///
    /// # Errors
    /// - [`Refused`](Error::Refused) if the gate refuses the query, by itself or for what the server
    ///   says of the statement.
    /// - [`NotApproved`](Error::NotApproved) if approval was asked for and not given.
    /// - The errors of the store, with their position in the text as it was given.
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
        let checked = self.pass_gate(&bare, &parameters, options).await?.map_err(refused)?;
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
        let warnings = if mode == QueryMode::Explain { Vec::new() } else { self.null_orders(&bare).await };
        // The statement takes the parameters; some may later explain an empty result.
        let texts = short_texts(&parameters);
        let statement = checked.statement.clone().with_all(parameters);
        let store = self.store();
        // Before the query: a failure after a write would hide that the write was done.
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
        let mut notices = warnings;
        notices.extend(table.summary.notices.iter().cloned());
        let is_empty = found_nothing(&table.rows) && table.summary.truncated.is_none();
        if is_empty && counters.is_none() && mode != QueryMode::Explain {
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
        // A write in between would leave a result of another version under this one.
        if let Some(Place { cache, key, version }) = place
            && store.version().await.is_ok_and(|now| now == version)
        {
            cache.put(key, &result, result.size());
        }
        Ok(result)
    }
}

/// Refuses a write that is larger than `limit` bytes.
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

/// Finds what makes the plan slow. If the store does not say which indexes it has, that becomes a
/// notice and no error, because the query has run.
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
