//! The readings of a question that are worth a closer look.
//!
//! Trees that the schema allows are rated by a bound that is cheap: each word stands for what it says most for, whatever
//! the order. Small trees are rated all, larger ones grow from the best (beam search). Only the best readings are aligned.

use crate::{
    asked::AskedFor,
    features::{Weights, hash},
    meaning::{Asked, Rank},
    parts::{Parts, WHOLE},
    reading::{Class, ReadThing, Reading, kinds_of, mirrors, unsaid, unsaid_part},
    schema::{Label, Schema},
    sentence::{Scores, Sentence},
    shapes::{self, Limits, Shape},
    stacks::{Most, Stacks},
    values::{Fit, Link},
};

/// The most ways in which the values are placed in one tree.
const MOST_PLACEMENTS: usize = 80;
/// The most trees with values that are joined with what is asked for.
const MOST_TREES: Most = Most { together: 150, each: 40 };
/// The most shapes of one size that are made larger.
const BEAM: usize = 24;
/// The most larger shapes in which values are placed.
const MOST_PLACED: usize = 64;

/// What the search looks through.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Space<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) parts: &'a Parts,
    pub(crate) weights: &'a Weights,
    /// All shapes that are small.
    pub(crate) shapes: &'a [Shape],
    pub(crate) limits: &'a Limits,
    pub(crate) asked: &'a AskedFor,
}

struct Tree {
    score: f32,
    shape: usize,
    /// For each used span: the span, its link and the thing.
    placed: Vec<(u8, u8, u8)>,
}

/// What each word says at most for something that may be asked for.
struct Asks {
    asked: (Asked, Option<Rank>),
    said: Vec<f32>,
    unsaid: f32,
}

/// What each word says for each part, worked out once.
struct Said {
    nothing: Vec<f32>,
    /// For each label, as what is asked for and as anything else.
    things: Vec<[Vec<f32>; 2]>,
    steps: Vec<Vec<f32>>,
    /// For each span and link, its condition.
    conditions: Vec<Vec<Vec<f32>>>,
}

impl Said {
    fn of(space: Space<'_>, sentence: &Sentence, scores: &Scores) -> Self {
        let words = sentence.words.len();
        let row = |parts: &[u16]| -> Vec<f32> { (0..words).map(|word| scores.word(word, parts)).collect() };
        let thing = |label: usize| [true, false].map(|target| row(space.parts.thing(label as Label, target)));
        let link = |link: &Link| row(space.parts.condition(link.label, link.property));
        Self {
            nothing: (0..words).map(|word| scores.no_part(word)).collect(),
            things: (0..space.schema.labels.len()).map(thing).collect(),
            steps: (0..space.schema.steps.len()).map(|step| row(space.parts.step(step as u16))).collect(),
            conditions: sentence.spans.iter().map(|span| span.links.iter().map(link).collect()).collect(),
        }
    }

    fn thing(&self, label: Label, at: usize) -> &[f32] {
        &self.things[usize::from(label)][usize::from(at > 0)]
    }

    fn step(&self, step: u16) -> &[f32] {
        &self.steps[usize::from(step)]
    }
}

/// Lets a part have the words that say most for it, and returns the most that one says.
fn take(part: &[f32], nothing: &[f32], best: &mut [f32]) -> f32 {
    let mut most = 0.0_f32;
    for ((part, nothing), best) in part.iter().zip(nothing).zip(best) {
        most = most.max(part - nothing);
        *best = best.max(*part);
    }
    most
}

struct Search<'a> {
    said: Said,
    space: Space<'a>,
    sentence: &'a Sentence,
    scores: &'a Scores,
    /// The shapes that were made larger.
    grown: Vec<Shape>,
    trees: Vec<Tree>,
    unsaid_step: f32,
    unsaid_thing: f32,
    bare: f32,
    forks: f32,
    mirror: f32,
}

/// Lists the best readings by the bound, best first, at most `most`.
pub(crate) fn list(space: Space<'_>, sentence: &Sentence, scores: &Scores, most: Most) -> Vec<Reading> {
    let whole = |text: &str| space.weights.get(hash(text), WHOLE);
    let mut search = Search {
        space,
        sentence,
        said: Said::of(space, sentence, scores),
        scores,
        grown: Vec::new(),
        trees: Vec::new(),
        unsaid_step: space.weights.get(unsaid(Class::Step, false, false), WHOLE),
        unsaid_thing: space.weights.get(unsaid(Class::Thing, false, false), WHOLE),
        bare: whole("bare"),
        forks: whole("forks"),
        mirror: whole("mirror"),
    };
    search.place_all();
    search.prune();
    search.join(most)
}

impl Search<'_> {
    fn size(&self, tree: &Tree) -> usize {
        self.shape(tree.shape).steps.len()
    }

    /// Leaves the best trees.
    fn prune(&mut self) {
        let mut trees = std::mem::take(&mut self.trees);
        trees.sort_by(|left, right| right.score.total_cmp(&left.score).then(left.shape.cmp(&right.shape)));
        let mut stacks = Stacks::of(MOST_TREES, self.space.limits);
        trees.retain(|tree| stacks.take(self.size(tree)));
        self.trees = trees;
    }

    fn shape(&self, number: usize) -> &Shape {
        let listed = self.space.shapes;
        listed.get(number).unwrap_or_else(|| &self.grown[number - listed.len()])
    }

    /// Places the values in the shapes that are listed, and in the best that grow from the largest of them.
    fn place_all(&mut self) {
        let listed = self.space.shapes.len();
        let largest = self.space.shapes.last().map_or(0, |shape| shape.steps.len());
        for shape in 0..listed {
            self.place(shape);
        }
        let mut last: Vec<usize> =
            (0..listed).filter(|shape| self.shape(*shape).steps.len() == largest).collect();
        for _ in largest..self.space.limits.reach() {
            last = self.grow(last);
            last.iter().take(MOST_PLACED).for_each(|shape| self.place(*shape));
        }
    }

    /// Makes the best shapes larger by one step, and returns what comes of them, best first.
    fn grow(&mut self, last: Vec<usize>) -> Vec<usize> {
        let first = self.space.shapes.len() + self.grown.len();
        for shape in self.best_first(last).into_iter().take(BEAM) {
            let mut larger = Vec::new();
            shapes::extend(self.space.schema, self.space.limits, self.shape(shape), &mut larger);
            self.grown.append(&mut larger);
        }
        self.best_first((first..self.space.shapes.len() + self.grown.len()).collect())
    }

    /// Shapes by what the words say for them, before values are placed.
    fn best_first(&self, shapes: Vec<usize>) -> Vec<usize> {
        let bound = |shape| {
            let (score, said) = self.said_of(shape);
            (score + said.iter().sum::<f32>(), shape)
        };
        let mut rated: Vec<(f32, usize)> = shapes.into_iter().map(bound).collect();
        rated.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
        rated.into_iter().map(|(_, shape)| shape).collect()
    }

    /// Rates a tree with all ways to place values in it.
    fn place(&mut self, shape: usize) {
        let (score, said) = self.said_of(shape);
        let found = self.trees.len();
        self.fill(shape, 0, &mut Vec::new(), (score, &said), found);
    }

    /// What a shape costs, and what each word says at most for its things and steps.
    fn said_of(&self, shape: usize) -> (f32, Vec<f32>) {
        let own = self.shape(shape);
        let nothing = &self.said.nothing;
        let mut said = nothing.clone();
        let mut score = 0.0;
        for (at, &label) in own.labels.iter().enumerate() {
            let gain = take(self.said.thing(label, at), nothing, &mut said);
            if at > 0 {
                let (_, step) = own.steps[at - 1];
                if take(self.said.step(step), nothing, &mut said) <= 0.0 {
                    score += self.unsaid_step + self.unsaid_parts(self.space.parts.step(step));
                }
                if gain <= 0.0 {
                    score += self.unsaid_thing;
                }
            }
        }
        if own.steps.iter().filter(|(before, _)| *before == 0).count() > 1 {
            score += self.forks;
        }
        let steps = std::iter::once(None).chain(own.steps.iter().map(|step| Some(*step)));
        score += self.mirror * mirrors(&steps, self.space.schema) as f32;
        (score, said)
    }

    fn unsaid_parts(&self, parts: &[u16]) -> f32 {
        parts.iter().map(|part| self.space.weights.get(unsaid_part(false), *part)).sum()
    }

    fn fill(
        &mut self,
        shape: usize,
        span: usize,
        placed: &mut Vec<(u8, u8, u8)>,
        so_far: (f32, &[f32]),
        found: usize,
    ) {
        if self.trees.len() >= found + MOST_PLACEMENTS {
            return;
        }
        if span == self.sentence.spans.len() {
            self.trees.push(self.rated(shape, placed, so_far));
            return;
        }
        let own = &self.sentence.spans[span];
        let overlaps = placed.iter().any(|(other, ..)| {
            let other = &self.sentence.spans[usize::from(*other)];
            other.from < own.to && own.from < other.to
        });
        if !overlaps {
            for (number, link) in own.links.iter().enumerate() {
                for thing in 0..self.shape(shape).labels.len() {
                    let same = |(other, link_of_other, at): &(u8, u8, u8)| {
                        let other =
                            &self.sentence.spans[usize::from(*other)].links[usize::from(*link_of_other)];
                        usize::from(*at) == thing && other.property == link.property
                    };
                    if self.shape(shape).labels[thing] == link.label && !placed.iter().any(same) {
                        placed.push((span as u8, number as u8, thing as u8));
                        self.fill(shape, span + 1, placed, so_far, found);
                        placed.pop();
                    }
                }
            }
        }
        self.fill(shape, span + 1, placed, so_far, found);
    }

    fn rated(&self, shape: usize, placed: &[(u8, u8, u8)], (base, said): (f32, &[f32])) -> Tree {
        let own = self.shape(shape);
        let mut score = base;
        let mut in_use = [0_u64; 4];
        for &(span, link, _) in placed {
            let span_number = usize::from(span);
            let span = &self.sentence.spans[span_number];
            let link = &span.links[usize::from(link)];
            score += self.scores.span(span_number, self.space.parts.condition(link.label, link.property));
            for word in span.from..span.to.min(256) {
                in_use[word / 64] |= 1 << (word % 64);
            }
        }
        for (word, said) in said.iter().enumerate() {
            if word >= 256 || in_use[word / 64] >> (word % 64) & 1 == 1 {
                continue;
            }
            let condition = |&(span, link, _): &(u8, u8, u8)| {
                self.said.conditions[usize::from(span)][usize::from(link)][word]
            };
            score += placed.iter().map(condition).fold(*said, f32::max);
        }
        for (at, span) in self.sentence.spans.iter().enumerate() {
            let free = (span.from..span.to.min(256)).all(|word| in_use[word / 64] >> (word % 64) & 1 == 0);
            if free && !matches!(span.links[0].fit, Fit::Words(_)) {
                score += self.scores.unused(at);
            }
        }
        for thing in 1..own.labels.len() {
            let leaf = !own.steps.iter().any(|(before, _)| usize::from(*before) == thing);
            if leaf && !placed.iter().any(|(.., at)| usize::from(*at) == thing) {
                score += self.bare;
            }
        }
        Tree { score, shape, placed: placed.to_vec() }
    }

    /// Joins trees with what may be asked of them.
    fn join(&self, most: Most) -> Vec<Reading> {
        let mut asked: Vec<Option<Vec<Asks>>> = (0..self.space.asked.of.len()).map(|_| None).collect();
        let mut all: Vec<(f32, usize, (Asked, Option<Rank>))> = Vec::new();
        for (number, tree) in self.trees.iter().enumerate() {
            let label = self.shape(tree.shape).labels[0];
            let of_label = asked[usize::from(label)].get_or_insert_with(|| self.asked_of(label));
            let said = self.said(tree);
            for asks in of_label.iter() {
                let better = said.iter().zip(&asks.said).map(|(tree, asks)| (asks - tree).max(0.0));
                all.push((tree.score + asks.unsaid + better.sum::<f32>(), number, asks.asked));
            }
        }
        all.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
        let mut stacks = Stacks::of(most, self.space.limits);
        all.retain(|(_, tree, _)| stacks.take(self.size(&self.trees[*tree])));
        all.into_iter().map(|(_, tree, asked)| self.reading(&self.trees[tree], asked)).collect()
    }

    /// What each word says for a tree at most; endlessly much where it is a value.
    fn said(&self, tree: &Tree) -> Vec<f32> {
        let shape = self.shape(tree.shape);
        let nothing = &self.said.nothing;
        let mut said = nothing.clone();
        for (at, &label) in shape.labels.iter().enumerate() {
            take(self.said.thing(label, at), nothing, &mut said);
        }
        for (_, step) in &shape.steps {
            take(self.said.step(*step), nothing, &mut said);
        }
        for &(span, link, _) in &tree.placed {
            let own = &self.sentence.spans[usize::from(span)];
            take(&self.said.conditions[usize::from(span)][usize::from(link)], nothing, &mut said);
            said[own.from..own.to].fill(f32::INFINITY);
        }
        said
    }

    fn asked_of(&self, label: Label) -> Vec<Asks> {
        let nothing = &self.said.nothing;
        let words = 0..self.sentence.words.len();
        let row =
            |parts: &[u16]| -> Vec<f32> { words.clone().map(|word| self.scores.word(word, parts)).collect() };
        let asks = |&(asked, rank): &(Asked, Option<Rank>)| {
            let mut said = nothing.clone();
            let mut unsaid: f32 =
                kinds_of(asked, rank).iter().map(|kind| self.space.weights.get(*kind, WHOLE)).sum();
            let parts = self.space.parts.asked(label, asked);
            if take(&row(parts), nothing, &mut said) <= 0.0 {
                unsaid += self.unsaid_parts(parts);
            }
            let parts = rank.map_or(&[][..], |rank| self.space.parts.rank(label, rank));
            if rank.is_some() && take(&row(parts), nothing, &mut said) <= 0.0 {
                unsaid += self.unsaid_parts(parts);
            }
            Asks { asked: (asked, rank), said, unsaid }
        };
        self.space.asked.of[usize::from(label)].iter().map(asks).collect()
    }

    fn reading(&self, tree: &Tree, (asked, rank): (Asked, Option<Rank>)) -> Reading {
        let shape = self.shape(tree.shape);
        let things = shape.labels.iter().enumerate().map(|(at, &label)| {
            let before = at.checked_sub(1).map(|at| shape.steps[at]);
            let own = tree.placed.iter().filter(|(.., thing)| usize::from(*thing) == at);
            ReadThing { label, before, conditions: own.map(|(span, link, _)| (*span, *link)).collect() }
        });
        Reading { things: things.collect(), asked, rank }
    }
}
