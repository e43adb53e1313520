//! Codes of one bit for each component, by which cosines are estimated: RaBitQ (J. Gao, C. Long,
//! *RaBitQ: Quantizing High-Dimensional Vectors with a Theoretical Error Bound for Approximate
//! Nearest Neighbor Search*, SIGMOD 2024).
//!
//! The difference of a vector to the mean is turned at random, so that no component counts more
//! than others, and only the signs are kept. The estimate is unbiased; its error is about
//! 0.75 / √dimensions. A scan of all codes reads a thirty-second part of the vectors and finds the
//! few that must be compared exactly. Unlike a graph of neighbours it is built as fast as the
//! vectors are written, and a filter costs nothing.

use super::{
    checksums::Bytes,
    kernels::{BITS, Planes, sums},
    vectors::Vectors,
};
use crate::Result;

/// Rounds of the random turn. Three are as good as a random rotation
/// (<https://arxiv.org/abs/1509.02897>).
const ROUNDS: usize = 3;

/// Codes of the vectors of a segment.
#[derive(Clone, Debug)]
pub(super) struct Codes {
    dimensions: usize,
    rows: usize,
    bytes: Bytes,
}

impl Codes {
    /// Makes the codes of vectors, as they are in their file: the mean, a code for each vector, a
    /// scale for each vector.
    pub(super) fn encode(vectors: &Vectors) -> Result<Vec<u8>> {
        let dimensions = vectors.dimensions();
        let mut mean = vec![0.0_f64; dimensions];
        let mut vector = vec![0.0; dimensions];
        for row in 0..vectors.len() {
            vectors.read(row, &mut vector)?;
            for (sum, number) in mean.iter_mut().zip(&vector) {
                *sum += f64::from(*number);
            }
        }
        let mean: Vec<f32> = mean.iter().map(|sum| (sum / vectors.len().max(1) as f64) as f32).collect();
        let signs = signs(padded(dimensions));
        let (mut codes, mut scales) = (Vec::new(), Vec::new());
        for row in 0..vectors.len() {
            vectors.read(row, &mut vector)?;
            for (number, mean) in vector.iter_mut().zip(&mean) {
                *number -= mean;
            }
            let square: f32 = vector.iter().map(|number| number * number).sum();
            let turned = turn(&vector, &signs);
            let sum: f32 = turned.iter().map(|number| number.abs()).sum();
            for part in turned.chunks(64) {
                let bits = part.iter().enumerate().map(|(place, number)| u64::from(*number > 0.0) << place);
                codes.extend(bits.fold(0, |code, bit| code | bit).to_le_bytes());
            }
            scales.extend((if sum > 0.0 { square / sum } else { 0.0 }).to_le_bytes());
        }
        let mean = mean.iter().flat_map(|number| number.to_le_bytes());
        Ok(mean.chain(codes).chain(scales).collect())
    }

    /// Takes what [`encode`](Self::encode) made. Fails if it is not for so many vectors.
    pub(super) fn new(bytes: Bytes, dimensions: usize, rows: usize) -> Result<Self, String> {
        let codes = Self { dimensions, rows, bytes };
        let wanted = codes.scales_start() + rows * 4;
        if codes.bytes.len() != wanted {
            return Err(format!("{} bytes of codes where {wanted} belong", codes.bytes.len()));
        }
        Ok(codes)
    }

    fn words(&self) -> usize {
        padded(self.dimensions) / 64
    }

    fn codes_start(&self) -> usize {
        self.dimensions * 4
    }

    fn scales_start(&self) -> usize {
        self.codes_start() + self.rows * self.words() * 8
    }

    /// Prepares a query, which must have length 1.
    pub(super) fn query(&self, query: &[f32]) -> Result<Query> {
        let (mean, _) = self.bytes.read(0..self.codes_start())?.as_chunks::<4>();
        let centre = mean.iter().zip(query).map(|(&mean, number)| f32::from_le_bytes(mean) * number).sum();
        let turned = turn(query, &signs(padded(self.dimensions)));
        let least = turned.iter().copied().fold(f32::INFINITY, f32::min);
        let greatest = turned.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let step = ((greatest - least) / ((1 << BITS) - 1) as f32).max(f32::MIN_POSITIVE);
        let mut bits = vec![0; BITS * self.words()];
        for (place, number) in turned.iter().enumerate() {
            let number = ((number - least) / step).round() as u64;
            for bit in 0..BITS {
                bits[bit * self.words() + place / 64] |= (number >> bit & 1) << (place % 64);
            }
        }
        let planes = Planes { words: self.words(), bits };
        Ok(Query { planes, centre, least, step, sum: turned.iter().sum() })
    }

    /// Writes the estimated cosines of the rows from `first` on.
    pub(super) fn estimate(&self, query: &Query, first: usize, out: &mut [f32]) -> Result<()> {
        /// Rows at a time, whose sums stay in the cache.
        const ROWS: usize = 1024;
        let mut counts = [(0, 0); ROWS];
        for (number, out) in out.chunks_mut(ROWS).enumerate() {
            let start = first + number * ROWS;
            let (code, scale) = (self.words() * 8, 4);
            let codes = self.codes_start() + start * code;
            let scales = self.scales_start() + start * scale;
            let codes = self.bytes.read(codes..codes + out.len() * code)?;
            let (scales, _) = self.bytes.read(scales..scales + out.len() * scale)?.as_chunks::<4>();
            sums(codes, &query.planes, &mut counts[..out.len()]);
            for ((out, &(ones, sum)), &scale) in out.iter_mut().zip(&counts).zip(scales) {
                let product = 2.0 * (query.least * ones as f32 + query.step * sum as f32) - query.sum;
                *out = query.centre + product * f32::from_le_bytes(scale);
            }
        }
        Ok(())
    }
}

/// A query, prepared for codes.
pub(super) struct Query {
    planes: Planes,
    /// Its product with the mean.
    centre: f32,
    /// The least of its turned components, which the number 0 stands for.
    least: f32,
    /// How much one more stands for.
    step: f32,
    /// The sum of its turned components.
    sum: f32,
}

/// Returns the number of components after the turn, which needs a power of two.
fn padded(dimensions: usize) -> usize {
    dimensions.next_power_of_two().max(64)
}

/// Returns random signs, the same for each index.
fn signs(length: usize) -> Vec<f32> {
    let mut state = 0_u64;
    let mut next = || {
        // SplitMix64 (G. Steele, D. Lea, C. Flood, 2014).
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    };
    (0..ROUNDS * length).map(|_| if next() >> 63 == 0 { 1.0 } else { -1.0 }).collect()
}

/// Turns a vector at random: signs, then a Hadamard transform, [`ROUNDS`] times. Lengths and angles
/// stay.
fn turn(vector: &[f32], signs: &[f32]) -> Vec<f32> {
    let length = signs.len() / ROUNDS;
    let mut turned = vector.to_vec();
    turned.resize(length, 0.0);
    let scale = 1.0 / (length as f32).sqrt();
    for signs in signs.chunks_exact(length) {
        for (number, sign) in turned.iter_mut().zip(signs) {
            *number *= sign * scale;
        }
        let mut half = 1;
        while half < length {
            for block in turned.chunks_exact_mut(half * 2) {
                let (left, right) = block.split_at_mut(half);
                for (left, right) in left.iter_mut().zip(right) {
                    (*left, *right) = (*left + *right, *left - *right);
                }
            }
            half *= 2;
        }
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::{super::vectors::row_of, *};

    #[test]
    fn a_turn_keeps_lengths() {
        let vector: Vec<f32> = (0..100).map(|place| (place % 7) as f32 - 3.0).collect();
        let square = |vector: &[f32]| vector.iter().map(|number| number * number).sum::<f32>();
        let turned = turn(&vector, &signs(padded(100)));
        assert!((square(&turned) - square(&vector)).abs() < 1e-2 && turned.len() == 128);
    }

    #[test]
    fn estimates_are_near_the_cosines() {
        let dimensions = 256;
        let mut rows = Vec::new();
        let mut state = 1_u64;
        for _ in 0..3_000 {
            let vector: Vec<f32> = (0..dimensions)
                .map(|place| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state >> 40) as f32 / (1 << 24) as f32 - 0.3 * (place % 2) as f32
                })
                .collect();
            rows.extend(row_of(&vector));
        }
        let vectors = Vectors::from_bytes(Bytes::from(rows), dimensions, 3_000).unwrap();
        let bytes = Bytes::from(Codes::encode(&vectors).unwrap());
        assert!(Codes::new(bytes.clone(), dimensions, 2_999).is_err());
        let codes = Codes::new(bytes, dimensions, 3_000).unwrap();
        let mut query = vec![0.0; dimensions];
        vectors.read(7, &mut query).unwrap();
        let (mut exact, mut estimates) = (vec![0.0; 3_000], vec![0.0; 3_000]);
        vectors.cosines(&query, 0, &mut exact).unwrap();
        codes.estimate(&codes.query(&query).unwrap(), 0, &mut estimates).unwrap();
        let error = |row: usize| f64::from(exact[row] - estimates[row]);
        let spread = ((0..3_000).map(|row| error(row).powi(2)).sum::<f64>() / 3_000.0).sqrt();
        let bias = (0..3_000).map(error).sum::<f64>() / 3_000.0;
        assert!(spread < 0.05 && bias.abs() < 0.02, "{spread} {bias}");
        assert!((0..3_000).all(|row| estimates[7] >= estimates[row]));
    }
}
