//! Several words for one thing, and several things in one place.

use graphwright_english::{questions::word, words};

use super::{Items, Link, Thing, distinct};
use crate::{
    question::{Form, Piece, Span, annotate::Place},
    schema::{Hop, Label},
};

impl Items<'_> {
    /// `The director of X was who` asks for the director.
    pub(super) fn merge_last_asker(&mut self) {
        let last = self.tokens.len().saturating_sub(1);
        let be = last > 0 && words::is_be(&self.tokens[last - 1].lower);
        let asks = self.things.last().is_some_and(|thing| thing.asker && thing.first == last);
        let subject = self.things.iter().position(|thing| thing.members.is_empty());
        if let Some(subject) = subject.filter(|&subject| be && asks && subject + 1 < self.things.len()) {
            self.things.pop();
            self.things[subject].asker = true;
        }
    }

    /// `Wrote or directed`, `wrote, produced or directed`: verbs of which one is enough become one.
    pub(super) fn join_verbs(&mut self) {
        let is_verb = |link: &Link| link.own.is_none() && !link.vague && !link.readings.is_empty();
        for at in (1..self.links.len()).rev() {
            let (verb, next) = (&self.links[at - 1], &self.links[at]);
            let listed = !next.others.is_empty() && verb.end == next.first;
            let joined = verb.end + 1 == next.first && word(self.tokens, verb.end) == "or";
            if is_verb(verb) && is_verb(next) && (joined || listed) {
                let next = self.links.remove(at);
                let verb = &mut self.links[at - 1];
                verb.end = next.end;
                verb.others.push(next.readings);
                verb.others.extend(next.others);
            }
        }
    }

    /// `the Payments team`, `incident INC-207`, `which team is the owner`: two words for one thing.
    pub(super) fn merge_neighbours(&mut self) {
        let mut at = 0;
        while at + 1 < self.things.len() {
            if self.try_merge(at) {
                self.remove_thing(at + 1);
            } else {
                at += 1;
            }
        }
    }

    fn try_merge(&mut self, at: usize) -> bool {
        let (left, right) = (&self.things[at], &self.things[at + 1]);
        if left.who == Some(Place::Where) {
            return false;
        }
        let between = &self.tokens[left.end..right.first];
        let named = (!left.members.is_empty(), !right.members.is_empty());
        // `Which beverages cost 10` asks for things of that kind.
        let asks = matches!(self.tokens[left.first].lower.as_str(), "which" | "what");
        if asks && left.asker && left.labels.is_none() && named.1 && between.is_empty() {
            return false;
        }
        // `A copy of P-12` is not what is called P-12.
        let of = words::is_preposition(&self.tokens[left.end - 1].lower);
        // `Silurian epochs` are epochs of it.
        let is_class = left.class.is_some() || right.class.is_some();
        let side_by_side = between.is_empty() && named.0 != named.1 && !of && !is_class;
        let called = !named.0
            && named.1
            && matches!(between, [word] if matches!(word.lower.as_str(), "called" | "named"));
        let copula = (!named.1 || (!named.0 && left.labels.is_some() && !self.is_noun(at)))
            && !between.is_empty()
            && between.iter().any(|token| words::is_be(&token.lower))
            && between.iter().all(|token| {
                words::is_be(&token.lower)
                    || words::is_light(&token.lower)
                    || words::is_article(&token.lower)
                    || token.lower == "not"
            });
        let be_before = left.first > 0 && words::is_be(&self.tokens[left.first - 1].lower);
        let question_of_kind = (self.head.form == Form::Truth || be_before)
            && named.0
            && !named.1
            && between.first().is_some_and(|word| words::is_article(&word.lower))
            && (left.end + 1..right.first)
                .all(|at| matches!(word(self.tokens, at), "only" | "sole") || self.is_value_at(at));
        if !(side_by_side || called || copula || question_of_kind) {
            return false;
        }
        // `Is auth-lib-v2 a service`, of a library: it is not, and no relationship between the two is asked for.
        let only_kind = question_of_kind
            && self.head.form == Form::Truth
            && self.things.len() == 2
            && self.links.is_empty();
        let labels = match (&left.labels, &right.labels) {
            (Some(left), Some(right)) => {
                let both: Vec<Label> = left.iter().copied().filter(|label| right.contains(label)).collect();
                match (both.is_empty(), only_kind) {
                    (true, true) => Some(right.clone()),
                    (true, false) => return false,
                    (false, _) => Some(both),
                }
            }
            (left, right) => left.clone().or_else(|| right.clone()),
        };
        let mut members = if named.0 { left.members.clone() } else { right.members.clone() };
        for nodes in members.iter_mut().filter(|_| !only_kind) {
            nodes.retain(|&node| labels.as_ref().is_none_or(|labels| self.schema.is_of(node, labels)));
        }
        if members.iter().any(Vec::is_empty) && (named.0 || named.1) {
            return false;
        }
        let merged = Thing {
            first: left.first,
            end: right.end,
            labels,
            members,
            all: true,
            asker: left.asker || right.asker,
            who: left.who.or(right.who),
            // A bare `which` says nothing of its own.
            quality: match (left.asker && left.labels.is_none(), right.asker && right.labels.is_none()) {
                (true, _) => right.quality,
                (_, true) => left.quality,
                _ => left.quality.max(right.quality),
            },
            quantifier: left.quantifier.or(right.quantifier),
            times: left.times.or(right.times),
            compared: [left.compared.as_slice(), right.compared.as_slice()].concat(),
            excluded: left.excluded || right.excluded,
            other: left.other || right.other,
            own: left.own.or(right.own),
            passed: false,
            kind_asked: question_of_kind && !self.links.iter().any(|link| link.own == Some(at + 1)),
            called: left.called.clone().or_else(|| right.called.clone()),
            class: left.class.or(right.class),
            implied: false,
        };
        self.things[at] = merged;
        true
    }

    /// Whether a word is one of a value: `Is McLaren a British team`.
    fn is_value_at(&self, at: usize) -> bool {
        let is_it = |span: &Span| span.has(at) && matches!(span.piece, Piece::Value(_));
        self.conditions.iter().any(|condition| is_it(&condition.span))
    }

    /// Whether the thing is what a noun for a relationship stands for.
    fn is_noun(&self, thing: usize) -> bool {
        self.links.iter().any(|link| link.own == Some(thing))
    }

    /// `A, B and C` become one thing.
    pub(super) fn group_names(&mut self) {
        let mut at = 0;
        while at + 1 < self.things.len() {
            let (left, right) = (&self.things[at], &self.things[at + 1]);
            let between = &self.tokens[left.end..right.first];
            // `In A and in B`.
            let preposition = self.preposition_before(left);
            let joined = between.iter().all(|token| {
                let joins = ["and", "or", "nor", "the", "both", "also", "as", "well"];
                joins.contains(&token.lower.as_str()) || preposition == Some(token.lower.as_str())
            });
            let alternative = between.iter().any(|token| matches!(token.lower.as_str(), "or" | "nor"));
            let similar = self.similar(left, right);
            if !(joined && similar && left.excluded == right.excluded) {
                at += 1;
                continue;
            }
            let right = self.remove_thing(at + 1);
            let left = &mut self.things[at];
            left.end = right.end;
            left.all = left.all && right.all && !alternative;
            left.members.extend(right.members);
            left.labels = left
                .labels
                .take()
                .zip(right.labels)
                .map(|(left, right)| distinct(left.into_iter().chain(right)));
        }
    }

    /// The preposition before a thing.
    pub(in super::super) fn preposition_before(&self, thing: &Thing) -> Option<&str> {
        let small = |at: &usize| words::is_plain_determiner(&self.tokens[*at].lower);
        let at = (0..thing.first).rev().find(|at| !small(at))?;
        Some(self.tokens[at].lower.as_str()).filter(|word| words::is_preposition(word))
    }

    /// Of the ways to the second of two things, those that its preposition says, if it says where to or where from and any
    /// is said so: `flights to Rome`.
    pub(in super::super) fn said_by_preposition(&self, other: usize, ways: Vec<Vec<Hop>>) -> Vec<Vec<Hop>> {
        let preposition = self.preposition_before(&self.things[other]);
        let Some(preposition) = preposition.filter(|said| matches!(*said, "to" | "from")) else {
            return ways;
        };
        let is_said = |way: &Vec<Hop>| matches!(way.as_slice(), [only] if self.frames.says_with(only.kind, preposition));
        let (said, others): (Vec<_>, Vec<_>) = ways.into_iter().partition(is_said);
        if said.is_empty() { others } else { said }
    }

    fn similar(&self, left: &Thing, right: &Thing) -> bool {
        let no_own = |thing: &Thing| {
            !self.links.iter().any(|link| link.own.is_some_and(|own| self.things[own].first == thing.first))
        };
        match (left.members.is_empty(), right.members.is_empty()) {
            (false, false) => true,
            (true, true) => {
                !left.asker
                    && !right.asker
                    && no_own(left)
                    && no_own(right)
                    && self.tokens[left.end..right.first]
                        .iter()
                        .any(|token| matches!(token.lower.as_str(), "and" | "or"))
            }
            _ => false,
        }
    }
}
