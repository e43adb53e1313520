//! Unit vectors, in memory or in a mapped file.

use super::{checksums::Bytes, kernels::dots};
use crate::Result;

/// Unit vectors of one length; zero vectors for texts without known words.
#[derive(Clone, Debug)]
pub(super) struct Vectors {
    dimensions: usize,
    /// Little-endian 32-bit floats, row after row.
    bytes: Bytes,
}

impl Vectors {
    /// Takes the bytes of vectors. Fails unless there are exactly `rows`.
    pub(super) fn from_bytes(bytes: Bytes, dimensions: usize, rows: usize) -> Result<Self, String> {
        let wanted = rows * dimensions * size_of::<f32>();
        if bytes.len() != wanted {
            return Err(format!("{} bytes of vectors where {wanted} belong", bytes.len()));
        }
        Ok(Self { dimensions, bytes })
    }

    pub(super) fn dimensions(&self) -> usize {
        self.dimensions
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len().checked_div(self.dimensions * size_of::<f32>()).unwrap_or(0)
    }

    /// Reads the vector of a row.
    pub(super) fn read(&self, row: usize, vector: &mut [f32]) -> Result<()> {
        let (numbers, _) = self.rows(row, 1)?.as_chunks::<4>();
        for (number, &bytes) in vector.iter_mut().zip(numbers) {
            *number = f32::from_le_bytes(bytes);
        }
        Ok(())
    }

    /// Writes the cosines of the rows from `first` on with the query, which must have length 1.
    pub(super) fn cosines(&self, query: &[f32], first: usize, out: &mut [f32]) -> Result<()> {
        dots(self.rows(first, out.len())?, query, out);
        Ok(())
    }

    /// Returns the bytes of so many rows from `first` on.
    pub(super) fn rows(&self, first: usize, count: usize) -> Result<&[u8]> {
        let row = self.dimensions * size_of::<f32>();
        self.bytes.read(first * row..(first + count) * row)
    }
}

/// Returns the bytes of a vector, scaled to length 1.
pub(super) fn row_of(vector: &[f32]) -> Vec<u8> {
    unit(vector).into_iter().flat_map(f32::to_le_bytes).collect()
}

/// Returns a vector of the same direction and of length 1, or the zero vector.
pub(super) fn unit(vector: &[f32]) -> Vec<f32> {
    let length = vector.iter().map(|component| component * component).sum::<f32>().sqrt();
    let scale = if length > 0.0 { 1.0 / length } else { 0.0 };
    vector.iter().map(|component| component * scale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_scaled_and_too_few_are_noticed() {
        let rows = [[3.0, 0.0, 4.0], [0.0, 0.0, 0.0]].iter().flat_map(|row| row_of(row)).collect::<Vec<u8>>();
        let vectors = Vectors::from_bytes(Bytes::from(rows), 3, 2).unwrap();
        let mut cosines = [1.0; 2];
        vectors.cosines(&[0.0, 0.0, 1.0], 0, &mut cosines).unwrap();
        assert!((cosines[0] - 0.8).abs() < 1e-6 && cosines[1].abs() < 1e-6);
        let bytes = Bytes::from(vectors.rows(0, 2).unwrap().to_vec());
        assert_eq!(Vectors::from_bytes(bytes.clone(), 3, 2).unwrap().len(), 2);
        assert!(Vectors::from_bytes(bytes, 3, 3).is_err());
    }
}
