//! Rerankers from the folders of cross-encoders.

use std::{path::Path, sync::Arc};

use async_trait::async_trait;
use ndarray::Array2;
use tokenizers::{Tokenizer, TruncationStrategy, utils::truncation::TruncationError};

use super::{
    WEIGHTS,
    configuration::{Configuration, Pooling},
    encoder::{Encoder, Linear},
    failure, in_batches, name, read_tokenizer, read_weights,
    tensors::Tensors,
    unreadable,
};
use crate::{LlmError, Reranker, Result};

/// A reranker from a folder with `config.json`, `tokenizer.json` and `model.safetensors`: a BERT, RoBERTa or XLM-RoBERTa
/// encoder of pairs that ends in one label, in 32-bit floats (ms-marco-MiniLM, bge-reranker and their like).
///
/// It reads the query and a text together (Nogueira and Cho 2019, "Passage re-ranking with BERT"), as the class
/// `CrossEncoder` of sentence-transformers does. A text that is too long is cut, the query never.
///
/// ```no_run
/// use graphwright_llm::{CrossEncoder, Reranker};
///
/// # async fn example() -> graphwright_llm::Result<()> {
/// let reranker = CrossEncoder::open("models/ms-marco-MiniLM-L6-v2".as_ref())?;
/// let texts = ["The canteen opens at noon.".to_owned(), "Tokens expire after an hour.".to_owned()];
/// let scores = reranker.rerank("How long is a token valid?", &texts).await?;
/// assert!(scores[1] > scores[0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct CrossEncoder {
    model: Arc<Model>,
}

#[derive(Debug)]
struct Model {
    name: String,
    tokenizer: Tokenizer,
    encoder: Encoder,
    /// The layer that BERT calls the pooler.
    dense: Linear,
    label: Linear,
}

impl CrossEncoder {
    /// Reads a folder with its whole weights (91 MB for ms-marco-MiniLM-L6-v2).
    ///
    /// # Errors
    /// Fails with [`LlmError::Configuration`] if the folder holds no such model, as one that makes vectors.
    pub fn open(folder: &Path) -> Result<Self> {
        let configuration = Configuration { pooling: Pooling::FirstToken, ..Configuration::read(folder)? };
        let tokenizer = read_tokenizer(folder, configuration.longest, TruncationStrategy::OnlySecond)?;
        let path = folder.join(WEIGHTS);
        let bytes = read_weights(&path)?;
        let tensors = Tensors::read(&path, &bytes)?;
        let encoder = Encoder::new(&configuration, &tensors)?;
        let size = configuration.hidden_size;
        let [dense, label] = configuration.head;
        let dense = Linear::new(&tensors, dense, Some(size), size)?;
        let label = Linear::new(&tensors, label, None, size)?;
        if label.outputs() != 1 {
            let message = format!("it tells {} labels apart; a reranker has one", label.outputs());
            return Err(failure(&path, &message));
        }
        let name = name("cross-encoder", folder);
        Ok(Self { model: Arc::new(Model { name, tokenizer, encoder, dense, label }) })
    }
}

impl Model {
    fn score(&self, query: &str, texts: &[String]) -> Result<Vec<f32>> {
        let failed = |error: tokenizers::Error| match error.downcast_ref::<TruncationError>() {
            // There is no text left that could be cut.
            Some(TruncationError::SequenceTooShort) => LlmError::ContextLength { model: self.name.clone() },
            _ => unreadable(&error),
        };
        let pairs =
            texts.iter().map(|text| self.tokenizer.encode((query, text.as_str()), true).map_err(failed));
        let firsts = self.encoder.encode(&pairs.collect::<Result<Vec<_>>>()?);
        let shape = (firsts.len(), self.label.inputs());
        let firsts = Array2::from_shape_fn(shape, |(row, column)| firsts[row][column]);
        let labels = self.label.apply(&self.dense.apply(&firsts).mapv_into(f32::tanh));
        Ok(labels.into_iter().map(sigmoid).collect())
    }
}

#[async_trait]
impl Reranker for CrossEncoder {
    fn name(&self) -> &str {
        &self.model.name
    }

    /// Returns the sigmoid of the model's label for each text, from 0 to 1.
    ///
    /// # Errors
    /// Fails with [`LlmError::ContextLength`] if the query alone is too long.
    async fn rerank(&self, query: &str, texts: &[String]) -> Result<Vec<f32>> {
        let (model, query) = (Arc::clone(&self.model), query.to_owned());
        in_batches(texts, move |batch| model.score(&query, batch)).await
    }
}

fn sigmoid(x: f32) -> f32 {
    (1.0 + (-x).exp()).recip()
}
