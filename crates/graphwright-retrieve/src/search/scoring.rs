//! Scores the rows of a segment by words: BM25, divided by the most that the query could score.

use std::ops::Range;

use tantivy::fieldnorm::FieldNormReader;

use super::{
    postings::{List, Places},
    query::Clause,
    rows::Rows,
    text::{Indexed, TextIndex},
};

/// BM25's k1: how fast repetitions of a word stop to count.
const K1: f32 = 1.2;
/// BM25's b: how much the length of a text counts.
const B: f32 = 0.75;

/// Numbers of all segments of a section, by which words are weighed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Statistics {
    rows: usize,
    text_tokens: u64,
    name_tokens: u64,
}

impl Statistics {
    pub(super) fn of<'a>(segments: impl Iterator<Item = &'a TextIndex>) -> Self {
        segments.fold(Self::default(), |all, index| Self {
            rows: all.rows + index.len(),
            text_tokens: all.text_tokens + index.text.words.total_num_tokens(),
            name_tokens: all.name_tokens + index.name.words.total_num_tokens(),
        })
    }
}

/// The weights of a query's clauses in a section.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    of_clauses: Vec<f32>,
    /// The most that texts can score without names.
    bound: f32,
    name_boost: f32,
    statistics: Statistics,
}

impl Weights {
    /// Weighs clauses that occur in so many rows.
    pub(super) fn new(
        clauses: &[Clause],
        frequencies: &[usize],
        statistics: Statistics,
        name_boost: f32,
    ) -> Self {
        let weight = |(clause, &frequency): (&Clause, &usize)| {
            clause_weight(clause) * inverse_frequency(frequency, statistics.rows)
        };
        let of_clauses: Vec<f32> = clauses.iter().zip(frequencies).map(weight).collect();
        // Saturation stays below K1 + 1.
        let bound = of_clauses.iter().map(|weight| weight * (K1 + 1.0)).sum();
        Self { of_clauses, bound, name_boost, statistics }
    }

    /// Returns the most that each clause can score without names.
    pub(super) fn bounds(&self) -> impl Iterator<Item = f32> {
        self.of_clauses.iter().map(|weight| weight * (K1 + 1.0))
    }
}

/// Scores rows in ascending order.
pub(super) struct Scorer<'a> {
    cursors: Vec<Cursor<'a>>,
    bound: f32,
}

struct Cursor<'a> {
    /// Number of the clause.
    clause: u32,
    list: List,
    factor: f32,
    lengths: &'a FieldNormReader,
    /// What is added to the count in the denominator, by the code of the length.
    norms: Box<[f32; 256]>,
}

impl<'a> Scorer<'a> {
    pub(super) fn new(index: &'a TextIndex, places: &[Places], weights: &Weights) -> Self {
        let Statistics { rows, text_tokens, name_tokens } = weights.statistics;
        let (text, name) = (norms(text_tokens, rows), norms(name_tokens, rows));
        let cursor = |clause, list: &Option<List>, factor, field: &'a Indexed, norms: &[f32; 256]| {
            let list = list.clone()?;
            Some(Cursor { clause, list, factor, lengths: &field.lengths, norms: Box::new(*norms) })
        };
        let mut cursors = Vec::new();
        for (clause, (places, &weight)) in (0..).zip(places.iter().zip(&weights.of_clauses)) {
            cursors.extend(cursor(clause, &places.text, weight, &index.text, &text));
            cursors.extend(cursor(clause, &places.name, weight * weights.name_boost, &index.name, &name));
        }
        Self { cursors, bound: weights.bound }
    }

    /// Writes the coverage of the rows of a window, which must come after those before it.
    pub(super) fn coverage(&mut self, window: Range<u32>, coverage: &mut [f32]) {
        coverage.fill(0.0);
        for cursor in &mut self.cursors {
            cursor.visit(&window, |row, score| coverage[(row - window.start) as usize] += score);
        }
        if self.bound > 0.0 {
            for score in coverage {
                *score = (*score / self.bound).min(1.0);
            }
        }
    }

    /// Returns what each clause scores in the rows that have it, ascending, with the number of the clause.
    pub(super) fn by_clause(mut self) -> Vec<(u32, Vec<(u32, f32)>)> {
        let mut all: Vec<(u32, Vec<(u32, f32)>)> = Vec::new();
        for cursor in &mut self.cursors {
            if let Some((_, scores)) = all.last_mut().filter(|(clause, _)| *clause == cursor.clause) {
                // What is in the name is in the text, too.
                let mut at = 0;
                cursor.visit(&(0..u32::MAX), |row, score| {
                    at += scores[at..].partition_point(|(other, _)| *other < row);
                    if let Some((_, sum)) = scores.get_mut(at).filter(|(other, _)| *other == row) {
                        *sum += score;
                    }
                });
            } else {
                let mut scores = Vec::with_capacity(cursor.list.len());
                cursor.visit(&(0..u32::MAX), |row, score| scores.push((row, score)));
                all.push((cursor.clause, scores));
            }
        }
        all
    }
}

impl Cursor<'_> {
    /// Calls `visit` with the rows of a window and what they score.
    fn visit(&mut self, window: &Range<u32>, mut visit: impl FnMut(u32, f32)) {
        let (factor, norms, lengths) = (self.factor, &self.norms, self.lengths);
        let mut add = |row: u32, count: u32| {
            let count = count as f32;
            let norm = norms[usize::from(lengths.fieldnorm_id(row))];
            visit(row, factor * (count * (K1 + 1.0) / (count + norm)));
        };
        match &mut self.list {
            List::Rows(rows) => {
                let start = rows.partition_point(|(row, _)| *row < window.start);
                for &(row, count) in rows[start..].iter().take_while(|(row, _)| *row < window.end) {
                    add(row, count);
                }
            }
            List::Blocks(postings) => {
                let mut place = postings.seek(window.start);
                while !postings.docs().is_empty() {
                    let (rows, counts) = (postings.docs(), postings.freqs());
                    for (&row, &count) in rows.iter().zip(counts).skip(place) {
                        if row >= window.end {
                            return;
                        }
                        add(row, count);
                    }
                    postings.advance();
                    place = 0;
                }
            }
        }
    }
}

/// Returns the rows that have all phrases, or `None` if there are no phrases.
pub(super) fn required(places: &[Places], rows: usize) -> Option<Rows> {
    let mut found: Option<Rows> = None;
    for places in places.iter().filter(|places| places.required) {
        let mut having = Rows::none(rows);
        if let Some(List::Rows(list)) = &places.text {
            list.iter().for_each(|(row, _)| having.insert(*row));
        }
        found = super::rows::both(found, Some(having));
    }
    found
}

/// Returns the weight of a clause. A phrase counts as all its words.
fn clause_weight(clause: &Clause) -> f32 {
    match clause {
        Clause::Phrase(words) => words.len() as f32,
        _ => 1.0,
    }
}

/// Returns BM25's weight of something that `count` of `rows` texts have. Highest for what no text
/// has.
fn inverse_frequency(count: usize, rows: usize) -> f32 {
    (1.0 + (rows as f32 - count as f32 + 0.5) / (count as f32 + 0.5)).ln()
}

/// Returns `k1 · (1 − b + b · length / average)` for each code of a length.
fn norms(tokens: u64, rows: usize) -> [f32; 256] {
    let average = tokens as f32 / rows.max(1) as f32;
    std::array::from_fn(|code| {
        let length = FieldNormReader::id_to_fieldnorm(code as u8) as f32;
        K1 * (1.0 - B + B * length / average)
    })
}
