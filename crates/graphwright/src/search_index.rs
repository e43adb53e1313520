//! Keeps the search index and the snapshot of the graph in step with the store.

use std::sync::Arc;

use graphwright_retrieve::{RefreshOptions, RefreshReport, SearchIndex};

use crate::{Error, Graph, Result, SearchPlace, StoreSettings};

impl Graph {
    /// Brings the search index and the snapshot of the graph up to date with the store.
    pub async fn refresh_index(&self, re_embed: bool) -> Result<RefreshReport> {
        self.refresh_topology().await?;
        let options = RefreshOptions { re_embed };
        if self.is_indexed_by_server() {
            return Ok(SearchIndex::refresh_on_server(self.store(), self.embedder(), options).await?);
        }
        let embedder = Some(Arc::clone(self.embedder()));
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
    pub async fn check_embedder(&self) -> Result<()> {
        let given = self.embedder().identity();
        if self.is_indexed_by_server() {
            return Ok(SearchIndex::check_embedder_on_server(&**self.store(), given).await?);
        }
        SearchIndex::check_embedder(self.index_folder(), given).map_err(Error::from)
    }

    /// Returns whether the store's own indexes are used.
    pub(crate) fn is_indexed_by_server(&self) -> bool {
        let settings = self.settings();
        settings.search_index == SearchPlace::Store && matches!(settings.store, StoreSettings::Neo4j(_))
    }

    /// Returns whether there is a search index, which need not be built in memory.
    pub(crate) async fn has_search_index(&self) -> bool {
        let on_server = self.is_indexed_by_server()
            && !matches!(SearchIndex::open_on_server(self.store(), None).await, Ok(None));
        on_server || self.index_folder().is_dir()
    }

    /// Opens the search index: the server's, if it has ours, or the one of this machine.
    pub(crate) async fn open_search_index(&self, before: Option<&SearchIndex>) -> Result<SearchIndex> {
        let embedder = Some(Arc::clone(self.embedder()));
        if self.is_indexed_by_server()
            && let Some(index) = SearchIndex::open_on_server(self.store(), embedder.clone()).await?
        {
            return Ok(index);
        }
        let folder = self.index_folder();
        Ok(SearchIndex::open_or_build(folder, &**self.store(), embedder, before).await?)
    }
}
