//! Graphs from files, with the search index after them.

use graphwright_exchange::{ImportOptions, ImportProgress, ImportReport, Source};

use crate::{Graph, Result};

impl Graph {
    /// Reads graphs from files into the store and brings the search index up to date.
    ///
    /// # Errors
    /// When a file cannot be imported or the search index was made with another embedder, before anything is written;
    /// when the store fails.
    pub async fn import(
        &self,
        sources: Vec<Source>,
        options: &ImportOptions,
        progress: &mut (dyn FnMut(ImportProgress) + Send),
    ) -> Result<ImportReport> {
        self.check_embedder()?;
        let report = graphwright_exchange::import(&**self.store(), sources, options, progress).await?;
        self.store().checkpoint().await?;
        self.refresh_index(false).await?;
        Ok(report)
    }
}
