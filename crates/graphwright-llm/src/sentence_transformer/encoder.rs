//! The encoder of BERT (Devlin et al. 2019, "BERT: pre-training of deep bidirectional
//! transformers", section 3).
//!
//! The tokens of several texts stand below each other in one matrix, without padding. Only
//! attention looks at each text apart.

use std::ops::Range;

use ndarray::{Array1, Array2, ArrayBase, ArrayView2, Axis, Data, Ix2, Slice};
use tokenizers::Encoding;

use super::{
    configuration::{Configuration, Pooling},
    tensors::Tensors,
};
use crate::Result;

#[derive(Debug)]
pub(super) struct Encoder {
    configuration: Configuration,
    words: Array2<f32>,
    positions: Array2<f32>,
    /// A vector for each type of text: 0 for the first of a pair or the only one, 1 for the second.
    kinds: Array2<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

#[derive(Debug)]
struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    attention_norm: Norm,
    inner: Linear,
    outer: Linear,
    output_norm: Norm,
}

#[derive(Debug)]
pub(super) struct Linear {
    weight: Array2<f32>,
    bias: Array1<f32>,
}

#[derive(Debug)]
struct Norm {
    weight: Array1<f32>,
    bias: Array1<f32>,
    epsilon: f32,
}

impl Encoder {
    pub(super) fn new(configuration: &Configuration, tensors: &Tensors<'_>) -> Result<Self> {
        let size = configuration.hidden_size;
        let epsilon = configuration.norm_epsilon;
        let kinds = tensors.matrix("embeddings.token_type_embeddings.weight", None, size)?;
        let layers = (0..configuration.layers).map(|number| Layer::new(tensors, number, size, epsilon));
        Ok(Self {
            configuration: *configuration,
            words: tensors.matrix("embeddings.word_embeddings.weight", None, size)?,
            positions: tensors.matrix("embeddings.position_embeddings.weight", None, size)?,
            kinds,
            norm: Norm::new(tensors, "embeddings.LayerNorm", size, epsilon)?,
            layers: layers.collect::<Result<_>>()?,
        })
    }

    /// Returns one vector for each sequence of tokens, pooled as the configuration says.
    pub(super) fn encode(&self, sequences: &[Encoding]) -> Vec<Vec<f32>> {
        let mut ends = Vec::with_capacity(sequences.len());
        let mut state = self.embed(sequences, &mut ends);
        for layer in &self.layers {
            state = layer.apply(&state, &ends, self.configuration.heads);
        }
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let texts = starts.zip(&ends).map(|(start, end)| part(state.view(), start..*end, 0..state.ncols()));
        texts.map(|text| self.pool(&text)).collect()
    }

    fn embed(&self, sequences: &[Encoding], ends: &mut Vec<usize>) -> Array2<f32> {
        let count = sequences.iter().map(Encoding::len).sum();
        let mut state = Array2::zeros((count, self.configuration.hidden_size));
        let mut row = 0;
        for sequence in sequences {
            let tokens = sequence.get_ids().iter().zip(sequence.get_type_ids());
            for (position, (token, kind)) in tokens.enumerate() {
                // A token beyond the table belongs to another model's tokenizer. The unknown token
                // stands for it.
                let word = (*token as usize).min(self.words.nrows() - 1);
                let position = (self.configuration.first_position + position).min(self.positions.nrows() - 1);
                // RoBERTa has one type for both texts of a pair.
                let kind = (*kind as usize).min(self.kinds.nrows() - 1);
                let mut target = state.row_mut(row);
                target += &self.words.row(word);
                target += &self.positions.row(position);
                target += &self.kinds.row(kind);
                row += 1;
            }
            ends.push(row);
        }
        self.norm.apply(&mut state);
        state
    }

    fn pool(&self, text: &ArrayView2<'_, f32>) -> Vec<f32> {
        let pooled = match self.configuration.pooling {
            Pooling::FirstToken => text.outer_iter().next().map(|first| first.to_owned()),
            Pooling::Mean => text.mean_axis(Axis(0)),
        };
        pooled.map_or_else(|| vec![0.0; self.configuration.hidden_size], |vector| vector.to_vec())
    }
}

impl Layer {
    fn new(tensors: &Tensors<'_>, number: usize, size: usize, epsilon: f32) -> Result<Self> {
        let linear = |name: &str, rows: Option<usize>, columns: usize| {
            Linear::new(tensors, &format!("encoder.layer.{number}.{name}"), rows, columns)
        };
        let norm = |name: &str| {
            Norm::new(tensors, &format!("encoder.layer.{number}.{name}.LayerNorm"), size, epsilon)
        };
        let inner = linear("intermediate.dense", None, size)?;
        let width = inner.weight.nrows();
        Ok(Self {
            query: linear("attention.self.query", Some(size), size)?,
            key: linear("attention.self.key", Some(size), size)?,
            value: linear("attention.self.value", Some(size), size)?,
            attended: linear("attention.output.dense", Some(size), size)?,
            attention_norm: norm("attention.output")?,
            inner,
            outer: linear("output.dense", Some(size), width)?,
            output_norm: norm("output")?,
        })
    }

    fn apply(&self, state: &Array2<f32>, ends: &[usize], heads: usize) -> Array2<f32> {
        let (query, key, value) = (self.query.apply(state), self.key.apply(state), self.value.apply(state));
        let context = attend(&query, &key, &value, ends, heads);
        let mut attended = self.attended.apply(&context) + state;
        self.attention_norm.apply(&mut attended);
        let inner = self.inner.apply(&attended).mapv_into(gelu);
        let mut output = self.outer.apply(&inner) + &attended;
        self.output_norm.apply(&mut output);
        output
    }
}

fn attend(
    query: &Array2<f32>,
    key: &Array2<f32>,
    value: &Array2<f32>,
    ends: &[usize],
    heads: usize,
) -> Array2<f32> {
    let width = query.ncols() / heads;
    let scale = (width as f32).sqrt().recip();
    let mut context = Array2::zeros(query.raw_dim());
    let mut start = 0;
    for end in ends.iter().copied() {
        for head in 0..heads {
            let columns = || head * width..(head + 1) * width;
            let query = part(query.view(), start..end, columns());
            let key = part(key.view(), start..end, columns());
            let mut weights = query.dot(&key.t()) * scale;
            for mut row in weights.outer_iter_mut() {
                // Subtracting the greatest score keeps the exponentials from overflowing.
                let most = row.fold(f32::NEG_INFINITY, |most, score| most.max(*score));
                row.mapv_inplace(|score| (score - most).exp());
                let sum = row.sum();
                row /= sum;
            }
            let value = part(value.view(), start..end, columns());
            part(context.view_mut(), start..end, columns()).assign(&weights.dot(&value));
        }
        start = end;
    }
    context
}

/// Returns a view of some rows and columns. The slicing macro of `ndarray` is not free of unsafe
/// code.
fn part<S: Data<Elem = f32>>(
    mut matrix: ArrayBase<S, Ix2>,
    rows: Range<usize>,
    columns: Range<usize>,
) -> ArrayBase<S, Ix2> {
    matrix.slice_axis_inplace(Axis(0), Slice::from(rows));
    matrix.slice_axis_inplace(Axis(1), Slice::from(columns));
    matrix
}

impl Linear {
    pub(super) fn new(
        tensors: &Tensors<'_>,
        name: &str,
        rows: Option<usize>,
        columns: usize,
    ) -> Result<Self> {
        let weight = tensors.matrix(&format!("{name}.weight"), rows, columns)?;
        let bias = tensors.vector(&format!("{name}.bias"), weight.nrows())?;
        Ok(Self { weight, bias })
    }

    pub(super) fn inputs(&self) -> usize {
        self.weight.ncols()
    }

    pub(super) fn outputs(&self) -> usize {
        self.weight.nrows()
    }

    pub(super) fn apply(&self, input: &Array2<f32>) -> Array2<f32> {
        input.dot(&self.weight.t()) + &self.bias
    }
}

impl Norm {
    fn new(tensors: &Tensors<'_>, name: &str, size: usize, epsilon: f32) -> Result<Self> {
        let weight = tensors.vector(&format!("{name}.weight"), size)?;
        Ok(Self { weight, bias: tensors.vector(&format!("{name}.bias"), size)?, epsilon })
    }

    fn apply(&self, state: &mut Array2<f32>) {
        let size = self.weight.len() as f32;
        for mut row in state.outer_iter_mut() {
            let mean = row.sum() / size;
            row -= mean;
            let variance = row.dot(&row) / size;
            row /= (variance + self.epsilon).sqrt();
            row *= &self.weight;
            row += &self.bias;
        }
    }
}

/// Computes the Gaussian error linear unit (Hendrycks and Gimpel 2016).
fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + error_function(x * std::f32::consts::FRAC_1_SQRT_2))
}

/// Approximates the error function, off by at most 1.5e-7.
///
/// The formula is 7.1.26 of Abramowitz and Stegun, "Handbook of mathematical functions".
fn error_function(x: f32) -> f32 {
    let t = 1.0 / (1.0 + 0.327_591_1 * x.abs());
    let polynomial =
        ((((1.061_405_4 * t - 1.453_152) * t + 1.421_413_8) * t - 0.284_496_74) * t + 0.254_829_6) * t;
    (1.0 - polynomial * (-x * x).exp()).copysign(x)
}
