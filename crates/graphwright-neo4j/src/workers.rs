//! The threads on which the driver blocks: a bounded number, each with a connection while it works.
//!
//! A call that is stopped is ended on the server ([`Terminator`]), which frees its thread. If the
//! server does not react within three quarters of a second, the caller gets its error all the same
//! and the thread is counted as blocked. Another may take its place, up to a bound, until the
//! driver's own time-out for a silent server ends it.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use graphwright_core::{Result, StoreError, store::QueryOptions};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, sleep_until, timeout},
};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::{
    call::{Call, Stop},
    options::ConnectOptions,
    server::Server,
    terminator::Terminator,
    threads::Threads,
};

/// The time that the caller still waits for the worker's own answer after a stop.
///
/// With it the caller has its error within a second, with time to be woken.
const GRACE: Duration = Duration::from_millis(750);

/// The threads of a store, and the calls that run on them.
#[derive(Debug)]
pub(crate) struct Workers {
    server: Arc<Server>,
    terminator: Arc<Terminator>,
    threads: Arc<Threads>,
    permits: Arc<Semaphore>,
    blocked: AtomicUsize,
    /// The number of blocked threads that are replaced.
    spare: usize,
    patience: Duration,
}

/// The limits of a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    pub(crate) time: Option<Duration>,
    pub(crate) cancel: CancellationToken,
}

impl From<&QueryOptions> for Limits {
    fn from(options: &QueryOptions) -> Self {
        Self { time: options.time_limit, cancel: options.cancel.clone() }
    }
}

impl Workers {
    pub(crate) fn new(server: Arc<Server>, options: &ConnectOptions) -> Self {
        Self {
            terminator: Arc::new(Terminator::new(Arc::clone(&server))),
            server,
            threads: Arc::default(),
            permits: Arc::new(Semaphore::new(options.connections.max(1))),
            blocked: AtomicUsize::new(0),
            spare: options.spare_connections,
            patience: options.acquire_timeout,
        }
    }

    pub(crate) fn server(&self) -> &Server {
        &self.server
    }

    /// Returns the number of threads that wait for a server that does not answer.
    pub(crate) fn blocked(&self) -> usize {
        self.blocked.load(Ordering::Relaxed)
    }

    /// Runs `work` on a thread and waits for its result.
    pub(crate) async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        limits: Limits,
        work: impl FnOnce(&Server, &Call) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let handle = self
            .start(limits, move |server, call| {
                let _ = sender.send(work(server, call));
            })
            .await?;
        let answer = async { receiver.await.unwrap_or_else(|_| Err(ended_without_answer())) };
        let answer = handle.wait(answer).await?;
        handle.finish();
        answer
    }

    /// Starts `work` on a thread. Dropping the handle stops it.
    pub(crate) async fn start(
        self: &Arc<Self>,
        limits: Limits,
        work: impl FnOnce(&Server, &Call) + Send + 'static,
    ) -> Result<Handle> {
        let call = Arc::new(Call::new(limits.time));
        let permit = self.permit(&limits).await?;
        let slot = Arc::new(Slot {
            workers: Arc::clone(self),
            state: Mutex::new(SlotState { permit: Some(permit), abandoned: false }),
            ended: CancellationToken::new(),
        });
        let interest = CancellationToken::new();
        let handle = Handle {
            call: Arc::clone(&call),
            given_up: CancellationToken::new(),
            interest: interest.clone().drop_guard(),
        };
        tokio::spawn(watch(Arc::clone(&slot), Arc::clone(&call), limits, interest, handle.given_up.clone()));
        let end = SlotEnd(slot);
        let job = move || {
            call.begin();
            work(&end.0.workers.server, &call);
            drop(end);
        };
        // If no thread starts, the job is dropped, and its end frees the place.
        self.threads.run(job).map_err(|source| StoreError::Io {
            message: "cannot start a thread".to_owned(),
            source: Some(source),
        })?;
        Ok(handle)
    }

    /// Waits for one of the threads to be free.
    async fn permit(&self, limits: &Limits) -> Result<OwnedSemaphorePermit> {
        if limits.cancel.is_cancelled() {
            return Err(StoreError::Cancelled);
        }
        let limit = limits.time.filter(|limit| *limit < self.patience);
        let permit = timeout(limit.unwrap_or(self.patience), Arc::clone(&self.permits).acquire_owned());
        let permit = tokio::select! {
            biased;
            permit = permit => permit,
            () = limits.cancel.cancelled() => return Err(StoreError::Cancelled),
        };
        match (permit, limit) {
            (Ok(Ok(permit)), _) => Ok(permit),
            (_, Some(limit)) => Err(StoreError::TimedOut { limit }),
            _ => Err(self.busy()),
        }
    }

    fn busy(&self) -> StoreError {
        let blocked = match self.blocked() {
            0 => String::new(),
            blocked => format!(", and the server does not answer {blocked} of its calls"),
        };
        StoreError::Unavailable {
            address: self.server.address().to_string(),
            message: format!("no connection was free within {} s{blocked}", self.patience.as_secs()),
            hint: "let fewer calls run at once, or allow more connections".to_owned(),
        }
    }
}

/// A call that runs. Dropping it stops the call.
#[derive(Debug)]
pub(crate) struct Handle {
    call: Arc<Call>,
    given_up: CancellationToken,
    interest: DropGuard,
}

impl Handle {
    /// Waits for something that the worker gives.
    ///
    /// Fails if the call was stopped and the server does not react.
    pub(crate) async fn wait<T>(&self, answer: impl Future<Output = T>) -> Result<T> {
        tokio::select! {
            biased;
            // First of the two: an answer that is there counts.
            answer = answer => Ok(answer),
            () = self.given_up.cancelled() => Err(self.error()),
        }
    }

    /// Tells that the worker has given all that it has to give: nothing is left to stop.
    pub(crate) fn finish(self) {
        self.interest.disarm();
    }

    fn error(&self) -> StoreError {
        let stopped = self.call.stopped_error().unwrap_or(StoreError::Cancelled);
        if self.call.is_committing() {
            return crate::error::unknown_commit(&format!("{stopped}, while the server was committing it"));
        }
        stopped
    }
}

/// Creates the error of a worker that ended without an answer: the driver panicked.
pub(crate) fn ended_without_answer() -> StoreError {
    StoreError::Engine {
        message: "the driver stopped in the middle of the call; this is a defect of it".to_owned(),
    }
}

/// Stops the call when its time is over, when it is cancelled, or when nobody waits for it any
/// more.
async fn watch(
    slot: Arc<Slot>,
    call: Arc<Call>,
    limits: Limits,
    interest: CancellationToken,
    given_up: CancellationToken,
) {
    let out_of_time = async {
        match call.deadline() {
            Some(deadline) => sleep_until(Instant::from_std(deadline)).await,
            None => std::future::pending().await,
        }
    };
    let reason = tokio::select! {
        biased;
        // First of all: a call that has ended is not stopped any more.
        () = slot.ended.cancelled() => return,
        () = limits.cancel.cancelled() => Stop::Cancelled,
        () = interest.cancelled() => Stop::Dropped,
        () = out_of_time => Stop::TimedOut,
    };
    call.stop(reason);
    let workers = Arc::clone(&slot.workers);
    workers.terminator.terminate(call.id(), slot.ended.clone());
    if timeout(GRACE, slot.ended.cancelled()).await.is_err() {
        slot.abandon();
        given_up.cancel();
    }
}

/// The place of a worker among the threads.
#[derive(Debug)]
struct Slot {
    workers: Arc<Workers>,
    state: Mutex<SlotState>,
    ended: CancellationToken,
}

#[derive(Debug)]
struct SlotState {
    permit: Option<OwnedSemaphorePermit>,
    abandoned: bool,
}

impl Slot {
    /// Counts the thread as blocked, and lets another take its place.
    fn abandon(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // It may have ended since the time was over; `SlotEnd` says so under the same lock.
        if self.ended.is_cancelled() {
            return;
        }
        state.abandoned = true;
        if self.workers.blocked.fetch_add(1, Ordering::Relaxed) < self.workers.spare {
            state.permit = None;
        }
    }
}

/// A guard that frees the place when the thread ends, by a panic too.
struct SlotEnd(Arc<Slot>);

impl Drop for SlotEnd {
    fn drop(&mut self) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.abandoned {
            self.0.workers.blocked.fetch_sub(1, Ordering::Relaxed);
        }
        state.permit = None;
        self.0.ended.cancel();
    }
}
