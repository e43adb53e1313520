//! A step as it is run.

use std::{fmt, time::Duration};

use futures::future::BoxFuture;

use crate::{
    context::Context,
    error::StepError,
    event::Payload,
    flow::Flow,
    outcome::{OneOf, Outbox, Outcome},
    retry::RetryPolicy,
};

/// How many attempts of a step run side by side unless it says otherwise.
pub(crate) const WORKERS: usize = 4;

/// Runs a step.
pub(crate) type RunStep<F> =
    for<'a> fn(&'a F, Payload, &'a Context<F>) -> BoxFuture<'a, Result<Outbox, StepError>>;

/// A step of a flow, in the place of its [shape](crate::support::StepShape).
pub struct Step<F: Flow> {
    pub(crate) run: RunStep<F>,
    pub(crate) workers: usize,
    pub(crate) time_limit: Option<Duration>,
    pub(crate) retry: RetryPolicy,
}

impl<F: Flow> Step<F> {
    /// Makes a step that is tried once.
    pub fn new(run: RunStep<F>) -> Self {
        Self { run, workers: WORKERS, time_limit: None, retry: RetryPolicy::never() }
    }

    /// Sets how many events the step works on side by side.
    #[must_use]
    pub fn with_workers(mut self, workers: usize) -> Self {
        self.workers = workers;
        self
    }

    /// Sets the longest time of an attempt.
    #[must_use]
    pub fn with_time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// Sets how often the step is tried.
    #[must_use]
    pub fn with_retry(mut self, retry: RetryPolicy) -> Self {
        self.retry = retry;
        self
    }
}

impl<F: Flow> fmt::Debug for Step<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Step")
            .field("workers", &self.workers)
            .field("time_limit", &self.time_limit)
            .field("retry", &self.retry)
            .finish_non_exhaustive()
    }
}

/// The steps of a flow, written by [`#[flow]`](macro@crate::flow).
pub trait Steps: Flow {
    /// Returns the steps, in the order of the shape.
    fn steps() -> Vec<Step<Self>>;
}

/// Takes an event out of its box.
pub fn take<T: OneOf>(payload: Payload) -> Result<T, StepError> {
    T::from_payload(payload).map_err(|_| "the event is of a type that the step does not take".into())
}

/// Puts what a step returned into the outbox.
pub fn settle(returned: impl Outcome) -> Result<Outbox, StepError> {
    let mut outbox = Outbox::default();
    returned.settle(&mut outbox)?;
    Ok(outbox)
}
