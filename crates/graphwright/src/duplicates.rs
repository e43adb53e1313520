//! Review of entities that may be the same: list, merge, undo, reject.

use std::sync::Arc;

use graphwright_ingest::{IngestError, Review, Suggestion, merge::Merged};

use crate::{Graph, Result};

impl Graph {
    /// Lists the pairs of entities that may be the same and wait for a decision, the surest first.
    pub async fn duplicates(&self) -> Result<Vec<Suggestion>> {
        Ok(self.review().suggestions().await?)
    }

    /// Merges two entities of one type into `kept` and brings the search index up to date.
    ///
    /// # Errors
    /// Fails before anything is written if the two cannot be one, or if the search index was made
    /// with another embedder.
    pub async fn merge(&self, kept: &str, merged: &str) -> Result<Merged> {
        self.check_embedder().await?;
        let done = self.review().merge(kept, merged).await?;
        self.refresh_index(false).await?;
        Ok(done)
    }

    /// Undoes a merge, given the identifier of the entity that was merged.
    ///
    /// # Errors
    /// Fails as [`merge`](Self::merge) does.
    pub async fn undo_merge(&self, merged: &str) -> Result<Merged> {
        self.check_embedder().await?;
        let undone = self.review().undo(merged).await?;
        self.refresh_index(false).await?;
        Ok(undone)
    }

    /// Rejects a proposed pair: the two entities are not the same and are not proposed again.
    pub async fn reject_duplicate(&self, first: &str, second: &str) -> Result<Suggestion> {
        let is_meant = |suggestion: &Suggestion| {
            let pair = (suggestion.kept.as_str(), suggestion.merged.as_str());
            pair == (first, second) || pair == (second, first)
        };
        let Some(suggestion) = self.duplicates().await?.into_iter().find(is_meant) else {
            let message = format!("'{first}' and '{second}' are not proposed as one");
            return Err(IngestError::Merge { message }.into());
        };
        self.review().reject(&suggestion).await?;
        Ok(suggestion)
    }

    fn review(&self) -> Review {
        Review::new(Arc::clone(self.store()))
    }
}
