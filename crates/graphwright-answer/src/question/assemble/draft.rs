//! Plans in the making.

use std::borrow::Cow;

use graphwright_english::{inflection::base_stem, questions::Token};

use super::{
    items::{Items, distinct},
    parts::Tie,
};
use crate::{
    lexicon::Reading,
    question::plan::{Join, Order, Quantifier},
    schema::{Hop, Kind, Label, Schema},
};

/// A plan in the making.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) joins: Vec<Join>,
    /// Types of each thing; things beyond those of the question stand between or beside them.
    pub(super) labels: Vec<Option<Vec<Label>>>,
    /// Which part each thing belongs to.
    pub(super) parts: Vec<usize>,
    pub(super) score: f64,
    pub(super) guessed: usize,
    /// Things of which there must be most (true) or fewest for the thing that they are joined to.
    pub(super) extremes: Vec<(usize, Order)>,
    /// How many there must be of things.
    pub(super) counts: Vec<(usize, Quantifier)>,
    /// Things that stand for another one of the question, as X in `wrote and directed X`: the new one and the named one.
    pub(super) copies: Vec<(usize, usize)>,
    /// Things that are not named, beside a verb, and where that stands.
    pub(super) places: Vec<(usize, usize)>,
    /// Things that must differ.
    pub(super) different: Vec<(usize, usize)>,
    /// Words that it does not use.
    pub(super) unused: Vec<usize>,
}

/// A way between two things, of one hop or more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way<'a> {
    pub(super) left: usize,
    pub(super) right: usize,
    pub(super) hops: &'a [Hop],
    pub(super) weight: f64,
    /// Whether its first hop must not be there.
    pub(super) negated: bool,
    /// Whether no word of the question says it.
    pub(super) guessed: bool,
}

impl Draft {
    /// The same, less likely by a factor.
    pub(super) fn times(&self, factor: f64) -> Self {
        Self { score: self.score * factor, ..self.clone() }
    }

    /// Adds a thing that the question does not name.
    pub(super) fn add_thing(&mut self, labels: Option<Vec<Label>>) -> usize {
        let thing = self.labels.len();
        self.labels.push(labels);
        self.parts.push(thing);
        thing
    }

    /// `None` when the things hang together already, or the relationship does not fit their types.
    pub(super) fn with_tie(&self, tie: Tie, items: &Items<'_>) -> Option<Self> {
        let beside = self.runs_beside(&tie, items);
        let Tie { left, right, kind, forward, weight, negated, others } = tie;
        if self.parts[left] == self.parts[right] && beside.is_none() {
            return None;
        }
        let (start, end) = if forward { (left, right) } else { (right, left) };
        if !negated && self.has_another(start, end, kind, items) {
            return None;
        }
        let mut starts = self.narrowed(start, end, kind, true, items.schema)?;
        let mut ends = self.narrowed(end, start, kind, false, items.schema)?;
        for other in &others {
            let (from, to) = if other.along { (start, end) } else { (end, start) };
            let further = self.narrowed(from, to, other.kind, true, items.schema)?;
            let ends_there = self.narrowed(to, from, other.kind, false, items.schema)?;
            let (further, ends_there) =
                if other.along { (further, ends_there) } else { (ends_there, further) };
            starts = distinct(starts.into_iter().chain(further));
            ends = distinct(ends.into_iter().chain(ends_there));
        }
        let mut next = self.clone();
        next.labels[start] = Some(starts);
        next.labels[end] = Some(ends);
        let chains = chains_with_itself(kind, items.schema);
        // The `ages` of a period are those of its epochs.
        let is_class = |thing: usize| items.things.get(thing).is_some_and(|thing| thing.class.is_some());
        let nested = (is_class(left) || is_class(right)) && items.schema.nests(kind);
        let hops = items.hops.or(nested.then_some(items.nested_hops));
        next.unused.retain(|at| Some(*at) != beside);
        next.joins.push(Join {
            left,
            right,
            kind,
            forward,
            others,
            negated,
            hops: hops.filter(|_| chains).unwrap_or(1),
            test: None,
        });
        let (old, new) = (next.parts[right], next.parts[left]);
        next.parts.iter_mut().filter(|part| **part == old).for_each(|part| *part = new);
        next.score *= weight;
        Some(next)
    }

    /// Whether a thing that has one of a kind only has another one that is named: a flight to A is none to B.
    fn has_another(&self, start: usize, end: usize, kind: Kind, items: &Items<'_>) -> bool {
        let is_named = |thing: usize| items.things.get(thing).is_some_and(|thing| !thing.members.is_empty());
        let has_one = || {
            let labels = self.labels[start].as_deref().unwrap_or_default();
            !labels.is_empty() && labels.iter().all(|label| items.schema.determines(*label, kind))
        };
        let is_other = |join: &Join| {
            let (own, other) = if join.forward { (join.left, join.right) } else { (join.right, join.left) };
            join.kind == kind && !join.negated && own == start && other != end && is_named(other)
        };
        is_named(end) && self.joins.iter().any(is_other) && has_one()
    }

    /// `Acted in their own film`: a further relationship between two things that are joined, where a word says that one thing
    /// is meant. The place of that word.
    fn runs_beside(&self, tie: &Tie, items: &Items<'_>) -> Option<usize> {
        let own = |thing: usize| items.things.get(thing).and_then(|thing| thing.own);
        let ends = |join: &Join| (join.left.min(join.right), join.left.max(join.right));
        let pair = (tie.left.min(tie.right), tie.left.max(tie.right));
        let mut joined = self.joins.iter().filter(|join| ends(join) == pair).peekable();
        joined.peek()?;
        own(tie.left).or(own(tie.right)).filter(|_| joined.all(|join| join.kind != tie.kind))
    }

    /// Whether a reading of two things is there already.
    pub(super) fn says(&self, reading: &Reading, (subject, object): (usize, usize)) -> bool {
        self.joins.iter().any(|join| {
            let (start, end) = if join.forward { (join.left, join.right) } else { (join.right, join.left) };
            let (subject, object) =
                if reading.subject_is_start { (subject, object) } else { (object, subject) };
            join.kind == reading.kind && (start, end) == (subject, object) && !join.negated
        })
    }

    /// The same, without what these words say.
    pub(super) fn without(&self, words: std::ops::Range<usize>, factor: f64) -> Self {
        let mut less = self.times(factor);
        less.unused.extend(words);
        less
    }

    /// The thing in the middle only says what the one does to the other, for which it stands.
    pub(super) fn with_mutual(
        &self,
        reading: &Reading,
        (left, middle, right): (usize, usize, usize),
        negated: bool,
        items: &Items<'_>,
    ) -> Option<Self> {
        let (kind, weight) = (reading.kind, reading.weight);
        let tie = Tie { left, right: middle, kind, forward: true, weight, negated, others: Vec::new() };
        let mut next = self.with_tie(tie, items)?;
        next.copies.push((middle, right));
        next.parts[right] = next.parts[middle];
        Some(next)
    }

    /// The types of a thing that the kind connects with those of another; `None` when there are none.
    fn narrowed(
        &self,
        thing: usize,
        other: usize,
        kind: Kind,
        is_start: bool,
        schema: &Schema,
    ) -> Option<Vec<Label>> {
        let (candidates, other) = (self.labels[thing].as_deref(), self.labels[other].as_deref());
        let fits = |label: &&Label| {
            let one = Some(std::slice::from_ref(*label));
            candidates.is_none_or(|labels| labels.contains(*label))
                && if is_start {
                    schema.connects(one, kind, other)
                } else {
                    schema.connects(other, kind, one)
                }
        };
        let kept: Vec<Label> = schema.ends(kind, is_start).iter().filter(fits).copied().collect();
        (!kept.is_empty()).then_some(kept)
    }

    pub(super) fn chains(&self, left: usize, right: usize, length: usize, schema: &Schema) -> Vec<Vec<Hop>> {
        let all: Vec<Label> = (0..schema.labels.len() as Label).collect();
        if length > 1 && (self.labels[left].is_none() || self.labels[right].is_none()) {
            return Vec::new();
        }
        let labels = |thing: usize| self.labels[thing].as_deref().unwrap_or(&all).to_vec();
        let mut chains = schema.chains(&labels(left), &labels(right), length);
        if length == 1 {
            let key = |chain: &Vec<Hop>| (chain[0].kind, chain[0].forward);
            chains.sort_by_key(key);
            chains.dedup_by_key(|chain| key(chain));
        }
        chains
    }

    /// The types that a thing may have; those of `who` are actors, where there are any.
    pub(super) fn labels_of(&self, thing: usize, items: &Items<'_>) -> Option<Cow<'_, [Label]>> {
        let known = self.labels[thing].as_deref().map(Cow::Borrowed);
        let actors = &items.schema.actors;
        let may_act = || items.is_who(thing) && !actors.is_empty();
        known.or_else(|| may_act().then(|| actors.iter().copied().collect::<Vec<_>>().into()))
    }

    /// Tells whether a thing is what happens with one only at the end of a kind and at that of a way that leads to it: the call
    /// of a trip, which is of one route, at a stop. With several where the verb says that it happens: `ordered`.
    pub(super) fn is_event(
        &self,
        event: usize,
        (kind, verb): (Kind, &Token),
        way: &[Hop],
        schema: &Schema,
    ) -> bool {
        let labels = self.labels[event].as_deref().unwrap_or_default();
        let is_said = |label: Label| base_stem(&schema.label(label).to_lowercase()) == verb.stem;
        !labels.is_empty()
            && labels.iter().all(|label| schema.determines(*label, kind) || is_said(*label))
            && way.iter().all(|hop| !hop.forward && schema.determines(hop.to, hop.kind))
    }

    /// Tells whether a way begins as a join that is there: who got the same prize as those who are asked for.
    pub(super) fn asks_another(&self, left: usize, way: &[Hop], schema: &Schema) -> bool {
        let [first, _, ..] = way else { return false };
        let is_it = |join: &Join| {
            let Some((other, forward)) = join.from(left) else { return false };
            let labels = self.labels[other].as_deref().unwrap_or_default();
            join.kind == first.kind && forward == first.forward && labels.contains(&first.to)
        };
        !schema.is_same_at_both_ends(first.kind) && self.joins.iter().any(is_it)
    }

    /// Tells whether the question speaks of a thing only by a property, and another one has one such thing.
    pub(super) fn is_had(&self, (owner, held): (usize, usize), kind: Kind, items: &Items<'_>) -> bool {
        let labels = self.labels[owner].as_deref().unwrap_or_default();
        items.things.get(held).is_some_and(|thing| thing.implied)
            && items.things.get(owner).is_some_and(|thing| items.may_hold(thing))
            && !labels.is_empty()
            && labels.iter().all(|label| items.schema.determines(*label, kind))
    }

    /// Tells whether a way leads from a thing to the only one that it has: from a trip to its service. `forward` is whether it is the
    /// right one that is had.
    pub(super) fn is_held(
        &self,
        forward: bool,
        (left, right): (usize, usize),
        way: &[Hop],
        schema: &Schema,
    ) -> bool {
        let all = |labels: &[Label], kind| labels.iter().all(|label| schema.determines(*label, kind));
        let start = self.labels[left].as_deref().unwrap_or_default();
        if forward {
            let mut at = start;
            return !start.is_empty()
                && way.iter().all(|hop| {
                    let is_one = hop.forward && all(at, hop.kind);
                    at = std::slice::from_ref(&hop.to);
                    is_one
                });
        }
        let is_end = |hop: &Hop| self.labels[right].as_deref().is_some_and(|labels| labels.contains(&hop.to));
        way.last().is_some_and(is_end)
            && way.iter().all(|hop| !hop.forward && schema.determines(hop.to, hop.kind))
    }

    pub(super) fn with_way(&self, way: Way<'_>, items: &Items<'_>) -> Option<Self> {
        let mut next = self.clone();
        let mut left = way.left;
        for (number, hop) in way.hops.iter().enumerate() {
            let last = number + 1 == way.hops.len();
            let right = if last { way.right } else { next.add_thing(Some(vec![hop.to])) };
            let negated = way.negated && number == 0;
            let tie = Tie {
                left,
                right,
                kind: hop.kind,
                forward: hop.forward,
                weight: 1.0,
                negated,
                others: Vec::new(),
            };
            next = next.with_tie(tie, items)?;
            left = right;
        }
        next.score *= way.weight;
        if way.guessed && !is_compound(&way, items) {
            next.guessed += way.hops.len();
        }
        Some(next)
    }
}

/// `Seafood products`: one relationship that two words side by side say.
fn is_compound(way: &Way<'_>, items: &Items<'_>) -> bool {
    let (Some(name), Some(kind)) = (items.things.get(way.left), items.things.get(way.right)) else {
        return false;
    };
    way.hops.len() == 1 && items.stands_before(name, kind)
}

/// Whether the kind leads from a type back to it, so that it may be followed further.
fn chains_with_itself(kind: Kind, schema: &Schema) -> bool {
    let starts = schema.ends(kind, true);
    schema.ends(kind, false).iter().any(|label| starts.contains(label))
}
