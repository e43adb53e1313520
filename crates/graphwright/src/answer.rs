//! Searches, and connections between entities.

use std::sync::Arc;

use async_trait::async_trait;
use graphwright_agent::{AgentError, GraphSnapshot, GraphSource};
use graphwright_answer::{AnswerPath, Answerer, Evidence, EvidenceOptions, Suggestion};
use graphwright_core::store::Selection;
use graphwright_ontology::Ontology;
use graphwright_retrieve::{
    Candidate, Direction, Follow, NameIndex, NodeIndex, PathOptions, SearchIndex, SearchRequest,
    SearchResults, Topology, Vocabulary,
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

    /// Searches nodes and passages by words and meaning, and ranks them anew if a reranker is set.
    pub async fn search(&self, request: &SearchRequest) -> Result<SearchResults> {
        let index = self.search_index().await?;
        Ok(match self.reranker() {
            Some(reranker) => index.search_reranked(request, &**reranker).await?,
            None => index.search(request).await?,
        })
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
        let index = self.open_search_index(opened.as_deref()).await?;
        let index = Arc::new(index);
        *opened = Some(Arc::clone(&index));
        Ok(index)
    }

    /// Opens the snapshot of the graph, again after each change of the store. Makes it where there is none of this version.
    pub async fn topology(&self) -> Result<Arc<Topology>> {
        Ok(Arc::clone(&self.loaded().await?.topology))
    }

    /// Brings the snapshot of the graph up to date with the store, and mends it if it is damaged.
    pub(crate) async fn refresh_topology(&self) -> Result<()> {
        let folder = self.topology_folder();
        let topology = Topology::build(&folder, &**self.store()).await?;
        NameIndex::open_or_build(&folder, &topology);
        Vocabulary::open_or_build(&folder, &topology);
        Ok(())
    }

    /// Finds nodes by name or identifier, entities before documents. Near spellings count when no
    /// name agrees.
    pub async fn find(
        &self,
        name: &str,
        kind: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(NodeIndex, Candidate<NodeIndex>)>> {
        self.on_whole(|loaded| {
            graphwright_agent::find_named(&loaded.topology, loaded.names(), name, kind, limit)
        })
        .await
    }

    /// Takes a snapshot of the graph, for the tools of one run.
    pub async fn snapshot(&self) -> Result<GraphSnapshot> {
        let loaded = self.loaded().await?;
        let graph = GraphSnapshot::take_with(self.store(), &loaded.topology, loaded.names(), &self.versions)
            .await?
            .sharing(&loaded.answerer);
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
        let types =
            if options.types.is_empty() { Selection::All } else { Selection::Only(options.types.clone()) };
        let direction = if options.directed { Direction::Outgoing } else { Direction::Both };
        let follow = Follow { direction, types, ..Follow::default() };
        let wanted = PathOptions {
            max_hops: options.max_hops,
            limit: options.limit,
            follow,
            ..PathOptions::default()
        };
        self.on_whole(|loaded| {
            let topology = &loaded.topology;
            let paths = if options.best {
                topology.best_paths(&[from], &[to], &wanted)
            } else {
                topology.shortest_paths(&[from], &[to], &wanted)
            };
            let walked = paths.paths.iter();
            walked.map(|path| AnswerPath::from_walk(topology, path.start, &path.steps)).collect()
        })
        .await
    }

    pub(crate) async fn answerer(&self) -> Result<Answerer> {
        let loaded = self.loaded().await?;
        let answerer = self.answerer_on(&loaded).await?;
        if loaded.damage().is_none() {
            return Ok(answerer);
        }
        self.answerer_on(&*self.loaded().await?).await
    }

    async fn answerer_on(&self, loaded: &Loaded) -> Result<Answerer> {
        let make = async {
            let (store, topology) = (Arc::clone(self.store()), Arc::clone(&loaded.topology));
            let answerer = Answerer::over(store, topology, loaded.vocabulary())?;
            let answerer = match self.open_learned(&loaded.topology) {
                Some(learned) => answerer.with_learned(learned),
                None => answerer,
            };
            if !self.has_search_index().await {
                return Ok(answerer);
            }
            match self.search_index().await {
                Ok(index) => Ok(answerer.with_search(index)),
                Err(error) => {
                    tracing::warn!(%error, "questions are answered without the search index");
                    Ok(answerer)
                }
            }
        };
        let answerer: Answerer =
            loaded.answerer.get_or_try_init(|| make).await.map_err(|error: Error| error)?.clone();
        let answerer = match self.model() {
            Some(model) => answerer.with_model(Arc::clone(model)),
            None => answerer,
        };
        let answerer = match self.judge() {
            Some(judge) => answerer.with_judge(Arc::clone(judge)),
            None => answerer,
        };
        Ok(match self.reranker() {
            Some(reranker) => answerer.with_reranker(Arc::clone(reranker)),
            None => answerer,
        })
    }

    /// Gathers what the graph and the documents hold that a question needs. No model is asked.
    pub async fn evidence(&self, question: &str, options: &EvidenceOptions) -> Result<Evidence> {
        let answerer = self.answerer().await?;
        let evidence = Evidence::gather(&answerer, question, options).await?;
        if answerer.topology().damage().is_none() {
            return Ok(evidence);
        }
        // What was read of the snapshot was not whole; the next one is made anew.
        let answerer = self.answerer().await?;
        Ok(Evidence::gather(&answerer, question, options).await?)
    }

    /// Returns up to `most` questions of different kinds that this graph answers right, without a model. None if the graph has
    /// no facts.
    pub async fn suggest(&self, most: usize) -> Result<Vec<Suggestion>> {
        Ok(self.answerer().await?.suggest(most).await?)
    }

    /// Runs work on the snapshot of the graph; once more on a new one if it met with damage.
    async fn on_whole<T>(&self, work: impl Fn(&Loaded) -> T) -> Result<T> {
        let loaded = self.loaded().await?;
        let found = work(&loaded);
        if loaded.damage().is_none() {
            return Ok(found);
        }
        let loaded = self.loaded().await?;
        let found = work(&loaded);
        loaded.topology.require_whole()?;
        loaded.names().require_whole()?;
        Ok(found)
    }

    pub(crate) async fn loaded(&self) -> Result<Arc<Loaded>> {
        let mut held = self.loaded.lock().await;
        // Asked before the graph is read: the next call then notices a write in between.
        let version = self.versions.canonical(self.store().version().await?);
        if let Some(loaded) = held.as_ref().filter(|loaded| loaded.is_current(&version)) {
            return Ok(Arc::clone(loaded));
        }
        let (store, folder) = (&**self.store(), self.topology_folder());
        if let (Some(renewal), Some(loaded)) = (&self.renewal, held.as_ref())
            && loaded.damage().is_none()
        {
            renewal.begin(self.store(), folder, version, &self.loaded);
            return Ok(Arc::clone(loaded));
        }
        let is_damaged = held.as_ref().is_some_and(|loaded| loaded.damage().is_some());
        let loaded = if is_damaged {
            let topology = Topology::build(&folder, store).await?;
            Loaded::new(version, folder, topology).made_anew()
        } else {
            let topology = Topology::open_or_build(&folder, store).await?;
            Loaded::new(version, folder, topology)
        };
        let loaded = Arc::new(loaded);
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
