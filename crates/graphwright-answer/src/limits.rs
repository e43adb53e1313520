//! How long a question is read before the reader gives up, and how far the graph is followed.

use std::time::{Duration, Instant};

use crate::AskOptions;

/// The most relationships on a path between two things that is looked for.
const LONGEST_PATH: usize = 5;
/// The most steps along one relationship type that is followed on and on.
const LONGEST_WALK: usize = 10;

/// The time that a question may be read, and the number of relationships that are followed for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    start: Instant,
    time: Duration,
    hops: Option<usize>,
}

impl Limits {
    /// Begins now.
    pub(crate) fn new(options: &AskOptions) -> Self {
        Self { start: Instant::now(), time: options.reading_time, hops: options.hops }
    }

    /// Returns the most relationships on a path between two things.
    pub(crate) fn path_hops(self) -> usize {
        self.hops.unwrap_or(LONGEST_PATH)
    }

    /// Returns the most steps along one relationship type.
    pub(crate) fn walk_hops(self) -> usize {
        self.hops.unwrap_or(LONGEST_WALK)
    }

    /// Tells whether the time is over.
    pub(crate) fn is_over(self) -> bool {
        self.start.elapsed() >= self.time
    }

    /// Says that the time is over, and what to do about it.
    pub(crate) fn reason(self) -> String {
        format!(
            "The question was not read through: that takes more than {} s. Ask for less at once.",
            self.time.as_secs_f64()
        )
    }
}
