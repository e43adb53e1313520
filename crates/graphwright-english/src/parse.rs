//! Dependency trees, word classes and base forms of sentences.
//!
//! [`split`] makes tokens and sentences of a text, with known names as one token each; [`Parser::parse`] gives the tree of
//! each sentence. The parser is one small net: vectors of words and of their affixes, two layers of long short-term memory
//! that read both ways, biaffine scores of arcs, scores of labels and of tags (T. Dozat and C. D. Manning, "Deep biaffine
//! attention for neural dependency parsing", 2017). `data/parser/README.md` tells what it was trained on and how good it is; its
//! files are data under CC BY-SA 4.0, apart from the licence of the code.
//!
//! Nothing here knows a language but the data: another language is another set of the four files.

mod activation;
mod decode;
mod features;
mod lemmas;
mod lstm;
mod net;
pub mod split;
mod tree;
mod weights;

#[cfg(test)]
mod tests;

use std::{
    ops::Range,
    sync::{Arc, LazyLock},
};

pub use self::tree::{Tag, Tree};
use self::{
    lemmas::Lemmas,
    net::{Net, Reading},
    tree::Node,
};
use crate::{EnglishError, Result};

static BUILTIN: LazyLock<Result<Parser>> = LazyLock::new(|| {
    Parser::read(ParserData {
        net: include_bytes!("../data/parser/net.safetensors"),
        words: include_str!("../data/parser/words.txt"),
        labels: include_str!("../data/parser/labels.txt"),
        lemmas: include_str!("../data/parser/lemmas.txt"),
    })
});

/// The most words that are read at once; enough to make matrix products worth it, few enough to stay in the cache.
const WORDS_OF_BATCH: usize = 2048;

/// A word, number or punctuation mark of a sentence, or a known name, which may hold spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The token as it stands in the text.
    pub text: String,
    /// Where it stands, in bytes.
    pub range: Range<usize>,
    /// Whether it is known to be a name. The net was trained to take such a token for a proper noun.
    pub name: bool,
}

impl Token {
    /// Creates a token that is not known to be a name.
    pub fn new(text: impl Into<String>, range: Range<usize>) -> Self {
        Self { text: text.into(), range, name: false }
    }
}

/// The files that a parser is made of, as `tools/parser` writes them.
#[derive(Clone, Copy, Debug)]
pub struct ParserData<'data> {
    /// The numbers, in the format `safetensors`.
    pub net: &'data [u8],
    /// The words with a vector of their own, one a line.
    pub words: &'data str,
    /// The names of relations, one a line.
    pub labels: &'data str,
    /// The rules for base forms.
    pub lemmas: &'data str,
}

/// A parser of sentences.
///
/// ```
/// use graphwright_english::parse::{Parser, Tag, split};
///
/// let text = "The gateway is not owned by the payments team.";
/// let sentences = split::sentences(text, &[], &[]);
/// let tree = &Parser::builtin()?.parse(&sentences)[0];
///
/// let verb = tree.root().unwrap_or_default();
/// assert_eq!((tree.lemma(verb), tree.tag(verb)), ("own", Tag::Verb));
/// let subject = tree.child(verb, "nsubj").unwrap_or_default();
/// assert_eq!((sentences[0][subject].text.as_str(), tree.relation(subject)), ("gateway", "nsubj:pass"));
/// # Ok::<(), graphwright_english::EnglishError>(())
/// ```
#[derive(Debug)]
pub struct Parser {
    net: Net,
    lemmas: Lemmas,
    relations: Arc<[Box<str>]>,
    continuation: usize,
}

impl Parser {
    /// The longest sentence that is parsed as one, in tokens; see [`Parser::parse`].
    pub const LONGEST: usize = 200;

    /// Returns the parser for English that is part of the program. The first call reads it (some milliseconds).
    pub fn builtin() -> Result<&'static Self> {
        BUILTIN.as_ref().map_err(Clone::clone)
    }

    /// Makes a parser of its files.
    pub fn read(data: ParserData<'_>) -> Result<Self> {
        let relations: Vec<Box<str>> = data.labels.split_terminator('\n').map(Into::into).collect();
        let continuation = relations.iter().position(|label| &**label == "parataxis");
        Ok(Self {
            net: Net::read(data.net, data.words, &relations)?,
            lemmas: Lemmas::read(data.lemmas)?,
            continuation: continuation.ok_or_else(|| EnglishError::damaged("no label `parataxis`"))?,
            relations: relations.into(),
        })
    }

    /// Returns the tree of each sentence, in their order. Many sentences at once are several times faster than one by one,
    /// and give the same trees but for rounding.
    ///
    /// A sentence of more than [`Parser::LONGEST`] tokens is parsed in pieces of so many; the roots of later pieces hang on the
    /// root of the first as `parataxis`. Time and memory thus grow with the number of tokens, never with its square.
    pub fn parse(&self, sentences: &[Vec<Token>]) -> Vec<Tree> {
        let mut pieces: Vec<(usize, &[Token])> = Vec::new();
        for (sentence, tokens) in sentences.iter().enumerate() {
            pieces.extend(tokens.chunks(Self::LONGEST).map(|piece| (sentence, piece)));
        }
        let mut order: Vec<usize> = (0..pieces.len()).collect();
        order.sort_by_key(|piece| std::cmp::Reverse(pieces[*piece].1.len()));
        let mut readings = vec![Vec::new(); pieces.len()];
        let rows = |piece: usize| pieces[piece].1.len() + 1;
        let batches = batches(&order, rows);
        let most = batches.iter().map(|batch| batch.iter().map(|piece| rows(*piece)).sum()).max();
        let mut room = self.net.room(most.unwrap_or_default());
        for batch in batches {
            let tokens: Vec<&[Token]> = batch.iter().map(|piece| pieces[*piece].1).collect();
            for (piece, read) in batch.iter().zip(self.net.parse(&tokens, &mut room)) {
                readings[*piece] = read;
            }
        }
        let mut nodes = vec![Vec::new(); sentences.len()];
        for ((sentence, tokens), read) in pieces.iter().zip(&readings) {
            self.append(&mut nodes[*sentence], tokens, read);
        }
        nodes.into_iter().map(|nodes| Tree::new(nodes, Arc::clone(&self.relations))).collect()
    }

    /// Adds the words of a piece to those of the pieces before it.
    fn append(&self, nodes: &mut Vec<Node>, tokens: &[Token], readings: &[Reading]) {
        let start = nodes.len();
        let first_root = nodes.iter().position(|node| node.head.is_none());
        nodes.extend(tokens.iter().zip(readings).map(|(token, reading)| {
            let (head, relation) = match (reading.head.checked_sub(1), first_root) {
                (Some(head), _) => (Some(start + head), reading.label),
                (None, Some(root)) => (Some(root), self.continuation),
                (None, None) => (None, reading.label),
            };
            Node { head, relation, tag: reading.tag, lemma: self.lemmas.of(&token.text, reading.tag) }
        }));
    }
}

/// Cuts the order, longest first, where a batch holds enough words.
fn batches(order: &[usize], rows: impl Fn(usize) -> usize) -> Vec<&[usize]> {
    let (mut batches, mut start, mut words) = (Vec::new(), 0, 0);
    for (end, piece) in order.iter().enumerate() {
        words += rows(*piece);
        if words >= WORDS_OF_BATCH {
            batches.push(&order[start..=end]);
            (start, words) = (end + 1, 0);
        }
    }
    batches.extend((start < order.len()).then(|| &order[start..]));
    batches
}
