//! Names of entities, and parts and misspellings of them.

use std::collections::{HashMap, HashSet};

use graphwright_core::{
    Value, names as core_names,
    text::{are_comparable, likeness},
};
use graphwright_english::{
    questions::{Token, phrase_key, tokenize},
    words,
};
use graphwright_ontology::Ontology;
use graphwright_retrieve::{NodeIndex, Topology};

use crate::schema::Schema;

/// Names of all entities.
#[derive(Debug, Default)]
pub(crate) struct Names {
    keys: HashMap<String, Vec<NodeIndex>>,
    /// Entities by each word of their names, with how many words the name has.
    words: HashMap<String, Vec<(NodeIndex, u8)>>,
    /// Entities with a name in small letters.
    small: HashSet<NodeIndex>,
    /// The most words that a name has.
    pub(crate) longest: usize,
}

/// A span is compared letter by letter with names only in graphs of at most so many names.
const MOST_NAMES_FOR_SPELLING: usize = 20_000;

impl Names {
    pub(crate) fn build(topology: &Topology, schema: &Schema, ontology: &Ontology) -> Self {
        let mut names = Self { longest: 1, ..Self::default() };
        for node in topology.entities() {
            let content = topology.read_node(node);
            names.add(content.display_name(), node);
            for (property, value) in &content.properties {
                match value {
                    Value::String(text)
                        if matches!(property.as_str(), "title" | "full_name" | "fullName") =>
                    {
                        names.add(text, node);
                    }
                    Value::List(aliases) if property == core_names::ALIASES => {
                        aliases.iter().filter_map(Value::as_str).for_each(|alias| names.add(alias, node));
                    }
                    _ => {}
                }
            }
            let declared = schema.label_of(node).and_then(|label| ontology.nodes.get(schema.label(label)));
            if let Some(aliases) = declared.and_then(|node| node.aliases.get(content.display_name())) {
                for alias in aliases {
                    names.add(alias, node);
                }
            }
        }
        names
    }

    fn add(&mut self, name: &str, node: NodeIndex) {
        let tokens = tokenize(name);
        let plain: Vec<Token> = match tokens.first() {
            Some(first) if tokens.len() > 1 && words::is_article(&first.lower) => tokens[1..].to_vec(),
            _ => tokens.clone(),
        };
        for form in [&tokens, &plain] {
            let key = phrase_key(form);
            if key.is_empty() {
                continue;
            }
            let nodes = self.keys.entry(key).or_default();
            if !nodes.contains(&node) {
                nodes.push(node);
            }
        }
        self.longest = self.longest.max(tokens.len());
        if !tokens.iter().any(Token::is_capital) {
            self.small.insert(node);
        }
        let length = u8::try_from(plain.len()).unwrap_or(u8::MAX);
        for token in plain.iter().filter(|token| !words::is_filler(&token.lower)) {
            let nodes = self.words.entry(token.lower.clone()).or_default();
            if nodes.last().is_none_or(|last| last.0 != node) {
                nodes.push((node, length));
            }
        }
    }

    /// Entities whose name or alias the span is.
    pub(crate) fn exact(&self, tokens: &[Token]) -> &[NodeIndex] {
        self.keys.get(&phrase_key(tokens)).map_or(&[], Vec::as_slice)
    }

    /// Whether the entity's name is written in small letters, as the words are.
    pub(crate) fn is_small(&self, node: NodeIndex, tokens: &[Token]) -> bool {
        self.small.contains(&node) || tokens.iter().any(Token::is_capital)
    }

    /// Entities whose name has all words of the span among others, with how much of the name they are; none when more than
    /// `limit` have them.
    pub(crate) fn partial(&self, tokens: &[Token], limit: usize) -> Vec<(NodeIndex, f64)> {
        let mut found: Option<Vec<(NodeIndex, u8)>> = None;
        let mut matched = 0_u8;
        for token in tokens.iter().filter(|token| !words::is_filler(&token.lower)) {
            let Some(nodes) = self.words.get(&token.lower) else { return Vec::new() };
            matched += 1;
            found = Some(match found {
                None => nodes.clone(),
                Some(before) => {
                    before.into_iter().filter(|(node, _)| nodes.iter().any(|n| n.0 == *node)).collect()
                }
            });
        }
        let found = found.unwrap_or_default();
        if found.len() > limit {
            return Vec::new();
        }
        found
            .into_iter()
            .map(|(node, length)| (node, f64::from(matched) / f64::from(length.max(1))))
            .collect()
    }

    /// Entities whose name is the span but for a letter or two; digits must agree.
    pub(crate) fn misspelled(&self, tokens: &[Token]) -> Vec<(NodeIndex, f64)> {
        let key = phrase_key(tokens);
        let length = key.chars().count();
        if length < 5 || !are_comparable(&key, "") || self.keys.len() > MOST_NAMES_FOR_SPELLING {
            return Vec::new();
        }
        let allowed = if length < 9 { 1 } else { 2 };
        let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
        let mut best: Vec<(NodeIndex, f64)> = Vec::new();
        for (other, nodes) in &self.keys {
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
        if key.is_empty() || self.keys.len() > MOST_NAMES_FOR_SPELLING * 5 {
            return Vec::new();
        }
        let scored = self.keys.iter().map(|(other, nodes)| (likeness(&key, other), other, nodes[0]));
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
