//! What the models of one address share.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use super::rate::Pace;

/// An address, with its rate and its circuit breaker.
#[derive(Debug)]
pub(super) struct Lane {
    pub(super) provider: String,
    /// The address without what may be a password.
    pub(super) address: String,
    pub(super) breaker: Breaker,
    pub(super) pace: Pace,
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
