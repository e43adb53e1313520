//! What the schema's types, properties and relationships are called, to compare questions with in meaning.

use std::sync::OnceLock;

use graphwright_core::{names, text::identifier_words};
use graphwright_llm::BuiltinEmbedder;
use graphwright_ontology::Ontology;

use crate::{
    quote::dot,
    schema::{Content, Hop, Kind, Label, Property, PropertyInfo, Schema, is_identifier},
};

/// How like what something is called words must be to mean it, as a cosine.
pub(crate) const LEAST_LIKE: f64 = 0.55;
/// How much liker they must be than what is called otherwise.
pub(crate) const LEAST_MARGIN: f64 = 0.05;

/// What types, properties and relationships are called, their names first, then what the ontology says besides.
#[derive(Debug)]
pub(crate) struct Called {
    properties: Vec<Phrases>,
    kinds: Vec<Phrases>,
    labels: Vec<Phrases>,
}

/// What words that the schema does not have mean most likely in it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Likest {
    /// One of these.
    Properties(Vec<Property>),
    Kind(Kind),
    Label(Label),
}

#[derive(Debug, Default)]
struct Phrases {
    names: Vec<String>,
    description: String,
    /// Those of the names, and that of all together.
    vectors: OnceLock<(Vec<Vec<f32>>, Vec<f32>)>,
}

impl Phrases {
    fn new(name: &str) -> Self {
        Self { names: vec![identifier_words(name).join(" ")], ..Self::default() }
    }

    fn add(&mut self, names: &[String], description: &str) {
        self.names.extend_from_slice(names);
        self.description.push(' ');
        self.description.push_str(description);
    }

    /// What both are called.
    fn with(&self, other: &Self) -> Self {
        Self {
            names: [self.names.as_slice(), &other.names].concat(),
            description: format!("{} {}", self.description, other.description),
            ..Self::default()
        }
    }

    /// How like a question they are: the likest of the names, and all together.
    fn like(&self, question: &[f32]) -> f64 {
        let (names, together) = self.vectors.get_or_init(|| {
            let together = format!("{} {}", self.names.join(" "), self.description);
            (self.names.iter().map(|name| vector(name)).collect(), vector(&together))
        });
        let likest = names.iter().map(|name| dot(question, name)).fold(0.0, f64::max);
        f64::midpoint(likest, dot(question, together))
    }
}

/// Tells whether a property is what things are called by, or the store's own.
pub(crate) fn is_name(name: &str) -> bool {
    matches!(name, names::NAME | names::ALIASES) || names::is_reserved(name)
}

/// Of words, nothing where they cannot be embedded: that is like nothing.
fn vector(text: &str) -> Vec<f32> {
    BuiltinEmbedder::new().embed_text(text).unwrap_or_default()
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
        let label = |name: &String| {
            let mut phrases = Phrases::new(name);
            if let Some(own) = ontology.nodes.get(name) {
                phrases.add(&own.synonyms, &own.description);
            }
            phrases
        };
        Self {
            properties,
            kinds: schema.kinds.iter().map(kind).collect(),
            labels: schema.labels.iter().map(label).collect(),
        }
    }

    /// How like a question, as a vector, a property is.
    pub(crate) fn property_like(&self, property: Property, question: &[f32]) -> f64 {
        self.properties[usize::from(property)].like(question)
    }

    /// How like a question, as a vector, a relationship is together with the type at its other end.
    pub(crate) fn hop_like(&self, hop: Hop, question: &[f32]) -> f64 {
        self.kinds[usize::from(hop.kind)].with(&self.labels[usize::from(hop.to)]).like(question)
    }

    /// What words mean most likely, with how like them it is.
    pub(crate) fn likest(&self, words: &str, schema: &Schema) -> Option<(Likest, f64)> {
        let words = vector(words);
        let rated = |phrases: &[Phrases]| -> Vec<f64> {
            phrases.iter().map(|phrases| phrases.like(&words)).collect()
        };
        let (mut properties, kinds, labels) =
            (rated(&self.properties), rated(&self.kinds), rated(&self.labels));
        // Nobody asks for a name or a key in other words.
        for (info, like) in schema.properties.iter().zip(&mut properties) {
            if is_name(&info.name) || is_identifier(&info.name) {
                *like = 0.0;
            }
        }
        let best = |rated: &[f64]| {
            rated
                .iter()
                .copied()
                .enumerate()
                .max_by(|left, right| left.1.total_cmp(&right.1))
                .unwrap_or((0, 0.0))
        };
        let ((_, property), (kind, kind_like), (label, label_like)) =
            (best(&properties), best(&kinds), best(&labels));
        let mut likest = [
            (property, Likest::Properties(near(&properties, property))),
            (kind_like, Likest::Kind(kind as Kind)),
            (label_like, Likest::Label(label as Label)),
        ];
        likest.sort_by(|left, right| right.0.total_cmp(&left.0));
        let [(like, meant), (next, _), _] = likest;
        (like >= LEAST_LIKE && like - next >= LEAST_MARGIN).then_some((meant, like))
    }

    /// The numbers that an adjective measures most likely.
    pub(crate) fn measures_like(&self, adjective: &str, schema: &Schema) -> Vec<Property> {
        let adjective = vector(adjective);
        let rate = |(phrases, info): (&Phrases, &PropertyInfo)| {
            if info.content == Content::Number { phrases.like(&adjective) } else { 0.0 }
        };
        let rated: Vec<f64> = self.properties.iter().zip(&schema.properties).map(rate).collect();
        let best = rated.iter().copied().fold(0.0, f64::max);
        if best >= LEAST_LIKE { near(&rated, best) } else { Vec::new() }
    }
}

/// The properties that are nearly as like as the likest.
fn near(rated: &[f64], best: f64) -> Vec<Property> {
    let is_near = |(_, like): &(usize, &f64)| **like > best - LEAST_MARGIN;
    rated.iter().enumerate().filter(is_near).map(|(number, _)| number as Property).collect()
}
