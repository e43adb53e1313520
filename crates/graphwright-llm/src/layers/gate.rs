//! The limits that a request of an embedder or a reranker passes through: those of a chat model, without a reply to check.

use std::sync::Arc;

use tracing::{Instrument, Span};

use super::{Budget, CircuitBreaker, Price, RetryPolicy, lane::Lane, trace};
use crate::{Result, Usage};

/// From the outside in: budget and price, circuit breaker, retry, calls at the same time, rate.
#[derive(Debug)]
pub(super) struct Gate {
    budget: Budget,
    price: Option<Price>,
    breaker: CircuitBreaker,
    retry: RetryPolicy,
    lane: Arc<Lane>,
}

impl Gate {
    pub(super) fn new(
        budget: Budget,
        price: Option<Price>,
        breaker: CircuitBreaker,
        retries: usize,
        lane: Arc<Lane>,
    ) -> Self {
        Self { budget, price, breaker, retry: RetryPolicy::new(retries), lane }
    }

    /// Returns the address that is called, without secrets.
    pub(super) fn address(&self) -> &str {
        &self.lane.address
    }

    /// Makes a request within all limits, and records in `span` what it used.
    ///
    /// `estimate` is the number of tokens that it sends; `request` returns the number that the provider counts, if it does.
    pub(super) async fn pass<T, F>(
        &self,
        span: Span,
        estimate: u64,
        request: impl Fn() -> F + Send + Sync,
    ) -> Result<T>
    where
        T: Send,
        F: Future<Output = Result<(T, Option<u64>)>> + Send,
    {
        let result = self.limited(estimate, request).instrument(span.clone()).await;
        match &result {
            Ok((_, usage)) => trace::record_usage(&span, usage),
            Err(error) => trace::record_error(&span, error),
        }
        result.map(|(value, _)| value)
    }

    async fn limited<T, F>(&self, estimate: u64, request: impl Fn() -> F + Send + Sync) -> Result<(T, Usage)>
    where
        T: Send,
        F: Future<Output = Result<(T, Option<u64>)>> + Send,
    {
        let usage = |tokens| self.priced(Usage { requests: 1, input_tokens: tokens, ..Usage::default() });
        let mut reservation = self.budget.reserve(Usage { requests: 0, ..usage(estimate) })?;
        let pass = self.lane.admit(self.breaker)?;
        let result = self.retry.run(|| self.send(estimate, request())).await;
        pass.report(&result);
        let (value, tokens) = result?;
        let usage = usage(tokens.unwrap_or(estimate));
        reservation.settle(usage);
        Ok((value, usage))
    }

    async fn send<T>(
        &self,
        estimate: u64,
        request: impl Future<Output = Result<(T, Option<u64>)>>,
    ) -> Result<(T, Option<u64>)> {
        let _place = self.lane.places.take().await?;
        self.lane.wait(estimate).await;
        let result = request.await;
        self.lane.settle(estimate, result.as_ref().map(|(_, tokens)| tokens.unwrap_or(estimate)));
        result
    }

    fn priced(&self, usage: Usage) -> Usage {
        Usage { cost: self.price.map(|price| price.cost(&usage)), ..usage }
    }
}
