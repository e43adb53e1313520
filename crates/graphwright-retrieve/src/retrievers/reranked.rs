//! A retriever that ranks anew what another one finds.

use std::sync::Arc;

use async_trait::async_trait;
use graphwright_llm::Reranker;

use super::{Retrieved, Retriever};
use crate::{Result, SearchRequest, rerank};

/// Ranks anew the hits of another retriever, which is asked for [candidates](SearchRequest::candidates).
///
/// Each hit keeps its score beside [`relevance`](crate::Hit::relevance). Paths and rows stay as they are. If the reranker
/// fails, the order stays, and a notice says so.
#[derive(Clone, Debug)]
pub struct Reranked {
    retriever: Arc<dyn Retriever>,
    reranker: Arc<dyn Reranker>,
}

impl Reranked {
    /// Creates a retriever over another one.
    pub fn new(retriever: Arc<dyn Retriever>, reranker: Arc<dyn Reranker>) -> Self {
        Self { retriever, reranker }
    }
}

#[async_trait]
impl Retriever for Reranked {
    fn name(&self) -> &'static str {
        "Reranked"
    }

    async fn retrieve(&self, request: &SearchRequest) -> Result<Retrieved> {
        let mut found = self.retriever.retrieve(&request.candidates()).await?;
        found.retriever = self.name();
        match rerank(&*self.reranker, request, &mut found.hits).await {
            Ok(()) => {
                let (kept, by) = (found.hits.len(), self.reranker.name());
                found.steps.push(format!("{}: the {kept} most relevant of them by {by}", self.name()));
            }
            Err(notice) => found.notices.push(notice),
        }
        Ok(found)
    }
}
