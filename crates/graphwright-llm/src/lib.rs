//! Chat models, embedders and rerankers behind one interface.
//!
//! [`ChatModel`], [`Embedder`] and [`Reranker`] are what the rest of Graphwright knows; the wire formats of the
//! providers stay inside this crate. [`connect`] makes a model from [`ModelSettings`], inside all
//! layers: trace, cache, validation, budget, price, circuit breaker, retries, concurrency and rate.
//! [`ScriptedModel`] stands for a model in tests, and [`BuiltinEmbedder`] needs no network and no
//! key.
//!
//! ```
//! use graphwright_llm::{ChatModel, ChatRequest, ScriptedModel};
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let model = ScriptedModel::replies(["Paris"]);
//! let request = ChatRequest::new("Answer in one word.", "The capital of France?");
//! let reply = model.chat(request).await?;
//! assert_eq!(reply.text(), "Paris");
//! # Ok::<(), graphwright_llm::LlmError>(())
//! # }).unwrap();
//! ```

mod builtin;
mod chat;
#[cfg(feature = "providers")]
mod connect;
mod embed;
mod error;
mod json;
mod layers;
mod model_name;
#[cfg(feature = "providers")]
mod provider;
mod rerank;
mod scripted;
#[cfg(feature = "sentence-transformers")]
mod sentence_transformer;
mod tokens;

pub use builtin::BuiltinEmbedder;
pub use chat::{
    ChatModel, ChatReply, ChatRequest, ChatStream, Content, FinishReason, Message, OutputFormat, Reasoning,
    ReasoningEffort, Role, SealedReasoning, StreamEvent, ToolCall, ToolChoice, ToolSpec, Usage, probe,
};
#[cfg(feature = "providers")]
pub use connect::{connect, connect_embedder, connect_reranker};
pub use embed::{Embedder, EmbedderIdentity, cosine};
pub use error::{LlmError, Result};
pub use json::{FoundJson, find_json, read_json, without_thoughts};
pub use layers::{
    Budget, CacheSettings, CircuitBreaker, EmbedderSettings, ModelSettings, Price, PriceTable,
    ProviderSettings, RateLimits, ReplyCache, RerankerSettings, Traffic, price_table_date, stack,
    within_budget,
};
pub use model_name::{ModelName, Provider};
pub use rerank::{ListwiseReranker, Reranker};
pub use scripted::ScriptedModel;
pub use secrecy::SecretString;
#[cfg(feature = "sentence-transformers")]
pub use sentence_transformer::{CrossEncoder, ModelFile, ModelPull, SentenceTransformer};
pub use tokens::estimate_tokens;
