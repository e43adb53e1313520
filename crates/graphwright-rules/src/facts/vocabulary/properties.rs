//! The words for properties: their names, synonyms and allowed values, and the verbs of their dates.

use graphwright_english::{derivation, thesaurus};
use graphwright_ontology::{DataType, Ontology, PropertyType};

use super::{AllowedValue, Property, Vocabulary, words};
use crate::facts::{
    inflection::{self, Form},
    prose,
    values::Measure,
};

/// Whether whole numbers of a property are years: by its words or its description.
pub(in crate::facts) fn is_year(phrases: &[Vec<String>], definition: &PropertyType) -> bool {
    let year = |word: &String| word == "year";
    definition.kind == DataType::Integer
        && (phrases.iter().flatten().any(year)
            || words(&definition.description).iter().any(year)
            || phrases[0].len() == 1
                && (inflection::is_own_participle(&phrases[0][0]) || phrases[0][0].ends_with("ed")))
}

/// The participles of a description: `Year in which it was made.`
fn described_events(description: &str) -> Vec<Vec<String>> {
    let words = words(&description.replace(['.', ',', ';', '(', ')'], " "));
    let verbs = words.windows(2).filter(|pair| matches!(pair[0].as_str(), "was" | "were" | "is"));
    verbs
        .map(|pair| pair[1].clone())
        .filter(|word| inflection::is_own_participle(word))
        .map(|word| vec![word])
        .collect()
}

impl Vocabulary {
    pub(super) fn add_properties(&mut self, ontology: &Ontology) {
        for (owner, node) in ontology.nodes.values().enumerate() {
            for (name, definition) in &node.properties {
                if name == graphwright_core::names::NAME {
                    continue;
                }
                let own = words(name);
                let unit = own
                    .last()
                    .filter(|last| own.len() > 1 && graphwright_english::words::is_unit_of_name(last))
                    .cloned();
                let bare = if unit.is_some() { &own[..own.len() - 1] } else { &own[..] };
                let mut phrases = vec![bare.to_vec()];
                phrases.extend(definition.synonyms.iter().map(|synonym| words(synonym)));
                let index = self.properties.len();
                for phrase in phrases.iter().filter(|phrase| phrase.len() > 1) {
                    // `half-life` is one word of a text.
                    self.property_words.insert(&[phrase.join("-")], index);
                }
                for synonym in definition.synonyms.iter().filter(|synonym| synonym.contains('-')) {
                    let written: Vec<String> = synonym.split_whitespace().map(str::to_lowercase).collect();
                    self.property_words.insert(&written, index);
                }
                for phrase in &phrases {
                    let mut singular = phrase.clone();
                    if let Some(last) = singular.last_mut() {
                        *last = inflection::singular(last).into_owned();
                    }
                    if matches!(definition.kind, DataType::Integer | DataType::Float) {
                        for adjective in
                            singular.last().into_iter().flat_map(|last| thesaurus::adjectives_of(last))
                        {
                            self.property_words.insert(&[adjective.to_owned()], index);
                        }
                    }
                    self.property_words.insert(phrase, index);
                    self.property_words.insert(&singular, index);
                }
                for (value, shown) in definition.values.iter().enumerate() {
                    if let Some(text) = shown.as_str() {
                        let parts: Vec<String> =
                            prose::tokenise(text).into_iter().map(|token| token.lower).collect();
                        self.allowed_values.insert(&parts, AllowedValue { property: index, value });
                        let spaced = words(text);
                        if spaced != parts && !text.contains(char::is_uppercase) {
                            self.allowed_values.insert(&spaced, AllowedValue { property: index, value });
                        }
                    }
                }
                if matches!(definition.kind, DataType::Date | DataType::DateTime)
                    || is_year(&phrases, definition)
                {
                    self.add_event_verbs(&phrases, index);
                    self.add_event_verbs(&described_events(&definition.description), index);
                }
                self.types[owner].properties.push(index);
                self.properties.push(Property {
                    owner,
                    name: name.clone(),
                    definition: definition.clone(),
                    phrases,
                    measure: Measure::of_property(unit.as_deref(), &definition.description),
                    unit,
                });
            }
        }
    }

    /// The past forms of the verb in `launch_date`, `year opened`, `founding year`, `date of approval`.
    fn add_event_verbs(&mut self, phrases: &[Vec<String>], property: usize) {
        for phrase in phrases {
            let mut rest = phrase.iter().filter(|word| !is_of_time(word));
            let (Some(word), None) = (rest.next(), rest.next()) else { continue };
            let mut bases = inflection::bases(word);
            bases.extend(derivation::verbs_of_act(word));
            for base in bases {
                for (surface, form) in inflection::forms(&base) {
                    if form.has(Form::PAST) || form.has(Form::PARTICIPLE) {
                        let known = self.event_verbs.entry(surface).or_default();
                        if !known.contains(&property) {
                            known.push(property);
                        }
                    }
                }
            }
        }
    }
}

/// Words around the one for what happened, in the name of a date.
fn is_of_time(word: &str) -> bool {
    matches!(word, "date" | "year" | "of" | "day" | "time" | "the" | "on" | "in")
}
