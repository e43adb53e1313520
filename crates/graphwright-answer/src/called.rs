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

#[derive(Clone, Debug, Default)]
struct Phrases {
    names: Vec<String>,
    description: String,
}

impl Phrases {
    fn new(name: &str) -> Self {
        Self { names: vec![identifier_words(name).join(" ")], description: String::new() }
    }

    fn with(mut self, names: &[String], description: &str) -> Self {
        self.names.extend_from_slice(names);
        self.description.push(' ');
        self.description.push_str(description);
        self
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
        let property = |name: &String| {
            let declared = ontology.nodes.values().filter_map(|node| node.properties.get(name));
            declared.fold(Phrases::new(name), |all, own| all.with(&own.synonyms, &own.description))
        };
        let kind = |name: &String| match ontology.relationships.get(name) {
            Some(own) => Phrases::new(name)
                .with(&own.synonyms, &own.description)
                .with(&own.cues, "")
                .with(&own.inverse_cues, ""),
            None => Phrases::new(name),
        };
        Self {
            properties: schema.properties.iter().map(|info| property(&info.name)).collect(),
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
        let kind = self.kinds[usize::from(hop.kind)].clone();
        kind.with(&self.labels[usize::from(hop.to)].names, "").like(question)
    }
}
