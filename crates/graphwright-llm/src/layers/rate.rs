//! The rate of an address: its requests and tokens a minute.

use std::{
    num::NonZeroU32,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use governor::{
    Quota, RateLimiter,
    clock::Clock,
    middleware::NoOpMiddleware,
    state::{InMemoryState, NotKeyed},
};
use tokio::time::Instant;

pub(super) const MINUTE: Duration = Duration::from_mins(1);
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
            // Struck off only once it is paid: a call given up while it waits leaves the debt to
            // the next.
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
