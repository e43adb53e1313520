//! Runs statements of callers: rows as a stream, and writes.

use std::sync::{Arc, OnceLock};

use futures::{StreamExt, stream};
use graphwright_core::{
    QueryType, Record, RecordStream, Result, Statement, Summary, Table,
    store::{Counters, QueryMode, QueryOptions, WriteResult},
};
use neo4j::{driver::record_stream, summary};
use tokio::sync::{mpsc, oneshot};

use crate::{
    call::Call,
    error::{self, Failure},
    notices, plan,
    server::{self, Ending, Server},
    values::{self, Parameters},
    workers::{Limits, Workers, ended_without_answer},
};

/// The number of rows that travel together.
const BATCH: usize = 256;

/// Runs a statement that only reads.
pub(crate) async fn read(
    workers: &Arc<Workers>,
    statement: &Statement,
    options: &QueryOptions,
) -> Result<RecordStream> {
    let (columns_sender, columns) = oneshot::channel();
    let (rows_sender, rows) = mpsc::channel(2);
    let summary = Arc::new(OnceLock::new());
    let mut production = Production {
        mode: options.mode,
        text: plan::text_for(options.mode, statement.text()).into_owned(),
        parameters: values::parameters_to_driver(statement.parameters())?,
        row_limit: options.row_limit,
        columns: Some(columns_sender),
        rows: rows_sender,
        summary: Arc::clone(&summary),
    };
    let handle =
        workers.start(Limits::from(options), move |server, call| production.run(server, call)).await?;
    let columns = async { columns.await.unwrap_or_else(|_| Err(ended_without_answer())) };
    let columns: Vec<String> = handle.wait(columns).await??;
    let batches = stream::unfold(Some((rows, handle)), |state| async move {
        let (mut rows, handle) = state?;
        match handle.wait(rows.recv()).await {
            Ok(Some(batch)) => Some((batch, Some((rows, handle)))),
            Ok(None) => {
                handle.finish();
                None
            }
            Err(error) => Some((Err(error), None)),
        }
    });
    let records = batches.flat_map(|batch: Result<Vec<Record>>| match batch {
        Ok(batch) => stream::iter(batch.into_iter().map(Ok).collect::<Vec<_>>()),
        Err(error) => stream::iter(vec![Err(error)]),
    });
    Ok(RecordStream::new(columns, records.boxed(), summary))
}

/// A statement whose rows are sent as they come.
struct Production {
    mode: QueryMode,
    text: String,
    parameters: Parameters,
    row_limit: Option<usize>,
    columns: Option<oneshot::Sender<Result<Vec<String>>>>,
    rows: mpsc::Sender<Result<Vec<Record>>>,
    summary: Arc<OnceLock<Summary>>,
}

/// An error that ends a stream which the caller has dropped.
struct Unwanted;

impl Production {
    fn run(&mut self, server: &Server, call: &Call) {
        let Self { text, parameters, .. } = self;
        let (text, parameters) = (std::mem::take(text), std::mem::take(parameters));
        let outcome = server.read(call, &text, &parameters, |stream| self.take(server, call, &text, stream));
        let Err(error) = outcome else { return };
        // What ends the transaction for us on the server is an error of its own there.
        let error = call.stopped_error().unwrap_or_else(|| plan::relocate(self.mode, error));
        match self.columns.take() {
            Some(columns) => drop(columns.send(Err(error))),
            None => drop(self.rows.blocking_send(Err(error))),
        }
    }

    /// Sends the columns, then the rows as fast as they are taken. From the first on, nothing can
    /// be tried again.
    fn take(
        &mut self,
        server: &Server,
        call: &Call,
        text: &str,
        stream: &mut record_stream::RecordStream<'_>,
    ) -> Result<(), Failure> {
        // Translated here, as a store's error, so that nobody tries again after rows were sent.
        let last = |failed| error::from_driver(error::read_failure(failed), server.options(), Some(text));
        // Before the columns are sent, and not by `last`: so far the call can be tried again.
        let first = stream.next().transpose()?;
        let columns = match self.mode {
            QueryMode::Explain => Vec::new(),
            _ => stream.keys().iter().map(ToString::to_string).collect(),
        };
        if self.columns.take().is_none_or(|sender| sender.send(Ok(columns)).is_err()) {
            return Ok(());
        }
        let mut left = self.row_limit.unwrap_or(usize::MAX);
        let mut batch = Vec::new();
        let mut truncated = None;
        let mut next = first.map(Ok);
        while let Some(record) = next {
            if left == 0 {
                truncated = self.row_limit.map(truncation);
                break;
            }
            left -= 1;
            let record = values::record_from_driver(record.map_err(last)?)?;
            batch.push(server.hidden_vectors.hide(server, call, record)?);
            if batch.len() == BATCH && self.send(&mut batch).is_err() {
                return Ok(());
            }
            next = stream.next();
        }
        if self.send(&mut batch).is_err() {
            return Ok(());
        }
        call.check()?;
        let ended = stream.consume().map_err(last)?;
        let said = ended.map(|ended| said(&ended)).unwrap_or_default();
        let _ = self.summary.set(Summary { truncated, ..said });
        Ok(())
    }

    fn send(&self, batch: &mut Vec<Record>) -> Result<(), Unwanted> {
        if batch.is_empty() {
            return Ok(());
        }
        self.rows.blocking_send(Ok(std::mem::take(batch))).map_err(|_| Unwanted)
    }
}

/// Runs a statement that may write, in a transaction of its own.
pub(crate) async fn write(
    workers: &Arc<Workers>,
    statement: &Statement,
    options: &QueryOptions,
) -> Result<WriteResult> {
    let mode = options.mode;
    let text = plan::text_for(mode, statement.text()).into_owned();
    let parameters = values::parameters_to_driver(statement.parameters())?;
    let row_limit = options.row_limit.unwrap_or(usize::MAX);
    let limits = Limits::from(options);
    let options = options.clone();
    let ending = if options.dry_run { Ending::RollBack } else { Ending::Commit };
    let work = move |server: &Server, call: &Call| {
        server.transact(call, Some(&text), ending, |transaction| {
            let mut table = Table::default();
            let summary = server::run_with(transaction, &text, &parameters, |columns, row| {
                if let Some(columns) = columns {
                    table.columns = columns.iter().map(ToString::to_string).collect();
                }
                match row {
                    Some(row) if table.rows.len() < row_limit => {
                        table.rows.push(server.hidden_vectors.hide(server, call, row)?);
                    }
                    // The rows beyond the limit are read too: only a statement that ends has
                    // counters.
                    Some(_) => table.summary.truncated = Some(truncation(row_limit)),
                    None => {}
                }
                Ok(())
            })?;
            table.summary = Summary { truncated: table.summary.truncated.take(), ..said(&summary) };
            let counters = counters(&summary.counters);
            options.check_changes(&counters)?;
            Ok(WriteResult { table, counters })
        })
    };
    let result = workers.run(limits, work).await.map_err(|error| plan::relocate(mode, error))?;
    if result.table.summary.query_type == Some(QueryType::Schema) {
        workers.server().hidden_vectors.forget();
    }
    Ok(result)
}

/// Returns what the server tells of a statement that has ended.
fn said(ended: &summary::Summary) -> Summary {
    Summary {
        truncated: None,
        notices: notices::from_driver(&ended.notifications),
        query_type: plan::query_type(ended.query_type.as_ref()),
        plan: plan::from_summary(ended),
    }
}

fn truncation(limit: usize) -> String {
    format!("only the first {limit} rows are shown (row limit)")
}

pub(crate) fn counters(counters: &summary::Counters) -> Counters {
    let count = |count: i64| u64::try_from(count).unwrap_or_default();
    Counters {
        nodes_created: count(counters.nodes_created),
        nodes_deleted: count(counters.nodes_deleted),
        relationships_created: count(counters.relationships_created),
        relationships_deleted: count(counters.relationships_deleted),
        properties_set: count(counters.properties_set),
        labels_changed: count(counters.labels_added + counters.labels_removed),
    }
}
