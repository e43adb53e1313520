//! A way to read a question, and how well its words stand for the parts of it, in order.

use rustc_hash::FxHashMap;

use crate::{
    features::{Part, Weights, hash, hash_of},
    meaning::{Asked, Condition, Meaning, Rank, Thing},
    parts::{Parts, WHOLE},
    schema::{Label, Schema, StepId},
    sentence::{Scores, Sentence},
};

/// A thing of a reading, with the spans that are its conditions: the span and which of its links.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReadThing {
    pub(crate) label: Label,
    pub(crate) before: Option<(u8, StepId)>,
    pub(crate) conditions: Vec<(u8, u8)>,
}

/// A way to read a question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reading {
    pub(crate) things: Vec<ReadThing>,
    pub(crate) asked: Asked,
    pub(crate) rank: Option<Rank>,
}

impl Reading {
    pub(crate) fn meaning(&self, sentence: &Sentence, others: bool) -> Meaning {
        let thing = |thing: &ReadThing| {
            let conditions = thing.conditions.iter().map(|condition| {
                let link = sentence.link(*condition);
                Condition { property: link.property, value: link.value.clone() }
            });
            let before = thing.before.map(|(before, step)| (usize::from(before), step));
            Thing { label: thing.label, before, conditions: conditions.collect() }
        };
        Meaning {
            things: self.things.iter().map(thing).collect(),
            asked: self.asked,
            rank: self.rank,
            others,
        }
    }
}

/// What a part of a reading is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Asked,
    Rank,
    Thing,
    Step,
    Condition,
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Self::Asked => "Asked",
            Self::Rank => "Rank",
            Self::Thing => "Thing",
            Self::Step => "Step",
            Self::Condition => "Condition",
        }
    }
}

/// How a place of the tree stands to the one before it in the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Same,
    Behind,
    Before,
    FurtherBehind,
    Elsewhere,
}

/// A part of a reading that words may stand for.
#[derive(Clone, Debug)]
struct State {
    class: Class,
    thing: u8,
    parts: Vec<Part>,
    span: Option<u8>,
    /// Whether some word must stand for it: that something is counted or the first goes not without saying.
    must_be_said: bool,
}

/// What it costs that no word stands for what must be said.
const UNSAID: f32 = 20.0;
const CLASSES: usize = 5;
const RELATIONS: usize = 5;
/// Before the first part and behind the last one.
const EDGE: usize = CLASSES * CLASSES * RELATIONS;

/// Weights of moves from one part to the next, laid out for the alignment.
#[derive(Clone, Debug)]
pub(crate) struct Moves(Vec<f32>);

impl Moves {
    pub(crate) fn of(weights: &Weights) -> Self {
        Self((0..EDGE + 2 * CLASSES).map(|number| weights.get(move_feature(number), WHOLE)).collect())
    }
}

/// The feature of a part for which no word stands, by its class.
pub(crate) fn unsaid(class: Class, has_condition: bool, is_target: bool) -> u64 {
    hash_of(&["unsaid ", class.name(), written(has_condition), written(is_target)])
}

/// The feature of a part for which no word stands, which tells the parts apart.
pub(crate) fn unsaid_part(has_condition: bool) -> u64 {
    hash_of(&["unsaid", written(has_condition)])
}

fn written(truth: bool) -> &'static str {
    if truth { " true" } else { " false" }
}

fn move_feature(number: usize) -> u64 {
    hash(&format!("move {number}"))
}

/// A reading with its score and with what it rests on.
#[derive(Clone, Debug)]
pub(crate) struct Aligned {
    pub(crate) score: f32,
    /// For each word, the state that it stands for.
    places: Vec<Option<u8>>,
    moves: Vec<u16>,
    covered: Vec<bool>,
}

/// A reading laid out for the alignment.
#[derive(Debug)]
pub(crate) struct Layout {
    states: Vec<State>,
    moves: Vec<u16>,
    used: Vec<Option<usize>>,
    unused: Vec<usize>,
    bare: usize,
    forks: bool,
    kinds: [u64; 2],
    mirrors: usize,
}

impl Layout {
    pub(crate) fn of(reading: &Reading, sentence: &Sentence, parts: &Parts, schema: &Schema) -> Self {
        let mut states = Vec::new();
        let target = reading.things[0].label;
        let mut add = |class, thing: usize, parts: &[Part], span| {
            let must_be_said = class == Class::Rank || class == Class::Asked && reading.asked == Asked::Count;
            states.push(State { class, thing: thing as u8, parts: parts.to_vec(), span, must_be_said });
        };
        add(Class::Asked, 0, parts.asked(target, reading.asked), None);
        if let Some(rank) = reading.rank {
            add(Class::Rank, 0, parts.rank(target, rank), None);
        }
        let mut used = vec![None; sentence.words.len()];
        let mut taken = vec![false; sentence.spans.len()];
        for (at, thing) in reading.things.iter().enumerate() {
            if let Some((_, step)) = thing.before {
                add(Class::Step, at, parts.step(step), None);
            }
            add(Class::Thing, at, parts.thing(thing.label, at == 0), None);
            for &(span, link) in &thing.conditions {
                let link = sentence.link((span, link));
                add(Class::Condition, at, parts.condition(link.label, link.property), Some(span));
                taken[usize::from(span)] = true;
            }
        }
        for (number, state) in states.iter().enumerate() {
            if let Some(span) = state.span {
                let span = &sentence.spans[usize::from(span)];
                used[span.from..span.to].fill(Some(number));
            }
        }
        let unused = (0..taken.len()).filter(|at| !taken[*at] && is_name(sentence, *at, &used)).collect();
        let leaf = |at: usize| {
            !reading
                .things
                .iter()
                .any(|thing| thing.before.is_some_and(|(before, _)| usize::from(before) == at))
        };
        let bare = (1..reading.things.len())
            .filter(|at| leaf(*at) && reading.things[*at].conditions.is_empty())
            .count();
        let forks =
            reading.things.iter().filter(|thing| thing.before.is_some_and(|(before, _)| before == 0)).count()
                > 1;
        let moves = moves_between(&states, reading);
        let mirrors = mirrors(&reading.things.iter().map(|thing| thing.before), schema);
        let kinds = kinds_of(reading.asked, reading.rank);
        Self { states, moves, used, unused, bare, forks, kinds, mirrors }
    }

    /// Finds the best way in which the words stand for the states: each word for one or for none, with a price for each move.
    pub(crate) fn align(
        &self,
        sentence: &Sentence,
        scores: &Scores,
        moves: &Moves,
        weights: &Weights,
    ) -> Aligned {
        let (words, states) = (sentence.words.len(), self.states.len());
        let none = f32::NEG_INFINITY;
        let start = states;
        let mut best = vec![none; states + 1];
        best[start] = 0.0;
        let mut next = best.clone();
        // For each word and state: the state before, and whether the word stands for nothing.
        let mut back = vec![(start as u8, true); words * (states + 1)];
        for (word, from) in back.chunks_mut(states + 1).enumerate() {
            let forced = self.used[word];
            let inside = forced.is_some() && word > 0 && self.used[word - 1] == forced;
            if inside {
                from.iter_mut().enumerate().for_each(|(at, from)| from.0 = at as u8);
                continue;
            }
            next.fill(none);
            if forced.is_none() {
                let nothing = scores.no_part(word);
                for at in 0..=states {
                    next[at] = best[at] + nothing;
                    from[at] = (at as u8, true);
                }
            }
            for (at, state) in self.states.iter().enumerate() {
                if forced.is_some_and(|forced| forced != at) {
                    continue;
                }
                let said = match (forced, state.span) {
                    (Some(_), Some(span)) => scores.span(usize::from(span), &state.parts),
                    _ => scores.word(word, &state.parts),
                };
                for (last, &before) in best.iter().enumerate() {
                    if before <= none {
                        continue;
                    }
                    let score = before + said + moves.0[usize::from(self.moves[last * states + at])];
                    if score > next[at] {
                        next[at] = score;
                        from[at] = (last as u8, false);
                    }
                }
            }
            std::mem::swap(&mut best, &mut next);
        }
        let mut end = start;
        let mut score = none;
        for (at, &found) in best.iter().enumerate() {
            let found = if at == start {
                found
            } else {
                found + moves.0[EDGE + CLASSES + self.states[at].class as usize]
            };
            if found > score {
                (end, score) = (at, found);
            }
        }
        let mut aligned = self.traced(end, score, &back, weights);
        aligned.score += self.unused(scores);
        aligned
    }

    fn traced(&self, end: usize, score: f32, back: &[(u8, bool)], weights: &Weights) -> Aligned {
        let (words, states) = (self.used.len(), self.states.len());
        let mut aligned =
            Aligned { score, places: vec![None; words], moves: Vec::new(), covered: vec![false; states] };
        if end < states {
            aligned.moves.push((EDGE + CLASSES + self.states[end].class as usize) as u16);
        }
        let mut at = end;
        for word in (0..words).rev() {
            let (last, nothing) = back[word * (states + 1) + at];
            if !nothing {
                aligned.places[word] = Some(at as u8);
                aligned.covered[at] = true;
                aligned.moves.push(self.moves[usize::from(last) * states + at]);
                at = usize::from(last);
            }
        }
        for (feature, part) in self.whole(&aligned.covered) {
            aligned.score += weights.get(feature, part);
        }
        let unsaid = self
            .states
            .iter()
            .zip(&aligned.covered)
            .filter(|(state, covered)| state.must_be_said && !**covered);
        aligned.score -= UNSAID * unsaid.count() as f32;
        aligned
    }

    /// Features of the reading as a whole: parts that no word stands for, ends without a condition, values that are not used.
    fn whole(&self, covered: &[bool]) -> Vec<(u64, Part)> {
        let mut features = Vec::new();
        let has_condition =
            |thing: u8| self.states.iter().any(|state| state.thing == thing && state.span.is_some());
        for (state, _) in self.states.iter().zip(covered).filter(|(_, covered)| !**covered) {
            let condition = has_condition(state.thing);
            features.push((unsaid(state.class, condition, state.thing == 0), WHOLE));
            features.extend(state.parts.iter().map(|part| (unsaid_part(condition), *part)));
        }
        features.extend((0..self.mirrors).map(|_| (hash("mirror"), WHOLE)));
        features.extend(self.kinds.map(|kind| (kind, WHOLE)));
        features.extend((0..self.bare).map(|_| (hash("bare"), WHOLE)));
        if self.forks {
            features.push((hash("forks"), WHOLE));
        }
        features
    }

    /// Adds what a reading rests on to a gradient.
    pub(crate) fn add_features(
        &self,
        aligned: &Aligned,
        sentence: &Sentence,
        factor: f32,
        gradient: &mut FxHashMap<(u64, Part), f32>,
    ) {
        let mut add = |feature: u64, part: Part| *gradient.entry((feature, part)).or_default() += factor;
        for (word, place) in aligned.places.iter().enumerate() {
            let inside = self.used[word].is_some() && word > 0 && self.used[word - 1] == self.used[word];
            match place {
                _ if inside => {}
                None => {
                    for feature in &sentence.features[word] {
                        add(*feature, crate::parts::NOTHING);
                    }
                }
                Some(at) => {
                    let state = &self.states[usize::from(*at)];
                    let (features, own) = match (self.used[word], state.span) {
                        (Some(_), Some(span)) => {
                            (&sentence.around[usize::from(span)], &[crate::parts::CONDITION][..])
                        }
                        _ => (&sentence.features[word], &[][..]),
                    };
                    for part in own.iter().chain(&state.parts) {
                        for feature in features {
                            add(*feature, *part);
                        }
                    }
                }
            }
        }
        for number in &aligned.moves {
            add(move_feature(usize::from(*number)), WHOLE);
        }
        for (feature, part) in self.whole(&aligned.covered) {
            add(feature, part);
        }
        for &span in &self.unused {
            sentence.around[span].iter().for_each(|feature| add(*feature, crate::parts::NOTHING));
        }
    }

    /// The first word that stands for a thing or for a condition of it, and the last word that stands for anything else than
    /// what is within or behind it.
    pub(crate) fn extent(&self, aligned: &Aligned, thing: u8) -> Option<(usize, Option<usize>)> {
        let placed = |at: &usize| aligned.places[*at].map(|place| &self.states[usize::from(place)]);
        let own =
            |state: &State| state.thing == thing && matches!(state.class, Class::Thing | Class::Condition);
        let words = 0..aligned.places.len();
        let first = words.clone().find(|at| placed(at).is_some_and(own))?;
        let last =
            words.rev().find(|at| placed(at).is_some_and(|state| !own(state) && (state.thing <= thing)));
        Some((first, last))
    }

    /// Where what is said of the first thing begins: behind the last word for it itself, if a word for a step or another thing
    /// follows there, and none stands before.
    pub(crate) fn tail(&self, aligned: &Aligned) -> Option<usize> {
        let placed = |at: usize| aligned.places[at].map(|place| &self.states[usize::from(place)]);
        let words = aligned.places.len();
        let is_own = |state: &State| state.thing == 0;
        let own = (0..words).rev().find(|at| placed(*at).is_some_and(is_own))?;
        let other = (0..words).find(|at| placed(*at).is_some_and(|state| !is_own(state)))?;
        (own < other).then_some(own + 1)
    }

    /// The words that call the property of a condition, right before its value (`last name`).
    pub(crate) fn called(&self, aligned: &Aligned, sentence: &Sentence, span: u8) -> std::ops::Range<usize> {
        let to = sentence.spans[usize::from(span)].from;
        let own = |at: usize| {
            let state = aligned.places[at].map(|place| &self.states[usize::from(place)]);
            state.is_some_and(|state| state.span == Some(span)) && sentence.words[at].is_content()
        };
        let from = (0..to).rev().take_while(|at| own(*at)).last();
        from.unwrap_or(to)..to
    }

    /// What the values cost that have no place in the reading.
    pub(crate) fn unused(&self, scores: &Scores) -> f32 {
        self.unused.iter().map(|span| scores.unused(*span)).sum()
    }
}

/// Counts the steps that go the way back that the step before them came: the same of another thing, which a question says
/// with one word (`films that share directors with Heat`).
pub(crate) fn mirrors(
    befores: &(impl Iterator<Item = Option<(u8, StepId)>> + Clone),
    schema: &Schema,
) -> usize {
    let is_mirror = |(thing, step): (u8, StepId)| {
        let last = befores.clone().nth(usize::from(thing)).flatten();
        last.is_some_and(|(_, last)| schema.at(last).reversed() == schema.at(step))
    };
    befores.clone().flatten().filter(|before| is_mirror(*before)).count()
}

/// Features of what is asked for, so that each kind is as likely as it is among the pairs before any word speaks for it.
pub(crate) fn kinds_of(asked: Asked, rank: Option<Rank>) -> [u64; 2] {
    let asked = match asked {
        Asked::Entities => "asks which",
        Asked::Count => "asks how many",
        Asked::Values(_) => "asks a value",
    };
    [hash(asked), hash(if rank.is_some() { "asks the first" } else { "asks all" })]
}

/// Whether a span is a value as it is written, and no part of one that is used.
fn is_name(sentence: &Sentence, span: usize, used: &[Option<usize>]) -> bool {
    let span = &sentence.spans[span];
    !matches!(span.links[0].fit, crate::values::Fit::Words(_))
        && used[span.from..span.to].iter().all(Option::is_none)
}

/// The numbers of the moves between all states; from behind the last one, those from the beginning.
fn moves_between(states: &[State], reading: &Reading) -> Vec<u16> {
    let mut moves = Vec::with_capacity((states.len() + 1) * states.len());
    for from in states {
        for to in states {
            let relation = relation(from.thing, to.thing, reading) as usize;
            moves.push(((from.class as usize * CLASSES + to.class as usize) * RELATIONS + relation) as u16);
        }
    }
    moves.extend(states.iter().map(|to| (EDGE + to.class as usize) as u16));
    moves
}

fn relation(from: u8, to: u8, reading: &Reading) -> Relation {
    let before = |thing: u8| reading.things[usize::from(thing)].before.map(|(before, _)| before);
    if from == to {
        return Relation::Same;
    }
    if before(to) == Some(from) {
        return Relation::Behind;
    }
    if before(from) == Some(to) {
        return Relation::Before;
    }
    let mut at = before(to);
    while let Some(thing) = at {
        if thing == from {
            return Relation::FurtherBehind;
        }
        at = before(thing);
    }
    Relation::Elsewhere
}

/// Lays out a meaning as readings of a sentence: for each condition a span that may be its value. None where a value is not
/// found in the sentence.
pub(crate) fn readings_of(meaning: &Meaning, sentence: &Sentence) -> Option<Reading> {
    let mut taken = vec![false; sentence.spans.len()];
    let mut things = Vec::new();
    for thing in &meaning.things {
        let mut conditions = Vec::new();
        for condition in &thing.conditions {
            let found =
                sentence.spans.iter().enumerate().filter(|(at, _)| !taken[*at]).find_map(|(at, span)| {
                    let fits = |link: &crate::values::Link| {
                        link.label == thing.label
                            && link.property == condition.property
                            && link.value == condition.value
                    };
                    span.links.iter().position(fits).map(|link| (at, link))
                });
            let (at, link) = found?;
            taken[at] = true;
            conditions.push((at as u8, link as u8));
        }
        let before = thing.before.map(|(before, step)| (before as u8, step));
        things.push(ReadThing { label: thing.label, before, conditions });
    }
    Some(Reading { things, asked: meaning.asked, rank: meaning.rank })
}
