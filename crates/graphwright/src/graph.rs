//! The graph with its models.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use graphwright_agent::{ResultCache, Versions};
use graphwright_core::GraphStore;
use graphwright_llm::{CacheSettings, ChatModel, Embedder, Reranker};
use graphwright_retrieve::SearchIndex;
use tokio::sync::Mutex;

use crate::{
    Access, Result, Settings,
    loaded::{Loaded, Renewal},
    models::Models,
    remembered::Remembered,
    stores,
};

/// A graph with the models that work on it.
///
/// ```
/// use graphwright::{Graph, Input, Ontology};
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let folder = tempfile::tempdir()?;
/// let graph = Graph::builder().store(folder.path().join("graph")).build().await?;
/// let note = Input::Bytes {
///     source: "note.md".to_owned(),
///     bytes: b"# Services\n\nThe service `ledger` depends on the library `money-types`.\n".to_vec(),
/// };
/// let ontology = "\
/// nodes:
///   Service: {}
///   Library: {}
/// relationships:
///   DEPENDS_ON: {from: [Service], to: [Library]}
/// ";
/// graph.ingest([note]).ontology(Ontology::parse(ontology, "inline.yaml".as_ref())?).await?;
///
/// let answer = graph.ask("Which services depend on money-types?").await?;
/// assert_eq!(answer.entities[0].name, "ledger");
/// assert_eq!(answer.paths[0].relationships[0].kind, "DEPENDS_ON");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Graph {
    settings: Settings,
    store: Arc<dyn GraphStore>,
    index_folder: PathBuf,
    pub(crate) remembered: Remembered,
    model: Option<Arc<dyn ChatModel>>,
    judge: Option<Arc<dyn ChatModel>>,
    embedder: Arc<dyn Embedder>,
    reranker: Option<Arc<dyn Reranker>>,
    pub(crate) loaded: Arc<Mutex<Option<Arc<Loaded>>>>,
    /// Set where changes are read in the background.
    pub(crate) renewal: Option<Arc<Renewal>>,
    pub(crate) index: Mutex<Option<Arc<SearchIndex>>>,
    pub(crate) versions: Arc<Versions>,
    pub(crate) results: Option<ResultCache>,
}

impl Graph {
    /// Opens the store that the settings name.
    pub async fn open(settings: Settings, access: Access) -> Result<Self> {
        // Before the store: an error in the settings of a model leaves no new store behind.
        let Models { chat: model, judge, embedder, reranker } = Models::connect(&settings)?;
        let index_folder = stores::index_folder(&settings.store)?;
        let store = stores::open(&settings, access).await?;
        let remembered = Remembered::beside(&index_folder);
        let (loaded, index, versions) = (Arc::default(), Mutex::default(), Arc::default());
        let of_store =
            |cache: &CacheSettings| ResultCache::new(Arc::clone(&store), cache.memory_bytes, cache.max_age);
        let results = settings.cache.as_ref().map(of_store);
        Ok(Self {
            settings,
            store,
            index_folder,
            remembered,
            model,
            judge,
            embedder,
            reranker,
            loaded,
            renewal: None,
            index,
            versions,
            results,
        })
    }

    /// Goes on with what is whole of a store whose log is damaged, and keeps a copy of the log.
    /// Returns `None` if nothing is damaged.
    ///
    /// # Errors
    /// If another process writes to the store, if it is on a server, or if its checkpoint is
    /// damaged too: then only a backup helps.
    #[cfg(feature = "embedded")]
    pub async fn repair(settings: &Settings) -> Result<Option<graphwright_embedded::Repair>> {
        stores::repair(&settings.store).await
    }

    /// Replaces the embedder of the settings by one of your own.
    #[must_use]
    pub fn with_embedder(self, embedder: Arc<dyn Embedder>) -> Self {
        // What was opened before has the other embedder in it.
        Self { embedder, loaded: Arc::default(), index: Mutex::default(), ..self }
    }

    /// Replaces the chat model of the settings by one of your own.
    ///
    /// Use [`llm::stack`] to put budget, retry and the other layers around it.
    ///
    /// [`llm::stack`]: crate::llm::stack
    #[must_use]
    pub fn with_model(self, model: Arc<dyn ChatModel>) -> Self {
        // What was loaded before has an answerer with the other model in it.
        Self { model: Some(model), loaded: Arc::default(), ..self }
    }

    /// Replaces the judge of the settings by a model of your own. It says whether the evidence supports what models write.
    #[must_use]
    pub fn with_judge(self, model: Arc<dyn ChatModel>) -> Self {
        Self { judge: Some(model), loaded: Arc::default(), ..self }
    }

    /// Lets the snapshot of the graph serve on when the store has changed, until the next one is made in the background.
    ///
    /// For services that only read: what this process writes is not seen at once either.
    #[must_use]
    pub fn renewed_in_background(self) -> Self {
        Self { renewal: Some(Arc::default()), ..self }
    }

    /// Replaces the reranker of the settings by one of your own, which ranks anew what searches, retrievers and evidence find.
    #[must_use]
    pub fn with_reranker(self, reranker: Arc<dyn Reranker>) -> Self {
        Self { reranker: Some(reranker), loaded: Arc::default(), ..self }
    }

    /// Turns off the recording of what agents do for their answers.
    #[must_use]
    pub fn without_routes(mut self) -> Self {
        self.settings.routes = false;
        self
    }

    /// Returns the store itself.
    pub fn store(&self) -> &Arc<dyn GraphStore> {
        &self.store
    }

    /// Returns the settings that the graph was opened with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the chat model, if one is set.
    pub fn model(&self) -> Option<&Arc<dyn ChatModel>> {
        self.model.as_ref()
    }

    /// Returns the judge of what models write, if one is set.
    pub fn judge(&self) -> Option<&Arc<dyn ChatModel>> {
        self.judge.as_ref()
    }

    /// Returns the embedder, which makes the vectors.
    pub fn embedder(&self) -> &Arc<dyn Embedder> {
        &self.embedder
    }

    /// Returns the reranker, if one is set.
    pub fn reranker(&self) -> Option<&Arc<dyn Reranker>> {
        self.reranker.as_ref()
    }

    /// Returns the folder of the snapshot of the graph: beside that of the search index, under its name.
    pub(crate) fn topology_folder(&self) -> PathBuf {
        self.index_folder.with_extension("topology")
    }

    /// Returns the folder of the search index.
    pub(crate) fn index_folder(&self) -> &Path {
        &self.index_folder
    }
}
