//! Limits of the tokens and money that calls may use.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use super::{Price, at_end};
use crate::{
    ChatModel, ChatReply, ChatRequest, ChatStream, LlmError, Result, Usage, tokens::estimate_request,
};

/// The tokens and money that calls may use, and what they have used. Clones share both.
///
/// A call is refused when the sum of what was used, what running calls need at least, and what the
/// call itself needs at least would pass a limit. The replies of running calls are not
/// known beforehand, so they may pass it by their length.
///
/// ```
/// use graphwright_llm::Budget;
///
/// let budget = Budget::new(Some(100_000), Some(0.50));
/// assert_eq!(budget.used().input_tokens, 0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Budget {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    tokens: Option<u64>,
    dollars: Option<f64>,
    state: Mutex<State>,
    /// The budget that this one is a part of.
    whole: Option<Budget>,
}

#[derive(Debug, Default)]
struct State {
    used: Usage,
    reserved: Usage,
}

impl Budget {
    /// Creates a budget of so many tokens, sent and received, and so many US dollars.
    pub fn new(tokens: Option<u64>, dollars: Option<f64>) -> Self {
        Self { shared: Arc::new(Shared { tokens, dollars, ..Shared::default() }) }
    }

    /// Creates a part of this budget with limits of its own.
    ///
    /// What is used of it counts in both, and the limits of both hold.
    #[must_use]
    pub fn part(&self, tokens: Option<u64>, dollars: Option<f64>) -> Self {
        let whole = Some(self.clone());
        Self { shared: Arc::new(Shared { tokens, dollars, whole, ..Shared::default() }) }
    }

    /// Returns what was used so far.
    pub fn used(&self) -> Usage {
        self.state().used
    }

    /// Returns whether dollars are limited, so that prices have to be known.
    pub fn limits_cost(&self) -> bool {
        self.shared.dollars.is_some() || self.shared.whole.as_ref().is_some_and(Self::limits_cost)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets aside what a call needs at least, or refuses the call.
    pub(super) fn reserve(&self, estimate: Usage) -> Result<Reservation> {
        let mut reserved = self.reserve_part(estimate)?;
        if let Some(whole) = &self.shared.whole {
            // If the whole has no room, dropping `reserved` gives this part back.
            reserved.of_whole = Some(Box::new(whole.reserve(estimate)?));
        }
        Ok(reserved)
    }

    fn reserve_part(&self, estimate: Usage) -> Result<Reservation> {
        let mut state = self.state();
        let needed = state.used.tokens() + state.reserved.tokens() + estimate.tokens();
        if let Some(limit) = self.shared.tokens.filter(|limit| needed > *limit) {
            let used = state.used.tokens();
            let message = format!(
                "{used} of {limit} tokens are used and the next call needs at least {}",
                estimate.tokens()
            );
            return Err(LlmError::Budget { message });
        }
        let cost = |usage: &Usage| usage.cost.unwrap_or(0.0);
        let needed = cost(&state.used) + cost(&state.reserved) + cost(&estimate);
        if let Some(limit) = self.shared.dollars.filter(|limit| needed > *limit) {
            let used = cost(&state.used);
            let message = format!(
                "${used:.4} of ${limit:.4} are used and the next call needs at least ${:.4}",
                cost(&estimate)
            );
            return Err(LlmError::Budget { message });
        }
        state.reserved += estimate;
        Ok(Reservation { budget: self.clone(), estimate, spent: None, of_whole: None })
    }
}

/// The least that a running call needs. It becomes what the call used when it ends.
pub(super) struct Reservation {
    budget: Budget,
    estimate: Usage,
    spent: Option<Usage>,
    of_whole: Option<Box<Reservation>>,
}

impl Reservation {
    pub(super) fn settle(&mut self, spent: Usage) {
        self.spent = Some(spent);
        if let Some(of_whole) = &mut self.of_whole {
            of_whole.settle(spent);
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut state = self.budget.state();
        // An estimate holds no more than this: the reply is not known when it is made.
        state.reserved.input_tokens -= self.estimate.input_tokens;
        state.reserved.cost = state.reserved.cost.map(|cost| cost - self.estimate.cost.unwrap_or(0.0));
        // A call without a settlement failed, and nothing is charged for it.
        if let Some(spent) = self.spent {
            state.used += spent;
        }
    }
}

#[derive(Debug)]
pub(super) struct Budgeted<M> {
    inner: M,
    budget: Budget,
    price: Option<Price>,
}

impl<M> Budgeted<M> {
    pub(super) fn new(inner: M, budget: Budget, price: Option<Price>) -> Self {
        Self { inner, budget, price }
    }

    fn reserve(&self, request: &ChatRequest) -> Result<Reservation> {
        let mut estimate = Usage { input_tokens: estimate_request(request), ..Usage::default() };
        estimate.cost = self.price.map(|price| price.cost(&estimate));
        self.budget.reserve(estimate)
    }
}

#[async_trait]
impl<M: ChatModel> ChatModel for Budgeted<M> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatReply> {
        let mut reservation = self.reserve(&request)?;
        let reply = self.inner.chat(request).await?;
        reservation.settle(reply.usage);
        Ok(reply)
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream> {
        let mut reservation = self.reserve(&request)?;
        let stream = self.inner.stream(request).await?;
        // A caller who drops the stream half way has still paid for what was sent.
        reservation.settle(Usage { requests: 1, ..reservation.estimate });
        Ok(at_end(stream, move |reply| {
            reservation.settle(reply.usage);
            Ok(())
        }))
    }
}
