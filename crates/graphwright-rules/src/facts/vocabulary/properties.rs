//! The words for properties: their names, synonyms and allowed values, and the verbs of their dates.

use graphwright_ontology::{DataType, Ontology, PropertyType};

use super::{AllowedValue, Property, Vocabulary, words};
use crate::facts::{
    cues_of_names,
    inflection::{self, Form},
    prose,
    values::Measure,
};

const UNITS: &[&str] = &[
    "kg", "g", "mg", "t", "km", "m", "cm", "mm", "usd", "eur", "gbp", "chf", "mw", "kw", "gw", "kwh", "gb",
    "mb", "tb", "ms", "percent", "pct", "years", "days", "hours", "minutes", "seconds", "weeks", "months",
    "tonnes", "tons", "litres", "liters", "ml", "l", "teu", "hectares", "ha", "sqm", "m2", "metres",
    "meters", "feet", "ft", "inches", "million", "mm2", "hz", "ghz", "mhz", "v", "kv", "bar", "c", "k", "h",
    "min",
];

/// Verbs of making things.
const CREATION: &[&str] = &[
    "make",
    "create",
    "paint",
    "carve",
    "sculpt",
    "weave",
    "draw",
    "engrave",
    "cast",
    "build",
    "write",
    "compose",
    "produce",
    "print",
    "throw",
    "forge",
    "embroider",
];

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

/// The adjectives and verbs by which a measured property is told: `240 m long`, `weighs 3 kg`.
fn measure_words(phrase: &[String]) -> &'static [&'static str] {
    match phrase.last().map_or("", String::as_str) {
        "length" => &["long"],
        "height" => &["high", "tall"],
        "width" | "breadth" => &["wide", "broad"],
        "depth" => &["deep"],
        "thickness" => &["thick"],
        "weight" | "mass" => &["weighs", "weighed"],
        "duration" => &["lasts", "lasted"],
        "price" | "cost" => &["costs", "cost"],
        "age" => &["aged", "old"],
        "employee" | "staff" | "workforce" => &["employs"],
        "capacity" => &["seats", "accommodates", "holds"],
        _ => &[],
    }
}

impl Vocabulary {
    pub(super) fn add_properties(&mut self, ontology: &Ontology) {
        for (owner, node) in ontology.nodes.values().enumerate() {
            for (name, definition) in &node.properties {
                if *name == self.types[owner].key || name == "name" {
                    continue;
                }
                let own = words(name);
                let unit = own.last().filter(|last| own.len() > 1 && UNITS.contains(&last.as_str())).cloned();
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
                        for word in measure_words(&singular) {
                            self.property_words.insert(&[(*word).to_owned()], index);
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
                    self.add_event_verbs(&phrases, (index, owner));
                    self.add_event_verbs(&described_events(&definition.description), (index, owner));
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
    fn add_event_verbs(&mut self, phrases: &[Vec<String>], (property, owner): (usize, usize)) {
        for phrase in phrases {
            let rest: Vec<&String> = phrase
                .iter()
                .filter(|word| {
                    !matches!(word.as_str(), "date" | "year" | "of" | "day" | "time" | "the" | "on" | "in")
                })
                .collect();
            let of_event = rest.is_empty() && self.types[owner].event;
            let when = "date".to_owned();
            let word = match rest.as_slice() {
                [word] => *word,
                _ if of_event => &when,
                _ => continue,
            };
            let mut bases = match word.as_str() {
                "birth" => vec!["bear".to_owned()],
                "death" => vec!["die".to_owned()],
                "foundation" | "founding" | "founded" | "established" | "establishment" => {
                    ["found", "establish", "start", "create", "form", "date"].map(str::to_owned).to_vec()
                }
                "built" | "construction" | "constructed" => {
                    ["build", "construct", "erect"].map(str::to_owned).to_vec()
                }
                "made" | "created" | "creation" => CREATION.iter().map(|verb| (*verb).to_owned()).collect(),
                "opened" | "opening" => ["open", "inaugurate"].map(str::to_owned).to_vec(),
                "completed" | "completion" => ["complete", "finish"].map(str::to_owned).to_vec(),
                _ if of_event => ["happen", "occur", "begin", "strike"].map(str::to_owned).to_vec(),
                _ => inflection::bases(word),
            };
            bases.extend(cues_of_names::verb_of_doing(word));
            for ending in ["ion", "al", "ation", "ment"] {
                if let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() > 3) {
                    bases.push(stem.to_owned());
                    bases.push(format!("{stem}e"));
                }
            }
            for base in bases {
                for (surface, form) in inflection::forms(&base) {
                    let dates = base == "date" && form.has(Form::THIRD);
                    if form.has(Form::PAST) || form.has(Form::PARTICIPLE) || dates {
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
