//! Keeps the search index in step with the store.

use std::sync::Arc;

use graphwright_retrieve::{RefreshOptions, RefreshReport, SearchIndex};

use crate::{Error, Graph, Result};

impl Graph {
    /// Brings the search index up to date with the store.
    pub async fn refresh_index(&self, re_embed: bool) -> Result<RefreshReport> {
        let embedder = Some(Arc::clone(self.embedder()));
        let options = RefreshOptions { re_embed };
        let (_, report) =
            SearchIndex::refresh(self.index_folder(), &**self.store(), embedder, options).await?;
        Ok(report)
    }

    /// Checks that vectors can be added to the search index.
    ///
    /// Call it before you write to the [`store`](Self::store), so that no write leaves an index
    /// older than the graph. Call [`refresh_index`](Self::refresh_index) after the write.
    ///
    /// # Errors
    /// Fails if the index was made with another embedder.
    pub fn check_embedder(&self) -> Result<()> {
        SearchIndex::check_embedder(self.index_folder(), self.embedder().identity()).map_err(Error::from)
    }
}
