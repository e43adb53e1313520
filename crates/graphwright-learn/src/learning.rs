//! Learning from pairs: which readings are right, and weights under which they come out best.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    asked::AskedFor,
    compose,
    features::{Part, Weights, hash},
    graph::Graph,
    lesson::{Lesson, shuffle},
    meaning::{Asked, Meaning},
    model::{Model, Quality, probabilities},
    parts::Parts,
    reading::{Reading, readings_of},
    sentence::Sentence,
    shapes::{self, Limits},
};

/// How often all pairs are gone through.
const ROUNDS: usize = 5;
/// How often they are gone through before longer questions are made of them.
const FIRST_ROUNDS: usize = 3;
/// How many longer questions are made of each.
const TIMES_MADE: usize = 2;
/// Readings less likely than this teach nothing.
const LEAST_ODDS: f32 = 0.002;
/// The most steps of a meaning that is learned from.
const MOST_STEPS: usize = 4;

/// A question with the meanings that are right for it.
#[derive(Clone, Debug)]
pub struct Example {
    /// The question.
    pub question: String,
    /// Meanings of which one is right: one that was told by Cypher, several that give the answers that were told.
    pub meanings: Vec<Meaning>,
}

/// How learning went.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Pairs that were learned from.
    pub used: usize,
    /// The positions of examples in which a value of their query was not found.
    pub unlinked: Vec<usize>,
}

/// Learns from examples.
pub fn learn(examples: &[Example], graph: &Graph) -> (Model, Report) {
    let mut model = Model::before(examples, graph);
    let mut report = Report::default();
    let mut lessons = Vec::new();
    for (at, example) in examples.iter().enumerate() {
        let sentence = model.sentence(&example.question, graph);
        let right: Vec<Reading> = example
            .meanings
            .iter()
            .filter(|meaning| {
                meaning.others == model.others
                    || example.meanings.iter().all(|one| one.others != model.others)
            })
            .filter_map(|meaning| readings_of(meaning, &sentence))
            .collect();
        if right.is_empty() {
            report.unlinked.push(at);
        } else {
            lessons.push(Lesson { sentence, right });
        }
    }
    report.used = lessons.len();
    first_guess(&mut model, &lessons);
    let mut mean = Weights::default();
    go_through(&mut model, &lessons, graph, FIRST_ROUNDS, &mut Weights::default());
    let made = compose::lessons(&model, &lessons, graph, TIMES_MADE);
    lessons.extend(made);
    go_through(&mut model, &lessons, graph, ROUNDS, &mut mean);
    model.weights = mean;
    (model, report)
}

/// Goes through the lessons again and again, and takes the mean of the weights in the second half.
fn go_through(model: &mut Model, lessons: &[Lesson], graph: &Graph, rounds: usize, mean: &mut Weights) {
    let mut order: Vec<usize> = (0..lessons.len()).collect();
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    for round in 0..rounds {
        shuffle(&mut order, &mut seed);
        for &at in &order {
            teach(model, &lessons[at], graph);
        }
        if round >= rounds / 2 {
            mean.add(&model.weights, 1.0 / (rounds - rounds / 2) as f32);
        }
    }
}

impl Model {
    /// What is known before anything is learned: the names of the schema, and what kinds of query there are.
    fn before(examples: &[Example], graph: &Graph) -> Self {
        let schema = graph.schema();
        let meanings: Vec<&Meaning> = examples.iter().flat_map(|example| &example.meanings).collect();
        let steps =
            meanings.iter().flat_map(|meaning| meaning.things.iter().filter_map(|thing| thing.before));
        let taken: FxHashSet<u16> = steps.map(|(_, step)| step).collect();
        let longest = meanings.iter().map(|meaning| meaning.things.len() - 1).max().unwrap_or(0);
        let limits = Limits {
            steps: longest.clamp(1, MOST_STEPS),
            forks: examples.iter().all(|example| example.meanings.len() == 1),
            unused: shapes::unused_ways(schema, &taken),
        };
        let any = |asks: fn(&Meaning) -> bool| meanings.iter().any(|meaning| asks(meaning));
        let asks = [
            any(|meaning| meaning.rank.is_some()),
            any(|meaning| meaning.asked == Asked::Count),
            any(|meaning| matches!(meaning.asked, Asked::Values(_))),
        ];
        let asked = AskedFor::of(schema, asks[0], asks[1], asks[2]);
        let parts = Parts::of(schema);
        let mut weights = Weights::default();
        parts.say_their_names(&mut weights);
        // Where nothing tells whether what is named is left out, it is not.
        let others = meanings.iter().filter(|meaning| meaning.others).count() * 2 > meanings.len();
        let shapes = shapes::list(schema, &limits);
        let known = known_words(examples);
        let quality = Quality { pairs: examples.len(), ..Quality::default() };
        Self { weights, parts, shapes, limits, asked, asks, known, others, threshold: 0.5, quality }
    }
}

/// The stems that at least two questions have.
fn known_words(examples: &[Example]) -> FxHashSet<String> {
    let mut counts: FxHashMap<String, usize> = FxHashMap::default();
    for example in examples {
        let stems: FxHashSet<String> =
            crate::words::split(&example.question).into_iter().map(|word| word.stem).collect();
        for stem in stems {
            *counts.entry(stem).or_default() += 1;
        }
    }
    counts.into_iter().filter(|(_, count)| *count >= 2).map(|(stem, _)| stem).collect()
}

/// Guesses which words stand for which parts by how they come together (IBM model 1, Brown et al. 1993), so that the first
/// alignments are sensible.
fn first_guess(model: &mut Model, lessons: &[Lesson]) {
    let mut pairs: Vec<(Vec<u64>, Vec<Part>)> = Vec::new();
    for lesson in lessons {
        let words: Vec<u64> = lesson.sentence.features.iter().map(|features| features[0]).collect();
        let mut parts: Vec<Part> =
            lesson.right.iter().flat_map(|reading| parts_of(reading, &lesson.sentence, model)).collect();
        parts.push(crate::parts::NOTHING);
        parts.sort_unstable();
        parts.dedup();
        pairs.push((words, parts));
    }
    let mut odds: FxHashMap<(Part, u64), f64> = FxHashMap::default();
    for _ in 0..6 {
        let mut counts: FxHashMap<(Part, u64), f64> = FxHashMap::default();
        let mut totals: FxHashMap<Part, f64> = FxHashMap::default();
        for (words, parts) in &pairs {
            for word in words {
                let of = |part: &Part| {
                    odds.get(&(*part, *word)).copied().unwrap_or(if odds.is_empty() { 1.0 } else { 1e-9 })
                };
                let sum: f64 = parts.iter().map(of).sum();
                for part in parts {
                    let share = of(part) / sum;
                    *counts.entry((*part, *word)).or_default() += share;
                    *totals.entry(*part).or_default() += share;
                }
            }
        }
        odds = counts
            .into_iter()
            .map(|((part, word), count)| ((part, word), (count + 0.01) / (totals[&part] + 1.0)))
            .collect();
    }
    let all = pairs.iter().map(|(words, _)| words.len()).sum::<usize>() as f64;
    let mut frequencies: FxHashMap<u64, f64> = FxHashMap::default();
    for word in pairs.iter().flat_map(|(words, _)| words) {
        *frequencies.entry(*word).or_default() += 1.0 / all;
    }
    let value = hash("s=<v>");
    for ((part, word), odds) in odds {
        let gain = (odds / frequencies[&word]).ln();
        if gain > 0.5 && word != value {
            let known = model.weights.get(word, part);
            model.weights.set(word, part, known.max(0.4 * (gain.min(4.0) as f32)));
        }
    }
}

fn parts_of(reading: &Reading, sentence: &Sentence, model: &Model) -> Vec<Part> {
    let target = reading.things[0].label;
    let mut parts = model.parts.asked(target, reading.asked).to_vec();
    parts.extend(reading.rank.iter().flat_map(|rank| model.parts.rank(target, *rank)));
    for (at, thing) in reading.things.iter().enumerate() {
        parts.extend(thing.before.iter().flat_map(|(_, step)| model.parts.step(*step)));
        parts.extend(model.parts.thing(thing.label, at == 0));
        for link in thing.conditions.iter().map(|condition| sentence.link(*condition)) {
            parts.extend(model.parts.condition(link.label, link.property));
        }
    }
    parts
}

/// One step: away from the readings as they are rated, towards the right ones.
fn teach(model: &mut Model, lesson: &Lesson, graph: &Graph) {
    let sentence = &lesson.sentence;
    let rated = model.rate(sentence, graph, &lesson.right);
    let keys: FxHashSet<String> =
        lesson.right.iter().map(|reading| reading.meaning(sentence, false).key()).collect();
    let odds = probabilities(&rated);
    let right: Vec<bool> =
        rated.iter().map(|one| keys.contains(&one.reading.meaning(sentence, false).key())).collect();
    let sum: f32 = odds.iter().zip(&right).filter(|(_, right)| **right).map(|(odds, _)| odds).sum();
    if sum > 0.995 || !right.contains(&true) {
        return;
    }
    let mut gradient: FxHashMap<(u64, Part), f32> = FxHashMap::default();
    for ((one, odds), right) in rated.iter().zip(&odds).zip(&right) {
        let factor = if *right { odds / sum.max(1e-9) - odds } else { -odds };
        if factor.abs() > LEAST_ODDS {
            one.layout.add_features(&one.aligned, sentence, factor, &mut gradient);
        }
    }
    model.weights.step(&gradient, |part| model.parts.pace(part));
}
