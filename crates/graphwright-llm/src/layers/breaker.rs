//! Stops calls to an address that does not answer.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use futures::StreamExt;
use tokio::time::Instant;

use super::lane::{Lane, State};
use crate::{ChatModel, ChatReply, ChatRequest, ChatStream, LlmError, Result, StreamEvent};

/// A rule for when calls to an address stop, and for how long.
///
/// After `failures` calls in a row that failed in spite of their retries, further ones fail at once
/// with [`LlmError::CircuitOpen`]. After the pause one call is let through. If it gets an answer,
/// all are let through again, else the pause begins anew.
///
/// Only [`LlmError::Unavailable`] is a failure of the address. Every other answer shows that it is
/// alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CircuitBreaker {
    /// The number of failed calls in a row that stops further ones. With 0 they are never stopped.
    pub failures: u32,
    /// The time during which no call is made.
    pub pause: Duration,
}

impl Default for CircuitBreaker {
    /// Stops after three calls, for half a minute.
    fn default() -> Self {
        Self { failures: 3, pause: Duration::from_secs(30) }
    }
}

impl Lane {
    /// Lets a call through, or tells when it may come again.
    pub(super) fn admit(self: &Arc<Self>, settings: CircuitBreaker) -> Result<Pass> {
        let mut state = self.breaker.state();
        let mut trial = false;
        if let Some(until) = state.open_until.filter(|_| settings.failures > 0) {
            let retry_in = until.saturating_duration_since(Instant::now());
            if state.trial_runs || !retry_in.is_zero() {
                return Err(LlmError::CircuitOpen {
                    provider: self.provider.clone(),
                    address: self.address.clone(),
                    failures: state.failures,
                    retry_in,
                    message: state.last.clone(),
                });
            }
            state.trial_runs = true;
            trial = true;
        }
        drop(state);
        Ok(Pass { lane: Arc::clone(self), settings, trial })
    }
}

/// A call that was let through. Dropped without a report, it tells nothing about the address.
pub(super) struct Pass {
    lane: Arc<Lane>,
    settings: CircuitBreaker,
    trial: bool,
}

impl Pass {
    /// Records what the result of the call tells about the address.
    pub(super) fn report<T>(&self, result: &Result<T>) {
        let mut state = self.lane.breaker.state();
        match result {
            Err(LlmError::Unavailable { message, .. }) => {
                state.failures += 1;
                state.last.clone_from(message);
                // Calls that were under way when the breaker opened fail after it and must not
                // prolong the pause.
                // At least, as models with other limits may share the address.
                let limit = self.settings.failures;
                let opens = state.open_until.is_none() && limit > 0 && state.failures >= limit;
                if opens || self.trial {
                    let Lane { provider, address, .. } = &*self.lane;
                    tracing::warn!(
                        provider, address, pause = ?self.settings.pause, "no more calls until the pause is over"
                    );
                    state.open_until = Some(Instant::now() + self.settings.pause);
                }
            }
            // A cancelled call tells nothing about the address.
            Err(LlmError::Cancelled) => {}
            // A trial may still run beside this call; its own pass says when it ends.
            Ok(_) | Err(_) => *state = State { trial_runs: state.trial_runs, ..State::default() },
        }
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        if self.trial {
            self.lane.breaker.state().trial_runs = false;
        }
    }
}

/// A model that makes no call to an address that does not answer.
#[derive(Debug)]
pub(super) struct Guarded<M> {
    inner: M,
    lane: Arc<Lane>,
    settings: CircuitBreaker,
}

impl<M> Guarded<M> {
    pub(super) fn new(inner: M, lane: Arc<Lane>, settings: CircuitBreaker) -> Self {
        Self { inner, lane, settings }
    }
}

#[async_trait]
impl<M: ChatModel> ChatModel for Guarded<M> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatReply> {
        let pass = self.lane.admit(self.settings)?;
        let result = self.inner.chat(request).await;
        pass.report(&result);
        result
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream> {
        let pass = self.lane.admit(self.settings)?;
        let opened =
            self.inner.stream(request).await.inspect_err(|error| pass.report::<()>(&Err(error.clone())));
        Ok(opened?
            .inspect(move |event| match event {
                Ok(StreamEvent::End(_)) | Err(_) => pass.report(event),
                Ok(_) => {}
            })
            .boxed())
    }
}

#[cfg(test)]
mod tests {
    use futures::{StreamExt, stream};

    use super::*;
    use crate::{ModelSettings, ScriptedModel, Traffic, stack};

    fn settings() -> ModelSettings {
        let mut settings = ModelSettings::new("openai/gpt-4o".parse().unwrap());
        settings.provider.address = Some("https://me:secret@gateway.example/v1".to_owned());
        settings.traffic = Traffic::new();
        settings.retries = 0;
        settings
    }

    fn question() -> ChatRequest {
        ChatRequest::new("Answer in one word.", "The capital of France?")
    }

    fn down() -> Result<ChatReply> {
        Err(LlmError::Unavailable { provider: "openai".into(), message: "status 500: down".into() })
    }

    async fn fail(model: &dyn ChatModel, times: usize) {
        for _ in 0..times {
            assert!(matches!(model.chat(question()).await, Err(LlmError::Unavailable { .. })));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_that_fails_is_left_alone_and_then_tried_with_one_call() {
        let script = ScriptedModel::results([down(), down(), down(), down(), Ok("Paris".into()), down()]);
        let model = stack(script.clone(), &settings()).unwrap();
        fail(&*model, 3).await;
        tokio::time::advance(Duration::from_millis(1_500)).await;
        let open = model.chat(question()).await.unwrap_err();
        insta::assert_snapshot!(open, @"openai failed 3 times in a row and is called again in 29 s (https://***@gateway.example/v1): status 500: down");
        assert!(!open.is_retryable());
        assert!(matches!(model.stream(question()).await, Err(LlmError::CircuitOpen { .. })));
        assert_eq!(script.requests().len(), 3, "it was not called");

        tokio::time::advance(Duration::from_secs(29)).await;
        fail(&*model, 1).await;
        assert!(matches!(model.chat(question()).await, Err(LlmError::CircuitOpen { failures: 4, .. })));
        tokio::time::advance(Duration::from_secs(30)).await;
        assert_eq!(model.chat(question()).await.unwrap().text(), "Paris");
        fail(&*model, 1).await;
        assert_eq!(script.requests().len(), 6, "one failure does not open it again");
    }

    /// Answers after a while.
    #[derive(Debug)]
    struct Slow;

    #[async_trait]
    impl ChatModel for Slow {
        fn name(&self) -> &'static str {
            "test/slow"
        }

        async fn chat(&self, _: ChatRequest) -> Result<ChatReply> {
            tokio::time::sleep(Duration::from_secs(5)).await;
            Ok("Paris".into())
        }

        async fn stream(&self, _: ChatRequest) -> Result<ChatStream> {
            let broken = down().map(|reply| StreamEvent::End(Box::new(reply)));
            Ok(stream::iter([Ok(StreamEvent::Text("Pa".into())), broken]).boxed())
        }
    }

    #[tokio::test(start_paused = true)]
    async fn one_call_at_a_time_finds_out_and_one_that_is_given_up_says_nothing() {
        let settings = settings();
        fail(&*stack(ScriptedModel::results([down(), down(), down()]), &settings).unwrap(), 3).await;
        // Another model of the same address knows it too.
        let slow = stack(Slow, &settings).unwrap();
        tokio::time::advance(Duration::from_secs(30)).await;
        let given_up = tokio::time::timeout(Duration::from_secs(1), slow.chat(question())).await;
        assert!(given_up.is_err());
        let (first, second) = futures::join!(slow.chat(question()), slow.chat(question()));
        assert_eq!(first.unwrap().text(), "Paris");
        let second = second.unwrap_err().to_string();
        assert!(second.contains("is being tried with one call"), "{second}");
        assert!(slow.chat(question()).await.is_ok());
    }

    #[tokio::test]
    async fn a_stream_that_breaks_off_is_a_failure() {
        let model = stack(Slow, &settings()).unwrap();
        for _ in 0..3 {
            model.stream(question()).await.unwrap().collect::<Vec<_>>().await;
        }
        assert!(matches!(model.chat(question()).await, Err(LlmError::CircuitOpen { .. })));
    }

    #[tokio::test]
    async fn what_is_the_callers_fault_or_asks_to_wait_opens_nothing() {
        let provider = || "openai".to_owned();
        let errors = [
            LlmError::NotFound { provider: provider(), message: "no such model".into() },
            LlmError::Authentication { provider: provider(), message: "no".into() },
            LlmError::RateLimited { provider: provider(), retry_after: None },
            LlmError::ContextLength { model: "openai/gpt-4o".into() },
        ];
        let script = errors.into_iter().cycle().take(12).map(Err).chain([down(), down(), Ok("Paris".into())]);
        let model = stack(ScriptedModel::results(script), &settings()).unwrap();
        for _ in 0..14 {
            let error = model.chat(question()).await.unwrap_err();
            assert!(!matches!(error, LlmError::CircuitOpen { .. }), "{error}");
        }
        assert!(model.chat(question()).await.is_ok());
    }

    #[tokio::test]
    async fn other_addresses_are_not_concerned_and_none_is_where_it_is_off() {
        let here = settings();
        fail(&*stack(ScriptedModel::results([down(), down(), down()]), &here).unwrap(), 3).await;
        let mut elsewhere = here.clone();
        elsewhere.provider.address = None;
        let model = stack(ScriptedModel::replies(["Paris"]), &elsewhere).unwrap();
        assert!(model.chat(question()).await.is_ok());
        let mut off = here;
        off.provider.breaker.failures = 0;
        fail(&*stack(ScriptedModel::answering(|_| down()), &off).unwrap(), 5).await;
    }
}
