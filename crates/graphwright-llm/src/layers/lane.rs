//! What the models of one address share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

use super::{rate::Pace, slow::Slowness};
use crate::{LlmError, Result};

/// An address, with its places, its rate and its circuit breaker.
#[derive(Debug)]
pub(super) struct Lane {
    pub(super) provider: String,
    /// The address without what may be a password.
    pub(super) address: String,
    pub(super) breaker: Breaker,
    pub(super) pace: Pace,
    pub(super) slowness: Slowness,
    pub(super) places: Places,
}

impl Lane {
    /// Waits until a request of so many tokens may go.
    pub(super) async fn wait(&self, tokens: u64) {
        self.slowness.wait().await;
        self.pace.wait(tokens).await;
    }

    /// Records how a request ended: `used` are the tokens of a success, of which `waited_for` were
    /// waited for.
    pub(super) fn settle(&self, waited_for: u64, used: Result<u64, &LlmError>) {
        match used {
            Ok(used) => {
                self.pace.settle(waited_for, used);
                self.slowness.speed_up();
            }
            Err(LlmError::RateLimited { retry_after, .. }) => self.slowness.slow_down(*retry_after),
            Err(_) => {}
        }
    }
}

/// The calls that may run at the same time. Further ones wait in order.
#[derive(Debug)]
pub(super) struct Places {
    current: Mutex<(usize, Arc<Semaphore>)>,
}

impl Default for Places {
    fn default() -> Self {
        Self { current: Mutex::new((0, Arc::new(Semaphore::new(0)))) }
    }
}

impl Places {
    /// Sets how many there are. A new number holds for the calls that come then.
    pub(super) fn limit(&self, places: usize) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let places = places.clamp(1, Semaphore::MAX_PERMITS);
        if current.0 != places {
            *current = (places, Arc::new(Semaphore::new(places)));
        }
    }

    pub(super) async fn take(&self) -> Result<OwnedSemaphorePermit> {
        let places = Arc::clone(&self.current.lock().unwrap_or_else(PoisonError::into_inner).1);
        // Nobody closes the semaphore.
        places.acquire_owned().await.map_err(|_| LlmError::Cancelled)
    }
}

/// The breaker of one address.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    state: Mutex<State>,
}

/// What the calls so far tell about an address.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) failures: u32,
    pub(super) last: String,
    /// The time from which one call at a time is let through. The breaker is open while it is set.
    pub(super) open_until: Option<Instant>,
    pub(super) trial_runs: bool,
}

impl Breaker {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
