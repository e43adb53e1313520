//! The words that point into a graph: taken from its ontology, its schema, its names and its values.

mod frames;
mod names;

use std::collections::{BTreeSet, HashMap, HashSet};

use graphwright_core::{
    Value, names as core_names,
    text::{identifier_words, likeness},
};
use graphwright_english::{
    derivation::derivations,
    inflection::{self, base_stem},
    questions::{Token, phrase_key, tokenize},
    thesaurus, words,
};
use graphwright_ontology::Ontology;
use graphwright_retrieve::{Role, Topology};

pub(crate) use frames::{Frames, PhraseMatch, Reading, Shape, Spot, Voice};
pub(crate) use names::Names;

use crate::schema::{Label, Property, Schema};

/// What a phrase may mean, relationships and names apart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Meaning {
    Type(Label),
    Property(Property),
    Value(Property, Value),
}

/// A meaning with how well the phrase says it, from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sense {
    pub(crate) meaning: Meaning,
    pub(crate) weight: f64,
}

/// All vocabulary of a graph.
#[derive(Debug)]
pub(crate) struct Lexicon {
    phrases: HashMap<String, Vec<Sense>>,
    values: HashMap<String, Vec<Sense>>,
    pub(crate) longest: usize,
    pub(crate) frames: Frames,
    pub(crate) names: Names,
}

/// Values longer than this many characters or words are text, not something one asks for by name.
const LONGEST_VALUE: (usize, usize) = (60, 6);

impl Lexicon {
    pub(crate) fn build(topology: &Topology, schema: &Schema, ontology: &Ontology) -> Self {
        let mut lexicon = Self {
            phrases: HashMap::new(),
            values: HashMap::new(),
            longest: 1,
            frames: Frames::build(schema, ontology),
            names: Names::build(topology, schema, ontology),
        };
        lexicon.add_types(schema, ontology);
        lexicon.add_properties(schema, ontology);
        lexicon.add_values(topology, schema);
        lexicon
    }

    /// What a span of words may mean as a type or a property.
    pub(crate) fn phrases(&self, tokens: &[Token]) -> &[Sense] {
        self.phrases.get(&stem_key(tokens)).map_or(&[], Vec::as_slice)
    }

    /// Whether a word is one for a type.
    pub(crate) fn has_type(&self, token: &Token) -> bool {
        self.phrases(std::slice::from_ref(token))
            .iter()
            .any(|sense| matches!(sense.meaning, Meaning::Type(_)))
    }

    /// Which stored values a span of words is.
    pub(crate) fn values(&self, tokens: &[Token]) -> &[Sense] {
        self.values.get(&phrase_key(tokens)).map_or(&[], Vec::as_slice)
    }

    /// Types that a general word may stand for, where the graph's own words do not have it.
    pub(crate) fn types_by_thesaurus(&self, token: &Token) -> Vec<Sense> {
        self.neighbours(thesaurus::noun_neighbours(&token.stem), |meaning| {
            matches!(meaning, Meaning::Type(_))
        })
    }

    /// Properties that an adjective or general noun may ask for.
    pub(crate) fn properties_by_thesaurus(&self, token: &Token) -> Vec<Sense> {
        let property = |meaning: &Meaning| matches!(meaning, Meaning::Property(_));
        let mut found = self.neighbours(thesaurus::measures(&token.stem), property);
        found.extend(self.neighbours(thesaurus::noun_neighbours(&token.stem), property));
        found.extend(self.neighbours(thesaurus::verb_neighbours(&token.stem), property));
        found
    }

    /// Properties that two words measure, as `made of` asks for the material.
    pub(crate) fn properties_by_measure(&self, tokens: &[Token]) -> Vec<Sense> {
        let property = |meaning: &Meaning| matches!(meaning, Meaning::Property(_));
        let mut found = self.neighbours(thesaurus::measures(&stem_key(tokens)), property);
        for sense in &mut found {
            sense.weight = 0.95;
        }
        found
    }

    /// Relationships whose noun two words stand for, as `kind of` asks for the genre.
    pub(crate) fn nouns_by_measure(&self, tokens: &[Token]) -> Vec<Reading> {
        let neighbours = thesaurus::measures(&stem_key(tokens)).iter();
        neighbours.flat_map(|neighbour| self.frames.nouns(&neighbour.words[0])).collect()
    }

    fn neighbours(
        &self,
        neighbours: &[thesaurus::Neighbour],
        wanted: impl Fn(&Meaning) -> bool,
    ) -> Vec<Sense> {
        let mut found: Vec<Sense> = Vec::new();
        for neighbour in neighbours {
            for sense in self.phrases.get(&neighbour.words.join(" ")).into_iter().flatten() {
                if wanted(&sense.meaning) && !found.iter().any(|other| other.meaning == sense.meaning) {
                    found.push(Sense { meaning: sense.meaning.clone(), weight: sense.weight * 0.75 });
                }
            }
        }
        found
    }

    fn add_phrase(&mut self, phrase: &str, meaning: Meaning, weight: f64) {
        let tokens: Vec<Token> = tokenize(phrase);
        let tokens = without_edges(&tokens);
        if tokens.is_empty() {
            return;
        }
        self.longest = self.longest.max(tokens.len());
        push_sense(self.phrases.entry(stem_key(tokens)).or_default(), meaning, weight);
    }

    fn add_types(&mut self, schema: &Schema, ontology: &Ontology) {
        for (number, label) in schema.labels.iter().enumerate() {
            let words = identifier_words(label);
            let meaning = Meaning::Type(number as Label);
            self.add_phrase(&words.join(" "), meaning.clone(), 1.0);
            for synonym in ontology.nodes.get(label).map_or(&[][..], |node| &node.synonyms) {
                self.add_phrase(synonym, meaning.clone(), 0.97);
            }
            if words.len() > 1
                && let Some(head) = words.last()
            {
                self.add_phrase(head, meaning, 0.6);
            }
        }
    }

    fn add_properties(&mut self, schema: &Schema, ontology: &Ontology) {
        for (number, property) in schema.properties.iter().enumerate() {
            if property.name == core_names::NAME {
                continue;
            }
            let meaning = Meaning::Property(number as Property);
            let words = identifier_words(&property.name);
            self.add_phrase(&words.join(" "), meaning.clone(), 1.0);
            for node in ontology.nodes.values() {
                let declared = node.properties.get(&property.name);
                for synonym in declared.map_or(&[][..], |property| &property.synonyms) {
                    self.add_phrase(synonym, meaning.clone(), 0.98);
                }
            }
            if let [word] = words.as_slice() {
                self.add_verbs(word, &meaning);
            }
            if words.len() > 1 {
                for word in words.iter().filter(|word| word.len() > 3 && !words::is_filler(word)) {
                    // `product` is the type, not its `productID`.
                    let senses = self.phrases.get(&base_stem(word)).map_or(&[][..], Vec::as_slice);
                    if senses.iter().any(|sense| matches!(sense.meaning, Meaning::Type(_))) {
                        continue;
                    }
                    self.add_phrase(word, meaning.clone(), 0.7);
                }
            }
        }
    }

    /// `weigh` asks for the `weight`.
    fn add_verbs(&mut self, noun: &str, meaning: &Meaning) {
        for (root, _) in derivations(noun) {
            if !self.phrases.contains_key(&root) {
                push_sense(self.phrases.entry(root).or_default(), meaning.clone(), 0.8);
            }
        }
    }

    fn add_values(&mut self, topology: &Topology, schema: &Schema) {
        let mut seen: HashSet<(Property, String)> = HashSet::new();
        let entities = topology.nodes().filter(|&node| topology.role(node) == Role::Entity);
        for node in entities {
            for (name, value) in &topology.read_node(node).properties {
                let Some(property) = schema.find_property(name) else { continue };
                if matches!(name.as_str(), core_names::NAME | core_names::ALIASES | "description" | "title") {
                    continue;
                }
                let items = value.as_list().unwrap_or(std::slice::from_ref(value));
                for text in items.iter().filter_map(Value::as_str) {
                    if seen.insert((property, text.to_owned())) {
                        self.add_value(property, text);
                    }
                }
            }
        }
    }

    fn add_value(&mut self, property: Property, text: &str) {
        let tokens = tokenize(text);
        if text.len() > LONGEST_VALUE.0 || tokens.len() > LONGEST_VALUE.1 || tokens.is_empty() {
            return;
        }
        self.longest = self.longest.max(tokens.len());
        let meaning = Meaning::Value(property, Value::from(text));
        push_sense(self.values.entry(phrase_key(&tokens)).or_default(), meaning.clone(), 1.0);
        // Not `.us`, which is no word that could stand in another form.
        if text.chars().all(|letter| letter.is_lowercase() || matches!(letter, ' ' | '-' | '\'')) {
            // `roses` for the value `rose`, which as a verb has another stem.
            for key in BTreeSet::from([stem_key(&tokens), stem_key(&tokenize(&inflection::plural(text)))]) {
                push_sense(self.phrases.entry(key).or_default(), meaning.clone(), 0.9);
            }
        }
    }
}

fn push_sense(senses: &mut Vec<Sense>, meaning: Meaning, weight: f64) {
    match senses.iter_mut().find(|sense| sense.meaning == meaning) {
        Some(sense) => sense.weight = sense.weight.max(weight),
        None => senses.push(Sense { meaning, weight }),
    }
}

/// Stems of the words, joined.
pub(crate) fn stem_key(tokens: &[Token]) -> String {
    let stems: Vec<&str> =
        tokens.iter().filter(|token| !token.is_possessive()).map(|token| token.stem.as_str()).collect();
    stems.join(" ")
}

/// Without articles and helping verbs at the beginning.
fn without_edges(tokens: &[Token]) -> &[Token] {
    let first = tokens
        .iter()
        .position(|token| !words::is_auxiliary(&token.lower) && !words::is_article(&token.lower));
    first.map_or(&[], |first| &tokens[first..])
}

/// Names of types and properties near to a word, for hints.
pub(crate) fn words_like(word: &str, schema: &Schema) -> Vec<String> {
    let mut near: BTreeSet<String> = BTreeSet::new();
    let all = schema.labels.iter().chain(&schema.kinds).chain(schema.properties.iter().map(|p| &p.name));
    for name in all.filter(|name| !core_names::is_reserved(name)) {
        let parts = identifier_words(name);
        if parts.iter().any(|part| likeness(part, word) > 0.88) {
            near.insert(name.clone());
        }
    }
    near.into_iter().collect()
}
