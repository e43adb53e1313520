//! What parsing gives: a tree over the words of a sentence.

use std::{fmt, ops::Range, sync::Arc};

/// Defines the tags with their names in treebanks.
macro_rules! tags {
    ($($(#[$meta:meta])* $tag:ident $name:literal,)+) => {
        /// Classes of words, the same for all languages (<https://universaldependencies.org/u/pos/>).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Tag {
            $($(#[$meta])* $tag,)+
        }

        impl Tag {
            /// All tags, in the order of the net's outputs.
            pub const ALL: [Self; 17] = [$(Self::$tag),+];

            /// Returns the name that treebanks use.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$tag => $name,)+
                }
            }
        }
    };
}

tags! {
    /// Adjective.
    Adj "ADJ",
    /// Preposition or postposition.
    Adp "ADP",
    /// Adverb.
    Adv "ADV",
    /// Auxiliary verb, and the copula.
    Aux "AUX",
    /// Conjunction between equals.
    Cconj "CCONJ",
    /// Determiner.
    Det "DET",
    /// Interjection.
    Intj "INTJ",
    /// Noun.
    Noun "NOUN",
    /// Number.
    Num "NUM",
    /// Particle: the "to" of infinitives, "not", the possessive mark.
    Part "PART",
    /// Pronoun.
    Pron "PRON",
    /// Proper noun.
    Propn "PROPN",
    /// Punctuation.
    Punct "PUNCT",
    /// Conjunction that subordinates.
    Sconj "SCONJ",
    /// Symbol.
    Sym "SYM",
    /// Verb.
    Verb "VERB",
    /// Anything else.
    X "X",
}

impl fmt::Display for Tag {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl Tag {
    /// Returns the tag that treebanks call so.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tag| tag.name() == name)
    }
}

/// What a word is in its sentence.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) head: Option<usize>,
    pub(super) relation: usize,
    pub(super) tag: Tag,
    pub(super) lemma: String,
}

/// The dependency tree of a sentence. Words are numbered from 0, as the tokens were given.
///
/// A tree of a sentence with words has exactly one root. Relations are those of Universal Dependencies with their
/// subtypes (`nsubj:pass`); <https://universaldependencies.org/u/dep/> says what each means.
#[derive(Clone, PartialEq)]
pub struct Tree {
    nodes: Vec<Node>,
    relations: Arc<[Box<str>]>,
}

impl Tree {
    pub(super) fn new(nodes: Vec<Node>, relations: Arc<[Box<str>]>) -> Self {
        Self { nodes, relations }
    }

    /// Returns the number of words.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Tells whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the word that nothing stands above; `None` if there are no words.
    pub fn root(&self) -> Option<usize> {
        self.nodes.iter().position(|node| node.head.is_none())
    }

    /// Returns the head of a word; `None` for the root.
    pub fn head(&self, word: usize) -> Option<usize> {
        self.nodes.get(word).and_then(|node| node.head)
    }

    /// Returns what a word is to its head, as `nsubj:pass`; `root` for the root, nothing for a word that is not there.
    pub fn relation(&self, word: usize) -> &str {
        self.nodes.get(word).and_then(|node| self.relations.get(node.relation)).map_or("", |name| name)
    }

    /// Tells whether a word has a relation or a subtype of it: `nsubj:pass` is `nsubj` and `nsubj:pass`.
    pub fn is(&self, word: usize, relation: &str) -> bool {
        let rest = self.relation(word).strip_prefix(relation);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
    }

    /// Returns the class of a word; [`Tag::X`] for a word that is not there.
    pub fn tag(&self, word: usize) -> Tag {
        self.nodes.get(word).map_or(Tag::X, |node| node.tag)
    }

    /// Returns the base form of a word; nothing for a word that is not there.
    pub fn lemma(&self, word: usize) -> &str {
        self.nodes.get(word).map_or("", |node| &node.lemma)
    }

    /// Returns the words whose head a word is, from left to right.
    pub fn children(&self, word: usize) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(move |child| self.nodes[*child].head == Some(word))
    }

    /// Returns the first child with a relation, in the sense of [`Tree::is`].
    pub fn child(&self, word: usize, relation: &str) -> Option<usize> {
        self.children(word).find(|child| self.is(*child, relation))
    }

    /// Tells whether a word stands below another, or is that word.
    pub fn is_below(&self, word: usize, above: usize) -> bool {
        self.path(word).any(|at| at == above)
    }

    /// Returns a word, its head, the head of that, up to the root.
    pub fn path(&self, word: usize) -> impl Iterator<Item = usize> {
        let first = (word < self.len()).then_some(word);
        std::iter::successors(first, |at| self.head(*at)).take(self.len())
    }

    /// Returns the range from the first to the last word below a word, with itself. It may hold words that are not below it,
    /// where arcs cross.
    pub fn span(&self, word: usize) -> Range<usize> {
        let (mut first, mut last) = (word, word);
        for other in (0..self.len()).filter(|other| self.is_below(*other, word)) {
            first = first.min(other);
            last = last.max(other);
        }
        first..last + 1
    }
}

impl fmt::Debug for Tree {
    /// One line a word: its number, base form, class, the number of its head, its relation.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (word, node) in self.nodes.iter().enumerate() {
            let head = node.head.map_or_else(|| "-".to_owned(), |head| head.to_string());
            writeln!(formatter, "{word} {} {} {head} {}", node.lemma, node.tag, self.relation(word))?;
        }
        Ok(())
    }
}
