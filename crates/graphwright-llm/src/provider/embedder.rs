//! Embedders behind OpenAI's `/v1/embeddings`.

use async_trait::async_trait;
use genai::embed::{EmbedOptions, EmbedRequest};

use super::{Connection, address::Purpose};
use crate::{
    Embedder, EmbedderIdentity, EmbedderSettings, LlmError, Provider, Result, embed::normalise,
    layers::RetryPolicy,
};

#[derive(Debug)]
pub(crate) struct ProviderEmbedder {
    connection: Connection,
    identity: EmbedderIdentity,
    options: EmbedOptions,
    batch: usize,
    retry: RetryPolicy,
}

impl ProviderEmbedder {
    pub(crate) fn new(settings: &EmbedderSettings) -> Result<Self> {
        let EmbedderSettings { name, provider, dimensions, batch, retries } = settings;
        let connection = Connection::new(name, provider, Purpose::Embeddings)?;
        let identity =
            EmbedderIdentity { name: name.to_string(), weights: String::new(), dimensions: *dimensions };
        let mut options = EmbedOptions::new();
        // Only this family can be asked for shorter vectors; other servers refuse the field.
        if name.provider == Provider::OpenAi && name.model.starts_with("text-embedding-3") {
            options = options.with_dimensions(*dimensions);
        }
        Ok(Self { connection, identity, options, batch: (*batch).max(1), retry: RetryPolicy::new(*retries) })
    }

    async fn embed_batch(&self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        let Connection { client, target, source } = &self.connection;
        let request = EmbedRequest::new_batch(texts.to_vec());
        let reply = client.exec_embed(target.clone(), request, Some(&self.options)).await;
        let mut embeddings = reply.map_err(|error| source.translate(error))?.embeddings;
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
        vectors.collect()
    }
}

#[async_trait]
impl Embedder for ProviderEmbedder {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(self.batch) {
            vectors.extend(self.retry.run(|| self.embed_batch(batch)).await?);
        }
        Ok(vectors)
    }
}
