//! Several values of one property.

use graphwright_core::Value;
use graphwright_english::words;
use graphwright_retrieve::NodeIndex;

use super::{Items, Thing, distinct};
use crate::{
    question::{Piece, Span},
    schema::Property,
};

/// So many things are named by one value at most.
const MOST_NAMED: usize = 8;

impl Items<'_> {
    /// `written in Go or Python`: values of one property that are alternatives become one condition.
    pub(super) fn join_values(&mut self) {
        let mut at = 0;
        while at + 1 < self.conditions.len() {
            let (left, right) = (&self.conditions[at].span, &self.conditions[at + 1].span);
            let between = &self.tokens[left.end..right.first];
            let joined = between.iter().any(|token| token.lower == "or")
                && between.iter().all(|token| {
                    matches!(token.lower.as_str(), "or" | "either") || words::is_preposition(&token.lower)
                });
            match (&left.piece, &right.piece) {
                (Piece::Value(first), Piece::Value(second))
                    if joined && first.iter().any(|value| second.iter().any(|other| other.0 == value.0)) =>
                {
                    let values = [first.as_slice(), second.as_slice()].concat();
                    let span = Span { end: right.end, piece: Piece::Value(values), ..left.clone() };
                    self.conditions[at].span = span;
                    self.conditions.remove(at + 1);
                }
                _ => at += 1,
            }
        }
    }

    /// `Served by both the 113 and the 131N`, which are numbers of routes: nothing has two values of one property, so two things are
    /// named by them.
    pub(super) fn name_by_values(&mut self) {
        for at in (1..self.conditions.len()).rev() {
            // Two may have gone.
            let Some([left, right]) = self.conditions.get(at - 1..=at) else { continue };
            let (left, right) = (&left.span, &right.span);
            let between = self.tokens.get(left.end..right.first).unwrap_or_default();
            let between = between.iter().map(|token| token.lower.as_str());
            let joined = between.clone().any(|word| word == "and")
                && between.clone().all(|word| matches!(word, "and" | "both" | "the" | "also" | "in"));
            let (Piece::Value(one), Piece::Value(other)) = (&left.piece, &right.piece) else { continue };
            let is_shared =
                |value: &&(Property, Value)| other.iter().any(|(property, _)| *property == value.0);
            let Some((property, _)) = one.iter().find(is_shared).filter(|_| joined) else { continue };
            let nodes = |values: &[(Property, Value)]| -> Vec<NodeIndex> {
                let value = values.iter().find(|(own, _)| own == property);
                value.map_or_else(Vec::new, |(_, value)| self.schema.nodes_with(*property, value, MOST_NAMED))
            };
            let members = vec![nodes(one), nodes(other)];
            if members.iter().any(Vec::is_empty) {
                continue;
            }
            let labels = distinct(members.iter().flatten().filter_map(|node| self.schema.label_of(*node)));
            let thing = Thing { labels: Some(labels), members, ..Thing::new(left.first, right.end) };
            let position = self.things.partition_point(|other| other.first < thing.first);
            self.insert_thing(position, thing);
            self.conditions.drain(at - 1..=at);
        }
    }
}
