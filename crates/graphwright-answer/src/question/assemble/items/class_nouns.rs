//! Values and names that stand for the things that have them: the `epochs` of a period, which are units of the rank `Epoch`.

use graphwright_english::{inflection::is_plural, questions::word, words};
use graphwright_retrieve::NodeIndex;

use super::{super::parts::Class, Items, Thing, distinct};
use crate::{
    lexicon::Lexicon,
    question::{Form, Piece, Span},
    schema::{Content, Label},
};

impl Items<'_> {
    /// Adds the thing that a value stands for where it is used as a noun is. `The Cenozoic era` is the one of that name which is one.
    pub(super) fn add_class_nouns(&mut self, lexicon: &Lexicon) {
        self.merge_appositions();
        self.add_members_of_classes();
        for number in 0..self.conditions.len() {
            let span = self.conditions[number].span.clone();
            // What is the word for a type too is such a thing.
            let is_type = !lexicon.types(&self.tokens[span.first..span.end]).is_empty();
            let is_class = !is_type && self.is_class_noun(&span);
            let Some(labels) = self.class_of(&span).filter(|_| is_class) else { continue };
            let position = self.things.partition_point(|other| other.first < span.first);
            let thing = Thing::new(span.first, span.end);
            self.insert_thing(position, Thing { labels: Some(labels), class: Some(Class::Value), ..thing });
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

    /// `Comedies` are the films of that genre, where few genres have many films.
    fn add_members_of_classes(&mut self) {
        self.merge_classes();
        for number in 0..self.things.len() {
            let thing = &self.things[number];
            let Some(node) = only_member(thing) else { continue };
            let is_own_plural = is_plural(self.schema.name_of(node).rsplit(' ').next().unwrap_or_default());
            let is_noun = self.stands_as_noun(thing.first, thing.end, is_own_plural);
            if let Some((label, kind)) = self.schema.members_of(node).filter(|_| is_noun) {
                let thing = &mut self.things[number];
                thing.labels = Some(vec![label]);
                thing.members.clear();
                thing.class = Some(Class::Node(kind, node));
            }
        }
    }

    /// `The Cenozoic era`: what the class of a name is says no more than the name.
    fn merge_classes(&mut self) {
        for number in (1..self.things.len()).rev() {
            let (left, right) = (&self.things[number - 1], &self.things[number]);
            let is_one = only_member(left)
                .zip(only_member(right))
                .is_some_and(|(node, class)| left.end == right.first && self.schema.is_member(node, class));
            if is_one {
                let end = right.end;
                self.remove_thing(number);
                self.things[number - 1].end = end;
            }
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

    fn is_class_noun(&self, span: &Span) -> bool {
        let Piece::Value(values) = &span.piece else { return false };
        let last = |text: &str| text.rsplit(' ').next().is_some_and(is_plural);
        let is_own_plural = values.iter().any(|(_, value)| value.as_str().is_some_and(last));
        self.stands_as_noun(span.first, span.end, is_own_plural)
    }

    /// Whether words stand where nouns for several things stand: in the plural, if that is not how they are called, or behind
    /// `which`; not before another noun (`epoch names`), nor for what is said of something (`are they epochs`).
    fn stands_as_noun(&self, first: usize, end: usize, is_own_plural: bool) -> bool {
        let last = &self.tokens[end - 1];
        let is_plural = !last.is_capital() && is_plural(&last.lower) && !is_own_plural;
        let before = first.checked_sub(1).map_or("", |before| word(self.tokens, before));
        let is_asked = first > 0
            && self.head.asker == Some(first - 1)
            && matches!(before, "which" | "what")
            && !last.is_capital();
        let describes = self.things.iter().any(|thing| thing.first == end)
            || self.conditions.iter().any(|other| other.span.first == end);
        // `That are still proposals` says what they are; not so `are both actors and directors`.
        let is_adverb = |word: &str| words::is_adverb(word) && !words::is_plain_determiner(word);
        let mut before_adverbs =
            self.tokens[..first].iter().rev().skip_while(|token| is_adverb(&token.lower));
        let is_said = self.head.form == Form::Truth && end == self.tokens.len()
            || before_adverbs.next().is_some_and(|token| words::is_auxiliary(&token.lower));
        (is_plural || is_asked) && !describes && !is_said
    }
}

/// The only thing that is named, if it is one.
fn only_member(thing: &Thing) -> Option<NodeIndex> {
    match thing.members.as_slice() {
        [nodes] => match nodes.as_slice() {
            [node] => Some(*node),
            _ => None,
        },
        _ => None,
    }
}
