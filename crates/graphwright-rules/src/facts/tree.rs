//! A sentence with its dependency tree: which words are names, who does what to whom, and whether it is said to be so.
//!
//! Relations are those of Universal Dependencies (<https://universaldependencies.org/u/dep/>), so that nothing here but the
//! word classes of [`status`] knows the language.

mod roles;
mod status;

use std::ops::Range;

use graphwright_english::parse::{Parser, Tag, Tree, split};

pub(super) use self::roles::Subject;
use super::units::{Sentence, UnitKind};

/// A parse of a sentence, before what it points at is known.
#[derive(Debug)]
pub(super) struct Parse {
    tree: Tree,
    /// Where each word stands in the text of the block, and the word in small letters.
    words: Vec<(Range<usize>, String)>,
}

/// Parses sentences, many at once, each name as one word. `None` for one that is not to be parsed.
pub(super) fn parse(sentences: &[Option<&Sentence<'_>>]) -> Vec<Option<Parse>> {
    let Ok(parser) = Parser::builtin() else { return sentences.iter().map(|_| None).collect() };
    let tokens: Vec<_> = sentences.iter().map(|sentence| sentence.map(words).unwrap_or_default()).collect();
    let trees = parser.parse(&tokens);
    let parsed = tokens.into_iter().zip(trees).map(|(tokens, tree)| {
        let words = tokens.into_iter().map(|token| (token.range, token.text.to_lowercase())).collect();
        (!tree.is_empty()).then_some(Parse { tree, words })
    });
    parsed.collect()
}

/// The words of a sentence as the parser takes them.
fn words(sentence: &Sentence<'_>) -> Vec<graphwright_english::parse::Token> {
    let whole = sentence.range();
    let place = |tokens: &Range<usize>| {
        sentence.tokens[tokens.start].start - whole.start..sentence.tokens[tokens.end - 1].end - whole.start
    };
    let names = sentence.units.iter().filter(|unit| matches!(unit.kind, UnitKind::Name(_)));
    let names: Vec<Range<usize>> = names.map(|unit| place(&unit.tokens)).collect();
    let found = split::sentences(&sentence.flat.text[whole.clone()], &names, &[]);
    let shift = |mut token: graphwright_english::parse::Token| {
        token.range = token.range.start + whole.start..token.range.end + whole.start;
        token
    };
    found.into_iter().flatten().map(shift).collect()
}

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
        let start = self.parse.words.get(word).map_or(usize::MAX, |(range, _)| range.start);
        self.sentence.tokens.partition_point(|token| token.end <= start)
    }

    /// The unit of the sentence that a word belongs to.
    pub(super) fn unit(&self, word: usize) -> usize {
        self.sentence.unit_of.get(self.token(word)).copied().unwrap_or(usize::MAX)
    }

    /// The word that a token of the sentence belongs to.
    pub(super) fn word_of(&self, token: usize) -> Option<usize> {
        let start = self.sentence.tokens.get(token)?.start;
        let found = self.parse.words.partition_point(|(range, _)| range.end <= start);
        (found < self.len()).then_some(found)
    }

    /// The name that a word stands for: the name itself, or the head of a phrase that points at one.
    pub(super) fn name(&self, word: usize) -> Option<usize> {
        let unit = self.unit(word);
        let mention = self.sentence.name_at(unit)?;
        let inner = self.tree().head(word).is_some_and(|head| self.unit(head) == unit);
        (!inner).then_some(mention)
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
