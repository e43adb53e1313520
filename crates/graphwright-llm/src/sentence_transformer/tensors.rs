//! Weights of a model, by name.

use std::path::{Path, PathBuf};

use ndarray::{Array1, Array2};
use safetensors::{Dtype, SafeTensors};

use super::failure;
use crate::Result;

pub(super) struct Tensors<'a> {
    path: PathBuf,
    file: SafeTensors<'a>,
    /// The name under which some models keep the encoder.
    prefix: &'static str,
}

impl<'a> Tensors<'a> {
    pub(super) fn read(path: &Path, bytes: &'a [u8]) -> Result<Self> {
        let file = SafeTensors::deserialize(bytes).map_err(|error| failure(path, &error.to_string()))?;
        let has = |prefix: &&str| file.tensor(&format!("{prefix}embeddings.word_embeddings.weight")).is_ok();
        let prefix = ["", "bert.", "roberta."].into_iter().find(has);
        let prefix = prefix.ok_or_else(|| failure(path, "it holds no embeddings.word_embeddings.weight"))?;
        Ok(Self { path: path.to_owned(), file, prefix })
    }

    pub(super) fn vector(&self, name: &str, length: usize) -> Result<Array1<f32>> {
        Ok(Array1::from_vec(self.numbers(name, &[Some(length)])?.1))
    }

    /// Returns a matrix with so many columns, and so many rows if given.
    pub(super) fn matrix(&self, name: &str, rows: Option<usize>, columns: usize) -> Result<Array2<f32>> {
        let (shape, numbers) = self.numbers(name, &[rows, Some(columns)])?;
        Array2::from_shape_vec((shape[0], shape[1]), numbers)
            .map_err(|error| failure(&self.path, &error.to_string()))
    }

    fn numbers(&self, name: &str, expected: &[Option<usize>]) -> Result<(Vec<usize>, Vec<f32>)> {
        let inside = format!("{}{name}", self.prefix);
        // The last layers of a cross-encoder stand beside its encoder.
        let name = if self.file.tensor(&inside).is_ok() { inside } else { name.to_owned() };
        let wrong = |message: &str| failure(&self.path, &format!("{name}: {message}"));
        let tensor = self.file.tensor(&name).map_err(|error| wrong(&error.to_string()))?;
        if tensor.dtype() != Dtype::F32 {
            return Err(wrong(&format!("{:?} is not read; save the model as 32-bit floats", tensor.dtype())));
        }
        let shape = tensor.shape();
        let fits =
            |(found, expected): (&usize, &Option<usize>)| expected.is_none_or(|expected| expected == *found);
        if shape.contains(&0) || shape.len() != expected.len() || !shape.iter().zip(expected).all(fits) {
            return Err(wrong(&format!("its shape {shape:?} does not fit config.json")));
        }
        let (bytes, _) = tensor.data().as_chunks::<4>();
        Ok((shape.to_vec(), bytes.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()))
    }
}
