//! Retrievers: ways to find what a question needs, behind one trait.
//!
//! | Retriever | Finds |
//! | --- | --- |
//! | [`VectorRetriever`] | what is nearest in meaning |
//! | [`FullTextRetriever`] | what has the words |
//! | [`HybridRetriever`] | both together |
//! | [`VectorCypherRetriever`] | the columns of a query of your own, for each hit of another retriever |
//! | [`NeighborhoodRetriever`] | what is around the hits of another retriever in the graph |
//! | [`PathRetriever`] | the best paths between the hits of another retriever |
//! | [`Reranked`] | the hits of another retriever, ranked anew by a reranker |
//!
//! The last four take any retriever, also one of themselves. The names are those that the field
//! uses ([neo4j-graphrag](https://neo4j.com/docs/neo4j-graphrag-python/current/)).

mod cypher;
mod graph;
mod named;
mod reranked;
mod searches;

use std::fmt::Debug;

use async_trait::async_trait;
use graphwright_core::Value;
use graphwright_llm::estimate_tokens;
use serde::Serialize;

pub use cypher::VectorCypherRetriever;
pub use graph::{NeighborhoodRetriever, PathRetriever};
pub use reranked::Reranked;
pub use searches::{FullTextRetriever, HybridRetriever, VectorRetriever};

use crate::{Hit, Result, SearchRequest};

/// A way to find what a question needs.
///
/// ```
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// use std::sync::Arc;
///
/// use graphwright_core::{GraphStore, NodeKey, Properties, store::ChangeSet};
/// use graphwright_retrieve::{FullTextRetriever, Retriever, SearchIndex, SearchRequest};
///
/// let store = graphwright_embedded::EmbeddedStore::in_memory();
/// let mut changes = ChangeSet::new();
/// let text = Properties::from([("text".into(), "Tokens expire after an hour.".into())]);
/// changes.upsert_node(NodeKey::new("Chunk", "c0"), &[], text);
/// store.apply(changes).await?;
///
/// let index = Arc::new(SearchIndex::in_memory(&store, None).await?);
/// let found = FullTextRetriever::new(index).retrieve(&SearchRequest::new("expiring")).await?;
/// assert_eq!((found.retriever, found.hits[0].id.as_str()), ("FullTextRetriever", "c0"));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[async_trait]
pub trait Retriever: Debug + Send + Sync {
    /// Returns the retriever's name, such as `HybridRetriever`.
    fn name(&self) -> &'static str;

    /// Finds what a question needs: its filters and its limit hold for the search that everything
    /// begins with.
    async fn retrieve(&self, request: &SearchRequest) -> Result<Retrieved>;
}

/// What a retriever found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Retrieved {
    /// Name of the retriever.
    pub retriever: &'static str,
    /// The hits, best first. [`Hit::why`] explains each.
    pub hits: Vec<Hit>,
    /// The paths, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<RetrievedPath>,
    /// Columns of a query of your own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// Rows of a query of your own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Vec<Value>>,
    /// How it was found, step by step.
    pub steps: Vec<String>,
    /// Notices for the reader, such as what was cut.
    pub notices: Vec<String>,
}

/// A path that a retriever found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RetrievedPath {
    /// The nodes, in walking order.
    pub nodes: Vec<PathNode>,
    /// The relationships between them.
    pub relationships: Vec<PathRelationship>,
    /// Product of the weights, from 0 to 1.
    pub score: f64,
}

/// A node of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PathNode {
    /// Its identifier.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its most specific label.
    #[serde(rename = "type")]
    pub label: String,
}

/// A relationship of a path, in its own direction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PathRelationship {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Identifier of the node from which it goes.
    pub from: String,
    /// Identifier of the node to which it goes.
    pub to: String,
}

impl Retrieved {
    /// Keeps the best hits, paths and rows that fit into so many tokens, as estimated, and tells what
    /// was cut. Hits come first, then paths, then rows.
    #[must_use]
    pub fn within(mut self, tokens: u64) -> Self {
        let mut left = tokens;
        let mut fits = |text: &str| {
            let cost = estimate_tokens(text);
            let fits = cost <= left;
            left = if fits { left - cost } else { 0 };
            fits
        };
        let all = (self.hits.len(), self.paths.len(), self.rows.len());
        let kept = self.hits.iter().take_while(|hit| fits(&format!("{}\n{}", hit.name, hit.text))).count();
        self.hits.truncate(kept);
        let kept = self.paths.iter().take_while(|path| fits(&path.to_string())).count();
        self.paths.truncate(kept);
        let kept = self.rows.iter().take_while(|row| fits(&format!("{row:?}"))).count();
        self.rows.truncate(kept);
        let cut = [
            (all.0 - self.hits.len(), "hits"),
            (all.1 - self.paths.len(), "paths"),
            (all.2 - self.rows.len(), "rows"),
        ];
        let cut: Vec<String> = cut
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        if !cut.is_empty() {
            self.notices.push(format!("{} did not fit into {tokens} tokens", cut.join(", ")));
        }
        self
    }
}

impl std::fmt::Display for RetrievedPath {
    /// Formats a path like a pattern of Cypher: `Ada -[KNOWS]-> Charles`.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (place, node) in self.nodes.iter().enumerate() {
            if let Some(relationship) = place.checked_sub(1).and_then(|before| self.relationships.get(before))
            {
                let kind = &relationship.kind;
                if relationship.to == node.id {
                    write!(formatter, " -[{kind}]-> ")?;
                } else {
                    write!(formatter, " <-[{kind}]- ")?;
                }
            }
            formatter.write_str(&node.name)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
