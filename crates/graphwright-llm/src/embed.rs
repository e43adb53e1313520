//! The contract of embedders.

use std::fmt::Debug;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::Result;

/// The identity of an embedder's vectors. Only vectors of one identity may be compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EmbedderIdentity {
    /// The name, as `builtin` or `openai/text-embedding-3-small`.
    pub name: String,
    /// The hash of the weights if they are at hand, else empty.
    pub weights: String,
    /// The number of components of a vector.
    pub dimensions: usize,
}

/// A maker of vectors from texts.
#[async_trait]
pub trait Embedder: Debug + Send + Sync {
    /// Returns the identity of its vectors.
    fn identity(&self) -> &EmbedderIdentity;

    /// Returns one vector of length 1 for each text, in order.
    ///
    /// A text without known tokens has the zero vector.
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>>;
}

/// Computes the cosine of the angle between two vectors.
///
/// It is 0 if one of them is zero or their lengths differ.
pub fn cosine(left: &[f32], right: &[f32]) -> f32 {
    let dot = |left: &[f32], right: &[f32]| -> f32 {
        left.iter().zip(right).map(|(left, right)| left * right).sum()
    };
    let lengths = (dot(left, left) * dot(right, right)).sqrt();
    if lengths > 0.0 && left.len() == right.len() { dot(left, right) / lengths } else { 0.0 }
}

/// Scales a vector to length 1. The zero vector stays.
pub(crate) fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|component| component * component).sum::<f32>().sqrt();
    if length > 0.0 {
        for component in vector {
            *component /= length;
        }
    }
}
