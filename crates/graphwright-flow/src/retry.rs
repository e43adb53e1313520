//! How often and when a failed attempt is repeated.

use std::{error::Error, fmt, sync::Arc, time::Duration};

use backon::{BackoffBuilder, ExponentialBuilder};

/// How often a step is tried, and how long it waits between attempts: twice as long each time, with jitter.
///
/// ```
/// use std::{io, time::Duration};
/// use graphwright_flow::RetryPolicy;
///
/// let policy = RetryPolicy::attempts(5)
///     .with_delay(Duration::from_millis(200))
///     .with_longest_delay(Duration::from_secs(10))
///     .when(|error: &io::Error| error.kind() == io::ErrorKind::TimedOut);
/// ```
#[derive(Clone)]
pub struct RetryPolicy {
    attempts: u32,
    delay: Duration,
    factor: f32,
    longest_delay: Duration,
    jitter: bool,
    when: Option<Condition>,
}

/// Whether an error may pass.
type Condition = Arc<dyn Fn(&(dyn Error + 'static)) -> bool + Send + Sync>;

impl RetryPolicy {
    /// The first attempt alone.
    pub const fn never() -> Self {
        Self::attempts(1)
    }

    /// So many attempts, the first one counted. The second comes after 100 ms, each further one after twice as long, up to a minute.
    pub const fn attempts(attempts: u32) -> Self {
        Self {
            attempts,
            delay: Duration::from_millis(100),
            factor: 2.0,
            longest_delay: Duration::from_mins(1),
            jitter: true,
            when: None,
        }
    }

    /// Sets the time before the second attempt.
    #[must_use]
    pub const fn with_delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Sets by how much each delay is longer than the one before: 1 keeps it the same.
    #[must_use]
    pub const fn with_factor(mut self, factor: f32) -> Self {
        self.factor = factor;
        self
    }

    /// Sets the longest time between two attempts.
    #[must_use]
    pub const fn with_longest_delay(mut self, delay: Duration) -> Self {
        self.longest_delay = delay;
        self
    }

    /// Waits exactly as long as was set. By default each delay is longer by a random part of itself, so that what failed together
    /// does not come again together.
    #[must_use]
    pub const fn without_jitter(mut self) -> Self {
        self.jitter = false;
        self
    }

    /// Repeats an attempt only if it failed with this error and the condition holds; other errors end the run at once. An attempt
    /// that took too long is repeated in any case.
    #[must_use]
    pub fn when<E: Error + 'static>(
        mut self,
        condition: impl Fn(&E) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.when = Some(Arc::new(move |error| error.downcast_ref::<E>().is_some_and(&condition)));
        self
    }

    pub(crate) fn most_attempts(&self) -> u32 {
        self.attempts.max(1)
    }

    /// Whether an attempt that failed so may be repeated.
    pub(crate) fn covers(&self, error: &(dyn Error + 'static)) -> bool {
        self.when.as_ref().is_none_or(|when| when(error))
    }

    /// The times between attempts.
    pub(crate) fn delays(&self) -> impl Iterator<Item = Duration> + Send + use<> {
        let builder = ExponentialBuilder::default()
            .with_min_delay(self.delay)
            .with_max_delay(self.longest_delay)
            .with_factor(self.factor.max(1.0))
            .with_max_times(self.most_attempts() as usize - 1);
        if self.jitter { builder.with_jitter().build() } else { builder.build() }
    }
}

impl fmt::Debug for RetryPolicy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RetryPolicy")
            .field("attempts", &self.attempts)
            .field("delay", &self.delay)
            .field("factor", &self.factor)
            .field("longest_delay", &self.longest_delay)
            .field("jitter", &self.jitter)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::{fmt::Error as FormatError, io};

    use super::*;

    #[test]
    fn delays_grow_to_the_longest() {
        let policy = RetryPolicy::attempts(6)
            .with_delay(Duration::from_millis(100))
            .with_longest_delay(Duration::from_millis(500))
            .without_jitter();
        let delays: Vec<u128> = policy.delays().map(|delay| delay.as_millis()).collect();
        assert_eq!(delays, [100, 200, 400, 500, 500]);
        assert_eq!(RetryPolicy::never().delays().count(), 0);
    }

    #[test]
    fn jitter_adds_at_most_the_delay_itself() {
        for delay in RetryPolicy::attempts(2).with_delay(Duration::from_millis(100)).delays() {
            assert!((100..=200).contains(&delay.as_millis()), "{delay:?}");
        }
    }

    #[test]
    fn a_condition_is_asked_of_its_own_error_only() {
        let policy =
            RetryPolicy::attempts(2).when(|error: &io::Error| error.kind() == io::ErrorKind::TimedOut);
        assert!(policy.covers(&io::Error::from(io::ErrorKind::TimedOut)));
        assert!(!policy.covers(&io::Error::from(io::ErrorKind::NotFound)));
        assert!(!policy.covers(&FormatError));
    }
}
