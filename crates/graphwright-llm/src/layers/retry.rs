//! Tries again when a provider is busy or away.

use std::time::Duration;

use async_trait::async_trait;
use backon::{ExponentialBuilder, Retryable};

use crate::{ChatModel, ChatReply, ChatRequest, ChatStream, LlmError, Result};

const FIRST_WAIT: Duration = Duration::from_millis(500);
/// The longest wait. A provider that asks for more is given up.
const LONGEST_WAIT: Duration = Duration::from_secs(90);

/// A policy of retries: how many, and after which waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RetryPolicy {
    backoff: ExponentialBuilder,
}

impl RetryPolicy {
    /// Creates a policy of so many retries.
    ///
    /// Waits double from half a second to at most 30 s. Each has a random part, so that many
    /// callers do not come back at once.
    pub(crate) fn new(retries: usize) -> Self {
        let backoff = ExponentialBuilder::default()
            .with_min_delay(FIRST_WAIT)
            .with_max_delay(Duration::from_secs(30))
            .with_max_times(retries)
            .with_jitter();
        Self { backoff }
    }

    pub(crate) async fn run<T, F: Future<Output = Result<T>>>(
        &self,
        attempt: impl FnMut() -> F,
    ) -> Result<T> {
        attempt
            .retry(self.backoff)
            .when(LlmError::is_retryable)
            .adjust(wait)
            .notify(|error, wait| tracing::warn!(%error, ?wait, "trying again"))
            .await
    }
}

/// Returns the longer of our wait and the one that the provider asks for, or `None` to give up.
///
/// The provider's wait gets the random part of ours.
fn wait(error: &LlmError, ours: Option<Duration>) -> Option<Duration> {
    let (LlmError::RateLimited { retry_after: Some(asked), .. }, Some(ours)) = (error, ours) else {
        return ours;
    };
    // Our waits are whole multiples of the first, and a random part of it.
    let random = Duration::from_nanos((ours.as_nanos() % FIRST_WAIT.as_nanos()) as u64);
    (*asked <= LONGEST_WAIT).then(|| ours.max(*asked + random))
}

#[derive(Debug)]
pub(super) struct Retried<M> {
    inner: M,
    policy: RetryPolicy,
}

impl<M> Retried<M> {
    pub(super) fn new(inner: M, policy: RetryPolicy) -> Self {
        Self { inner, policy }
    }
}

#[async_trait]
impl<M: ChatModel> ChatModel for Retried<M> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatReply> {
        self.policy.run(|| self.inner.chat(request.clone())).await
    }

    /// Opens a stream, with retries only until its first piece: what was passed on cannot be taken
    /// back.
    async fn stream(&self, request: ChatRequest) -> Result<ChatStream> {
        self.policy.run(|| self.inner.stream(request.clone())).await
    }
}
