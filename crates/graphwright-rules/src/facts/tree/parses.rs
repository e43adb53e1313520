//! The parses of a document: many sentences at once, which is several times faster, and each but once.

use std::{collections::HashMap, ops::Range, sync::Arc};

use graphwright_english::parse::{Parser, Token, Tree, split};

use crate::facts::{
    units::{Sentence, UnitKind},
    words,
};

/// A parse of a sentence, before what it points at is known.
#[derive(Debug)]
pub(in crate::facts) struct Parse {
    pub(super) tree: Tree,
    /// Where each word stands in the sentence, and the word in small letters.
    pub(super) words: Vec<(Range<usize>, String)>,
}

/// The parses of a document's sentences, by their words.
#[derive(Debug)]
pub(crate) struct Parses {
    parser: &'static Parser,
    known: HashMap<String, Arc<Parse>>,
}

impl Parses {
    /// None yet.
    pub(crate) fn new(parser: &'static Parser) -> Self {
        Self { parser, known: HashMap::new() }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    /// The parse of each sentence, each name as one word; `None` for one that has no words, or is not to be parsed.
    pub(in crate::facts) fn of(&mut self, sentences: &[Option<&Sentence<'_>>]) -> Vec<Option<Arc<Parse>>> {
        let words = sentences.iter().map(|sentence| sentence.map(words_of).unwrap_or_default());
        let (mut keys, mut unknown) = (Vec::new(), Vec::new());
        for words in words {
            let key = key(&words);
            if !words.is_empty() && !self.known.contains_key(&key) {
                unknown.push((key.clone(), words));
            }
            keys.push(key);
        }
        let (new, words): (Vec<String>, Vec<Vec<Token>>) = unknown.into_iter().unzip();
        let trees = self.parser.parse(&words);
        for ((key, words), tree) in new.into_iter().zip(words).zip(trees) {
            let words = words.into_iter().map(|word| (word.range, word.text.to_lowercase())).collect();
            self.known.insert(key, Arc::new(Parse { tree, words }));
        }
        keys.iter().map(|key| self.known.get(key).cloned()).collect()
    }
}

/// Whether a name is written as a verb is, so that only the sentence can tell that it is one: a tool called `fix`.
pub(super) fn may_be_verb(name: &str) -> bool {
    words::is_likely_verb(name)
}

/// The words of a sentence as the parser takes them.
fn words_of(sentence: &Sentence<'_>) -> Vec<Token> {
    let whole = sentence.range();
    let place = |tokens: &Range<usize>| {
        sentence.tokens[tokens.start].start - whole.start..sentence.tokens[tokens.end - 1].end - whole.start
    };
    let names = sentence.units.iter().filter(|unit| match unit.kind {
        UnitKind::Name(mention) => !may_be_verb(&sentence.mentions[mention].name),
        _ => false,
    });
    let names: Vec<Range<usize>> = names.map(|unit| place(&unit.tokens)).collect();
    split::sentences(&sentence.flat.text[whole], &names, &[]).into_iter().flatten().collect()
}

/// What the parse and the places of its words hang on: the words, which of them are names, and the space between them.
fn key(words: &[Token]) -> String {
    let mut key = String::new();
    let mut end = 0;
    for word in words {
        let space = word.range.start - end;
        key.extend(std::iter::repeat_n(' ', space));
        key.push(if word.name { '\u{1}' } else { '\u{2}' });
        key.push_str(&word.text);
        end = word.range.end;
    }
    key
}
