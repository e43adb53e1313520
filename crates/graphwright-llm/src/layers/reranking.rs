//! The limits around every call of a reranker.

use std::fmt::Debug;

use async_trait::async_trait;

use super::{gate::Gate, trace};
use crate::{Reranker, RerankerSettings, Result, tokens::estimate_tokens};

/// A request to a reranker.
#[async_trait]
pub(crate) trait RerankCall: Debug + Send + Sync {
    fn name(&self) -> &str;

    /// Returns one score for each text, and the tokens sent if the provider counts them.
    async fn call(&self, query: &str, texts: &[String]) -> Result<(Vec<f32>, Option<u64>)>;
}

/// A reranker that sends texts in batches, each within all limits.
#[derive(Debug)]
pub(crate) struct Reranking<R> {
    inner: R,
    settings: RerankerSettings,
    gate: Gate,
}

impl<R: RerankCall> Reranking<R> {
    pub(crate) fn new(inner: R, settings: &RerankerSettings) -> Result<Self> {
        let RerankerSettings { name, price, budget, provider, .. } = settings;
        let price = super::price_within(budget, name, *price)?;
        let gate = Gate::new(budget.clone(), price, provider.breaker, settings.retries, settings.lane());
        Ok(Self {
            inner,
            gate,
            settings: RerankerSettings { batch: settings.batch.max(1), ..settings.clone() },
        })
    }

    async fn rerank_batch(&self, query: &str, texts: &[String]) -> Result<Vec<f32>> {
        let span = trace::rerank_span(&self.settings.name, self.gate.address());
        // The query is read with each text.
        let asked = estimate_tokens(query);
        let estimate = texts.iter().map(|text| asked + estimate_tokens(text)).sum();
        self.gate.pass(span, estimate, || self.inner.call(query, texts)).await
    }
}

#[async_trait]
impl<R: RerankCall> Reranker for Reranking<R> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn rerank(&self, query: &str, texts: &[String]) -> Result<Vec<f32>> {
        let mut scores = Vec::with_capacity(texts.len());
        for batch in texts.chunks(self.settings.batch) {
            scores.extend(self.rerank_batch(query, batch).await?);
        }
        Ok(scores)
    }
}
