//! Reads in workers: statements that people or models wrote, each within a budget of memory.
//!
//! The engine cannot be stopped in the middle of an expression, and one that runs out of memory or stack takes its
//! process along. So such a statement runs in a child process ([`serve`](crate::serve())) with the same files open.
//! What is committed is in those files before a write returns, so a worker sees it.

use std::{
    sync::{Arc, OnceLock},
    thread::available_parallelism,
    time::{Duration, Instant},
};

use futures::StreamExt;
use graphwright_core::{
    Notice, Record, RecordStream, Result, Statement, StoreError, Summary, store::QueryOptions,
};
use graphwright_worker::{Lease, Pool, Program, Worker, WorkerError};
use tokio::sync::{mpsc, oneshot};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::{
    WORKER_KIND,
    location::Location,
    query::GRACE,
    thread,
    wire::{Message, Read, Reply, Request, Settings},
};

/// How often a query looks whether it was cancelled.
const LOOK: Duration = Duration::from_millis(20);

/// The program in which statements that people or models wrote are run, and the memory that they may use.
#[derive(Clone, Debug)]
pub struct Confinement {
    /// A program that becomes a worker when it is asked to, as the `graphwright` command.
    pub program: Program,
    /// The most memory of a query in bytes. The graph itself does not count.
    pub query_memory: u64,
    /// The most memory of all queries in bytes, here with the graph, which each worker holds. There is always one
    /// worker.
    pub total_memory: u64,
}

/// The workers of a store.
#[derive(Debug)]
pub(crate) struct Confined {
    pool: Pool,
    confinement: Confinement,
}

impl Confined {
    pub(crate) fn new(location: &Location, confinement: Confinement) -> Self {
        let settings = Settings { directory: location.absolute(), memory: confinement.query_memory };
        let program = confinement.program.clone();
        // How many there may be is known when one has told how large the graph is.
        let pool = Pool::new(1, move || Worker::start(&program, WORKER_KIND, &settings));
        Self { pool, confinement }
    }

    /// Runs a statement that only reads. `version` is the state that the caller has in view.
    pub(crate) async fn read(
        self: &Arc<Self>,
        statement: &Statement,
        options: QueryOptions,
        version: String,
    ) -> Result<RecordStream> {
        let request = Request::Read(Read::new(statement, &options)).encode()?;
        let (columns_sender, columns) = oneshot::channel();
        let (rows_sender, rows) = mpsc::channel(2);
        let summary = Arc::new(OnceLock::new());
        let stop = options.cancel.child_token();
        let call = Call {
            confined: Arc::clone(self),
            limit: options.time_limit,
            cancel: stop.clone(),
            version,
            columns: Some(columns_sender),
            rows: rows_sender,
            summary: Arc::clone(&summary),
        };
        thread::spawn(move || call.run(&request))?;
        // Dropped with the stream, or with this call.
        let guard = stop.drop_guard();
        let columns: Vec<String> = columns.await.unwrap_or_else(|_| Err(thread::stopped()))?;
        let rows = ReceiverStream::new(rows).flat_map(|batch: Result<Vec<Record>>| {
            futures::stream::iter(match batch {
                Ok(batch) => batch.into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            })
        });
        Ok(RecordStream::new(columns, guarded(rows, guard).boxed(), summary))
    }

    fn error(&self, error: WorkerError) -> StoreError {
        match error {
            WorkerError::Memory => StoreError::OverBudget { budget: self.confinement.query_memory },
            WorkerError::Stack => StoreError::TooDeep,
            WorkerError::Start { .. } | WorkerError::Version { .. } => StoreError::Unavailable {
                address: self.confinement.program.path().display().to_string(),
                message: error.to_string(),
                hint: "name the `graphwright` command of this version as the worker".to_owned(),
            },
            error => StoreError::Engine { message: error.to_string() },
        }
    }

    /// Lets as many workers run as there are cores, and as their graphs and queries have room for.
    fn make_room(&self, graph: u64) {
        let each = graph.saturating_add(self.confinement.query_memory).max(1);
        let fit = usize::try_from(self.confinement.total_memory / each).unwrap_or(usize::MAX);
        self.pool.set_most(fit.min(available_parallelism().map_or(1, usize::from)));
    }
}

/// Keeps a guard as long as a stream.
fn guarded<T>(
    stream: impl futures::Stream<Item = T> + Send + Unpin + 'static,
    guard: DropGuard,
) -> impl futures::Stream<Item = T> + Send + 'static {
    futures::stream::unfold((stream, guard), |(mut stream, guard)| async move {
        let item = stream.next().await?;
        Some((item, (stream, guard)))
    })
}

/// A query on its way through a worker.
struct Call {
    confined: Arc<Confined>,
    limit: Option<Duration>,
    cancel: CancellationToken,
    version: String,
    columns: Option<oneshot::Sender<Result<Vec<String>>>>,
    rows: mpsc::Sender<Result<Vec<Record>>>,
    summary: Arc<OnceLock<Summary>>,
}

impl Call {
    fn run(mut self, request: &[u8]) {
        if let Err(error) = self.try_run(request) {
            self.fail(error);
        }
    }

    fn try_run(&mut self, request: &[u8]) -> Result<()> {
        let mut worker = self.take()?;
        if self.cancel.is_cancelled() {
            worker.keep();
            return Err(StoreError::Cancelled);
        }
        worker.send(request).map_err(|error| self.confined.error(error))?;
        let usable = self.follow(&mut worker)?;
        if usable {
            worker.keep();
        }
        Ok(())
    }

    fn take(&self) -> Result<Lease> {
        let begun = Instant::now();
        loop {
            match self.confined.pool.take(LOOK) {
                Err(WorkerError::Busy) => match self.limit {
                    _ if self.cancel.is_cancelled() => return Err(StoreError::Cancelled),
                    Some(limit) if begun.elapsed() > limit => return Err(StoreError::TimedOut { limit }),
                    _ => {}
                },
                other => return other.map_err(|error| self.confined.error(error)),
            }
        }
    }

    /// Hands on what the worker says until it has said all. Returns whether it can be used again.
    fn follow(&mut self, worker: &mut Worker) -> Result<bool> {
        let mut heard = Instant::now();
        let mut asked_to_stop = None;
        loop {
            let message = worker.receive(LOOK).map_err(|error| self.confined.error(error))?;
            let Some(message) = message else {
                if asked_to_stop.is_none() && self.cancel.is_cancelled() {
                    worker.send(&Request::Cancel.encode()?).map_err(|error| self.confined.error(error))?;
                    asked_to_stop = Some(Instant::now());
                }
                if asked_to_stop.is_some_and(|asked: Instant| asked.elapsed() > GRACE) {
                    return Err(StoreError::Cancelled);
                }
                match self.limit {
                    Some(limit) if heard.elapsed() > limit + GRACE => {
                        return Err(StoreError::TimedOut { limit });
                    }
                    _ => continue,
                }
            };
            match Reply::decode(&message)? {
                Reply::Columns(columns) => {
                    if let Some(sender) = self.columns.take() {
                        let _ = sender.send(Ok(columns));
                    }
                }
                Reply::Rows(rows) => {
                    // Nobody waits for them once the stream is dropped, which also cancels.
                    let _ = self.rows.blocking_send(Ok(rows));
                }
                Reply::Done { summary, version } => {
                    let _ = self.summary.set(self.with_version(summary, &version));
                }
                Reply::Failed(error) => self.fail(error),
                Reply::Ready { graph, usable } => {
                    self.confined.make_room(graph);
                    return Ok(usable);
                }
            }
            heard = Instant::now();
        }
    }

    /// Tells if the worker has read a later state than the caller has in view.
    fn with_version(&self, mut summary: Summary, version: &str) -> Summary {
        if self.version != version {
            summary.notices.push(Notice {
                code: "later_state".to_owned(),
                message: "the graph has changed meanwhile, and these rows show the change".to_owned(),
            });
        }
        summary
    }

    fn fail(&mut self, error: StoreError) {
        match self.columns.take() {
            Some(sender) => drop(sender.send(Err(error))),
            None => drop(self.rows.blocking_send(Err(error))),
        }
    }
}
