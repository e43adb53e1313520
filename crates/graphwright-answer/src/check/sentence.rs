//! A statement as it is compared with evidence: its words, its tree, and the things that it names.

use std::ops::Range;

use graphwright_english::{
    parse::{Parser, Token, Tree, split},
    questions::{self, phrase_key},
    words,
};

use super::graph::Graph;

/// A name in a statement.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mention {
    pub(super) range: Range<usize>,
    /// Identifiers of the things that have the name.
    pub(super) ids: Vec<String>,
}

/// A statement with its tree.
#[derive(Debug)]
pub(super) struct Sentence {
    pub(super) text: String,
    pub(super) words: Vec<questions::Token>,
    pub(super) mentions: Vec<Mention>,
    pub(super) tokens: Vec<Token>,
    pub(super) tree: Tree,
}

/// A name by which things of the evidence are found.
#[derive(Clone, Debug)]
pub(super) struct EvidenceName {
    pub(super) key: String,
    pub(super) id: String,
}

impl Sentence {
    /// Reads the sentences of a statement. Names are those of the graph and of the evidence.
    pub(super) fn read_all(text: &str, names: &[EvidenceName], graph: Option<Graph<'_>>) -> Vec<Self> {
        let Ok(parser) = Parser::builtin() else { return Vec::new() };
        let mentions = mentions(text, names, graph);
        let ranges: Vec<Range<usize>> = mentions.iter().map(|mention| mention.range.clone()).collect();
        let sentences = split::sentences(text, &ranges, &[]);
        let trees = parser.parse(&sentences);
        let words = questions::tokenize(text);
        let pairs = sentences.into_iter().zip(trees);
        pairs
            .filter_map(|(tokens, tree)| {
                let range = tokens.first()?.range.start..tokens.last()?.range.end;
                let within = |mention: &&Mention| range.contains(&mention.range.start);
                Some(Self {
                    text: text.to_owned(),
                    words: words.iter().filter(|word| range.contains(&word.start)).cloned().collect(),
                    mentions: mentions.iter().filter(within).cloned().collect(),
                    tokens,
                    tree,
                })
            })
            .collect()
    }

    /// The mention that a token of the tree is.
    pub(super) fn mention_at(&self, token: usize) -> Option<&Mention> {
        let range = &self.tokens.get(token)?.range;
        self.mentions
            .iter()
            .find(|mention| mention.range.start <= range.start && range.end <= mention.range.end)
    }

    /// The token of the tree in lower case, with straight apostrophes.
    pub(super) fn lower(&self, token: usize) -> String {
        self.tokens.get(token).map_or_else(String::new, |token| token.text.to_lowercase().replace('’', "'"))
    }
}

/// Finds the names in a text, the longest first where several begin at a place.
pub(super) fn mentions(text: &str, names: &[EvidenceName], graph: Option<Graph<'_>>) -> Vec<Mention> {
    /// The most words of a name of the evidence.
    const LONGEST: usize = 12;
    let tokens = questions::tokenize(text);
    let longest = graph.map_or(LONGEST, |graph| graph.names().longest.clamp(LONGEST, 30));
    let mut found: Vec<Mention> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let most = longest.min(tokens.len() - at);
        let named = (1..=most).rev().find_map(|length| {
            let span = &tokens[at..at + length];
            // A word alone, in small letters, may be just a word.
            let is_word = length == 1 && !span[0].is_capital() && is_ordinary(&span[0].lower);
            if is_word || span[length - 1].is_possessive() {
                return None;
            }
            let key = phrase_key(span);
            let mut ids: Vec<String> =
                names.iter().filter(|name| name.key == key).map(|name| name.id.clone()).collect();
            ids.extend(graph.into_iter().flat_map(|graph| graph.named(span)));
            ids.sort();
            ids.dedup();
            let range = span[0].start..span[length - 1].end;
            (!ids.is_empty()).then_some((Mention { range, ids }, length))
        });
        match named {
            Some((mention, length)) => {
                found.push(mention);
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

/// Tells whether a word in small letters is likelier a word than a name.
fn is_ordinary(lower: &str) -> bool {
    words::is_closed(lower)
        || words::is_filler(lower)
        || words::is_common_verb(lower)
        || words::is_function_word(lower)
        || words::is_generic_noun(lower)
        || words::is_class_noun(lower)
}
