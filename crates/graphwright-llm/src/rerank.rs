//! The contract of rerankers.

mod listwise;

use std::fmt::Debug;

use async_trait::async_trait;

pub use listwise::ListwiseReranker;

use crate::Result;

/// A judge of how relevant texts are to a query, which reads each text together with the query.
///
/// That is more exact and far slower than comparing vectors, so it ranks anew what a search has found.
#[async_trait]
pub trait Reranker: Debug + Send + Sync {
    /// Returns its name, as `cohere/rerank-v3.5`.
    fn name(&self) -> &str;

    /// Returns one relevance score for each text, in the order of the texts. A higher one is more relevant.
    ///
    /// Scores are finite, and comparable only within one call: some rerankers give probabilities, others any number.
    ///
    /// # Errors
    /// Fails if not all texts can be scored.
    async fn rerank(&self, query: &str, texts: &[String]) -> Result<Vec<f32>>;
}
