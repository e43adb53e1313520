//! The layers that every call of an embedder passes through: those of a chat model, without a reply
//! to check.

use std::fmt::Debug;

use async_trait::async_trait;

use super::{gate::Gate, trace};
use crate::{Embedder, EmbedderIdentity, EmbedderSettings, Result, tokens::estimate_tokens};

/// A request to an embedder.
#[async_trait]
pub(crate) trait EmbeddingCall: Debug + Send + Sync {
    fn identity(&self) -> &EmbedderIdentity;

    /// Returns one vector for each text, and the tokens sent if the provider counts them.
    async fn call(&self, texts: &[String]) -> Result<(Vec<Vec<f32>>, Option<u64>)>;
}

/// An embedder that sends texts in batches, each within all limits.
#[derive(Debug)]
pub(crate) struct Embeddings<E> {
    inner: E,
    settings: EmbedderSettings,
    gate: Gate,
}

impl<E: EmbeddingCall> Embeddings<E> {
    pub(crate) fn new(inner: E, settings: &EmbedderSettings) -> Result<Self> {
        let EmbedderSettings { name, price, budget, provider, .. } = settings;
        let price = super::price_within(budget, name, *price)?;
        let gate = Gate::new(budget.clone(), price, provider.breaker, settings.retries, settings.lane());
        Ok(Self {
            inner,
            gate,
            settings: EmbedderSettings { batch: settings.batch.max(1), ..settings.clone() },
        })
    }

    async fn embed_batch(&self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        let EmbedderSettings { name, dimensions, .. } = &self.settings;
        let span = trace::embedding_span(name, self.gate.address(), *dimensions);
        let estimate = texts.iter().map(|text| estimate_tokens(text)).sum();
        self.gate.pass(span, estimate, || self.inner.call(texts)).await
    }
}

#[async_trait]
impl<E: EmbeddingCall> Embedder for Embeddings<E> {
    fn identity(&self) -> &EmbedderIdentity {
        self.inner.identity()
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(self.settings.batch) {
            vectors.extend(self.embed_batch(batch).await?);
        }
        Ok(vectors)
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::VecDeque,
        sync::{
            Arc, Mutex,
            atomic::{AtomicUsize, Ordering},
        },
        time::Duration,
    };

    use super::*;
    use crate::{Budget, LlmError, Traffic};

    /// Fails as told, then gives vectors of one component.
    #[derive(Debug)]
    struct Scripted {
        identity: EmbedderIdentity,
        failures: Mutex<VecDeque<LlmError>>,
        calls: Arc<AtomicUsize>,
    }

    #[async_trait]
    impl EmbeddingCall for Scripted {
        fn identity(&self) -> &EmbedderIdentity {
            &self.identity
        }

        async fn call(&self, texts: &[String]) -> Result<(Vec<Vec<f32>>, Option<u64>)> {
            self.calls.fetch_add(1, Ordering::Relaxed);
            match self.failures.lock().unwrap().pop_front() {
                Some(failure) => Err(failure),
                None => Ok((vec![vec![1.0]; texts.len()], Some(100))),
            }
        }
    }

    fn settings() -> EmbedderSettings {
        let mut settings = EmbedderSettings::new("openai/text-embedding-3-small".parse().unwrap(), 1);
        settings.traffic = Traffic::new();
        settings.batch = 2;
        settings
    }

    fn embedder(
        settings: &EmbedderSettings,
        failures: impl IntoIterator<Item = LlmError>,
    ) -> (Embeddings<Scripted>, Arc<AtomicUsize>) {
        let calls = Arc::new(AtomicUsize::new(0));
        let identity = EmbedderIdentity { name: "test".into(), weights: String::new(), dimensions: 1 };
        let failures = Mutex::new(failures.into_iter().collect());
        let inner = Scripted { identity, failures, calls: Arc::clone(&calls) };
        (Embeddings::new(inner, settings).unwrap(), calls)
    }

    fn down() -> LlmError {
        LlmError::Unavailable { provider: "openai".into(), message: "down".into() }
    }

    fn texts(number: usize) -> Vec<String> {
        vec!["four".to_owned(); number]
    }

    #[tokio::test(start_paused = true)]
    async fn batches_are_tried_again_priced_and_counted() {
        let budget = Budget::new(Some(350), Some(1.0));
        let (embedder, calls) =
            embedder(&EmbedderSettings { budget: budget.clone(), ..settings() }, [down()]);
        assert_eq!(embedder.embed(&texts(5)).await.unwrap(), vec![vec![1.0]; 5]);
        assert_eq!(calls.load(Ordering::Relaxed), 4, "three batches, one of them twice");
        let used = budget.used();
        assert_eq!((used.requests, used.input_tokens), (3, 300));
        assert!((used.cost.unwrap() - 300.0 * 0.02 / 1e6).abs() < 1e-15);
        assert!(matches!(embedder.embed(&texts(100)).await, Err(LlmError::Budget { .. })));
    }

    #[tokio::test(start_paused = true)]
    async fn the_breaker_and_the_rate_of_the_address_hold_for_it() {
        let settings = EmbedderSettings { retries: 0, ..settings() };
        let (embedder, calls) = embedder(&settings, [down(), down(), down()]);
        for _ in 0..3 {
            assert!(matches!(embedder.embed(&texts(1)).await, Err(LlmError::Unavailable { .. })));
        }
        assert!(matches!(embedder.embed(&texts(1)).await, Err(LlmError::CircuitOpen { .. })));
        assert_eq!(calls.load(Ordering::Relaxed), 3);

        let mut slow = EmbedderSettings { traffic: Traffic::new(), ..settings };
        slow.provider.rate.requests_per_minute = std::num::NonZeroU32::new(1);
        let start = tokio::time::Instant::now();
        super::tests::embedder(&slow, []).0.embed(&texts(3)).await.unwrap();
        assert_eq!(start.elapsed(), Duration::from_mins(1));
    }

    #[test]
    fn a_budget_in_dollars_needs_a_price() {
        let mut settings = settings();
        settings.name = "ollama/nomic-embed-text".parse().unwrap();
        settings.budget = Budget::new(None, Some(1.0));
        let inner = embedder(&super::tests::settings(), []).0.inner;
        assert!(matches!(Embeddings::new(inner, &settings), Err(LlmError::Configuration { .. })));
    }
}
