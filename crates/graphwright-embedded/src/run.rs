//! What every run of a statement takes: the engine's options, a guard that stops it, and its result as a table.

use std::{
    collections::HashSet,
    sync::LazyLock,
    time::{Duration, Instant},
};

use graphwright_core::{Result, Summary, Table, store::QueryOptions};
use kglite::api::session::{CancelToken, ExecuteOptions, ExecuteOutcome};
use tokio::task::JoinHandle;

use crate::{notices, translate::Translated};

/// The passes of the engine's planner that give wrong answers.
///
/// With the first `MATCH (a)-[]-(b)-[]-(c) RETURN count(*)` gives 0. With the second
/// `OPTIONAL MATCH (a)-[]->(b) RETURN b, count(*)` gives no row where nothing matches.
static DISABLED_PASSES: LazyLock<HashSet<String>> = LazyLock::new(|| {
    HashSet::from(["fuse_match_return_aggregate", "fuse_optional_match_aggregate"].map(str::to_owned))
});

/// The disabled passes for statements with `CALL { }`.
///
/// They include those that forget which variables are known, which a later `CALL { }` asks for.
static DISABLED_PASSES_WITH_SUBQUERIES: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let forgetful = ["fuse_match_with_aggregate", "fuse_match_with_aggregate_top_k"].map(str::to_owned);
    DISABLED_PASSES.iter().cloned().chain(forgetful).collect()
});

/// Returns the options with which the engine runs a statement.
pub(crate) fn engine_options(
    translated: &Translated,
    cancel: Option<CancelToken>,
    time_limit: Option<Duration>,
) -> ExecuteOptions<'_> {
    let mut options = ExecuteOptions::eager(&translated.parameters);
    let start = Instant::now();
    options.deadline = time_limit.and_then(|limit| start.checked_add(limit));
    options.deadline_origin = Some(start);
    // A plain search for the word: taking a `CALL` in a text or comment for one costs only speed.
    let mut words = translated.text.split(|character: char| !character.is_alphanumeric() && character != '_');
    let calls = words.any(|word| word.eq_ignore_ascii_case("CALL"));
    options.disabled_passes = Some(if calls { &DISABLED_PASSES_WITH_SUBQUERIES } else { &DISABLED_PASSES });
    options.hide_structural_keys = true;
    options.cancel = cancel;
    options
}

/// Returns the rows of a statement that has run, and the engine's warnings.
pub(crate) fn table(
    outcome: ExecuteOutcome,
    translated: &Translated,
    row_limit: Option<usize>,
) -> Result<Table> {
    let mut rows = outcome.result.rows;
    let truncated = row_limit.filter(|limit| rows.len() > *limit).map(truncation);
    rows.truncate(row_limit.unwrap_or(usize::MAX));
    let (columns, kept) = translated.columns(&outcome.result.columns);
    let rows = translated.rows(rows, &kept)?;
    let warnings = outcome.result.diagnostics.map(|diagnostics| diagnostics.warnings).unwrap_or_default();
    let notices = warnings.iter().map(|warning| notices::from_engine(warning)).collect();
    let query_type = translated.query_type();
    Ok(Table { columns, rows, summary: Summary { truncated, notices, query_type, plan: None } })
}

/// Returns the note on a result that is cut at the row limit.
pub(crate) fn truncation(limit: usize) -> String {
    format!("only the first {limit} rows are shown (row limit)")
}

/// A guard that stops the engine when the caller cancels or loses interest.
pub(crate) struct StopOnDrop {
    pub(crate) token: CancelToken,
    watcher: JoinHandle<()>,
}

impl StopOnDrop {
    pub(crate) fn new(options: &QueryOptions) -> Self {
        let token = CancelToken::new();
        let watched = token.clone();
        let cancel = options.cancel.clone();
        let watcher = tokio::spawn(async move {
            cancel.cancelled().await;
            watched.cancel();
        });
        // The watcher runs later, and the engine might begin before it.
        if options.cancel.is_cancelled() {
            token.cancel();
        }
        Self { token, watcher }
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.token.cancel();
        self.watcher.abort();
    }
}
