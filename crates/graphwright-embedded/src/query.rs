//! Runs statements: limits, cancellation and the stream of rows.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use futures::{StreamExt, stream};
use graphwright_core::{
    QueryType, Record, RecordStream, Result, Statement, StoreError, Summary,
    store::{QueryMode, QueryOptions},
};
use kglite::api::{
    DirGraph,
    session::{CancelToken, ExecuteOutcome, execute_mut, execute_read_cursor},
};
use tokio::sync::{mpsc, oneshot};

use crate::{
    error::{self, Context},
    notices, plan,
    run::{StopOnDrop, engine_options, truncation},
    thread,
    translate::{Translated, translate},
};

/// The number of rows that travel together.
const BATCH: usize = 256;
/// The time that a call may take to stop beyond its time limit.
pub(crate) const GRACE: Duration = Duration::from_secs(2);

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
