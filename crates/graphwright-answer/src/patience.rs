//! How long a question is read before the reader gives up.

use std::time::{Duration, Instant};

/// The time that a question may be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    start: Instant,
    limit: Duration,
}

impl Patience {
    /// Begins now.
    pub(crate) fn new(limit: Duration) -> Self {
        Self { start: Instant::now(), limit }
    }

    /// Tells whether the time is over.
    pub(crate) fn is_over(self) -> bool {
        self.start.elapsed() >= self.limit
    }

    /// Says that the time is over, and what to do about it.
    pub(crate) fn reason(self) -> String {
        format!(
            "The question was not read through: that takes more than {} s. Ask for less at once.",
            self.limit.as_secs_f64()
        )
    }
}
