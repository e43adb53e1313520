//! Ranks anew what was found, by a reranker.

use graphwright_llm::Reranker;

use super::{Hit, SearchIndex, SearchRequest, SearchResults, query};
use crate::Result;

/// Candidates for each hit that is asked for: what a search ranks lower than this is rarely the best.
const CANDIDATES_PER_HIT: usize = 4;

/// The fewest candidates.
const FEWEST: usize = 20;

/// The most candidates, unless more hits are asked for: a reranker reads each of them.
const MOST: usize = 100;

impl SearchIndex {
    /// Searches the index for [candidates](SearchRequest::candidates), and returns those that a reranker finds most relevant.
    ///
    /// If the reranker fails, the hits are those of [`search`](Self::search), and a notice says why.
    ///
    /// # Errors
    /// Fails as [`search`](Self::search) does.
    pub async fn search_reranked(
        &self,
        request: &SearchRequest,
        reranker: &dyn Reranker,
    ) -> Result<SearchResults> {
        let mut results = self.search(&request.candidates()).await?;
        let failure = rerank(reranker, request, &mut results.hits).await.err();
        results.notices.extend(failure);
        Ok(results)
    }
}

impl SearchRequest {
    /// Returns the request for what a reranker is to rank: for four times as many hits (20 to 100).
    #[must_use]
    pub fn candidates(&self) -> Self {
        let limit = self.limit.saturating_mul(CANDIDATES_PER_HIT).clamp(FEWEST, MOST).max(self.limit);
        Self { limit, ..self.clone() }
    }
}

/// Puts the most relevant hits first and keeps as many as `request` asks for.
///
/// Each hit keeps its score beside the [relevance](Hit::relevance).
///
/// # Errors
/// Fails with a notice for the reader if the reranker does. The hits are then those of before, in their order.
pub async fn rerank(
    reranker: &dyn Reranker,
    request: &SearchRequest,
    hits: &mut Vec<Hit>,
) -> Result<(), String> {
    let scored = relevance(reranker, &request.query, hits).await;
    if let Ok(scores) = &scored {
        for (place, (hit, score)) in hits.iter_mut().zip(scores).enumerate() {
            hit.relevance = Some(*score);
            if request.explain {
                let name = reranker.name();
                hit.why.push_str(&format!("; relevance: {score:.2} by {name}; place before: {}", place + 1));
            }
        }
        let relevance = |hit: &Hit| hit.relevance.unwrap_or_default();
        hits.sort_by(|left, right| relevance(right).total_cmp(&relevance(left)));
    }
    hits.truncate(request.limit);
    scored.map(|_| ())
}

async fn relevance(reranker: &dyn Reranker, query: &str, hits: &[Hit]) -> Result<Vec<f32>, String> {
    if hits.is_empty() {
        return Ok(Vec::new());
    }
    let texts: Vec<String> = hits.iter().map(|hit| format!("{}\n{}", hit.name, hit.text)).collect();
    let failed = |reason: String| {
        format!(
            "hits are in the order of the search, since the reranker {} failed: {reason}",
            reranker.name()
        )
    };
    let scores = reranker.rerank(&query::plain(query), &texts).await;
    let scores = scores.map_err(|error| failed(error.to_string()))?;
    if scores.len() == texts.len() && scores.iter().all(|score| score.is_finite()) {
        Ok(scores)
    } else {
        Err(failed(format!("it gives {} texts the scores {scores:?}", texts.len())))
    }
}
