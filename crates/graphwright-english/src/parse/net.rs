//! The net: embeddings of words, two layers that read both ways, tags from the first, arcs and labels from the second.

use std::{collections::HashMap, ops::Range};

use ndarray::{
    Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2, Axis, Slice, concatenate, linalg::general_mat_mul,
};

use super::{
    Tag, Token, activation, decode,
    features::{self, BUCKETS, ROOT, Words},
    lstm::{Layer, Layout},
    weights::{Table, Tensors},
};
use crate::{EnglishError, Result};

/// What the net says of a word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// The number of the head, from 1; 0 for the root.
    pub(super) head: usize,
    pub(super) label: usize,
    pub(super) tag: Tag,
}

#[derive(Debug)]
pub(super) struct Net {
    words: Words,
    word: Table,
    part: Table,
    first: Layer,
    second: Layer,
    tag: Linear,
    /// What arcs and labels need of a word as a dependent and as a head, side by side.
    sides: Linear,
    arc: usize,
    pair: Linear,
    label: Linear,
    root_label: usize,
}

/// A matrix (inputs, outputs) and what is added to the product.
#[derive(Debug)]
struct Linear {
    matrix: Array2<f32>,
    bias: Array1<f32>,
}

impl Linear {
    fn apply(&self, inputs: &ArrayView2<'_, f32>) -> Array2<f32> {
        let mut outputs = Array2::zeros((inputs.nrows(), self.bias.len()));
        self.write(inputs, &mut outputs.view_mut());
        outputs
    }

    fn write(&self, inputs: &ArrayView2<'_, f32>, outputs: &mut ArrayViewMut2<'_, f32>) {
        outputs.rows_mut().into_iter().for_each(|mut row| row.assign(&self.bias));
        general_mat_mul(1.0, inputs, &self.matrix, 1.0, outputs);
    }
}

/// Matrices that batches share: made anew for each, they would cost a tenth of the time.
#[derive(Debug)]
pub(super) struct Room {
    projected: Array2<f32>,
    first: Array2<f32>,
    second: Array2<f32>,
    sides: Array2<f32>,
}

impl Net {
    pub(super) fn read(weights: &[u8], words: &str, labels: &[Box<str>]) -> Result<Self> {
        let tensors = Tensors::read(weights)?;
        let words = Words::read(words);
        let (word, part) = (tensors.table("word")?, tensors.table("part")?);
        if word.len() != words.rows() || part.len() != BUCKETS {
            return Err(EnglishError::damaged("the embeddings do not fit the words"));
        }
        let root_label = labels.iter().position(|label| &**label == "root");
        let root_label = root_label.ok_or_else(|| EnglishError::damaged("no label for the root"))?;
        let cells = tensors.length("layer1.forward.bias")? / 4;
        let linear = |name: &str, bias: &str, inputs, outputs| -> Result<Linear> {
            let (matrix, bias) = (tensors.matrix(name, inputs, outputs)?, tensors.vector(bias, outputs)?);
            Ok(Linear { matrix, bias })
        };
        let (arc, hidden) = (tensors.length("arc.prior")?, tensors.length("label.bias")?);
        Ok(Self {
            first: Layer::read(&tensors, "layer1", word.width() + part.width(), cells)?,
            second: Layer::read(&tensors, "layer2", 2 * cells, cells)?,
            tag: linear("tag.out", "tag.out.bias", 2 * cells, Tag::ALL.len())?,
            sides: sides(&tensors, 2 * cells, arc, hidden)?,
            arc,
            pair: linear("arc.pair", "arc.prior", arc, arc)?,
            label: linear("label.out", "label.out.bias", hidden, labels.len())?,
            root_label,
            words,
            word,
            part,
        })
    }

    /// Makes room to read batches with at most so many rows: words, and a root for each sentence.
    pub(super) fn room(&self, rows: usize) -> Room {
        let wide = self.tag.matrix.nrows();
        Room {
            projected: Array2::zeros((rows, self.first.gates().max(self.second.gates()))),
            first: Array2::zeros((rows, wide)),
            second: Array2::zeros((rows, wide)),
            sides: Array2::zeros((rows, self.sides.bias.len())),
        }
    }

    /// Reads sentences, which come with the longest first.
    pub(super) fn parse(&self, sentences: &[&[Token]], room: &mut Room) -> Vec<Vec<Reading>> {
        let layout = Layout::new(sentences.iter().map(|tokens| tokens.len() + 1));
        let forms = Forms::of(sentences);
        let inputs = self.embed(&forms.distinct);
        let rows = layout.rows();
        let (mut first, mut second) = (top(&mut room.first, rows), top(&mut room.second, rows));
        let mut projected = top(&mut room.projected, inputs.nrows());
        self.first.run(&layout, &inputs.view(), |row| forms.rows[row], &mut projected, &mut first);
        let mut projected = top(&mut room.projected, rows);
        self.second.run(&layout, &first.view(), |row| row, &mut projected, &mut second);
        let tags = self.tag.apply(&first.view());
        let mut sides = top(&mut room.sides, rows);
        self.sides.write(&second.view(), &mut sides);
        let arcs = self.arcs(&layout, &mut sides);
        let labels = self.labels(&layout, &sides.view(), &arcs);
        let reading = |row: usize, head: usize| Reading {
            head,
            label: self.label_of(&labels.row(row), head),
            tag: Tag::ALL[best(&tags.row(row), |_| true)],
        };
        (0..layout.sentences())
            .map(|sentence| layout.range(sentence).skip(1).map(|row| reading(row, arcs[row])).collect())
            .collect()
    }

    /// Returns a row for each form: the word's own vector beside the sum of its parts' vectors.
    fn embed(&self, forms: &[Option<(&str, bool)>]) -> Array2<f32> {
        let width = self.word.width();
        let mut inputs = Array2::zeros((forms.len(), width + self.part.width()));
        for (form, mut row) in forms.iter().zip(inputs.rows_mut()) {
            let (mut whole, mut parts) = row.view_mut().split_at(Axis(0), width);
            if let Some((form, name)) = *form {
                let normal = features::normal(form);
                self.word.add(self.words.row(&normal), &mut whole);
                features::visit_buckets(form, &normal, name, |bucket| self.part.add(bucket, &mut parts));
            } else {
                self.word.add(ROOT, &mut whole);
            }
        }
        inputs
    }

    /// Returns the head of each row, counted from the start of its sentence.
    fn arcs(&self, layout: &Layout, sides: &mut ArrayViewMut2<'_, f32>) -> Vec<usize> {
        for mut row in sides.slice_axis_mut(Axis(1), Slice::from(..2 * self.arc)).rows_mut() {
            row.as_slice_mut().map(activation::leaky);
        }
        let sides = sides.view();
        let wanted = self.pair.apply(&columns(&sides, 0..self.arc));
        let offered = columns(&sides, self.arc..2 * self.arc);
        let mut heads = Vec::with_capacity(layout.rows());
        for sentence in 0..layout.sentences() {
            let rows = Slice::from(layout.range(sentence));
            let scores = wanted.slice_axis(Axis(0), rows).dot(&offered.slice_axis(Axis(0), rows).t());
            heads.extend(decode::heads(&scores.view()));
        }
        heads
    }

    /// Returns scores of the labels of each row's arc to its head.
    fn labels(&self, layout: &Layout, sides: &ArrayView2<'_, f32>, heads: &[usize]) -> Array2<f32> {
        let hidden = self.label.matrix.nrows();
        let (dependents, heads_start) = (2 * self.arc, 2 * self.arc + hidden);
        let mut sums = columns(sides, dependents..heads_start).as_standard_layout().into_owned();
        let offered = columns(sides, heads_start..heads_start + hidden);
        for rows in (0..layout.sentences()).map(|sentence| layout.range(sentence)) {
            for row in rows.clone() {
                let mut sum = sums.row_mut(row);
                sum += &offered.row(rows.start + heads[row]);
                sum.as_slice_mut().map(activation::leaky);
            }
        }
        self.label.apply(&sums.view())
    }

    /// The root's label stands at the root alone.
    fn label_of(&self, scores: &ArrayView1<'_, f32>, head: usize) -> usize {
        if head == 0 { self.root_label } else { best(scores, |label| label != self.root_label) }
    }
}

/// The four matrices that read the second layer, as one.
fn sides(tensors: &Tensors<'_>, inputs: usize, arc: usize, hidden: usize) -> Result<Linear> {
    let parts =
        [("arc.dependent", arc), ("arc.head", arc), ("label.dependent", hidden), ("label.head", hidden)];
    let matrices = parts.iter().map(|(name, outputs)| tensors.matrix(name, inputs, *outputs));
    let matrices = matrices.collect::<Result<Vec<_>>>()?;
    let views: Vec<_> = matrices.iter().map(|matrix| matrix.view()).collect();
    let joined = concatenate(Axis(1), &views).map_err(|error| EnglishError::damaged(error.to_string()))?;
    let biases = [
        tensors.vector("arc.dependent.bias", arc)?,
        tensors.vector("arc.head.bias", arc)?,
        tensors.vector("label.bias", hidden)?,
        Array1::zeros(hidden),
    ];
    Ok(Linear { matrix: joined, bias: biases.iter().flatten().copied().collect() })
}

fn columns<'matrix>(matrix: &'matrix ArrayView2<'_, f32>, range: Range<usize>) -> ArrayView2<'matrix, f32> {
    matrix.slice_axis(Axis(1), Slice::from(range))
}

/// The first rows of a matrix.
fn top(matrix: &mut Array2<f32>, rows: usize) -> ArrayViewMut2<'_, f32> {
    matrix.slice_axis_mut(Axis(0), Slice::from(..rows))
}

/// The first of the highest scores among those allowed.
fn best(scores: &ArrayView1<'_, f32>, allowed: impl Fn(usize) -> bool) -> usize {
    let scored = scores.iter().enumerate().filter(|(index, _)| allowed(*index));
    scored.reduce(|best, next| if next.1 > best.1 { next } else { best }).map_or(0, |(index, _)| index)
}

/// The distinct forms of a batch, so that each is looked up and multiplied once.
struct Forms<'tokens> {
    /// A form and whether it is a known name; `None` is the root.
    distinct: Vec<Option<(&'tokens str, bool)>>,
    /// The place in `distinct` of each row of the layout.
    rows: Vec<usize>,
}

impl<'tokens> Forms<'tokens> {
    fn of(sentences: &[&'tokens [Token]]) -> Self {
        let (mut distinct, mut rows) = (vec![None], Vec::new());
        let mut seen = HashMap::new();
        for tokens in sentences {
            rows.push(0);
            for token in *tokens {
                let form = (token.text.as_str(), token.name);
                rows.push(*seen.entry(form).or_insert_with(|| {
                    distinct.push(Some(form));
                    distinct.len() - 1
                }));
            }
        }
        Self { distinct, rows }
    }
}
