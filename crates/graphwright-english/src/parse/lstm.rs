//! One layer that reads sentences in both directions.

use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut2, Axis, Slice, linalg::general_mat_mul};

use super::{activation, weights::Tensors};
use crate::Result;

/// Where the words of a batch of sentences are: sentence after sentence, the longest first.
#[derive(Debug)]
pub(super) struct Layout {
    /// The first row of each sentence, and one past the last row of all.
    starts: Vec<usize>,
}

impl Layout {
    /// Lays out sentences by their lengths, which must not increase.
    pub(super) fn new(lengths: impl Iterator<Item = usize>) -> Self {
        let mut starts = vec![0];
        let mut end = 0;
        starts.extend(lengths.map(|length| {
            end += length;
            end
        }));
        Self { starts }
    }

    pub(super) fn sentences(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the number of rows of all sentences.
    pub(super) fn rows(&self) -> usize {
        self.starts[self.sentences()]
    }

    /// Returns the rows of a sentence.
    pub(super) fn range(&self, sentence: usize) -> std::ops::Range<usize> {
        self.starts[sentence]..self.starts[sentence + 1]
    }

    fn length(&self, sentence: usize) -> usize {
        self.range(sentence).len()
    }

    fn longest(&self) -> usize {
        if self.sentences() == 0 { 0 } else { self.length(0) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Forward,
    Backward,
}

/// Long short-term memory that reads in one direction.
#[derive(Debug)]
struct Reader {
    way: Way,
    /// (inputs, 4 × cells): gates in the order enter, forget, leave, new.
    input: Array2<f32>,
    /// (cells, 4 × cells).
    state: Array2<f32>,
    bias: Array1<f32>,
}

impl Reader {
    fn read(tensors: &Tensors<'_>, layer: &str, way: Way, inputs: usize, cells: usize) -> Result<Self> {
        let way_name = if way == Way::Forward { "forward" } else { "backward" };
        let name = |part: &str| format!("{layer}.{way_name}.{part}");
        Ok(Self {
            way,
            input: tensors.matrix(&name("input"), inputs, 4 * cells)?,
            state: tensors.matrix(&name("state"), cells, 4 * cells)?,
            bias: tensors.vector(&name("bias"), 4 * cells)?,
        })
    }

    /// Multiplies the inputs, which do not depend on what was read before.
    fn project(&self, inputs: &ArrayView2<'_, f32>, projected: &mut ArrayViewMut2<'_, f32>) {
        projected.rows_mut().into_iter().for_each(|mut row| row.assign(&self.bias));
        general_mat_mul(1.0, inputs, &self.input, 1.0, projected);
    }

    /// Reads all sentences at once, one word of each at a step. `row_of` gives the row of a word's projected input.
    fn run(
        &self,
        layout: &Layout,
        projected: &ArrayView2<'_, f32>,
        row_of: impl Fn(usize) -> usize,
        mut outputs: ArrayViewMut2<'_, f32>,
    ) {
        let cells = self.state.nrows();
        let sentences = layout.sentences();
        let mut gates = Array2::zeros((sentences, 4 * cells));
        let mut state = Array2::<f32>::zeros((sentences, cells));
        let mut memory = Array2::<f32>::zeros((sentences, cells));
        let mut reading = sentences;
        for step in 0..layout.longest() {
            while layout.length(reading - 1) <= step {
                reading -= 1;
            }
            let place = |sentence: usize| match self.way {
                Way::Forward => layout.range(sentence).start + step,
                Way::Backward => layout.range(sentence).end - 1 - step,
            };
            let mut gates = gates.slice_axis_mut(Axis(0), Slice::from(..reading));
            for (sentence, mut row) in gates.rows_mut().into_iter().enumerate() {
                row.assign(&projected.row(row_of(place(sentence))));
            }
            let mut state = state.slice_axis_mut(Axis(0), Slice::from(..reading));
            if step > 0 {
                general_mat_mul(1.0, &state, &self.state, 1.0, &mut gates);
            }
            let rows = gates.rows_mut().into_iter().zip(state.rows_mut()).zip(memory.rows_mut());
            for (sentence, ((mut gates, mut state), mut memory)) in rows.enumerate() {
                let (Some(gates), Some(state), Some(memory)) =
                    (gates.as_slice_mut(), state.as_slice_mut(), memory.as_slice_mut())
                else {
                    continue;
                };
                turn(gates, state, memory);
                outputs.row_mut(place(sentence)).assign(&ndarray::aview1(state));
            }
        }
    }
}

/// One step of one sentence, from the sums at the gates to the new state.
fn turn(gates: &mut [f32], state: &mut [f32], memory: &mut [f32]) {
    let (doors, new) = gates.split_at_mut(3 * memory.len());
    activation::sigmoid(doors);
    activation::tanh(new);
    let (enter, doors) = doors.split_at(memory.len());
    let (forget, leave) = doors.split_at(memory.len());
    for (((memory, enter), forget), new) in memory.iter_mut().zip(enter).zip(forget).zip(new) {
        *memory = forget * *memory + enter * *new;
    }
    state.copy_from_slice(memory);
    activation::tanh(state);
    for (state, leave) in state.iter_mut().zip(leave) {
        *state *= leave;
    }
}

/// Both directions.
#[derive(Debug)]
pub(super) struct Layer {
    forward: Reader,
    backward: Reader,
}

impl Layer {
    pub(super) fn read(tensors: &Tensors<'_>, name: &str, inputs: usize, cells: usize) -> Result<Self> {
        Ok(Self {
            forward: Reader::read(tensors, name, Way::Forward, inputs, cells)?,
            backward: Reader::read(tensors, name, Way::Backward, inputs, cells)?,
        })
    }

    /// Returns the number of columns that projected inputs have.
    pub(super) fn gates(&self) -> usize {
        self.forward.bias.len()
    }

    /// Writes a row for each word of the layout: what was read up to it and from it on. `row_of` gives the row of a
    /// word's input; words of equal form may share one. `projected` is room for as many rows as the inputs have.
    pub(super) fn run(
        &self,
        layout: &Layout,
        inputs: &ArrayView2<'_, f32>,
        row_of: impl Fn(usize) -> usize,
        projected: &mut ArrayViewMut2<'_, f32>,
        outputs: &mut ArrayViewMut2<'_, f32>,
    ) {
        let cells = self.forward.state.nrows();
        let (left, right) = outputs.view_mut().split_at(Axis(1), cells);
        for (reader, side) in [(&self.forward, left), (&self.backward, right)] {
            reader.project(inputs, projected);
            reader.run(layout, &projected.view(), &row_of, side);
        }
    }
}
