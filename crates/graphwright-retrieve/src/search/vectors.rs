//! Vectors in memory, compared one by one with the query.
//!
//! The comparison is exact: there is no index that could miss the nearest. 100,000 vectors of 256
//! components take 100 MB and about 20 ms.

/// Minimum number of components for which several threads share the work.
const WORTH_THREADS: usize = 4 << 20;
/// Number of components multiplied side by side. The compiler turns them into vector instructions.
const LANES: usize = 8;

/// Unit vectors of one length; zero vectors for texts without known words.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Vectors {
    dimensions: usize,
    numbers: Vec<f32>,
}

impl Vectors {
    pub(super) fn new(dimensions: usize) -> Self {
        Self { dimensions, numbers: Vec::new() }
    }

    pub(super) fn dimensions(&self) -> usize {
        self.dimensions
    }

    pub(super) fn len(&self) -> usize {
        self.numbers.len().checked_div(self.dimensions).unwrap_or(0)
    }

    pub(super) fn row(&self, row: usize) -> &[f32] {
        &self.numbers[row * self.dimensions..(row + 1) * self.dimensions]
    }

    /// Adds a vector, scaled to length 1.
    pub(super) fn push(&mut self, vector: &[f32]) {
        let length = dot(vector, vector).sqrt();
        let scale = if length > 0.0 { 1.0 / length } else { 0.0 };
        self.numbers.extend(vector.iter().map(|component| component * scale));
    }

    /// Returns the cosine of each vector with the query, which must have length 1.
    pub(super) fn cosines(&self, query: &[f32]) -> Vec<f32> {
        let mut cosines = vec![0.0; self.len()];
        let threads = if self.numbers.len() < WORTH_THREADS {
            1
        } else {
            std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
        };
        let share = self.len().div_ceil(threads).max(1);
        let compare = |numbers: &[f32], cosines: &mut [f32]| {
            for (vector, cosine) in numbers.chunks_exact(self.dimensions).zip(cosines) {
                *cosine = dot(vector, query);
            }
        };
        if threads == 1 {
            compare(&self.numbers, &mut cosines);
        } else {
            std::thread::scope(|scope| {
                let parts = self.numbers.chunks(share * self.dimensions).zip(cosines.chunks_mut(share));
                for (numbers, cosines) in parts {
                    scope.spawn(move || compare(numbers, cosines));
                }
            });
        }
        cosines
    }

    /// Returns the vectors as little-endian 32-bit floats, row after row.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// Reads what [`to_bytes`](Self::to_bytes) made. Fails unless there are exactly `rows` vectors.
    pub(super) fn from_bytes(bytes: &[u8], dimensions: usize, rows: usize) -> Result<Self, String> {
        let wanted = rows * dimensions * size_of::<f32>();
        if bytes.len() != wanted {
            return Err(format!("{} bytes of vectors where {wanted} belong", bytes.len()));
        }
        let (chunks, _) = bytes.as_chunks::<4>();
        Ok(Self { dimensions, numbers: chunks.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect() })
    }
}

fn dot(left: &[f32], right: &[f32]) -> f32 {
    let mut sums = [0.0_f32; LANES];
    let (left_chunks, left_rest) = left.as_chunks::<LANES>();
    let (right_chunks, right_rest) = right.as_chunks::<LANES>();
    for (left, right) in left_chunks.iter().zip(right_chunks) {
        for lane in 0..LANES {
            sums[lane] += left[lane] * right[lane];
        }
    }
    let rest: f32 = left_rest.iter().zip(right_rest).map(|(left, right)| left * right).sum();
    sums.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosines_are_exact_on_one_and_on_several_threads() {
        for rows in [3, WORTH_THREADS / 11 + 7] {
            let mut vectors = Vectors::new(11);
            for row in 0..rows {
                let vector: Vec<f32> =
                    (0..11).map(|place| ((row * 7 + place * 3) % 13) as f32 - 6.0).collect();
                vectors.push(&vector);
            }
            let query: Vec<f32> = vectors.row(1).to_vec();
            let cosines = vectors.cosines(&query);
            assert_eq!(cosines.len(), rows);
            for row in [0, 1, 2, rows / 2, rows - 1] {
                let expected: f32 =
                    vectors.row(row).iter().zip(&query).map(|(left, right)| left * right).sum();
                assert!((cosines[row] - expected).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn bytes_hold_the_vectors_and_too_few_are_noticed() {
        let mut vectors = Vectors::new(3);
        vectors.push(&[3.0, 0.0, 4.0]);
        vectors.push(&[0.0, 0.0, 0.0]);
        let bytes = vectors.to_bytes();
        assert_eq!(Vectors::from_bytes(&bytes, 3, 2).unwrap(), vectors);
        assert!(Vectors::from_bytes(&bytes, 3, 3).is_err());
    }
}
