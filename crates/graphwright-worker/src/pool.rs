//! [`Pool`]: workers that wait for the next request.

use std::{
    ops::{Deref, DerefMut},
    sync::{Arc, Condvar, Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::{Worker, WorkerError};

type Start = dyn Fn() -> Result<Worker, WorkerError> + Send + Sync;

/// Workers of one kind, each with one request at a time.
#[derive(Clone)]
pub struct Pool {
    inner: Arc<Inner>,
}

struct Inner {
    start: Box<Start>,
    state: Mutex<State>,
    freed: Condvar,
}

struct State {
    idle: Vec<Worker>,
    running: usize,
    most: usize,
}

impl Pool {
    /// Creates an empty pool. `start` starts a worker when none is idle and fewer than `most` run.
    pub fn new(most: usize, start: impl Fn() -> Result<Worker, WorkerError> + Send + Sync + 'static) -> Self {
        let state = Mutex::new(State { idle: Vec::new(), running: 0, most: most.max(1) });
        Self { inner: Arc::new(Inner { start: Box::new(start), state, freed: Condvar::new() }) }
    }

    /// Sets the most workers at once, at least one.
    pub fn set_most(&self, most: usize) {
        let mut state = self.inner.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.most = most.max(1);
        while state.idle.len() + state.running > state.most && state.idle.pop().is_some() {}
    }

    /// Takes a worker, for which it waits at most `patience`. Blocks.
    pub fn take(&self, patience: Duration) -> Result<Lease, WorkerError> {
        let until = Instant::now() + patience;
        let mut state = self.inner.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.idle.is_empty() && state.running >= state.most {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(WorkerError::Busy);
            }
            state = self.inner.freed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.running += 1;
        // One that ended while it waited is of no use.
        let idle = std::iter::from_fn(|| state.idle.pop()).find_map(Worker::alive);
        drop(state);
        // From here on the lease counts, and its end gives the place back.
        let mut lease = Lease { worker: idle, healthy: false, pool: self.clone() };
        if lease.worker.is_none() {
            lease.worker = Some((self.inner.start)()?);
        }
        Ok(lease)
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Pool").finish_non_exhaustive()
    }
}

/// A worker on loan. It goes back to the pool if it is [kept](Lease::keep), and ends otherwise.
#[derive(Debug)]
pub struct Lease {
    worker: Option<Worker>,
    healthy: bool,
    pool: Pool,
}

impl Lease {
    /// Gives the worker back, ready for another request.
    pub fn keep(mut self) {
        self.healthy = true;
    }
}

impl Deref for Lease {
    type Target = Worker;

    #[expect(clippy::expect_used, reason = "a lease has its worker until it is dropped")]
    fn deref(&self) -> &Worker {
        self.worker.as_ref().expect("a worker on loan")
    }
}

impl DerefMut for Lease {
    #[expect(clippy::expect_used, reason = "a lease has its worker until it is dropped")]
    fn deref_mut(&mut self) -> &mut Worker {
        self.worker.as_mut().expect("a worker on loan")
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let worker = self.worker.take();
        let mut state = self.pool.inner.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.running -= 1;
        if self.healthy && state.idle.len() + state.running < state.most {
            state.idle.extend(worker);
        } else {
            drop(state);
            drop(worker);
        }
        self.pool.inner.freed.notify_one();
    }
}
