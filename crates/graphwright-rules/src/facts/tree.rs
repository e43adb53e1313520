//! A sentence with its dependency tree: which words are names, who does what to whom, and whether it is said to be so.
//!
//! Relations are those of Universal Dependencies (<https://universaldependencies.org/u/dep/>), so that nothing here but the
//! word classes of [`status`] knows the language.

mod parses;
mod roles;
mod status;

use graphwright_english::parse::{Tag, Tree};

pub(super) use self::{
    parses::{Parse, Parses},
    roles::Subject,
};
use super::units::Sentence;

/// A sentence with its tree. Its words are numbered as those of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct SentenceTree<'s> {
    pub(super) sentence: &'s Sentence<'s>,
    parse: &'s Parse,
}

impl<'s> SentenceTree<'s> {
    pub(super) fn new(sentence: &'s Sentence<'s>, parse: &'s Parse) -> Self {
        Self { sentence, parse }
    }

    pub(super) fn tree(&self) -> &'s Tree {
        &self.parse.tree
    }

    /// The number of words.
    pub(super) fn len(&self) -> usize {
        self.parse.words.len()
    }

    /// A word in small letters.
    pub(super) fn lower(&self, word: usize) -> &'s str {
        self.parse.words.get(word).map_or("", |(_, lower)| lower)
    }

    /// The token of the sentence in which a word begins.
    pub(super) fn token(&self, word: usize) -> usize {
        let Some((range, _)) = self.parse.words.get(word) else { return self.sentence.tokens.len() };
        let start = self.sentence.range().start + range.start;
        self.sentence.tokens.partition_point(|token| token.end <= start)
    }

    /// The unit of the sentence that a word belongs to.
    pub(super) fn unit(&self, word: usize) -> usize {
        self.sentence.unit_of.get(self.token(word)).copied().unwrap_or(usize::MAX)
    }

    /// The word that a token of the sentence belongs to.
    pub(super) fn word_of(&self, token: usize) -> Option<usize> {
        let start = self.sentence.tokens.get(token)?.start - self.sentence.range().start;
        let found = self.parse.words.partition_point(|(range, _)| range.end <= start);
        (found < self.len()).then_some(found)
    }

    /// The name that a word stands for: the name itself, or the head of a phrase that points at one.
    pub(super) fn name(&self, word: usize) -> Option<usize> {
        let unit = self.unit(word);
        let mention = self.sentence.name_at(unit)?;
        let inner = self.tree().head(word).is_some_and(|head| self.unit(head) == unit);
        let noun = || matches!(self.tree().tag(word), Tag::Noun | Tag::Propn | Tag::X);
        (!inner && (!parses::may_be_verb(&self.sentence.mentions[mention].name) || noun())).then_some(mention)
    }

    /// Whether a word is part of a name.
    pub(super) fn in_name(&self, word: usize) -> bool {
        self.sentence.name_at(self.unit(word)).is_some()
    }

    /// Whether a word is a noun, name, pronoun or number: what may take part in something.
    pub(super) fn is_nominal(&self, word: usize) -> bool {
        self.name(word).is_some()
            || matches!(
                self.tree().tag(word),
                Tag::Noun | Tag::Propn | Tag::Pron | Tag::Num | Tag::Sym | Tag::X
            )
    }

    /// The children of a word with one of some relations.
    pub(super) fn children(
        &self,
        word: usize,
        relations: &'static [&'static str],
    ) -> impl Iterator<Item = usize> {
        let tree = self.tree();
        tree.children(word).filter(move |child| relations.iter().any(|relation| tree.is(*child, relation)))
    }

    /// The words that join a word to its head: prepositions and particles, with what is fixed to them.
    pub(super) fn joints(&self, word: usize) -> impl Iterator<Item = usize> {
        self.children(word, &["case", "mark"])
            .flat_map(|joint| std::iter::once(joint).chain(self.children(joint, &["fixed"])))
    }

    /// Whether a word is joined to its head by a preposition.
    pub(super) fn has_joint(&self, word: usize, prepositions: &[&str]) -> bool {
        self.joints(word).any(|joint| prepositions.contains(&self.lower(joint)))
    }
}
