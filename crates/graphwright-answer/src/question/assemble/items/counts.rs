//! How many of a thing, and how many times.

use graphwright_english::{inflection, questions::word};

use super::{Items, Thing};
use crate::question::{
    Piece, Span,
    annotate::{Compare, Measure},
    plan::Quantifier,
};

impl Items<'_> {
    /// `more than three services` counts services.
    pub(super) fn attach_counts(&mut self) {
        let mut taken = Vec::new();
        for (number, condition) in self.conditions.iter().enumerate() {
            let (quantifier, measured) = match &condition.span.piece {
                Piece::Quantity(compare, amount, measured) => {
                    (Quantifier::Count(*compare, *amount), measured.as_slice())
                }
                Piece::Between(low, high) => (Quantifier::Range(*low, *high), [].as_slice()),
                _ => continue,
            };
            let of_property = self.conditions.iter().any(|other| {
                matches!(other.span.piece, Piece::Property(_)) && other.span.end == condition.span.first
            });
            if of_property || !measured.is_empty() {
                continue;
            }
            let things = &mut self.things;
            let next = things.iter_mut().find(|thing| thing.first >= condition.span.end);
            let is_described = |thing: &Thing| {
                let said = |at: usize| {
                    matches!(word(self.tokens, at), "other" | "different")
                        || self
                            .conditions
                            .iter()
                            .any(|other| other.span.has(at) && other.is_of_kind(self.schema))
                };
                (condition.span.end..thing.first).all(said)
            };
            // `The 1974 tournament` is one.
            let is_several = |thing: &Thing| {
                let last = thing.end.checked_sub(1).and_then(|last| self.tokens.get(last));
                !matches!(quantifier, Quantifier::Count(Compare::Is, amount) if amount > 1.0)
                    || last.is_some_and(|last| inflection::is_plural(&last.lower))
            };
            if let Some(thing) = next
                && is_described(thing)
                && is_several(thing)
                && thing.members.is_empty()
            {
                thing.quantifier = Some(quantifier);
                taken.push(number);
            }
        }
        for number in taken.into_iter().rev() {
            self.conditions.remove(number);
        }
        let mut taken = Vec::new();
        for (number, condition) in self.conditions.iter().enumerate() {
            let Piece::Extreme(order, Measure::Number) = condition.span.piece else { continue };
            let (first, end) = (condition.span.first, condition.span.end);
            let of_property = self
                .conditions
                .iter()
                .any(|other| matches!(other.span.piece, Piece::Property(_)) && other.span.first == end);
            if of_property {
                continue;
            }
            let last = end == self.tokens.len();
            let things = &self.things;
            let link = self.links.iter_mut().find(|link| {
                // `The fewest teams entered`: the teams are what is counted.
                let between = things.iter().any(|thing| thing.first >= end && thing.end <= link.first);
                let before = link.first >= end && link.first <= end + 1 && !between;
                link.own.is_none() && (before || (last && link.end <= first && link.end + 1 >= first))
            });
            if let Some(link) = link {
                link.extreme = Some(order);
                taken.push(number);
            }
        }
        for number in taken.into_iter().rev() {
            self.conditions.remove(number);
        }
    }

    /// `Ordered exactly twice`, `visited a lake more than once`: what it is done to is counted. Of what is named, nothing tells how
    /// often it is done.
    pub(super) fn attach_times(&mut self) {
        for number in (0..self.conditions.len()).rev() {
            let Piece::Times(compare, times) = self.conditions[number].span.piece else { continue };
            let Span { first, end, .. } = self.conditions.remove(number).span;
            let quantifier = Quantifier::Count(compare, times);
            let verb = self.links.iter_mut().rfind(|link| link.own.is_none() && link.end <= first);
            let done_to = self.things.iter_mut().rfind(|thing| {
                verb.as_ref().is_some_and(|verb| thing.first >= verb.end) && thing.end <= first
            });
            match (verb, done_to) {
                (Some(_), Some(thing)) if thing.members.is_empty() => {
                    thing.quantifier = Some(quantifier);
                    thing.times = Some((first, end));
                }
                (Some(verb), None) => verb.times = Some(quantifier),
                _ => self.unread.extend(first..end),
            }
        }
    }
}
