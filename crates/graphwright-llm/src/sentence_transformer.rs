//! Embedders from sentence-transformers folders: BERT-shaped encoders, run on the processor.

mod configuration;
mod encoder;
mod pull;
mod tensors;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt, stream};
use tokenizers::{Tokenizer, TruncationParams};

pub use self::pull::{ModelFile, ModelPull};
use self::{configuration::Configuration, encoder::Encoder, tensors::Tensors};
use crate::{Embedder, EmbedderIdentity, LlmError, Result, embed::normalise};

/// The number of texts that pass through the layers together. More gain nothing and take memory.
const TEXTS_PER_BATCH: usize = 16;

/// An embedder from a folder with `config.json`, `tokenizer.json` and `model.safetensors`.
///
/// The sentence-transformers library writes such a folder, and a [`ModelPull`] fetches one.
///
/// It reads encoders of type BERT, RoBERTa and XLM-RoBERTa in 32-bit floats (all-MiniLM, bge, e5,
/// gte and their like), with mean or first-token pooling. It is better than the built-in embedder
/// and several hundred times slower: about a hundred short texts a second on one core.
///
/// ```no_run
/// use graphwright_llm::SentenceTransformer;
///
/// let embedder = SentenceTransformer::open("models/all-MiniLM-L6-v2".as_ref())?;
/// let vector = embedder.embed_text("Why did the payment fail?")?;
/// assert_eq!(vector.len(), 384);
/// # Ok::<(), graphwright_llm::LlmError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SentenceTransformer {
    model: Arc<Model>,
    identity: EmbedderIdentity,
}

#[derive(Debug)]
struct Model {
    tokenizer: Tokenizer,
    encoder: Encoder,
}

impl SentenceTransformer {
    /// Reads a folder. Its whole weights (90 MB for all-MiniLM-L6-v2) are loaded and hashed.
    pub fn open(folder: &Path) -> Result<Self> {
        let configuration = Configuration::read(folder)?;
        let path = folder.join("tokenizer.json");
        let unusable = |error: tokenizers::Error| failure(&path, &error.to_string());
        let mut tokenizer = Tokenizer::from_file(&path).map_err(unusable)?;
        let truncation =
            TruncationParams { max_length: configuration.longest, ..TruncationParams::default() };
        // Whatever padding the file asks for, the encoder takes sequences without any.
        tokenizer.with_truncation(Some(truncation)).map_err(unusable)?.with_padding(None);

        let path = folder.join("model.safetensors");
        let bytes = std::fs::read(&path).map_err(|error| failure(&path, &error.to_string()))?;
        let weights = blake3::hash(&bytes).to_hex().to_string();
        let encoder = Encoder::new(&configuration, &Tensors::read(&path, &bytes)?)?;
        let name = folder.file_name().map_or_else(|| "model".into(), |name| name.to_string_lossy());
        let identity = EmbedderIdentity {
            name: format!("sentence-transformers/{name}"),
            weights,
            dimensions: configuration.hidden_size,
        };
        Ok(Self { model: Arc::new(Model { tokenizer, encoder }), identity })
    }

    /// Returns the vector of one text.
    pub fn embed_text(&self, text: &str) -> Result<Vec<f32>> {
        let vectors = self.model.embed(&[text.to_owned()])?;
        Ok(vectors.into_iter().next().unwrap_or_default())
    }
}

impl Model {
    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        let mut sequences = Vec::with_capacity(texts.len());
        for text in texts {
            let encoding = self.tokenizer.encode(text.as_str(), true).map_err(|error| {
                LlmError::Configuration { message: format!("the tokenizer cannot read a text: {error}") }
            })?;
            sequences.push(encoding.get_ids().to_vec());
        }
        let mut vectors = self.encoder.encode(&sequences);
        for (vector, text) in vectors.iter_mut().zip(texts) {
            // An empty text still has its start and end tokens, whose vector would mean nothing.
            if text.trim().is_empty() {
                vector.fill(0.0);
            }
            normalise(vector);
        }
        Ok(vectors)
    }
}

#[async_trait]
impl Embedder for SentenceTransformer {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let batches = texts.chunks(TEXTS_PER_BATCH).map(|batch| {
            let (model, batch) = (Arc::clone(&self.model), batch.to_vec());
            async move {
                // The encoder keeps its thread busy, which those of the runtime must not be.
                let vectors = tokio::task::spawn_blocking(move || model.embed(&batch)).await;
                vectors.map_err(|_| LlmError::Cancelled)?
            }
        });
        let batches: Vec<_> = batches.collect();
        let vectors: Vec<Vec<_>> = stream::iter(batches).buffered(threads).try_collect().await?;
        Ok(vectors.into_iter().flatten().collect())
    }
}

/// Creates the error of a file of the folder that cannot be used.
fn failure(path: &Path, message: &str) -> LlmError {
    let path: PathBuf = path.into();
    LlmError::Configuration { message: format!("{}: {message}", path.display()) }
}
