//! The net's numbers, from 8-bit rows with one scale each.

use ndarray::{Array1, Array2, ArrayViewMut1};
use safetensors::{Dtype, SafeTensors, tensor::TensorView};

use crate::{EnglishError, Result};

/// A table whose rows are read one by one.
#[derive(Debug)]
pub(super) struct Table {
    rows: Vec<i8>,
    scales: Vec<f32>,
    width: usize,
}

impl Table {
    /// Returns the number of rows.
    pub(super) fn len(&self) -> usize {
        self.scales.len()
    }

    /// Returns the number of components of a row.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Adds a row to a vector.
    pub(super) fn add(&self, row: usize, sum: &mut ArrayViewMut1<'_, f32>) {
        let numbers = &self.rows[row * self.width..(row + 1) * self.width];
        for (component, number) in sum.iter_mut().zip(numbers) {
            *component += self.scales[row] * f32::from(*number);
        }
    }

    /// Returns the numbers as a matrix of (columns, rows), the form in which rows of inputs are multiplied by it.
    fn transposed(&self) -> Array2<f32> {
        Array2::from_shape_fn((self.width, self.len()), |(column, row)| {
            self.scales[row] * f32::from(self.rows[row * self.width + column])
        })
    }
}

/// The tensors of a file by their names.
pub(super) struct Tensors<'data>(SafeTensors<'data>);

impl<'data> Tensors<'data> {
    pub(super) fn read(bytes: &'data [u8]) -> Result<Self> {
        SafeTensors::deserialize(bytes).map(Self).map_err(|error| EnglishError::damaged(error.to_string()))
    }

    /// Reads 8-bit rows with their scales.
    pub(super) fn table(&self, name: &str) -> Result<Table> {
        let view = self.tensor(name, Dtype::I8)?;
        let &[rows, width] = view.shape() else { return Err(misfit(name)) };
        let scales = self.vector(&format!("{name}.scale"), rows)?;
        let rows = view.data().iter().map(|byte| byte.cast_signed()).collect();
        Ok(Table { rows, scales: scales.to_vec(), width })
    }

    /// Reads a matrix that inputs of a width are multiplied by, and turns it to (inputs, outputs).
    pub(super) fn matrix(&self, name: &str, inputs: usize, outputs: usize) -> Result<Array2<f32>> {
        let table = self.table(name)?;
        if table.width() == inputs && table.len() == outputs {
            Ok(table.transposed())
        } else {
            Err(misfit(name))
        }
    }

    /// Reads a vector of 32-bit numbers.
    pub(super) fn vector(&self, name: &str, length: usize) -> Result<Array1<f32>> {
        let view = self.tensor(name, Dtype::F32)?;
        if view.shape() != [length] {
            return Err(misfit(name));
        }
        let (numbers, _) = view.data().as_chunks::<4>();
        Ok(numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }

    /// Returns the length of a vector.
    pub(super) fn length(&self, name: &str) -> Result<usize> {
        self.tensor(name, Dtype::F32).map(|view| view.shape().iter().product())
    }

    fn tensor(&self, name: &str, kind: Dtype) -> Result<TensorView<'data>> {
        let view = self.0.tensor(name).map_err(|error| EnglishError::damaged(error.to_string()))?;
        if view.dtype() == kind { Ok(view) } else { Err(misfit(name)) }
    }
}

fn misfit(name: &str) -> EnglishError {
    EnglishError::damaged(format!("`{name}` has another form than the net needs"))
}
