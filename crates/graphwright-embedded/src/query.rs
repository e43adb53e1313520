//! Runs statements: limits, cancellation and the stream of rows.

use std::{
    collections::HashSet,
    sync::{Arc, LazyLock, OnceLock},
    time::{Duration, Instant},
};

use futures::{StreamExt, stream};
use graphwright_core::{
    QueryType, Record, RecordStream, Result, Statement, StoreError, Summary, Table,
    store::{QueryMode, QueryOptions},
};
use kglite::api::{
    DirGraph,
    session::{CancelToken, ExecuteOptions, ExecuteOutcome, execute_mut, execute_read_cursor},
};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
};

use crate::{
    error::{self, Context},
    notices, plan, thread,
    translate::{Translated, translate},
};

/// The number of rows that travel together.
const BATCH: usize = 256;
/// The time that a call may take to stop beyond its time limit.
const GRACE: Duration = Duration::from_secs(2);

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

/// Runs a statement that only reads on a graph that does not change.
pub(crate) async fn read(
    graph: Arc<DirGraph>,
    statement: &Statement,
    options: QueryOptions,
) -> Result<RecordStream> {
    let translated = translate(statement)?.in_mode(options.mode);
    if options.mode != QueryMode::Run {
        return plan::read(graph, translated, options).await;
    }
    let stop = StopOnDrop::new(&options);
    let (columns_sender, columns) = oneshot::channel();
    let (rows_sender, rows) = mpsc::channel(2);
    let summary = Arc::new(OnceLock::new());
    let production = Production {
        graph,
        translated,
        cancel: stop.token.clone(),
        time_limit: options.time_limit,
        row_limit: options.row_limit,
        rows: rows_sender,
        summary: Arc::clone(&summary),
    };
    thread::spawn(move || production.run(columns_sender))?;
    let columns: Vec<String> = within(options.time_limit, columns).await?;
    let records = stream::unfold((rows, stop), |(mut rows, stop)| async move {
        let batch: Result<Vec<Record>> = rows.recv().await?;
        Some((batch, (rows, stop)))
    })
    .flat_map(|batch| match batch {
        Ok(batch) => stream::iter(batch.into_iter().map(Ok).collect::<Vec<_>>()),
        Err(error) => stream::iter(vec![Err(error)]),
    });
    Ok(RecordStream::new(columns, records.boxed(), summary))
}

/// Runs a statement on a working copy of the graph.
pub(crate) fn run_on(
    graph: &mut DirGraph,
    translated: &Translated,
    cancel: Option<CancelToken>,
    time_limit: Option<Duration>,
) -> Result<ExecuteOutcome> {
    translated.declare(graph);
    execute_mut(graph, &translated.text, &engine_options(translated, cancel, time_limit)).map_err(|error| {
        error::from_engine(error, Context { limit: time_limit, translated: Some(translated) })
    })
}

/// Waits for an answer from a thread of the engine, a little longer than the limit that the engine
/// itself keeps.
pub(crate) async fn within<T>(limit: Option<Duration>, answer: oneshot::Receiver<Result<T>>) -> Result<T> {
    let answer = async { answer.await.unwrap_or_else(|_| Err(thread::stopped())) };
    match limit {
        None => answer.await,
        Some(limit) => {
            tokio::time::timeout(limit + GRACE, answer).await.unwrap_or(Err(StoreError::TimedOut { limit }))
        }
    }
}

struct Production {
    graph: Arc<DirGraph>,
    translated: Translated,
    cancel: CancelToken,
    time_limit: Option<Duration>,
    row_limit: Option<usize>,
    rows: mpsc::Sender<Result<Vec<Record>>>,
    summary: Arc<OnceLock<Summary>>,
}

impl Production {
    /// Sends the columns, then the rows as fast as they are taken.
    fn run(self, columns: oneshot::Sender<Result<Vec<String>>>) {
        let context = Context { limit: self.time_limit, translated: Some(&self.translated) };
        let options = engine_options(&self.translated, Some(self.cancel.clone()), self.time_limit);
        let graph = Arc::clone(&self.graph);
        let mut cursor = match execute_read_cursor(graph, &self.translated.text, &options) {
            Ok(cursor) => cursor,
            Err(error) => {
                let _ = columns.send(Err(error::from_engine(error, context)));
                return;
            }
        };
        let (names, kept) = self.translated.columns(cursor.columns());
        if columns.send(Ok(names)).is_err() {
            return;
        }
        let mut left = self.row_limit.unwrap_or(usize::MAX);
        let mut truncated = None;
        let mut keys = self.translated.keys();
        while truncated.is_none() {
            let batch = match cursor.next_batch(BATCH) {
                Ok(batch) if batch.is_empty() => break,
                Ok(mut batch) => {
                    if batch.len() > left {
                        batch.truncate(left);
                        truncated = Some(truncation(self.row_limit.unwrap_or_default()));
                    }
                    left -= batch.len();
                    self.translated.rows(batch, &kept).and_then(|rows| keys.check(&rows).map(|()| rows))
                }
                Err(error) => Err(error::from_engine(error, context)),
            };
            let failed = batch.is_err();
            if self.rows.blocking_send(batch).is_err() || failed {
                return;
            }
        }
        let notices = cursor.warnings().iter().map(|warning| notices::from_engine(warning)).collect();
        let _ =
            self.summary.set(Summary { truncated, notices, query_type: Some(QueryType::Read), plan: None });
    }
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

fn truncation(limit: usize) -> String {
    format!("only the first {limit} rows are shown (row limit)")
}

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
