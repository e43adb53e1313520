//! Rerankers behind the addresses `rerank` of their providers, which differ in a few names.
//!
//! [Cohere](https://docs.cohere.com/v2/reference/rerank), [Jina](https://api.jina.ai/redoc),
//! [Voyage](https://docs.voyageai.com/reference/reranker-api), llama.cpp and vLLM as Jina, and
//! [Text Embeddings Inference](https://huggingface.github.io/text-embeddings-inference/).

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Connection, address::Call};
use crate::{LlmError, Provider, RerankerSettings, Result, layers::RerankCall};

/// A reranker of a provider, without any layer.
#[derive(Debug)]
pub(crate) struct ProviderReranker {
    connection: Connection,
    full_name: String,
}

/// What of a reply is used.
#[derive(Deserialize)]
struct Reply {
    #[serde(alias = "data")]
    results: Vec<Scored>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Scored {
    index: usize,
    #[serde(alias = "score")]
    relevance_score: f32,
}

#[derive(Deserialize)]
struct Usage {
    total_tokens: Option<u64>,
}

impl ProviderReranker {
    pub(crate) fn new(settings: &RerankerSettings) -> Result<Self> {
        let RerankerSettings { name, provider, .. } = settings;
        let speaks =
            [Provider::Cohere, Provider::Jina, Provider::Voyage, Provider::Tei, Provider::OpenAiCompatible];
        if !speaks.contains(&name.provider) {
            let provider = name.provider;
            let known = speaks.map(Provider::name).join(", ");
            let message = format!("{provider} is not used for rerankers here; the providers are {known}");
            return Err(LlmError::Configuration { message });
        }
        Ok(Self { connection: Connection::new(name, provider)?, full_name: name.to_string() })
    }

    fn body(&self, query: &str, texts: &[String]) -> Value {
        let name = &self.connection.source.name;
        if name.provider == Provider::Tei {
            // Without `truncate`, one long text fails them all.
            return json!({"query": query, "texts": texts, "truncate": true});
        }
        let mut body = json!({"model": name.model, "query": query, "documents": texts});
        if name.provider == Provider::Jina {
            // It alone sends the texts back unless told otherwise.
            body["return_documents"] = false.into();
        }
        body
    }
}

#[async_trait]
impl RerankCall for ProviderReranker {
    fn name(&self) -> &str {
        &self.full_name
    }

    async fn call(&self, query: &str, texts: &[String]) -> Result<(Vec<f32>, Option<u64>)> {
        let response = self.connection.post(Call::Rerank, &self.body(query, texts)).await?;
        let body = self.connection.json(response).await?;
        let bad_reply = |message| self.connection.source.bad_reply(message);
        // The reply of Text Embeddings Inference is the list alone.
        let body = if body.is_array() { json!({"results": body}) } else { body };
        let reply: Reply = serde_json::from_value(body).map_err(|error| bad_reply(error.to_string()))?;
        let scores = in_order(&reply.results, texts.len()).map_err(bad_reply)?;
        Ok((scores, reply.usage.and_then(|usage| usage.total_tokens)))
    }
}

/// Returns the scores in the order of the texts: replies have them best first.
fn in_order(results: &[Scored], count: usize) -> Result<Vec<f32>, String> {
    let mut scores = vec![None; count];
    for Scored { index, relevance_score } in results {
        match scores.get_mut(*index) {
            Some(score @ None) if relevance_score.is_finite() => *score = Some(*relevance_score),
            _ => return Err(format!("the score {relevance_score} of text {index}, of {count} texts")),
        }
    }
    let complete: Option<Vec<f32>> = scores.into_iter().collect();
    complete.ok_or_else(|| format!("{} scores for {count} texts", results.len()))
}
