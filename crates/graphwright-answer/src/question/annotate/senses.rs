//! Which senses of words are kept of those that the lexicon has.

use graphwright_core::text::identifier_words;
use graphwright_english::{
    inflection::{self, base_stem},
    questions::{Token, word},
};
use graphwright_retrieve::NodeIndex;

use super::{Annotator, WHOLE_NAME};
use crate::{
    lexicon::{Meaning, PART_OF_NAME, Sense},
    question::Form,
    schema::{Content, Property, is_identifier},
};

/// A property has so many words at most that are looked for before its value.
const MOST_WORDS_OF_PROPERTY: usize = 3;

impl Annotator<'_> {
    /// Whether a sense is a type, which a verb is not: only in `did Ada order tea` is it as good as one where there are orders.
    pub(super) fn is_other_noun(&self, sense: &Sense, verb: &Token) -> bool {
        let Meaning::Type(label) = sense.meaning else { return false };
        let name = self.schema.label(label).to_lowercase();
        self.head.form != Form::Truth || !inflection::bases(&verb.lower).contains(&name)
    }

    /// `Which lines` asks for things of a type, not for how many lines there are, where both are called so.
    pub(super) fn keep_types_asked(&self, first: usize, senses: &mut Vec<Sense>) {
        let asker = first.checked_sub(1).filter(|before| self.head.asker == Some(*before));
        let asks = asker.is_some_and(|asker| matches!(word(self.tokens, asker), "which" | "what"));
        if self.head.form == Form::Which
            && asks
            && senses
                .iter()
                .any(|sense| matches!(sense.meaning, Meaning::Type(_)) && sense.weight >= WHOLE_NAME)
        {
            senses.retain(|sense| match sense.meaning {
                Meaning::Property(property) => self.schema.property(property).content != Content::Number,
                _ => true,
            });
        }
    }

    /// Of several properties of which words are a part, keeps those of which the question says most: `eye_color` for the colour of
    /// somebody's eyes.
    pub(super) fn keep_said(&self, senses: &mut Vec<Sense>) {
        let part = |sense: &Sense| match sense.meaning {
            Meaning::Property(property) if sense.weight <= PART_OF_NAME => Some(property),
            _ => None,
        };
        let parts: Vec<Property> = senses.iter().filter_map(part).collect();
        if parts.len() < 2 {
            return;
        }
        let said = |property: Property| {
            let words = identifier_words(&self.schema.property(property).name);
            let is_said = |word: &&String| {
                let stem = base_stem(word);
                self.tokens.iter().any(|token| token.stem == stem)
            };
            words.iter().filter(is_said).count()
        };
        let most = parts.into_iter().map(said).max().unwrap_or(0);
        senses.retain(|sense| part(sense).is_none_or(|property| said(property) == most));
    }

    /// Whether the words before a value are its property, and it is asked what has that: `which town has the code 37021`, also where
    /// the code names the town.
    pub(super) fn is_said_before(&self, sense: &Sense, first: usize) -> bool {
        let Meaning::Value(property, _) = &sense.meaning else { return false };
        if self.head.asker.is_none_or(|asker| asker > first) {
            return false;
        }
        let is_it = |sense: Sense| sense.meaning == Meaning::Property(*property);
        let mut starts =
            (first.saturating_sub(MOST_WORDS_OF_PROPERTY)..first).filter(|start| *start >= self.head.lead);
        starts.any(|start| self.lexicon.phrases(&self.tokens[start..first]).into_iter().any(is_it))
    }

    /// Whether a value is what entities are named by, which says no more than their name.
    pub(super) fn is_named_by(&self, sense: &Sense, nodes: &[NodeIndex]) -> bool {
        let Meaning::Value(property, value) = &sense.meaning else { return false };
        let labels = &self.schema.property(*property).labels;
        let is_of =
            |node: &NodeIndex| self.schema.label_of(*node).is_some_and(|label| labels.contains(&label));
        let mut holders = nodes.iter().filter(|node| self.schema.holds(**node, *property, value)).peekable();
        let are_called_so =
            holders.peek().is_some() && holders.all(|node| self.schema.is_called(*node, value));
        let is_its_key = || {
            is_identifier(&self.schema.property(*property).name)
                && nodes.iter().any(|node| self.schema.holds(*node, *property, value))
        };
        labels.len() == 1 && nodes.iter().any(is_of) || are_called_so || is_its_key()
    }
}
