//! What properties and relationships are called, to compare questions with in meaning.

use graphwright_core::text::identifier_words;
use graphwright_llm::BuiltinEmbedder;
use graphwright_ontology::Ontology;

use crate::{
    quote::dot,
    schema::{Hop, Property, Schema},
};

/// What properties and relationships are called, their names first, then what the ontology says besides.
#[derive(Debug)]
pub(crate) struct Called {
    properties: Vec<Phrases>,
    kinds: Vec<Phrases>,
    /// The names of the types.
    labels: Vec<Phrases>,
}

#[derive(Clone, Debug)]
struct Phrases {
    names: Vec<String>,
    description: String,
}

impl Phrases {
    fn new(name: &str) -> Self {
        Self { names: vec![identifier_words(name).join(" ")], description: String::new() }
    }

    fn add(&mut self, names: &[String], description: &str) {
        self.names.extend_from_slice(names);
        self.description.push(' ');
        self.description.push_str(description);
    }

    /// How like a question they are: the likest of the names, and all together.
    fn like(&self, question: &[f32]) -> f64 {
        let embedder = BuiltinEmbedder::new();
        let like = |text: &str| dot(question, &embedder.embed_text(text).unwrap_or_default());
        let likest = self.names.iter().map(|name| like(name)).fold(0.0, f64::max);
        let together = format!("{} {}", self.names.join(" "), self.description);
        f64::midpoint(likest, like(&together))
    }
}

impl Called {
    pub(crate) fn read(schema: &Schema, ontology: &Ontology) -> Self {
        let mut properties: Vec<Phrases> =
            schema.properties.iter().map(|info| Phrases::new(&info.name)).collect();
        for (name, own) in ontology.nodes.values().flat_map(|node| &node.properties) {
            if let Some(property) = schema.property_called(name) {
                properties[usize::from(property)].add(&own.synonyms, &own.description);
            }
        }
        let kind = |name: &String| {
            let mut phrases = Phrases::new(name);
            if let Some(own) = ontology.relationships.get(name) {
                phrases.add(&own.synonyms, &own.description);
                phrases.add(&own.cues, "");
                phrases.add(&own.inverse_cues, "");
            }
            phrases
        };
        Self {
            properties,
            kinds: schema.kinds.iter().map(kind).collect(),
            labels: schema.labels.iter().map(|name| Phrases::new(name)).collect(),
        }
    }

    /// How like a question, as a vector, a property is.
    pub(crate) fn property_like(&self, property: Property, question: &[f32]) -> f64 {
        self.properties[usize::from(property)].like(question)
    }

    /// How like a question, as a vector, a relationship is together with the type at its other end.
    pub(crate) fn hop_like(&self, hop: Hop, question: &[f32]) -> f64 {
        let mut phrases = self.kinds[usize::from(hop.kind)].clone();
        phrases.add(&self.labels[usize::from(hop.to)].names, "");
        phrases.like(question)
    }
}
