//! `Which is older, A or B?`: the named things are what is chosen from.

use graphwright_english::{questions::word, words};
use graphwright_retrieve::NodeIndex;

use super::{Items, Thing, distinct};
use crate::question::Piece;

/// What is offered to choose from.
#[derive(Debug)]
pub(super) struct Choice(Vec<Vec<NodeIndex>>);

impl Items<'_> {
    /// Takes out what a question with a superlative or comparative offers at its end, or before it asks.
    pub(super) fn take_choice(&mut self) -> Option<Choice> {
        let ranks = |piece: &Piece| matches!(piece, Piece::Extreme(..));
        if !self.conditions.iter().any(|condition| ranks(&condition.span.piece)) {
            return None;
        }
        let offered = self.offered_last().or_else(|| self.offered_first())?;
        let places: Vec<usize> = offered.collect();
        let taken = places.iter().rev().map(|&place| self.remove_thing(place).members.concat());
        let mut members: Vec<Vec<NodeIndex>> = taken.collect();
        members.reverse();
        Some(Choice(members))
    }

    /// `…, A, B or C` at the end.
    fn offered_last(&self) -> Option<std::ops::Range<usize>> {
        let count = self.things.len();
        let ends = self.things.last().is_some_and(|thing| thing.end == self.tokens.len());
        let or = (1..count).rev().take_while(|&at| self.is_listed(at)).last().filter(|_| ends)?;
        let said = self.tokens[self.things[or - 1].end..self.things[count - 1].first].iter();
        said.into_iter().any(|token| token.lower == "or").then_some(or - 1..count)
    }

    /// `Of A and B, which …`, `between A and B, who …`.
    fn offered_first(&self) -> Option<std::ops::Range<usize>> {
        let first = self.things.first()?.first;
        let begins = first == self.head.lead + 1 && matches!(word(self.tokens, first - 1), "of" | "between");
        let last = (1..self.things.len()).take_while(|&at| self.is_listed(at)).last().filter(|_| begins)?;
        Some(0..last + 1)
    }

    /// Whether nothing but `and` or `or` stands between a named thing and the named one before it.
    fn is_listed(&self, at: usize) -> bool {
        let (left, right) = (&self.things[at - 1], &self.things[at]);
        let is_named = |thing: &Thing| !thing.members.is_empty();
        let between = &self.tokens[left.end..right.first];
        is_named(left)
            && is_named(right)
            && between
                .iter()
                .all(|token| matches!(token.lower.as_str(), "and" | "or") || words::is_article(&token.lower))
    }

    /// Makes what is offered that from which the answer comes.
    pub(super) fn offer(&mut self, choice: Option<Choice>) {
        let Some(Choice(mut members)) = choice else { return };
        let asker = self.head.asker.unwrap_or(self.head.lead);
        let answer = self.answer.unwrap_or_else(|| {
            let place = self.things.partition_point(|other| other.first < asker);
            self.insert_thing(place, Thing { asker: true, ..Thing::new(asker, asker + 1) });
            place
        });
        self.answer = Some(answer);
        let of_node = |node: &NodeIndex| self.schema.label_of(*node);
        if let Some(labels) = &self.things[answer].labels {
            for nodes in &mut members {
                nodes.retain(|&node| self.schema.is_of(node, labels));
            }
            members.retain(|nodes| !nodes.is_empty());
        }
        let labels = distinct(members.iter().flatten().filter_map(of_node));
        let thing = &mut self.things[answer];
        (thing.labels, thing.members, thing.all) = (Some(labels), members, false);
    }
}
