//! Names of entities, and parts and misspellings of them.

mod declared;

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use graphwright_core::text::{are_comparable, likeness, without_bracket};
use graphwright_english::{
    inflection,
    questions::{Token, phrase_key, tokenize},
    words,
};
use graphwright_ontology::Ontology;
use graphwright_retrieve::{NodeIndex, Topology, Vocabulary, names_of};

use self::declared::Declared;
use crate::schema::Schema;

/// Names of all entities.
#[derive(Debug)]
pub(crate) struct Names {
    topology: Topology,
    vocabulary: Arc<Vocabulary>,
    declared: Declared,
    /// The keys of all names in a small graph, made when they are first needed.
    spellings: OnceLock<HashMap<String, Vec<NodeIndex>>>,
    /// The most words that a name has.
    pub(crate) longest: usize,
}

/// At most so many names that have all words of a span are compared.
const MOST_COMPARED: usize = 5_000;
/// Of so many entities at most the names are read.
const MOST_READ: usize = 500;
/// A span is compared letter by letter with names only in graphs of at most so many names.
const MOST_NAMES_FOR_SPELLING: usize = 20_000;

impl Names {
    pub(crate) fn build(
        topology: &Topology,
        vocabulary: Arc<Vocabulary>,
        schema: &Schema,
        ontology: &Ontology,
    ) -> Self {
        let declared = Declared::read(topology, &vocabulary, schema, ontology);
        let longest = vocabulary.longest_name().max(declared.longest);
        Self { topology: topology.clone(), vocabulary, declared, spellings: OnceLock::new(), longest }
    }

    /// Entities whose name or alias the span is.
    pub(crate) fn exact(&self, tokens: &[Token]) -> Vec<NodeIndex> {
        let key = phrase_key(tokens);
        let mut nodes: Vec<NodeIndex> = self.vocabulary.named(&key).collect();
        let declared = self.declared.named(&key);
        if !declared.is_empty() {
            nodes.extend(declared);
            nodes.sort_unstable();
            nodes.dedup();
        }
        nodes
    }

    /// Whether the entity's name is written in small letters, as the words are.
    pub(crate) fn is_small(&self, node: NodeIndex, tokens: &[Token]) -> bool {
        let is_small = |name: &str| !tokenize(name).iter().any(Token::is_capital);
        tokens.iter().any(Token::is_capital)
            || names_of(self.topology.node(node)).any(is_small)
            || self.declared.of(node).any(is_small)
    }

    /// Entities whose name has all words of the span among others, at most so many, in order. None if there are more.
    pub(crate) fn with_words(&self, tokens: &[Token], limit: usize) -> Vec<NodeIndex> {
        let mut nodes: Vec<NodeIndex> = self.having(tokens).into_iter().map(|(node, _)| node).collect();
        nodes.sort_unstable();
        if nodes.len() > limit { Vec::new() } else { nodes }
    }

    /// Entities whose name has all words of the span among others, with how much of the name they are: of more than
    /// `limit`, those of whose name they are most, if these are so few.
    pub(crate) fn partial(&self, tokens: &[Token], limit: usize) -> Vec<(NodeIndex, f64)> {
        let mut nodes = self.having(tokens);
        if nodes.len() > limit && !self.are_at_most(limit, &nodes) {
            // `Memphis` is the airport, not each of the strikes that are called by airport and day.
            let most = nodes.iter().map(|(_, share)| *share).fold(0.0, f64::max);
            nodes.retain(|(_, share)| *share >= most);
        }
        if nodes.len() > limit && !self.are_at_most(limit, &nodes) {
            return Vec::new();
        }
        nodes.sort_unstable_by_key(|(node, _)| *node);
        nodes
    }

    /// Entities whose name has all words of the span among others, with how much of the name they are.
    fn having(&self, tokens: &[Token]) -> Vec<(NodeIndex, f64)> {
        // `The CVE of RUSTSEC-1` is no name, `the metadata PEP, number 241` may be two.
        let joined = tokens.iter().any(|token| words::is_preposition(&token.lower));
        // `The Cubs since 2000` are not those of 2000.
        if tokens.iter().any(|token| words::is_comparing(&token.lower)) {
            return Vec::new();
        }
        let tokens: Vec<&Token> = tokens.iter().filter(|token| !words::is_filler(&token.lower)).collect();
        // `Pistols` are more than one `PISTOL, CALIBER .45`.
        let list = |token: &&Token| {
            let found = self.with_word(&token.lower);
            // `Comes` is no name that has `come`.
            let is_verb = words::is_likely_verb(&token.lower);
            if found.len() > 0 || is_verb {
                return found;
            }
            self.with_word(&inflection::singular(&token.lower))
        };
        let lists: Vec<WithWord<'_>> = tokens.iter().map(list).collect();
        let (Some(first), Some(shortest)) = (lists.first(), lists.iter().min_by_key(|list| list.len()))
        else {
            return Vec::new();
        };
        let has_all = |node: &NodeIndex| {
            lists.iter().all(|list| list.length(*node).is_some())
                && (!joined || self.has_in_one_name(*node, &tokens))
        };
        let nodes: Vec<NodeIndex> = shortest.nodes().filter(has_all).take(MOST_COMPARED).collect();
        let length = |node| u32::from(first.length(node).unwrap_or(1));
        let share = |node, length: u32| (node, lists.len() as f64 / f64::from(length.max(1)));
        // Of very many, the names are not read.
        if nodes.len() > MOST_READ {
            return nodes.into_iter().map(|node| share(node, length(node))).collect();
        }
        let told_apart = |node| {
            let own = length(node).saturating_sub(self.told_apart_by(node, &tokens)?);
            Some(share(node, own.max(lists.len() as u32)))
        };
        nodes.into_iter().filter_map(told_apart).collect()
    }

    /// How many words tell a thing apart from others of its name (`Reds (2001)`) that are none of these. `None` if these are
    /// nothing but such words.
    fn told_apart_by(&self, node: NodeIndex, wanted: &[&Token]) -> Option<u32> {
        let name = self.topology.node(node).display_name();
        let (alone, bracket) = name.split_at(without_bracket(name).len());
        if bracket.is_empty() {
            return Some(0);
        }
        let has_one = |name: &str| {
            let own = tokenize(name);
            let is_it = |word: &Token, own: &Token| own.lower == word.lower || own.stem == word.stem;
            wanted.iter().any(|word| own.iter().any(|own| is_it(word, own)))
        };
        let others = names_of(self.topology.node(node)).filter(|other| *other != name);
        let is_known = others.chain([alone]).any(has_one);
        let unsaid = tokenize(bracket);
        let unsaid = unsaid.iter().filter(|word| !wanted.iter().any(|wanted| wanted.lower == word.lower));
        is_known.then(|| unsaid.count() as u32)
    }

    /// Tells whether so many names are those of all nodes, without what tells nodes of one name apart: `Reds (2001)`.
    fn are_at_most(&self, limit: usize, nodes: &[(NodeIndex, f64)]) -> bool {
        if nodes.len() > MOST_READ {
            return false;
        }
        let name = |(node, _): &(NodeIndex, f64)| self.topology.node(*node).display_name();
        let mut names: Vec<&str> = Vec::new();
        nodes.iter().all(|node| {
            let name = without_bracket(name(node));
            if !names.contains(&name) {
                names.push(name);
            }
            names.len() <= limit
        })
    }

    /// Tells whether one of the names of an entity has all of some words: not one word here and the other in an alias.
    pub(crate) fn has_in_one_name(&self, node: NodeIndex, wanted: &[&Token]) -> bool {
        let has_all = |name: &str| {
            let own = tokenize(name);
            wanted.iter().all(|word| own.iter().any(|own| own.lower == word.lower))
        };
        names_of(self.topology.node(node)).any(has_all) || self.declared.of(node).any(has_all)
    }

    fn with_word(&self, word: &str) -> WithWord<'_> {
        WithWord { written: self.vocabulary.with_word(word), declared: self.declared.with_word(word) }
    }

    /// The keys of all names.
    fn spellings(&self) -> &HashMap<String, Vec<NodeIndex>> {
        self.spellings.get_or_init(|| {
            let mut spellings: HashMap<String, Vec<NodeIndex>> = HashMap::new();
            for node in self.topology.entities() {
                let content = self.topology.read_node(node);
                for key in names_of(&content).chain(self.declared.of(node)).flat_map(keys) {
                    let nodes = spellings.entry(key).or_default();
                    if !nodes.contains(&node) {
                        nodes.push(node);
                    }
                }
            }
            spellings
        })
    }

    fn count(&self) -> usize {
        self.vocabulary.name_count() + self.declared.count()
    }

    /// Entities whose name is the span but for a letter or two; digits must agree.
    pub(crate) fn misspelled(&self, tokens: &[Token]) -> Vec<(NodeIndex, f64)> {
        let key = phrase_key(tokens);
        let length = key.chars().count();
        if length < 5 || !are_comparable(&key, "") || self.count() > MOST_NAMES_FOR_SPELLING {
            return Vec::new();
        }
        let allowed = if length < 9 { 1 } else { 2 };
        let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
        let mut best: Vec<(NodeIndex, f64)> = Vec::new();
        for (other, nodes) in self.spellings() {
            if other.len().abs_diff(key.len()) > allowed || digits(other) != digits(&key) {
                continue;
            }
            let distance = strsim::osa_distance(&key, other);
            if distance > 0 && distance <= allowed {
                best.extend(nodes.iter().map(|&node| (node, 0.9 - 0.1 * distance as f64)));
            }
        }
        best.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        best.truncate(3);
        best
    }

    /// Entities whose names look like the text, best first, for hints.
    pub(crate) fn nearest(&self, text: &str, count: usize) -> Vec<NodeIndex> {
        let key = phrase_key(&tokenize(text));
        if key.is_empty() || self.count() > MOST_NAMES_FOR_SPELLING * 5 {
            return Vec::new();
        }
        let scored = self.spellings().iter().map(|(other, nodes)| (likeness(&key, other), other, nodes[0]));
        let mut scored: Vec<_> = scored.filter(|(score, ..)| *score > 0.8).collect();
        scored.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(right.1)));
        let mut nodes: Vec<NodeIndex> = Vec::new();
        for (_, _, node) in scored {
            if !nodes.contains(&node) {
                nodes.push(node);
            }
        }
        nodes.truncate(count);
        nodes
    }
}

/// The entities that have a word in a name, each with the number of words of that name.
struct WithWord<'a> {
    written: graphwright_retrieve::WithWord<'a>,
    /// By aliases that the ontology declares.
    declared: &'a [(NodeIndex, u8)],
}

impl WithWord<'_> {
    fn len(&self) -> usize {
        self.written.len() + self.declared.len()
    }

    fn length(&self, node: NodeIndex) -> Option<u8> {
        let declared = || self.declared.iter().find(|(other, _)| *other == node).map(|(_, length)| *length);
        self.written.length(node).or_else(declared)
    }

    fn nodes(&self) -> impl Iterator<Item = NodeIndex> {
        let declared = self.declared.iter().map(|(node, _)| *node);
        let declared = declared.filter(|node| self.written.length(*node).is_none());
        self.written.iter().map(|(node, _)| node).chain(declared)
    }
}

/// The phrase keys of a name, with the article before it and without.
fn keys(name: &str) -> impl Iterator<Item = String> + use<> {
    let tokens = tokenize(name);
    let keys = [phrase_key(&tokens), phrase_key(without_article(&tokens))];
    keys.into_iter().filter(|key| !key.is_empty())
}

fn without_article(tokens: &[Token]) -> &[Token] {
    match tokens {
        [first, rest @ ..] if !rest.is_empty() && words::is_article(&first.lower) => rest,
        _ => tokens,
    }
}
