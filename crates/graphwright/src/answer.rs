//! Searches, and connections between entities.

use std::sync::Arc;

use async_trait::async_trait;
use graphwright_agent::{AgentError, GraphSnapshot, GraphSource};
use graphwright_answer::{AnswerPath, Answerer};
use graphwright_core::store::Selection;
use graphwright_ontology::Ontology;
use graphwright_retrieve::{
    Candidate, Direction, Follow, NameIndex, NodeIndex, PathOptions, SearchIndex, SearchRequest,
    SearchResults, Topology,
};

use crate::{Error, Graph, Result, loaded::Loaded};

/// Options for [`Graph::connections`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ConnectionOptions {
    /// The most relationships on a path. Defaults to 5.
    pub max_hops: usize,
    /// The most paths. Defaults to 3.
    pub limit: usize,
    /// The relationship types to follow. Empty means all.
    pub types: Vec<String>,
    /// Whether relationships are followed only in their own direction.
    pub directed: bool,
    /// Whether the best paths by weight are wanted instead of the shortest.
    pub best: bool,
}

impl Default for ConnectionOptions {
    fn default() -> Self {
        Self { max_hops: 5, limit: 3, types: Vec::new(), directed: false, best: false }
    }
}

impl ConnectionOptions {
    /// Sets the most relationships on a path.
    #[must_use]
    pub fn max_hops(mut self, hops: usize) -> Self {
        self.max_hops = hops;
        self
    }

    /// Sets the most paths.
    #[must_use]
    pub fn limit(mut self, paths: usize) -> Self {
        self.limit = paths;
        self
    }

    /// Sets the relationship types to follow. None means all.
    #[must_use]
    pub fn types(mut self, types: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.types = types.into_iter().map(Into::into).collect();
        self
    }

    /// Sets whether relationships are followed only in their own direction.
    #[must_use]
    pub fn directed(mut self, directed: bool) -> Self {
        self.directed = directed;
        self
    }

    /// Sets whether the best paths by weight are wanted instead of the shortest.
    #[must_use]
    pub fn best(mut self, best: bool) -> Self {
        self.best = best;
        self
    }
}

impl Graph {
    /// Returns the ontology that the graph was built with, if the store has one.
    pub async fn ontology(&self) -> Result<Option<Ontology>> {
        Ok(Ontology::load(&**self.store()).await?)
    }

    /// Searches nodes and passages by words and meaning.
    pub async fn search(&self, request: &SearchRequest) -> Result<SearchResults> {
        Ok(self.search_index().await?.search(request).await?)
    }

    /// Opens the search index, again after each change of the store. Builds one in memory where
    /// there is none.
    pub async fn search_index(&self) -> Result<Arc<SearchIndex>> {
        // Held to the end: of calls at the same time one opens the index, and the others wait for
        // it.
        let mut opened = self.index.lock().await;
        let version = self.versions.canonical(self.store().version().await?);
        if let Some(index) = opened
            .as_ref()
            .filter(|index| self.versions.canonical(index.store_version().to_owned()) == version)
        {
            return Ok(Arc::clone(index));
        }
        let embedder = Some(Arc::clone(self.embedder()));
        let index =
            SearchIndex::open_or_build(self.index_folder(), &**self.store(), embedder, opened.as_deref())
                .await?;
        let index = Arc::new(index);
        *opened = Some(Arc::clone(&index));
        Ok(index)
    }

    /// Loads the graph into memory, again after each change of the store.
    pub async fn topology(&self) -> Result<Arc<Topology>> {
        Ok(Arc::clone(&self.loaded().await?.topology))
    }

    /// Finds nodes by name or identifier, entities before documents. Near spellings count when no
    /// name agrees.
    pub async fn find(
        &self,
        name: &str,
        kind: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(NodeIndex, Candidate<NodeIndex>)>> {
        let loaded = self.loaded().await?;
        Ok(graphwright_agent::find_named(&loaded.topology, &loaded.names, name, kind, limit))
    }

    /// Takes a snapshot of the graph, for the tools of one run.
    pub async fn snapshot(&self) -> Result<GraphSnapshot> {
        let loaded = self.loaded().await?;
        let graph =
            GraphSnapshot::take_with(self.store(), &loaded.topology, &loaded.names, &self.versions).await?;
        Ok(match self.search_index().await {
            Ok(index) => graph.with_search(index),
            Err(error) => graph.without_search(error.to_string()),
        })
    }

    /// Finds the paths between two nodes. An empty list is an answer, not an error.
    pub async fn connections(
        &self,
        from: NodeIndex,
        to: NodeIndex,
        options: &ConnectionOptions,
    ) -> Result<Vec<AnswerPath>> {
        let loaded = self.loaded().await?;
        let types =
            if options.types.is_empty() { Selection::All } else { Selection::Only(options.types.clone()) };
        let direction = if options.directed { Direction::Outgoing } else { Direction::Both };
        let follow = Follow { direction, types, ..Follow::default() };
        let wanted = PathOptions { max_hops: options.max_hops, limit: options.limit, follow };
        let topology = &loaded.topology;
        let paths = if options.best {
            topology.best_paths(&[from], &[to], &wanted)
        } else {
            topology.shortest_paths(&[from], &[to], &wanted)
        };
        Ok(paths.paths.iter().map(|path| AnswerPath::from_walk(topology, path.start, &path.steps)).collect())
    }

    pub(crate) async fn answerer(&self) -> Result<Answerer> {
        Ok(self.loaded().await?.answerer.clone())
    }

    async fn loaded(&self) -> Result<Arc<Loaded>> {
        let mut held = self.loaded.lock().await;
        // Asked before the graph is read: the next call then notices a write in between.
        let version = self.versions.canonical(self.store().version().await?);
        if let Some(loaded) = held.as_ref().filter(|loaded| loaded.version == version) {
            return Ok(Arc::clone(loaded));
        }
        let store = self.store();
        let topology = Arc::new(Topology::load(&**store).await?);
        let ontology = Ontology::load(&**store).await.map_err(Error::from)?.unwrap_or_default();
        let mut answerer = Answerer::new(Arc::clone(store), Arc::clone(&topology), &ontology);
        if let Some(model) = self.model() {
            answerer = answerer.with_model(Arc::clone(model));
        }
        if self.index_folder().is_dir() {
            match self.search_index().await {
                Ok(index) => answerer = answerer.with_search(index),
                Err(error) => tracing::warn!(%error, "questions are answered without the search index"),
            }
        }
        let names = Arc::new(NameIndex::build(&topology));
        let loaded = Arc::new(Loaded { version, topology, answerer, names });
        *held = Some(Arc::clone(&loaded));
        Ok(loaded)
    }
}

/// Lets tools see the latest state of the graph at each call.
#[async_trait]
impl GraphSource for Graph {
    async fn graph(&self) -> Result<Arc<GraphSnapshot>, AgentError> {
        self.snapshot().await.map(Arc::new).map_err(|error| match error {
            Error::Store(error) => AgentError::Store(error),
            Error::Retrieve(error) => AgentError::Retrieve(error),
            Error::Ontology(error) => AgentError::Ontology(error),
            Error::Model(error) => AgentError::Model(error),
            Error::Answer(error) => error.into(),
            Error::Agent(error) => error,
            other => AgentError::Graph { message: other.to_string() },
        })
    }
}
