//! The graph at one moment.

use std::{
    collections::HashMap,
    fmt::Debug,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use graphwright_answer::Answerer;
use graphwright_core::{GraphSchema, GraphStore, names, store::SchemaOptions};
use graphwright_cypher::lint::Lint;
use graphwright_llm::BuiltinEmbedder;
use graphwright_retrieve::{
    Agreement, Candidate, NameIndex, NodeIndex, Passage, Role, SearchIndex, Suggestions, Topology, Vocabulary,
};
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::{Result, Versions};

/// The graph at one moment, so that the tools of one run do not contradict each other.
///
/// Some stores have no [snapshots](GraphStore::snapshot). For them, nodes, relationships and their
/// properties come from a single scan, and schema and passages are read once and kept. Only queries
/// then see later changes, and results say that the graph has changed.
///
/// ```
/// use std::sync::Arc;
/// use graphwright_agent::GraphSnapshot;
/// use graphwright_core::{GraphStore, NodeKey, Properties, store::ChangeSet};
/// use graphwright_embedded::EmbeddedStore;
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let store = EmbeddedStore::in_memory();
/// let mut changes = ChangeSet::new();
/// let properties = Properties::from([("name".into(), "ledger".into())]);
/// changes.upsert_node(NodeKey::new("Service", "s1"), &[], properties);
/// store.apply(changes).await?;
///
/// let store: Arc<dyn GraphStore> = Arc::new(store);
/// let graph = GraphSnapshot::take(&store).await?;
/// assert_eq!(graph.topology().node_count(), 1);
/// assert_eq!(graph.find("Ledger", None, 5).len(), 1);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct GraphSnapshot {
    /// The store itself, which goes on changing.
    live: Arc<dyn GraphStore>,
    /// The snapshot of the store, or the store itself if it has no snapshots.
    store: Arc<dyn GraphStore>,
    topology: Arc<Topology>,
    names: Arc<NameIndex>,
    /// The search index, or why there is none.
    search: Result<Arc<SearchIndex>, String>,
    /// The schema without reserved names, and a lint that knows those too.
    schema: OnceCell<(GraphSchema, Lint)>,
    passages: Mutex<HashMap<String, Arc<[Passage]>>>,
    versions: Arc<Versions>,
    /// Reads questions. It is made when it is first needed, since it reads much of the graph.
    answerer: Arc<OnceCell<Answerer>>,
}

/// A source of the graph, for tools that read its latest state at each call.
#[async_trait]
pub trait GraphSource: Debug + Send + Sync {
    /// Returns the graph as it is now.
    ///
    /// # Errors
    /// Fails if the graph is not available, for example because the store cannot be read.
    async fn graph(&self) -> Result<Arc<GraphSnapshot>>;
}

impl GraphSnapshot {
    /// Reads the graph of a store.
    ///
    /// # Errors
    /// Fails if the store cannot be read.
    pub async fn take(store: &Arc<dyn GraphStore>) -> Result<Self> {
        let moment = moment_of(store).await?;
        Self::read(store, moment).await
    }

    async fn read(store: &Arc<dyn GraphStore>, moment: Arc<dyn GraphStore>) -> Result<Self> {
        let topology = Arc::new(Topology::load(&*moment).await?);
        let names = Arc::new(NameIndex::build(&topology));
        Ok(Self::from_parts(store, moment, topology, names))
    }

    /// Takes the graph of a store, reusing a topology and names that were read before.
    ///
    /// They are reused if only kept conversations have changed since; otherwise the graph is read
    /// anew.
    ///
    /// # Errors
    /// Fails if the store cannot be read.
    pub async fn take_with(
        store: &Arc<dyn GraphStore>,
        topology: &Arc<Topology>,
        names: &Arc<NameIndex>,
        versions: &Arc<Versions>,
    ) -> Result<Self> {
        let moment = moment_of(store).await?;
        let graph = |version: String| versions.canonical(version);
        let taken = if graph(moment.version().await?) == graph(topology.version().to_owned()) {
            Self::from_parts(store, moment, Arc::clone(topology), Arc::clone(names))
        } else {
            Self::read(store, moment).await?
        };
        Ok(Self { versions: Arc::clone(versions), ..taken })
    }

    fn from_parts(
        live: &Arc<dyn GraphStore>,
        store: Arc<dyn GraphStore>,
        topology: Arc<Topology>,
        names: Arc<NameIndex>,
    ) -> Self {
        let (schema, passages) = (OnceCell::new(), Mutex::default());
        let search = Err("there is no search index".to_owned());
        let (versions, answerer) = (Arc::default(), Arc::default());
        Self { live: Arc::clone(live), store, topology, names, search, schema, passages, versions, answerer }
    }

    /// Shares an answerer of the same topology with others, whoever makes it first.
    #[must_use]
    pub fn sharing(self, answerer: &Arc<OnceCell<Answerer>>) -> Self {
        Self { answerer: Arc::clone(answerer), ..self }
    }

    /// Returns what reads questions about the graph.
    pub(super) async fn answerer(&self) -> Result<&Answerer> {
        let make = async {
            let vocabulary = Arc::new(Vocabulary::build(&self.topology));
            let (store, topology) = (Arc::clone(&self.store), Arc::clone(&self.topology));
            let answerer = Answerer::over(store, topology, &vocabulary)?;
            Ok(match &self.search {
                Ok(search) => answerer.with_search(Arc::clone(search)),
                Err(_) => answerer,
            })
        };
        self.answerer.get_or_try_init(|| make).await
    }

    /// Sets the search index.
    #[must_use]
    pub fn with_search(self, search: Arc<SearchIndex>) -> Self {
        Self { search: Ok(search), ..self }
    }

    /// Sets the reason why there is no search index.
    #[must_use]
    pub fn without_search(self, reason: impl Into<String>) -> Self {
        Self { search: Err(reason.into()), ..self }
    }

    /// Returns the snapshot of the store, or the store itself if it has no snapshots.
    pub fn store(&self) -> &Arc<dyn GraphStore> {
        &self.store
    }

    /// Returns the nodes and relationships.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// Fails if a part of the graph was found not to be as it was written. The next snapshot is made anew.
    pub(super) fn require_whole(&self) -> Result<()> {
        self.topology.require_whole()?;
        self.names.require_whole()?;
        Ok(())
    }

    /// Returns the search index, or why there is none.
    pub fn search(&self) -> Result<&SearchIndex, &str> {
        self.search.as_deref().map_err(String::as_str)
    }

    /// Finds nodes by name or identifier, entities before documents. If no name matches, returns
    /// those with a similar spelling.
    ///
    /// A `kind` limits the result to nodes with that label.
    pub fn find(
        &self,
        name: &str,
        kind: Option<&str>,
        limit: usize,
    ) -> Vec<(NodeIndex, Candidate<NodeIndex>)> {
        find_named(&self.topology, &self.names, name, kind, limit)
    }

    /// Returns the schema of the graph, without Graphwright's reserved names.
    ///
    /// # Errors
    /// Fails if the store cannot be read.
    pub async fn schema(&self) -> Result<&GraphSchema> {
        Ok(&self.read_schema().await?.0)
    }

    /// Returns a lint for queries of the graph.
    pub(super) async fn lint(&self) -> Result<Lint> {
        Ok(self.read_schema().await?.1.clone())
    }

    async fn read_schema(&self) -> Result<&(GraphSchema, Lint)> {
        let read = async {
            let schema = self.store.schema(SchemaOptions::default()).await?;
            let lint = Lint::new(&schema);
            Ok((schema.without_reserved(), lint))
        };
        self.schema.get_or_try_init(|| read).await
    }

    /// Builds the source of suggestions for values and names that a query may have meant.
    pub(super) fn suggestions(&self) -> Suggestions {
        let suggestions =
            Suggestions::new(Arc::clone(&self.store)).with_embedder(Arc::new(BuiltinEmbedder::new()));
        match &self.search {
            Ok(index) => suggestions.with_index(Arc::clone(index)),
            Err(_) => suggestions,
        }
    }

    /// Returns the passages kept under a key, or reads and keeps them.
    pub(super) async fn passages(
        &self,
        key: &str,
        read: impl Future<Output = graphwright_retrieve::Result<Vec<Passage>>>,
    ) -> Result<Arc<[Passage]>> {
        let kept = |all: &Mutex<HashMap<String, Arc<[Passage]>>>| {
            all.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
        };
        if let Some(passages) = kept(&self.passages) {
            return Ok(passages);
        }
        let passages: Arc<[Passage]> = read.await?.into();
        let mut all = self.passages.lock().unwrap_or_else(PoisonError::into_inner);
        // Another call may have read the passages meanwhile; the first to finish is kept.
        Ok(Arc::clone(all.entry(key.to_owned()).or_insert(passages)))
    }

    /// Tells whether the graph in the store has changed since. Kept conversations do not count as a
    /// change.
    ///
    /// # Errors
    /// Fails if the store does not tell its version.
    pub async fn has_changed(&self) -> Result<bool> {
        let graph = |version: String| self.versions.canonical(version);
        Ok(graph(self.live.version().await?) != graph(self.topology.version().to_owned()))
    }

    /// Returns the store itself, which goes on changing.
    pub(super) fn live(&self) -> &Arc<dyn GraphStore> {
        &self.live
    }

    /// Returns what the results of tools depend on besides their arguments: the version of the
    /// graph and the search index.
    pub(super) fn state(&self) -> Value {
        let search = match &self.search {
            Ok(index) => json!([index.store_version(), index.is_stale(), index.embedder()]),
            Err(reason) => json!(reason),
        };
        json!([self.versions.canonical(self.topology.version().to_owned()), search])
    }

    /// Tells whether queries see the same moment as everything else.
    pub(super) fn is_of_one_moment(&self) -> bool {
        !Arc::ptr_eq(&self.live, &self.store)
    }
}

/// Takes a snapshot of the store, or returns the store itself if it has no snapshots.
async fn moment_of(store: &Arc<dyn GraphStore>) -> Result<Arc<dyn GraphStore>> {
    Ok(store.snapshot().await?.unwrap_or_else(|| Arc::clone(store)))
}

/// Finds nodes by name or identifier, entities before documents. If no name matches, returns the
/// documents of a file so called, else what has a similar spelling.
///
/// A `kind` limits the result to nodes with that label.
pub fn find_named(
    topology: &Topology,
    names: &NameIndex,
    name: &str,
    kind: Option<&str>,
    limit: usize,
) -> Vec<(NodeIndex, Candidate<NodeIndex>)> {
    let of_kind = |node: NodeIndex| {
        kind.is_none_or(|kind| {
            topology.node(node).labels.iter().any(|label| label.eq_ignore_ascii_case(kind))
        })
    };
    if let Some(node) = topology.node_by_id(name).filter(|node| of_kind(*node)) {
        let name = topology.node(node).display_name().to_owned();
        return vec![(node, Candidate { target: node, name, score: 1.0, agreement: Agreement::Name })];
    }
    let mut found = names.find(name);
    found.retain(|candidate| of_kind(candidate.target));
    if found.is_empty() {
        found = documents_of_file(topology, name);
        found.retain(|candidate| of_kind(candidate.target));
    }
    if found.is_empty() {
        // More than wanted, because those without the label go.
        found = names.suggest(name, limit * 3);
        found.retain(|candidate| of_kind(candidate.target));
    }
    // A page about a thing often has the name of the thing; the thing is meant.
    found.sort_by_key(|candidate| topology.role(candidate.target) != Role::Entity);
    found.truncate(limit);
    found.into_iter().map(|candidate| (candidate.target, candidate)).collect()
}

/// Finds documents by the end of their path, with or without the extension, or by a path that ends in theirs.
fn documents_of_file(topology: &Topology, asked: &str) -> Vec<Candidate<NodeIndex>> {
    let asked = asked.to_lowercase();
    let found = topology.nodes_with_label(names::DOCUMENT).filter_map(|node| {
        let name = topology.node(node).properties.get("source")?.as_str()?.to_owned();
        let source = name.to_lowercase();
        let stem = source.rsplit_once('.').map_or(source.as_str(), |(stem, _)| stem);
        let is_there = ends_in(&source, &asked) || ends_in(stem, &asked) || ends_in(&asked, &source);
        is_there.then_some(Candidate { target: node, name, score: 1.0, agreement: Agreement::Name })
    });
    found.collect()
}

/// Tells whether a path ends in another, by whole parts.
fn ends_in(path: &str, end: &str) -> bool {
    !end.is_empty() && path.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use graphwright_core::{ElementId, Node, Properties};

    use super::*;

    #[rstest::rstest]
    #[case("docs/team/ledger.md", &["docs/team/ledger.md"])]
    #[case("ledger.md", &["docs/ledger.md", "docs/team/ledger.md"])]
    #[case("Team/Ledger", &["docs/team/ledger.md"])]
    #[case("/home/ada/docs/ledger.md", &["docs/ledger.md"])]
    #[case("edger.md", &[])]
    #[case("", &[])]
    fn documents_are_found_by_their_files(#[case] asked: &str, #[case] expected: &[&str]) {
        let document = |source: &str| Node {
            element_id: ElementId::new(source),
            labels: vec![names::DOCUMENT.to_owned()],
            properties: Properties::from([("source".to_owned(), source.into())]),
        };
        let documents = ["docs/ledger.md", "docs/team/ledger.md", "README"].map(document).to_vec();
        let topology = Topology::from_parts("1", documents, vec![]);
        let found = documents_of_file(&topology, asked);
        let found: Vec<_> = found.iter().map(|candidate| candidate.name.as_str()).collect();
        assert_eq!(found, expected);
    }
}
