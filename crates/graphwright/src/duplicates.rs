//! Entities that may be the same.

use std::sync::Arc;

use graphwright_ingest::{IngestError, Review, Suggestion, merge::Merged};

use crate::{Graph, Result};

impl Graph {
    /// Pairs of entities that may be the same and wait for a decision, the surest first.
    pub async fn duplicates(&self) -> Result<Vec<Suggestion>> {
        Ok(self.review().suggestions().await?)
    }

    /// Makes one entity of two of a type, and brings the search index up to date.
    ///
    /// # Errors
    /// When they cannot be one, or the search index was made with another embedder; nothing is written then.
    pub async fn merge(&self, kept: &str, merged: &str) -> Result<Merged> {
        self.check_embedder()?;
        let done = self.review().merge(kept, merged).await?;
        self.refresh_index(false).await?;
        Ok(done)
    }

    /// Takes a merge back, by the identifier of the entity that was merged.
    ///
    /// # Errors
    /// As [`merge`](Self::merge).
    pub async fn undo_merge(&self, merged: &str) -> Result<Merged> {
        self.check_embedder()?;
        let undone = self.review().undo(merged).await?;
        self.refresh_index(false).await?;
        Ok(undone)
    }

    /// Decides that two entities are not the same, which were proposed as one; they are not proposed again.
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
