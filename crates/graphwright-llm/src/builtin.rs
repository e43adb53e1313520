//! The embedder that is compiled in: one vector for each word piece, summed.
//!
//! The table was fitted so that the sum of a text's rows points where all-MiniLM-L6-v2 points for
//! that text. `data/builtin/README.md` tells how it was made and how good it is.

mod table;
mod word_pieces;

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use async_trait::async_trait;

use self::table::Table;
use crate::{Embedder, EmbedderIdentity, Result};

/// The BLAKE3 hash of the vocabulary followed by the weights. A test compares it with the files.
const WEIGHTS: &str = "42b17914f4ed88fc75f77005e6126a8537822e68a35f9061578724fa94b2e53f";

/// The number of texts embedded between two points where other tasks may run.
const TEXTS_PER_TURN: usize = 64;

static TABLE: LazyLock<Result<Table>> = LazyLock::new(Table::compiled_in);

/// An embedder for English with 256 dimensions that needs no download, no network and no key.
///
/// It finds paraphrases and near names well, as the second signal beside BM25. It knows no order of
/// words, takes sibling versions for each other, and gives the zero vector for text that is not in
/// Latin script.
///
/// The table is read when the first text comes (about two milliseconds) and shared by all
/// instances.
///
/// ```
/// use graphwright_llm::{BuiltinEmbedder, cosine};
///
/// let embedder = BuiltinEmbedder::new();
/// let one = embedder.embed_text("Why did the payment fail?")?;
/// let other = embedder.embed_text("The card transaction was rejected.")?;
/// let far = embedder.embed_text("Bake the cake for an hour.")?;
/// assert!(cosine(&one, &other) > cosine(&one, &far));
/// # Ok::<(), graphwright_llm::LlmError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BuiltinEmbedder {
    identity: EmbedderIdentity,
}

impl BuiltinEmbedder {
    /// Name of its [identity](EmbedderIdentity::name).
    pub const NAME: &'static str = "builtin";

    /// The number of components of its vectors.
    pub const DIMENSIONS: usize = 256;

    /// Creates the embedder. Costs nothing until a text is embedded.
    pub fn new() -> Self {
        let identity = EmbedderIdentity {
            name: Self::NAME.to_owned(),
            weights: WEIGHTS.to_owned(),
            dimensions: Self::DIMENSIONS,
        };
        Self { identity }
    }

    /// Returns the vector of one text, of length 1, or the zero vector if no token is known.
    pub fn embed_text(&self, text: &str) -> Result<Vec<f32>> {
        let table = TABLE.as_ref().map_err(Clone::clone)?;
        Ok(table.embed(text))
    }
}

impl Default for BuiltinEmbedder {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Embedder for BuiltinEmbedder {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        let mut vectors = Vec::with_capacity(texts.len());
        for turn in texts.chunks(TEXTS_PER_TURN) {
            for text in turn {
                vectors.push(self.embed_text(text)?);
            }
            tokio::task::yield_now().await;
        }
        Ok(vectors)
    }
}
