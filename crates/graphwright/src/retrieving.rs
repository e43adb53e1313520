//! Retrievers over a graph.

use std::sync::Arc;

use graphwright_retrieve::{
    FullTextRetriever, HybridRetriever, NeighborhoodRetriever, PathRetriever, Reranked, Retriever,
    VectorCypherRetriever, VectorRetriever,
};

use crate::{Error, Graph, Result};

/// A retriever by name, with what it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetrieverChoice {
    /// [`VectorRetriever`], over the search index or a vector index that the store has by this name.
    Vector {
        /// The name of the index.
        index: Option<String>,
    },
    /// [`FullTextRetriever`], over the search index or a full-text index of a server.
    FullText {
        /// The name of the index.
        index: Option<String>,
    },
    /// [`HybridRetriever`], over the search index or two indexes of a server.
    Hybrid {
        /// The names of the vector index and the full-text index.
        indexes: Option<(String, String)>,
    },
    /// [`VectorCypherRetriever`] on the hits of a vector search.
    VectorCypher {
        /// The query that goes on after `WITH node, score`.
        query: String,
        /// The name of the vector index.
        index: Option<String>,
    },
    /// [`NeighborhoodRetriever`] around the hits of a hybrid search.
    Neighborhood,
    /// [`PathRetriever`] between the hits of a hybrid search.
    Path,
}

impl Graph {
    /// Creates a retriever on this graph. If a reranker is set, it ranks anew what the search finds that everything begins
    /// with ([`Reranked`]).
    ///
    /// # Errors
    /// Fails if the store has no index of a given name, if its vectors are of another embedder, or if
    /// the gate refuses the query.
    pub async fn retriever(&self, choice: &RetrieverChoice) -> Result<Arc<dyn Retriever>> {
        let store = || Arc::clone(self.store());
        let embedder = || Arc::clone(self.embedder());
        Ok(match choice {
            RetrieverChoice::Vector { index } => self.vector_retriever(index.as_deref()).await?,
            RetrieverChoice::FullText { index: Some(name) } => {
                self.reranked(FullTextRetriever::on_index(store(), name).await.map_err(Error::from)?)
            }
            RetrieverChoice::FullText { index: None } => {
                self.reranked(FullTextRetriever::new(self.search_index().await?))
            }
            RetrieverChoice::Hybrid { indexes: Some((vector, words)) } => {
                let retriever = HybridRetriever::on_indexes(store(), vector, words, embedder()).await;
                self.reranked(retriever.map_err(Error::from)?)
            }
            RetrieverChoice::Hybrid { indexes: None } => self.hybrid_retriever().await?,
            RetrieverChoice::VectorCypher { query, index } => {
                let seeds = self.vector_retriever(index.as_deref()).await?;
                Arc::new(VectorCypherRetriever::new(seeds, store(), query.as_str()).map_err(Error::from)?)
            }
            RetrieverChoice::Neighborhood => {
                Arc::new(NeighborhoodRetriever::new(self.hybrid_retriever().await?, self.topology().await?))
            }
            RetrieverChoice::Path => {
                Arc::new(PathRetriever::new(self.hybrid_retriever().await?, self.topology().await?))
            }
        })
    }

    async fn vector_retriever(&self, index: Option<&str>) -> Result<Arc<dyn Retriever>> {
        Ok(match index {
            Some(name) => {
                let (store, embedder) = (Arc::clone(self.store()), Arc::clone(self.embedder()));
                self.reranked(VectorRetriever::on_index(store, name, embedder).await.map_err(Error::from)?)
            }
            None => self.reranked(VectorRetriever::new(self.search_index().await?)),
        })
    }

    async fn hybrid_retriever(&self) -> Result<Arc<dyn Retriever>> {
        Ok(self.reranked(HybridRetriever::new(self.search_index().await?)))
    }

    fn reranked(&self, search: impl Retriever + 'static) -> Arc<dyn Retriever> {
        match self.reranker() {
            Some(reranker) => Arc::new(Reranked::new(Arc::new(search), Arc::clone(reranker))),
            None => Arc::new(search),
        }
    }
}
