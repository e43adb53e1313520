//! Properties of relationships, and what ranks by them.

use std::collections::BTreeSet;

use graphwright_core::text::identifier_words;
use graphwright_english::{inflection, questions::word, words};

use super::{Condition, HeldProperty, Items};
use crate::{
    question::{Piece, Span},
    schema::Label,
};

impl Items<'_> {
    /// The words for properties of relationships.
    pub(super) fn held_properties(&self) -> Vec<HeldProperty> {
        let held = |condition: &Condition| {
            // What units there are of, another word says.
            let is_unit = words::is_counted_unit(word(self.tokens, condition.span.first));
            let properties = condition.properties_or_of_values().filter(|_| !is_unit)?;
            let of = properties.iter().flat_map(|&property| &self.schema.property(property).kinds);
            let kinds: Vec<_> = of.copied().collect::<BTreeSet<_>>().into_iter().collect();
            let may_have =
                |labels: &Vec<Label>| properties.iter().any(|&property| self.schema.have(labels, property));
            let of_things = self.things.iter().filter_map(|thing| thing.labels.as_ref()).any(may_have);
            let is_value = condition.properties().is_none();
            let first = condition.span.first;
            (!kinds.is_empty()).then_some(HeldProperty { first, kinds, of_things, is_value })
        };
        self.conditions.iter().filter_map(held).collect()
    }

    /// Whether a superlative says which of them is meant.
    pub(in super::super) fn ranks(&self) -> bool {
        self.conditions.iter().any(|condition| matches!(condition.span.piece, Piece::Extreme(..)))
    }

    /// Whether some words have one for a date.
    pub(in super::super) fn says_date(&self, span: &Span) -> bool {
        (span.first..span.end).any(|at| words::is_date_word(&self.tokens[at].lower))
    }

    /// Whether the question has a word of a property's name: `shipped` for `shippedDate`.
    pub(in super::super) fn says_word_of(&self, name: &str) -> bool {
        let words = identifier_words(name);
        words.iter().any(|word| {
            let stem = inflection::base_stem(word);
            let says = !words::is_date_word(word) && !words::is_filler(word);
            says && self.tokens.iter().any(|token| token.stem == stem)
        })
    }
}
