//! What was learned, and the reading of questions by it.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::{
    asked::AskedFor,
    candidates::{self, Space},
    features::Weights,
    graph::Graph,
    meaning::Meaning,
    parts::Parts,
    reading::{Aligned, Layout, Moves, Reading},
    sentence::Sentence,
    shapes::{Limits, Shape},
    stacks::Most,
};

/// The most readings that are aligned.
const MOST_ALIGNED: Most = Most { together: 64, each: 18 };
/// How much less likely a reading is for each step that it has more than is usual, as a logarithm of odds.
const BEYOND: f32 = 3.0;

/// What pairs have taught about a graph.
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) weights: Weights,
    pub(crate) parts: Parts,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) limits: Limits,
    pub(crate) asked: AskedFor,
    /// Whether firsts, counts and values are asked for.
    pub(crate) asks: [bool; 3],
    pub(crate) known: FxHashSet<String>,
    /// Whether answers leave out the things that the question names.
    pub(crate) others: bool,
    /// The least confidence with which a question is answered.
    pub(crate) threshold: f64,
    pub(crate) quality: Quality,
}

/// How well questions are read that were not learned from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Quality {
    /// Pairs that were learned from.
    pub pairs: usize,
    /// Pairs that were kept apart to measure, one after the other.
    pub measured: usize,
    /// Of those, the share whose meaning gives the right answers, from 0 to 1.
    pub right: f64,
    /// The share that is answered with the least confidence that was chosen.
    pub answered: f64,
    /// Of those that are answered, the share that is right.
    pub right_of_answered: f64,
}

/// A question as it was understood.
#[derive(Clone, Debug)]
pub struct Understood {
    /// What it means.
    pub meaning: Meaning,
    /// How sure that is, from 0 to 1.
    pub confidence: f64,
}

/// A candidate with its layout and alignment.
pub(crate) struct Rated {
    pub(crate) reading: Reading,
    pub(crate) layout: Layout,
    pub(crate) aligned: Aligned,
}

impl Model {
    pub(crate) fn sentence(&self, question: &str, graph: &Graph) -> Sentence {
        Sentence::of(question, graph, &self.known)
    }

    /// Rates the readings of a sentence, best first; `more` are rated too, wherever the bound puts them.
    pub(crate) fn rate(&self, sentence: &Sentence, graph: &Graph, more: &[Reading]) -> Vec<Rated> {
        let scores = sentence.score(&self.weights, &self.parts);
        let moves = Moves::of(&self.weights);
        let space = Space {
            schema: graph.schema(),
            parts: &self.parts,
            weights: &self.weights,
            shapes: &self.shapes,
            limits: &self.limits,
            asked: &self.asked,
        };
        let mut readings = candidates::list(space, sentence, &scores, MOST_ALIGNED);
        for reading in more {
            if !readings.contains(reading) {
                readings.push(reading.clone());
            }
        }
        let rate = |reading: Reading| {
            let layout = Layout::of(&reading, sentence, &self.parts, graph.schema());
            let mut aligned = layout.align(sentence, &scores, &moves, &self.weights);
            let steps = reading.things.len() - 1;
            aligned.score -= BEYOND * steps.saturating_sub(self.limits.usual()) as f32;
            Rated { reading, layout, aligned }
        };
        let mut rated: Vec<Rated> = readings.into_iter().map(rate).collect();
        rated.sort_by(|left, right| right.aligned.score.total_cmp(&left.aligned.score));
        rated
    }

    /// Understands a question; none where nothing in the graph fits it.
    pub fn understand(&self, question: &str, graph: &Graph) -> Option<Understood> {
        let sentence = self.sentence(question, graph);
        if sentence.words.is_empty() || sentence.words.len() > 200 {
            return None;
        }
        let rated = self.rate(&sentence, graph, &[]);
        let best = rated.first()?;
        let meaning = best.reading.meaning(&sentence, self.others);
        let key = meaning.key();
        let odds = probabilities(&rated);
        let same = rated
            .iter()
            .zip(&odds)
            .filter(|(one, _)| one.reading.meaning(&sentence, self.others).key() == key);
        let confidence = same.map(|(_, odds)| f64::from(*odds)).sum::<f64>().min(1.0);
        Some(Understood { meaning, confidence })
    }

    /// How well it reads questions that it has not seen.
    pub fn quality(&self) -> &Quality {
        &self.quality
    }

    /// The least confidence with which a question should be answered.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }
}

/// The share of each reading, by the exponentials of their scores.
pub(crate) fn probabilities(rated: &[Rated]) -> Vec<f32> {
    let most = rated.iter().map(|rated| rated.aligned.score).fold(f32::NEG_INFINITY, f32::max);
    let odds: Vec<f32> = rated.iter().map(|rated| (rated.aligned.score - most).exp()).collect();
    let sum: f32 = odds.iter().sum();
    odds.into_iter().map(|odds| odds / sum).collect()
}
