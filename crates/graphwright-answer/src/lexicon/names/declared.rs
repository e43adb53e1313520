//! Names that the ontology declares for single entities.

use std::collections::HashMap;

use graphwright_english::{
    questions::{phrase_key, tokenize},
    words,
};
use graphwright_ontology::Ontology;
use graphwright_retrieve::{NodeIndex, Topology, Vocabulary};

use super::{keys, without_article};
use crate::schema::Schema;

/// Aliases of the ontology, with the entities that they stand for.
#[derive(Debug, Default)]
pub(super) struct Declared {
    aliases: HashMap<NodeIndex, Vec<String>>,
    keys: HashMap<String, Vec<NodeIndex>>,
    words: HashMap<String, Vec<(NodeIndex, u8)>>,
    pub(super) longest: usize,
}

impl Declared {
    pub(super) fn read(
        topology: &Topology,
        vocabulary: &Vocabulary,
        schema: &Schema,
        ontology: &Ontology,
    ) -> Self {
        let mut declared = Self::default();
        for (kind, node) in &ontology.nodes {
            for (name, aliases) in &node.aliases {
                let called = vocabulary.named(&phrase_key(&tokenize(name)));
                let is_meant = |index: &NodeIndex| {
                    schema.label_of(*index).is_some_and(|label| schema.label(label) == kind)
                        && topology.node(*index).display_name() == name
                };
                for index in called.filter(is_meant) {
                    for alias in aliases {
                        declared.add(alias, index);
                    }
                }
            }
        }
        declared
    }

    fn add(&mut self, alias: &str, node: NodeIndex) {
        self.aliases.entry(node).or_default().push(alias.to_owned());
        for key in keys(alias) {
            self.keys.entry(key).or_default().push(node);
        }
        let tokens = tokenize(alias);
        self.longest = self.longest.max(tokens.len());
        let plain = without_article(&tokens);
        let length = u8::try_from(plain.len()).unwrap_or(u8::MAX);
        for token in plain.iter().filter(|token| !words::is_filler(&token.lower)) {
            let nodes = self.words.entry(token.lower.clone()).or_default();
            if !nodes.iter().any(|(other, _)| *other == node) {
                nodes.push((node, length));
            }
        }
    }

    /// Returns the number of different names.
    pub(super) fn count(&self) -> usize {
        self.keys.len()
    }

    pub(super) fn named(&self, key: &str) -> &[NodeIndex] {
        self.keys.get(key).map_or(&[], Vec::as_slice)
    }

    pub(super) fn with_word(&self, word: &str) -> &[(NodeIndex, u8)] {
        self.words.get(word).map_or(&[], Vec::as_slice)
    }

    /// Returns the aliases of an entity.
    pub(super) fn of(&self, node: NodeIndex) -> impl Iterator<Item = &str> {
        self.aliases.get(&node).into_iter().flatten().map(String::as_str)
    }
}
