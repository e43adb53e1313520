//! Pronouns for what the question has named.

use graphwright_english::{questions::word, words};

use graphwright_retrieve::NodeIndex;

use super::{Items, Thing, distinct};
use crate::question::Piece;

impl Items<'_> {
    /// `Which neighbours of Bolivia share a language with it`: the one that was named.
    pub(super) fn refer_back(&mut self) {
        for at in self.head.lead + 1..self.tokens.len() {
            let refers = matches!(word(self.tokens, at), "it" | "him" | "her" | "them");
            let is_object = words::is_preposition(word(self.tokens, at - 1))
                || self.links.iter().any(|link| link.own.is_none() && link.end == at);
            if !(refers && is_object && self.ends_phrase(at)) {
                continue;
            }
            let Some(nodes) = self.only_named_before(at) else {
                self.mean_open_before(at);
                continue;
            };
            let labels = distinct(nodes.iter().filter_map(|node| self.schema.label_of(*node)));
            let (labels, members) = (Some(labels), vec![nodes]);
            let place = self.things.partition_point(|other| other.first < at);
            self.insert_thing(place, Thing { labels, members, ..Thing::new(at, at + 1) });
        }
    }

    /// `Who directed a film but did not write it`: the one thing that is spoken of before, if there is one. The word is left over
    /// until a further relationship joins that thing.
    fn mean_open_before(&mut self, at: usize) {
        let behind_command =
            |thing: &Thing| thing.end < at && !thing.asker && thing.first > self.head.lead + 1;
        let mut before = (0..self.things.len()).filter(|&thing| behind_command(&self.things[thing]));
        if let (Some(one), None) = (before.next(), before.next())
            && self.things[one].members.is_empty()
        {
            self.things[one].own = Some(at);
            self.unread.push(at);
        }
    }

    /// What is named before a place, by itself or as what another one is compared with, if it is one.
    fn only_named_before(&self, at: usize) -> Option<Vec<NodeIndex>> {
        let named = self.things.iter().filter(|thing| thing.end < at && !thing.members.is_empty());
        let compared = self.conditions.iter().filter(|condition| condition.span.end < at);
        let compared = compared.filter_map(|condition| match &condition.span.piece {
            Piece::Than(_, nodes, _) | Piece::SameYear(nodes) => Some(nodes.clone()),
            _ => None,
        });
        let mut all = named.map(|thing| thing.members.concat()).chain(compared);
        let one = all.next()?;
        all.next().is_none().then_some(one)
    }

    /// Whether no noun follows, to which `her` would belong.
    fn ends_phrase(&self, at: usize) -> bool {
        let next = word(self.tokens, at + 1);
        next.is_empty() || words::is_coordinator(next) || words::is_preposition(next)
    }
}
