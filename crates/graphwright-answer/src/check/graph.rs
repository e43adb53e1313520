//! What the check knows of a graph: its names and the phrases of its relationships.

use graphwright_core::text::identifier_words;
use graphwright_english::{inflection::base_stem, questions::Token};
use graphwright_retrieve::Topology;

use crate::{
    interpret::Interpreter,
    lexicon::{Names, PhraseMatch, Spot},
};

/// The graph that answers are about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Graph<'a> {
    interpreter: &'a Interpreter,
    topology: &'a Topology,
}

impl<'a> Graph<'a> {
    pub(super) fn new(interpreter: &'a Interpreter, topology: &'a Topology) -> Self {
        Self { interpreter, topology }
    }

    pub(super) fn names(&self) -> &'a Names {
        &self.interpreter.lexicon.names
    }

    /// Identifiers of the things whose name a span of words is. A word alone must be written as the name is: `speed` is no film.
    pub(super) fn named(&self, span: &[Token]) -> Vec<String> {
        let nodes = self.names().exact(span).into_iter();
        let written = nodes.filter(|node| span.len() > 1 || self.names().is_small(*node, span));
        written.map(|node| self.topology.node(node).id().to_owned()).collect()
    }

    /// Ways to read the phrase of a relationship at a place.
    pub(super) fn phrases(&self, spot: Spot<'_>) -> Vec<PhraseMatch> {
        self.interpreter.lexicon.frames.find(spot)
    }

    /// The name of a relationship type of a phrase.
    pub(super) fn kind(&self, kind: u16) -> &'a str {
        self.interpreter.schema.kind(kind)
    }

    /// Tells whether a word belongs to the graph's own terms: to a type, a relationship type or a property.
    pub(super) fn is_term(&self, stem: &str) -> bool {
        let schema = &self.interpreter.schema;
        let properties = schema.properties.iter().map(|property| &property.name);
        let mut terms = schema.labels.iter().chain(&schema.kinds).chain(properties);
        terms.any(|term| identifier_words(term).iter().any(|word| base_stem(word) == stem))
    }
}
