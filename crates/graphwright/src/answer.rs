//! Questions, searches and connections.

use std::sync::Arc;

use graphwright_agent::{Answer, AnswerPath, Answerer, AskOptions, Event};
use graphwright_core::store::Selection;
use graphwright_ingest::Ontology;
use graphwright_retrieve::{
    Candidate, Direction, Follow, NameIndex, NameTarget, NodeIndex, PathOptions, Role, SearchIndex,
    SearchRequest, SearchResults, Topology, TopologyOptions,
};

use crate::{Error, Graph, Result};

/// The graph in memory as of one version of the store, for walking and answering.
#[derive(Debug)]
pub(crate) struct Loaded {
    version: String,
    topology: Arc<Topology>,
    answerer: Answerer,
    names: NameIndex,
}

/// How to look for what connects two entities.
#[derive(Clone, Debug)]
pub struct ConnectionOptions {
    /// The most relationships on a path; 5 by default.
    pub max_hops: usize,
    /// The most paths; 3 by default.
    pub limit: usize,
    /// Only along these relationship types; all when empty.
    pub types: Vec<String>,
    /// Only along the direction of relationships.
    pub directed: bool,
    /// Best paths by weight instead of shortest.
    pub best: bool,
}

impl Default for ConnectionOptions {
    fn default() -> Self {
        Self { max_hops: 5, limit: 3, types: Vec::new(), directed: false, best: false }
    }
}

impl Graph {
    /// Answers a question with the paths and passages that prove the answer.
    ///
    /// Without a model, or when it fails, the graph alone answers, and the answer says so.
    pub async fn ask(&self, question: &str, options: &AskOptions) -> Result<Answer> {
        self.ask_with_events(question, options, &|_| {}).await
    }

    /// As [`ask`](Self::ask), telling every step.
    pub async fn ask_with_events(
        &self,
        question: &str,
        options: &AskOptions,
        events: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<Answer> {
        let loaded = self.loaded().await?;
        Ok(loaded.answerer.ask_with_events(question, options, events).await?)
    }

    /// The ontology that the graph was built with.
    pub async fn ontology(&self) -> Result<Option<Ontology>> {
        Ok(Ontology::load(&**self.store()).await?)
    }

    /// Finds nodes and passages by words and meaning.
    pub async fn search(&self, request: &SearchRequest) -> Result<SearchResults> {
        Ok(self.search_index().await?.search(request).await?)
    }

    /// The search index, opened again when the store changed; made in memory where there is none.
    pub async fn search_index(&self) -> Result<Arc<SearchIndex>> {
        let mut opened = self.index.lock().await;
        let version = self.store().version().await?;
        if let Some(index) = opened.as_ref().filter(|index| index.store_version() == version) {
            return Ok(Arc::clone(index));
        }
        let embedder = Some(Arc::clone(self.embedder()));
        let index = SearchIndex::open_or_build(self.index_folder(), &**self.store(), embedder).await?;
        let index = Arc::new(index);
        *opened = Some(Arc::clone(&index));
        Ok(index)
    }

    /// The graph in memory, read again when the store changed.
    pub async fn topology(&self) -> Result<Arc<Topology>> {
        Ok(Arc::clone(&self.loaded().await?.topology))
    }

    /// Nodes with this name or identifier, entities before documents; near spellings when no name agrees.
    pub async fn find(
        &self,
        name: &str,
        kind: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(NodeIndex, Candidate<NameTarget>)>> {
        let loaded = self.loaded().await?;
        let of_kind = |node: NodeIndex| {
            kind.is_none_or(|kind| {
                loaded.topology.node(node).labels.iter().any(|label| label.eq_ignore_ascii_case(kind))
            })
        };
        if let Some(node) = loaded.topology.node_by_id(name).filter(|node| of_kind(*node)) {
            let candidate = Candidate {
                target: NameTarget::Node(node),
                name: loaded.topology.node(node).display_name().to_owned(),
                score: 1.0,
                agreement: graphwright_retrieve::Agreement::Name,
            };
            return Ok(vec![(node, candidate)]);
        }
        let mut found = loaded.names.find_nodes(name);
        found.retain(|(node, _)| of_kind(*node));
        if found.is_empty() {
            let near = loaded.names.suggest(name, limit * 3).into_iter();
            found = near
                .filter_map(|candidate| match candidate.target {
                    NameTarget::Node(node) if of_kind(node) => Some((node, candidate)),
                    _ => None,
                })
                .collect();
        }
        // A page about a thing often bears its name; the thing is meant.
        found.sort_by_key(|(node, _)| loaded.topology.role(*node) != Role::Entity);
        found.truncate(limit);
        Ok(found)
    }

    /// The paths between two nodes; none is an answer.
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
        Ok(paths.paths.iter().map(|path| AnswerPath::of_walk(topology, path.start, &path.steps)).collect())
    }

    async fn loaded(&self) -> Result<Arc<Loaded>> {
        let mut held = self.loaded.lock().await;
        let version = self.store().version().await?;
        if let Some(loaded) = held.as_ref().filter(|loaded| loaded.version == version) {
            return Ok(Arc::clone(loaded));
        }
        let store = self.store();
        let topology = Arc::new(Topology::load(&**store, &TopologyOptions::default()).await?);
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
        let names = NameIndex::build(&topology);
        let loaded = Arc::new(Loaded { version, topology, answerer, names });
        *held = Some(Arc::clone(&loaded));
        Ok(loaded)
    }
}
