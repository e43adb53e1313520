//! Embedders behind OpenAI's `/v1/embeddings`.

use async_trait::async_trait;
use genai::embed::{EmbedOptions, EmbedRequest};

use super::{Connection, address::Purpose};
use crate::{
    EmbedderIdentity, EmbedderSettings, LlmError, Provider, Result, embed::normalise, layers::EmbeddingCall,
};

/// An embedder of a provider, without any layer.
#[derive(Debug)]
pub(crate) struct ProviderEmbedder {
    connection: Connection,
    identity: EmbedderIdentity,
    options: EmbedOptions,
}

impl ProviderEmbedder {
    pub(crate) fn new(settings: &EmbedderSettings) -> Result<Self> {
        let EmbedderSettings { name, provider, dimensions, .. } = settings;
        let connection = Connection::new(name, provider, Purpose::Embeddings)?;
        let identity =
            EmbedderIdentity { name: name.to_string(), weights: String::new(), dimensions: *dimensions };
        let mut options = EmbedOptions::new();
        // Only this family can be asked for shorter vectors; other servers refuse the field.
        if name.provider == Provider::OpenAi && name.model.starts_with("text-embedding-3") {
            options = options.with_dimensions(*dimensions);
        }
        Ok(Self { connection, identity, options })
    }
}

#[async_trait]
impl EmbeddingCall for ProviderEmbedder {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    async fn call(&self, texts: &[String]) -> Result<(Vec<Vec<f32>>, Option<u64>)> {
        let Connection { client, target, source } = &self.connection;
        let request = EmbedRequest::new_batch(texts.to_vec());
        let reply = client.exec_embed(target.clone(), request, Some(&self.options)).await;
        let reply = reply.map_err(|error| source.translate(error))?;
        let tokens = reply.usage.prompt_tokens.and_then(|tokens| u64::try_from(tokens).ok());
        let mut embeddings = reply.embeddings;
        // The order of the vectors is that of their indexes, not that in which they come.
        embeddings.sort_by_key(|embedding| embedding.index);
        let bad_reply = |message| LlmError::BadReply { model: self.identity.name.clone(), message };
        if embeddings.len() != texts.len() {
            return Err(bad_reply(format!("{} vectors for {} texts", embeddings.len(), texts.len())));
        }
        let dimensions = self.identity.dimensions;
        let vectors = embeddings.into_iter().map(|embedding| {
            let mut vector = embedding.vector;
            if vector.len() != dimensions {
                let found = vector.len();
                return Err(bad_reply(format!(
                    "its vectors have {found} components and the settings say {dimensions}; set {found}"
                )));
            }
            normalise(&mut vector);
            Ok(vector)
        });
        Ok((vectors.collect::<Result<_>>()?, tokens))
    }
}
