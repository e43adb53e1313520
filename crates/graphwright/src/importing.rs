//! Imports graphs from files and updates the search index.

use graphwright_exchange::{ImportOptions, ImportProgress, ImportReport, Source};

use crate::{Graph, Result};

impl Graph {
    /// Imports graphs from files into the store and updates the search index.
    ///
    /// # Errors
    /// Fails before anything is written if a file cannot be imported or the search index was made
    /// with another embedder. Fails if the store does.
    pub async fn import(
        &self,
        sources: Vec<Source>,
        options: &ImportOptions,
        progress: &mut (dyn FnMut(ImportProgress) + Send),
    ) -> Result<ImportReport> {
        self.check_embedder().await?;
        let report = graphwright_exchange::import(&**self.store(), sources, options, progress).await?;
        self.store().checkpoint().await?;
        self.refresh_index(false).await?;
        Ok(report)
    }
}
