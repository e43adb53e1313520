//! Values that stand for the things that have them: the `epochs` of a period, which are units of the rank `Epoch`.

use graphwright_english::{inflection, questions::word, words};

use graphwright_retrieve::NodeIndex;

use super::{Items, Thing, distinct};
use crate::{
    question::{Form, Piece, Span},
    schema::{Content, Label},
};

impl Items<'_> {
    /// Adds the thing that a value stands for where it is used as a noun is. `The Cenozoic era` is the one of that name which is one.
    pub(super) fn add_class_nouns(&mut self) {
        self.merge_appositions();
        for number in 0..self.conditions.len() {
            let span = self.conditions[number].span.clone();
            let Some(labels) = self.class_of(&span).filter(|_| self.is_class_noun(&span)) else { continue };
            let position = self.things.partition_point(|other| other.first < span.first);
            let thing = Thing::new(span.first, span.end);
            self.insert_thing(position, Thing { labels: Some(labels), is_class: true, ..thing });
        }
    }

    /// Takes the values out that stand beside the name of something that has them: they say which is meant.
    fn merge_appositions(&mut self) {
        for number in (0..self.conditions.len()).rev() {
            let span = &self.conditions[number].span;
            let Piece::Value(values) = &span.piece else { continue };
            let has_it = |node: &NodeIndex| {
                values.iter().any(|(property, value)| self.schema.holds(*node, *property, value))
            };
            let beside = self.things.iter().position(|thing| {
                (thing.end == span.first || span.end == thing.first)
                    && matches!(thing.members.as_slice(), [nodes] if nodes.iter().any(has_it))
            });
            let Some(thing) = beside else { continue };
            let nodes: Vec<NodeIndex> =
                self.things[thing].members[0].iter().copied().filter(has_it).collect();
            let (first, end) = (span.first, span.end);
            let thing = &mut self.things[thing];
            thing.members = vec![nodes];
            (thing.first, thing.end) = (thing.first.min(first), thing.end.max(end));
            self.conditions.remove(number);
        }
    }

    /// The types of which a value tells one kind: that of a text which things have.
    fn class_of(&self, span: &Span) -> Option<Vec<Label>> {
        let Piece::Value(values) = &span.piece else { return None };
        let is_text = |(property, _): &(_, _)| self.schema.property(*property).content == Content::Text;
        let labels = values
            .iter()
            .filter(|value| is_text(value))
            .flat_map(|(property, _)| self.schema.property(*property).labels.iter().copied());
        Some(distinct(labels)).filter(|labels| !labels.is_empty())
    }

    /// Whether a value stands where nouns stand: in the plural, which it does not have itself, or behind `which`; not before another
    /// noun (`epoch names`), nor for what is said of something (`are they epochs`).
    fn is_class_noun(&self, span: &Span) -> bool {
        let Piece::Value(values) = &span.piece else { return false };
        let last = &self.tokens[span.end - 1];
        let is_own_plural = |text: &str| text.rsplit(' ').next().is_some_and(inflection::is_plural);
        let is_plural = !last.is_capital()
            && inflection::is_plural(&last.lower)
            && !values.iter().any(|(_, value)| value.as_str().is_some_and(is_own_plural));
        let is_asked = span.first > 0
            && self.head.asker == Some(span.first - 1)
            && matches!(word(self.tokens, span.first - 1), "which" | "what");
        let describes = self.things.iter().any(|thing| thing.first == span.end)
            || self.conditions.iter().any(|other| other.span.first == span.end && other.span != *span);
        let is_said = self.head.form == Form::Truth && span.end == self.tokens.len();
        let is_verb = span.first > 0 && words::is_auxiliary(word(self.tokens, span.first - 1));
        (is_plural || is_asked) && !describes && !is_said && !is_verb
    }
}
