//! Retrievers that search an index.

use std::sync::Arc;

use async_trait::async_trait;
use graphwright_core::GraphStore;
use graphwright_llm::Embedder;

use super::{Retrieved, Retriever, named::NamedIndex};
use crate::{Result, SearchIndex, SearchMode, SearchRequest, SearchResults};

/// What is searched.
#[derive(Clone, Debug)]
enum Searched {
    /// The index of Graphwright.
    Ours(Arc<SearchIndex>),
    /// Indexes of the store, by name.
    Named(Arc<NamedIndex>),
}

impl Searched {
    async fn search(
        &self,
        request: &SearchRequest,
        mode: SearchMode,
        name: &'static str,
    ) -> Result<Retrieved> {
        let request = SearchRequest { mode, ..request.clone() };
        let SearchResults { hits, mode: used, stale, mut notices, .. } = match self {
            Self::Ours(index) => index.search(&request).await?,
            Self::Named(index) => index.search(&request).await?,
        };
        if stale {
            notices.push("the graph has changed since the search index was made".to_owned());
        }
        let how = match used {
            SearchMode::Graph | SearchMode::PageRank => "words, meaning and names",
            SearchMode::Hybrid => "words and meaning",
            SearchMode::Text => "words",
            SearchMode::Vector => "meaning",
        };
        let steps = vec![format!("{name}: {} hits for {:?} by {how}", hits.len(), request.query)];
        Ok(Retrieved { retriever: name, hits, steps, notices, ..Retrieved::default() })
    }
}

/// Finds what is nearest in meaning.
#[derive(Clone, Debug)]
pub struct VectorRetriever(Searched);

impl VectorRetriever {
    /// Creates a retriever over the search index.
    pub fn new(index: Arc<SearchIndex>) -> Self {
        Self(Searched::Ours(index))
    }

    /// Creates a retriever over a vector index that the store has under this name, also one that
    /// another tool has made.
    ///
    /// # Errors
    /// Fails if there is no vector index of that name, and names those that there are;
    /// [`OtherEmbedder`](crate::RetrieveError::OtherEmbedder) or
    /// [`BadVectors`](crate::RetrieveError::BadVectors) if its vectors are of another embedder, as far
    /// as the graph or their length tells.
    pub async fn on_index(
        store: Arc<dyn GraphStore>,
        name: &str,
        embedder: Arc<dyn Embedder>,
    ) -> Result<Self> {
        Ok(Self(Searched::Named(Arc::new(NamedIndex::open(store, Some((name, embedder)), None).await?))))
    }
}

#[async_trait]
impl Retriever for VectorRetriever {
    fn name(&self) -> &'static str {
        "VectorRetriever"
    }

    async fn retrieve(&self, request: &SearchRequest) -> Result<Retrieved> {
        self.0.search(request, SearchMode::Vector, self.name()).await
    }
}

/// Finds what has the words.
#[derive(Clone, Debug)]
pub struct FullTextRetriever(Searched);

impl FullTextRetriever {
    /// Creates a retriever over the search index.
    pub fn new(index: Arc<SearchIndex>) -> Self {
        Self(Searched::Ours(index))
    }

    /// Creates a retriever over a full-text index that a server has under this name.
    ///
    /// # Errors
    /// Fails if there is no full-text index of that name, and names those that there are, or if the
    /// store is no server.
    pub async fn on_index(store: Arc<dyn GraphStore>, name: &str) -> Result<Self> {
        Ok(Self(Searched::Named(Arc::new(NamedIndex::open(store, None, Some(name)).await?))))
    }
}

#[async_trait]
impl Retriever for FullTextRetriever {
    fn name(&self) -> &'static str {
        "FullTextRetriever"
    }

    async fn retrieve(&self, request: &SearchRequest) -> Result<Retrieved> {
        self.0.search(request, SearchMode::Text, self.name()).await
    }
}

/// Finds by words and meaning together.
#[derive(Clone, Debug)]
pub struct HybridRetriever(Searched);

impl HybridRetriever {
    /// Creates a retriever over the search index.
    pub fn new(index: Arc<SearchIndex>) -> Self {
        Self(Searched::Ours(index))
    }

    /// Creates a retriever over a vector index and a full-text index that a server has under these
    /// names.
    ///
    /// # Errors
    /// Fails as those of [`VectorRetriever`] and [`FullTextRetriever`] do.
    pub async fn on_indexes(
        store: Arc<dyn GraphStore>,
        vector: &str,
        full_text: &str,
        embedder: Arc<dyn Embedder>,
    ) -> Result<Self> {
        let index = NamedIndex::open(store, Some((vector, embedder)), Some(full_text)).await?;
        Ok(Self(Searched::Named(Arc::new(index))))
    }
}

#[async_trait]
impl Retriever for HybridRetriever {
    fn name(&self) -> &'static str {
        "HybridRetriever"
    }

    async fn retrieve(&self, request: &SearchRequest) -> Result<Retrieved> {
        self.0.search(request, SearchMode::Hybrid, self.name()).await
    }
}
