//! Sends requests at the rate of their address.

use std::sync::Arc;

use async_trait::async_trait;

use super::{at_end, lane::Lane};
use crate::{ChatModel, ChatReply, ChatRequest, ChatStream, Result, tokens::estimate_request};

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
        self.lane.wait(estimate).await;
        let reply = self.inner.chat(request).await;
        self.lane.settle(estimate, reply.as_ref().map(|reply| reply.usage.tokens()));
        reply
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream> {
        let estimate = estimate_request(&request);
        self.lane.wait(estimate).await;
        let stream = self.inner.stream(request).await;
        let stream = stream.inspect_err(|error| self.lane.settle(estimate, Err(error)))?;
        let lane = Arc::clone(&self.lane);
        Ok(at_end(stream, move |reply| {
            lane.settle(estimate, Ok(reply.usage.tokens()));
            Ok(())
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::{num::NonZeroU32, sync::Mutex, time::Duration};

    use futures::future::join_all;
    use tokio::time::Instant;

    use super::{
        super::rate::{MINUTE, RateLimits},
        *,
    };
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
        let lane = slow.lane();
        fast.lane();
        unset.lane();
        let start = Instant::now();
        for _ in 0..7 {
            lane.pace.wait(1).await;
        }
        // Six at once, the next when one has come back: 55 of them a minute.
        assert_eq!(start.elapsed().as_millis(), 1_091);
    }
}
