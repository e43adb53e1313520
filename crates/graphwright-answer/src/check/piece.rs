//! A piece of evidence, prepared for comparison.

use graphwright_english::questions::{Token, phrase_key, tokenize};

use super::{Citable, quantities::Quantities, sentence::EvidenceName};

/// A fact that a piece tells.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fact {
    pub(super) from: String,
    pub(super) kind: String,
    pub(super) to: String,
    /// The fact as it is drawn: `Ada -OWNS-> ledger`.
    pub(super) drawn: String,
}

#[derive(Debug)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) tokens: Vec<Token>,
    pub(super) quantities: Quantities,
    pub(super) facts: Vec<Fact>,
    pub(super) named: Vec<EvidenceName>,
    pub(super) failed: bool,
}

impl Piece {
    pub(super) fn new(evidence: Citable) -> Self {
        let Citable { text, paths, failed } = evidence;
        let mut facts: Vec<Fact> = Vec::new();
        let mut named: Vec<EvidenceName> = Vec::new();
        for path in &paths {
            for node in &path.nodes {
                let key = phrase_key(&tokenize(&node.name));
                if !named.iter().any(|known| known.id == node.id) {
                    named.push(EvidenceName { key, id: node.id.clone() });
                }
            }
            let name = |id: &str| path.nodes.iter().find(|node| node.id == id).map_or("", |node| &node.name);
            for relationship in &path.relationships {
                let drawn = format!(
                    "{} -{}-> {}",
                    name(&relationship.from),
                    relationship.kind,
                    name(&relationship.to)
                );
                let (from, to) = (relationship.from.clone(), relationship.to.clone());
                let fact = Fact { from, kind: relationship.kind.clone(), to, drawn };
                if !facts.contains(&fact) {
                    facts.push(fact);
                }
            }
        }
        let (tokens, quantities) = (tokenize(&text), Quantities::read(&text));
        Self { text, tokens, quantities, facts, named, failed }
    }

    /// Tells whether its facts tell of a thing.
    pub(super) fn names(&self, id: &str) -> bool {
        self.named.iter().any(|name| name.id == id)
    }
}
