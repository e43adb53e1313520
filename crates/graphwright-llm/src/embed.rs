//! The contract of embedders.

use std::fmt::Debug;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::Result;

/// What makes vectors comparable: only vectors of one identity may be compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EmbedderIdentity {
    /// Name, as `builtin` or `openai/text-embedding-3-small`.
    pub name: String,
    /// Hash of the weights where they are at hand, else empty.
    pub weights: String,
    /// Number of components.
    pub dimensions: usize,
}

/// Makes vectors from texts.
#[async_trait]
pub trait Embedder: Debug + Send + Sync {
    /// What makes its vectors comparable.
    fn identity(&self) -> &EmbedderIdentity;

    /// One vector for each text, in order, of length 1; the zero vector where the text has no known token.
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>>;
}
