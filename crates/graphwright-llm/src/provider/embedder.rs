//! Embedders behind OpenAI's `/v1/embeddings`.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Connection, address::Call};
use crate::{
    EmbedderIdentity, EmbedderSettings, LlmError, Provider, Result, embed::normalise, layers::EmbeddingCall,
};

/// An embedder of a provider, without any layer.
#[derive(Debug)]
pub(crate) struct ProviderEmbedder {
    connection: Connection,
    identity: EmbedderIdentity,
    /// Whether the number of dimensions is sent.
    sends_dimensions: bool,
}

/// What of a reply is used.
#[derive(Deserialize)]
struct Reply {
    data: Vec<Embedding>,
    #[serde(default)]
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Embedding {
    #[serde(default)]
    index: usize,
    embedding: Vec<f32>,
}

#[derive(Deserialize)]
struct Usage {
    prompt_tokens: Option<u64>,
}

impl ProviderEmbedder {
    pub(crate) fn new(settings: &EmbedderSettings) -> Result<Self> {
        let EmbedderSettings { name, provider, dimensions, .. } = settings;
        let speaks = [Provider::OpenAi, Provider::Azure, Provider::Ollama, Provider::OpenAiCompatible];
        if !speaks.contains(&name.provider) {
            let provider = name.provider;
            let message = format!(
                "{provider} is not used for embeddings here; use openai, azure, ollama or openai-compatible"
            );
            return Err(LlmError::Configuration { message });
        }
        let connection = Connection::new(name, provider)?;
        let identity =
            EmbedderIdentity { name: name.to_string(), weights: String::new(), dimensions: *dimensions };
        // Only this family can be asked for shorter vectors; other servers refuse the field.
        let sends_dimensions =
            name.provider == Provider::OpenAi && name.model.starts_with("text-embedding-3");
        Ok(Self { connection, identity, sends_dimensions })
    }

    fn body(&self, texts: &[String]) -> Value {
        let mut body = json!({"model": self.connection.source.name.model, "input": texts});
        if self.sends_dimensions {
            body["dimensions"] = json!(self.identity.dimensions);
        }
        body
    }
}

#[async_trait]
impl EmbeddingCall for ProviderEmbedder {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    async fn call(&self, texts: &[String]) -> Result<(Vec<Vec<f32>>, Option<u64>)> {
        let response = self.connection.post(Call::Embeddings, &self.body(texts)).await?;
        let body = self.connection.json(response).await?;
        let bad_reply = |message| LlmError::BadReply { model: self.identity.name.clone(), message };
        let reply: Reply = serde_json::from_value(body).map_err(|error| bad_reply(error.to_string()))?;
        let mut embeddings = reply.data;
        // The order of the vectors is that of their indexes, not that in which they come.
        embeddings.sort_by_key(|embedding| embedding.index);
        if embeddings.len() != texts.len() {
            return Err(bad_reply(format!("{} vectors for {} texts", embeddings.len(), texts.len())));
        }
        let dimensions = self.identity.dimensions;
        let vectors = embeddings.into_iter().map(|embedding| {
            let mut vector = embedding.embedding;
            if vector.len() != dimensions {
                let found = vector.len();
                return Err(bad_reply(format!(
                    "its vectors have {found} components and the settings say {dimensions}; set {found}"
                )));
            }
            normalise(&mut vector);
            Ok(vector)
        });
        Ok((vectors.collect::<Result<_>>()?, reply.usage.and_then(|usage| usage.prompt_tokens)))
    }
}
