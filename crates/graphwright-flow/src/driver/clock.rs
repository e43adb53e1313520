//! The time limit of a run, which stands still while only people can go on.

use std::{future::pending, time::Duration};

use tokio::time::{Instant, sleep_until};

use crate::error::FlowError;

pub(super) struct Clock {
    limit: Option<Duration>,
    /// What is left while the clock stands still.
    left: Duration,
    /// When the time is up, while the clock runs.
    deadline: Option<Instant>,
}

impl Clock {
    pub(super) fn new(limit: Option<Duration>) -> Self {
        Self { limit, left: limit.unwrap_or_default(), deadline: None }
    }

    pub(super) fn run_while(&mut self, is_working: bool) {
        match (self.limit, self.deadline) {
            (Some(_), None) if is_working => self.deadline = Instant::now().checked_add(self.left),
            (Some(_), Some(deadline)) if !is_working => {
                self.left = deadline.saturating_duration_since(Instant::now());
                self.deadline = None;
            }
            _ => {}
        }
    }

    /// Waits until the time is up.
    pub(super) async fn expired(&self) -> FlowError {
        match (self.limit, self.deadline) {
            (Some(limit), Some(deadline)) => {
                sleep_until(deadline).await;
                FlowError::OutOfTime { limit }
            }
            _ => pending().await,
        }
    }
}
