//! Connects to models, embedders and rerankers of providers, inside all layers.

use std::sync::Arc;

use crate::{
    ChatModel, Embedder, EmbedderSettings, ModelSettings, Reranker, RerankerSettings, Result,
    layers::{Embeddings, Reranking, stack},
    provider::{self, ProviderEmbedder, ProviderReranker},
};

/// Connects to the model that the settings describe, inside all layers. Makes no request.
pub fn connect(settings: &ModelSettings) -> Result<Arc<dyn ChatModel>> {
    stack(provider::model(&settings.name, &settings.provider)?, settings)
}

/// Connects to the embedder that the settings describe, inside the layers that concern it. Makes no
/// request.
pub fn connect_embedder(settings: &EmbedderSettings) -> Result<Arc<dyn Embedder>> {
    Ok(Arc::new(Embeddings::new(ProviderEmbedder::new(settings)?, settings)?))
}

/// Connects to the reranker that the settings describe, inside the layers that concern it. Makes no request.
///
/// ```
/// use graphwright_llm::{RerankerSettings, connect_reranker};
///
/// let mut settings = RerankerSettings::new("tei/BAAI/bge-reranker-base".parse()?);
/// settings.provider.address = Some("http://localhost:8080/".to_owned());
/// assert_eq!(connect_reranker(&settings)?.name(), "tei/BAAI/bge-reranker-base");
/// # Ok::<(), graphwright_llm::LlmError>(())
/// ```
pub fn connect_reranker(settings: &RerankerSettings) -> Result<Arc<dyn Reranker>> {
    Ok(Arc::new(Reranking::new(ProviderReranker::new(settings)?, settings)?))
}
