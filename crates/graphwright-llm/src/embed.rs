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

/// Cosine of the angle between two vectors; 0 where one of them is zero or their lengths differ.
pub fn cosine(left: &[f32], right: &[f32]) -> f32 {
    let dot = |left: &[f32], right: &[f32]| -> f32 {
        left.iter().zip(right).map(|(left, right)| left * right).sum()
    };
    let lengths = (dot(left, left) * dot(right, right)).sqrt();
    if lengths > 0.0 && left.len() == right.len() { dot(left, right) / lengths } else { 0.0 }
}

/// Brings a vector to length 1; the zero vector stays.
pub(crate) fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|component| component * component).sum::<f32>().sqrt();
    if length > 0.0 {
        for component in vector {
            *component /= length;
        }
    }
}
