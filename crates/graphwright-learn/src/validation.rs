//! Learning with a measure: which share of questions that were kept apart is read right, and from which confidence on a
//! question is answered.

use crate::{
    execute::Outcome,
    features::hash,
    graph::Graph,
    learning::{Example, Report, learn},
    meaning::{Asked, Meaning},
    model::{Model, Quality},
};

/// The parts into which pairs are split.
const FOLDS: u64 = 5;
/// With more pairs than these, one part is measured; with fewer, all, one after the other.
const FEW: usize = 400;
/// The share of answers that should be right.
const WANTED: f64 = 0.95;
/// The least and most that are asked of a confidence.
const BOUNDS: (f64, f64) = (0.3, 0.95);

/// Learns from examples, and measures on examples that are kept apart how well that works. `tell` is called with what is done.
pub fn learn_and_measure(examples: &[Example], graph: &Graph, tell: &dyn Fn(&str)) -> (Model, Report) {
    let folds = if examples.len() > FEW { 1 } else { FOLDS };
    let mut judged: Vec<(f64, bool)> = Vec::new();
    for fold in 0..folds {
        let is_apart = |example: &&Example| hash(&example.question) % FOLDS == fold;
        let apart: Vec<&Example> = examples.iter().filter(is_apart).collect();
        let rest: Vec<Example> = examples.iter().filter(|example| !is_apart(example)).cloned().collect();
        if apart.is_empty() || rest.is_empty() {
            continue;
        }
        tell(&format!("measuring on {} of {} questions that are kept apart", apart.len(), examples.len()));
        let (model, _) = learn(&rest, graph);
        judged.extend(apart.into_iter().map(|example| judge(&model, example, graph)));
    }
    tell(&format!("learning from {} questions", examples.len()));
    let (mut model, report) = learn(examples, graph);
    model.threshold = threshold(&mut judged);
    model.quality = quality(examples.len(), &judged, model.threshold);
    (model, report)
}

fn judge(model: &Model, example: &Example, graph: &Graph) -> (f64, bool) {
    let Some(understood) = model.understand(&example.question, graph) else { return (0.0, false) };
    let given = graph.run(&understood.meaning);
    let right = example
        .meanings
        .iter()
        .any(|meaning| agrees(meaning, &graph.run(meaning), &understood.meaning, &given));
    (understood.confidence, right)
}

/// Whether two meanings give the same answers.
pub fn agrees(gold: &Meaning, wanted: &Outcome, meaning: &Meaning, given: &Outcome) -> bool {
    let by_values = gold.asked != Asked::Entities;
    by_values == (meaning.asked != Asked::Entities)
        && if by_values { wanted.values == given.values } else { wanted.nodes == given.nodes }
}

/// The least confidence from which on enough answers are right.
fn threshold(judged: &mut [(f64, bool)]) -> f64 {
    judged.sort_by(|left, right| right.0.total_cmp(&left.0));
    let (mut right, mut chosen) = (0, BOUNDS.1);
    for (at, (confidence, is_right)) in judged.iter().enumerate() {
        right += usize::from(*is_right);
        if f64::from(right as u32) >= WANTED * (at + 1) as f64 {
            chosen = *confidence;
        }
    }
    chosen.clamp(BOUNDS.0, BOUNDS.1)
}

fn quality(pairs: usize, judged: &[(f64, bool)], threshold: f64) -> Quality {
    let share = |part: usize, of: usize| if of == 0 { 0.0 } else { part as f64 / of as f64 };
    let answered: Vec<bool> =
        judged.iter().filter(|(confidence, _)| *confidence >= threshold).map(|(_, right)| *right).collect();
    let right = |all: &mut dyn Iterator<Item = bool>| all.filter(|right| *right).count();
    Quality {
        pairs,
        measured: judged.len(),
        right: share(right(&mut judged.iter().map(|(_, right)| *right)), judged.len()),
        answered: share(answered.len(), judged.len()),
        right_of_answered: share(right(&mut answered.iter().copied()), answered.len()),
    }
}
