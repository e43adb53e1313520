//! Embedders and rerankers from sentence-transformers folders: BERT-shaped encoders, run on the processor.

mod configuration;
mod cross_encoder;
mod encoder;
mod pull;
mod tensors;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt, stream};
use tokenizers::{Tokenizer, TruncationParams, TruncationStrategy};

use self::{configuration::Configuration, encoder::Encoder, tensors::Tensors};
pub use self::{
    cross_encoder::CrossEncoder,
    pull::{ModelFile, ModelPull},
};
use crate::{Embedder, EmbedderIdentity, LlmError, Result, embed::normalise};

/// The number of texts that pass through the layers together. More gain nothing and take memory.
const TEXTS_PER_BATCH: usize = 16;

/// The file with the weights of a model.
const WEIGHTS: &str = "model.safetensors";

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
        let tokenizer = read_tokenizer(folder, configuration.longest, TruncationStrategy::LongestFirst)?;
        let path = folder.join(WEIGHTS);
        let bytes = read_weights(&path)?;
        let weights = blake3::hash(&bytes).to_hex().to_string();
        let encoder = Encoder::new(&configuration, &Tensors::read(&path, &bytes)?)?;
        let identity = EmbedderIdentity {
            name: name("sentence-transformers", folder),
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
        let sequences = texts
            .iter()
            .map(|text| self.tokenizer.encode(text.as_str(), true).map_err(|error| unreadable(&error)));
        let mut vectors = self.encoder.encode(&sequences.collect::<Result<Vec<_>>>()?);
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
        let model = Arc::clone(&self.model);
        in_batches(texts, move |batch| model.embed(batch)).await
    }
}

/// Passes texts through a model in batches, on as many threads as there are processors.
async fn in_batches<T: Send + 'static>(
    texts: &[String],
    pass: impl Fn(&[String]) -> Result<Vec<T>> + Clone + Send + 'static,
) -> Result<Vec<T>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let batches = texts.chunks(TEXTS_PER_BATCH).map(|batch| {
        let (pass, batch) = (pass.clone(), batch.to_vec());
        async move {
            // The encoder keeps its thread busy, which those of the runtime must not be.
            let results = tokio::task::spawn_blocking(move || pass(&batch)).await;
            results.map_err(|_| LlmError::Cancelled)?
        }
    });
    let batches: Vec<_> = batches.collect();
    let results: Vec<Vec<_>> = stream::iter(batches).buffered(threads).try_collect().await?;
    Ok(results.into_iter().flatten().collect())
}

/// Reads the tokenizer of a folder, which cuts what is longer than so many tokens.
fn read_tokenizer(folder: &Path, longest: usize, strategy: TruncationStrategy) -> Result<Tokenizer> {
    let path = folder.join("tokenizer.json");
    let unusable = |error: tokenizers::Error| failure(&path, &error.to_string());
    let mut tokenizer = Tokenizer::from_file(&path).map_err(unusable)?;
    let truncation = TruncationParams { max_length: longest, strategy, ..TruncationParams::default() };
    // Whatever padding the file asks for, the encoder takes sequences without any.
    tokenizer.with_truncation(Some(truncation)).map_err(unusable)?.with_padding(None);
    Ok(tokenizer)
}

fn unreadable(error: &tokenizers::Error) -> LlmError {
    LlmError::Configuration { message: format!("the tokenizer cannot read a text: {error}") }
}

fn read_weights(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| failure(path, &error.to_string()))
}

/// Returns the name of the model in a folder, below the organisation that has its like.
fn name(organisation: &str, folder: &Path) -> String {
    let name = folder.file_name().map_or_else(|| "model".into(), |name| name.to_string_lossy());
    format!("{organisation}/{name}")
}

/// Creates the error of a file of the folder that cannot be used.
fn failure(path: &Path, message: &str) -> LlmError {
    let path: PathBuf = path.into();
    LlmError::Configuration { message: format!("{}: {message}", path.display()) }
}
