//! Limits the requests and tokens a minute.

use std::{
    num::NonZeroU32,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use governor::{
    Quota, RateLimiter,
    clock::Clock,
    middleware::NoOpMiddleware,
    state::{InMemoryState, NotKeyed},
};
use tokio::time::Instant;

use super::{at_end, traffic::Lane};
use crate::{ChatModel, ChatReply, ChatRequest, ChatStream, Result, tokens::estimate_request};

const MINUTE: Duration = Duration::from_mins(1);
/// The part of a minute's limit (1/10) that may go at once.
const BURST: u32 = 10;

/// The rate at which an address may be called. Without a number there is no limit.
///
/// No minute has more than the limit, and up to a tenth of it goes at once. The tokens that a call
/// sends are estimated before it; what it used beyond the estimate is taken from the next call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RateLimits {
    /// The requests in a minute, retries included.
    pub requests_per_minute: Option<NonZeroU32>,
    /// The tokens in a minute, sent and received.
    pub tokens_per_minute: Option<NonZeroU32>,
}

/// The rate of one address.
#[derive(Debug, Default)]
pub(super) struct Pace {
    buckets: Mutex<Buckets>,
    /// The queue: calls wait in order, so that a large one is not overtaken by small ones for ever.
    turn: tokio::sync::Mutex<()>,
    /// The tokens used beyond what was taken for them.
    owed: AtomicU64,
}

#[derive(Clone, Debug, Default)]
struct Buckets {
    limits: RateLimits,
    requests: Option<Arc<Bucket>>,
    tokens: Option<Arc<Bucket>>,
}

impl Pace {
    /// Sets the limits that are given and leaves the others.
    pub(super) fn limit(&self, limits: RateLimits) {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let Buckets { limits: current, requests, tokens } = &mut *buckets;
        for (bucket, current, new) in [
            (requests, &mut current.requests_per_minute, limits.requests_per_minute),
            (tokens, &mut current.tokens_per_minute, limits.tokens_per_minute),
        ] {
            // A new bucket is full, so one is only made for a limit that has changed.
            if let Some(limit) = new.filter(|limit| *current != Some(*limit)) {
                *current = Some(limit);
                *bucket = Some(Arc::new(Bucket::new(limit)));
            }
        }
    }

    /// Waits until a request of so many tokens may go.
    pub(super) async fn wait(&self, tokens: u64) {
        let buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if buckets.limits == RateLimits::default() {
            return;
        }
        let _turn = self.turn.lock().await;
        if let Some(requests) = &buckets.requests {
            requests.take(1).await;
        }
        if let Some(bucket) = &buckets.tokens {
            let owed = self.owed.load(Ordering::Relaxed);
            bucket.take(owed).await;
            self.owed.fetch_sub(owed, Ordering::Relaxed);
            bucket.take(tokens).await;
        }
    }

    /// Records how many tokens a call used in the end, of which `waited_for` were waited for.
    pub(super) fn settle(&self, waited_for: u64, used: u64) {
        self.owed.fetch_add(used.saturating_sub(waited_for), Ordering::Relaxed);
    }
}

type Limiter = RateLimiter<NotKeyed, InMemoryState, RuntimeClock, NoOpMiddleware<Duration>>;

/// A limit of one quantity a minute.
#[derive(Debug)]
struct Bucket {
    limiter: Limiter,
    burst: NonZeroU32,
}

impl Bucket {
    fn new(limit: NonZeroU32) -> Self {
        let burst = NonZeroU32::new(limit.get() / BURST).unwrap_or(NonZeroU32::MIN);
        // The burst and what comes back within a minute after it are the limit together.
        let refill = limit.get() - burst.get() + 1;
        let quota = Quota::with_period(MINUTE / refill).unwrap_or_else(|| Quota::per_minute(limit));
        let limiter = RateLimiter::direct_with_clock(quota.allow_burst(burst), RuntimeClock::default());
        Self { limiter, burst }
    }

    /// Takes an amount, a burst at a time.
    async fn take(&self, mut amount: u64) {
        while let Some(piece) = NonZeroU32::new(amount.min(self.burst.get().into()) as u32) {
            match self.limiter.check_n(piece) {
                Ok(Err(early)) => {
                    let wait = early.wait_time_from(self.limiter.clock().now());
                    tracing::debug!(?wait, "waiting for the rate limit");
                    tokio::time::sleep(wait).await;
                }
                // A piece is never larger than the burst.
                Ok(Ok(())) | Err(_) => amount -= u64::from(piece.get()),
            }
        }
    }
}

/// The runtime's clock, which tests can stop.
#[derive(Clone, Copy, Debug)]
struct RuntimeClock {
    start: Instant,
}

impl Default for RuntimeClock {
    fn default() -> Self {
        Self { start: Instant::now() }
    }
}

impl Clock for RuntimeClock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.start.elapsed()
    }
}

/// A model that sends each request when the rate of its address allows it.
#[derive(Debug)]
pub(super) struct Paced<M> {
    inner: M,
    lane: Arc<Lane>,
}

impl<M> Paced<M> {
    pub(super) fn new(inner: M, lane: Arc<Lane>) -> Self {
        Self { inner, lane }
    }
}

#[async_trait]
impl<M: ChatModel> ChatModel for Paced<M> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatReply> {
        let estimate = estimate_request(&request);
        self.lane.pace.wait(estimate).await;
        let reply = self.inner.chat(request).await?;
        self.lane.pace.settle(estimate, reply.usage.tokens());
        Ok(reply)
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream> {
        let estimate = estimate_request(&request);
        self.lane.pace.wait(estimate).await;
        let lane = Arc::clone(&self.lane);
        Ok(at_end(self.inner.stream(request).await?, move |reply| {
            lane.pace.settle(estimate, reply.usage.tokens());
            Ok(())
        }))
    }
}

#[cfg(test)]
mod tests {
    use futures::future::join_all;

    use super::*;
    use crate::{LlmError, ModelSettings, ScriptedModel, Traffic, Usage, stack};

    fn settings(requests: Option<u32>, tokens: Option<u32>) -> ModelSettings {
        let mut settings = ModelSettings::new("openai/gpt-4o".parse().unwrap());
        let limit = |limit: Option<u32>| limit.and_then(NonZeroU32::new);
        settings.provider.rate =
            RateLimits { requests_per_minute: limit(requests), tokens_per_minute: limit(tokens) };
        settings.traffic = Traffic::new();
        settings
    }

    fn question() -> ChatRequest {
        ChatRequest::new("Answer in one word.", "The capital of France?")
    }

    /// When each of so many calls reached the model, made all at once.
    async fn times(settings: &ModelSettings, calls: usize) -> Vec<Instant> {
        let times = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&times);
        let model = ScriptedModel::answering(move |_| {
            seen.lock().unwrap().push(Instant::now());
            Ok("Paris".into())
        });
        let model = stack(model, &ModelSettings { concurrency: 1_000, ..settings.clone() }).unwrap();
        join_all((0..calls).map(|_| model.chat(question()))).await;
        times.lock().unwrap().clone()
    }

    #[tokio::test(start_paused = true)]
    async fn no_minute_has_more_requests_than_the_limit() {
        for limit in [1_u32, 2, 7, 60, 125] {
            let calls = limit as usize * 3;
            let times = times(&settings(Some(limit), None), calls).await;
            assert_eq!(times.len(), calls);
            let most = times
                .iter()
                .map(|start| times.iter().filter(|time| (*start..*start + MINUTE).contains(time)).count());
            assert_eq!(most.max(), Some(limit as usize), "the limit is reached and not passed");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_a_reply_took_is_waited_for_by_the_next_call() {
        let usage = Usage { requests: 1, input_tokens: 11, output_tokens: 1_000, ..Usage::default() };
        let model = ScriptedModel::answering(move |_| Ok(ChatReply { usage, ..ChatReply::from("Paris") }));
        let model = stack(model, &settings(None, Some(1_000))).unwrap();
        let start = Instant::now();
        model.chat(question()).await.unwrap();
        assert_eq!(start.elapsed(), Duration::ZERO);
        model.chat(question()).await.unwrap();
        // 1,011 tokens at 901 a minute, after the rest of the 100 that may go at once.
        assert_eq!(start.elapsed().as_secs(), 61);
    }

    #[tokio::test(start_paused = true)]
    async fn models_of_one_address_share_its_rate_and_others_do_not() {
        let first = settings(Some(1), None);
        let second = ModelSettings { name: "openai/gpt-4o-mini".parse().unwrap(), ..first.clone() };
        let mut elsewhere = first.clone();
        elsewhere.provider.address = Some("https://gateway.example/v1".to_owned());
        let start = Instant::now();
        let waits = async |settings: &ModelSettings| {
            stack(ScriptedModel::replies(["Paris"]), settings).unwrap().chat(question()).await.unwrap();
            start.elapsed().as_secs()
        };
        assert_eq!((waits(&first).await, waits(&elsewhere).await, waits(&second).await), (0, 0, 60));
    }

    #[tokio::test(start_paused = true)]
    async fn tries_count_against_the_rate() {
        let down = || Err(LlmError::Unavailable { provider: "openai".into(), message: "down".into() });
        let model = ScriptedModel::results([down(), down(), Ok("Paris".into())]);
        let start = Instant::now();
        stack(model, &settings(Some(1), None)).unwrap().chat(question()).await.unwrap();
        assert_eq!(start.elapsed().as_secs(), 120);
    }

    #[tokio::test(start_paused = true)]
    async fn a_limit_that_is_set_anew_replaces_the_old_one() {
        let slow = settings(Some(1), None);
        let mut fast = slow.clone();
        fast.provider.rate.requests_per_minute = NonZeroU32::new(60);
        let unset = ModelSettings { provider: crate::ProviderSettings::default(), ..slow.clone() };
        let lane = slow.traffic.lane(&slow.name, &slow.provider);
        fast.traffic.lane(&fast.name, &fast.provider);
        unset.traffic.lane(&unset.name, &unset.provider);
        let start = Instant::now();
        for _ in 0..7 {
            lane.pace.wait(1).await;
        }
        // Six at once, the next when one has come back: 55 of them a minute.
        assert_eq!(start.elapsed().as_millis(), 1_091);
    }
}
