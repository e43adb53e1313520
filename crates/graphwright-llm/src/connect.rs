//! Connects to models and embedders of providers, inside all layers.

use std::sync::Arc;

use crate::{
    ChatModel, Embedder, EmbedderSettings, ModelSettings, Result,
    layers::{Embeddings, stack},
    provider::{self, ProviderEmbedder},
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
