//! The table of vectors: 8-bit rows with one scale each.

use safetensors::{Dtype, SafeTensors, tensor::TensorView};

use super::{BuiltinEmbedder, word_pieces::WordPieces};
use crate::{LlmError, Result, embed::normalise};

pub(super) const VOCABULARY: &str = include_str!("../../data/builtin/vocabulary.txt");
pub(super) const WEIGHTS: &[u8] = include_bytes!("../../data/builtin/model.safetensors");

#[derive(Debug)]
pub(super) struct Table {
    pieces: WordPieces<'static>,
    /// One row after the other, [`BuiltinEmbedder::DIMENSIONS`] bytes each, to be read as `i8`.
    rows: &'static [u8],
    scales: Vec<f32>,
}

impl Table {
    /// Reads the table that is part of the program.
    pub(super) fn compiled_in() -> Result<Self> {
        let tensors = SafeTensors::deserialize(WEIGHTS).map_err(|error| damaged(&error.to_string()))?;
        let tensor = |name| tensors.tensor(name).map_err(|error| damaged(&error.to_string()));
        let (rows, scales): (TensorView<'static>, _) = (tensor("embeddings")?, tensor("weights")?);
        let pieces = WordPieces::new(VOCABULARY);
        let count = pieces.len();
        if rows.dtype() != Dtype::I8 || rows.shape() != [count, BuiltinEmbedder::DIMENSIONS] {
            return Err(damaged("the rows do not fit the vocabulary"));
        }
        if scales.dtype() != Dtype::F32 || scales.shape() != [count] {
            return Err(damaged("the scales do not fit the vocabulary"));
        }
        let (scales, _) = scales.data().as_chunks::<4>();
        let scales = scales.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        Ok(Self { pieces, rows: rows.data(), scales })
    }

    /// Returns the normalised sum of the rows of a text's word pieces.
    pub(super) fn embed(&self, text: &str) -> Vec<f32> {
        let mut sum = vec![0.0; BuiltinEmbedder::DIMENSIONS];
        self.pieces.visit(text, |piece| {
            // `compiled_in` has checked that each piece has a row and a scale.
            let scale = self.scales[piece];
            let start = piece * BuiltinEmbedder::DIMENSIONS;
            let row = &self.rows[start..start + BuiltinEmbedder::DIMENSIONS];
            for (component, byte) in sum.iter_mut().zip(row) {
                *component += scale * f32::from(byte.cast_signed());
            }
        });
        normalise(&mut sum);
        sum
    }
}

fn damaged(message: &str) -> LlmError {
    LlmError::Configuration { message: format!("the built-in embedding table is damaged: {message}") }
}
