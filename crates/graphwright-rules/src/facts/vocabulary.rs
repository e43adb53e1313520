//! The words of an ontology, compiled for reading text.

mod phrases;
mod properties;

use std::collections::{HashMap, HashSet};

pub(super) use self::{phrases::Phrases, properties::is_year};
use globset::{Glob, GlobSet, GlobSetBuilder};
pub(super) use graphwright_core::text::identifier_words as words;
use graphwright_ontology::{DataType, Ontology, PropertyType};

use super::{
    cues::{self, Cue, NounCue},
    inflection::{self, Form},
    keys::{Keys, Meaning},
    people,
    prose::Token,
    values::Measure,
};

/// A node type.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) label: String,
    /// Whether such things are people.
    pub(super) human: bool,
    /// Whether such things have titles, as books and films have.
    pub(super) work: bool,
    /// Whether such things are events, so that what was told of them is so still.
    pub(super) event: bool,
    /// The words for it, each a list of singular words.
    pub(super) words: Vec<Vec<String>>,
    /// The property that names it.
    pub(super) key: String,
    /// What the property that names it may be called.
    pub(super) name_words: Vec<Vec<String>>,
    /// Its properties in [`Vocabulary::properties`].
    pub(super) properties: Vec<usize>,
    /// The paths of documents that are such things themselves.
    pub(super) pages: GlobSet,
}

/// A relationship type.
#[derive(Debug)]
pub(super) struct Relation {
    pub(super) name: String,
    /// Whether the ontology gives nouns for its ends.
    pub(super) has_nouns: bool,
    /// The types it may start from.
    pub(super) from: Vec<usize>,
    /// The types it may end at.
    pub(super) to: Vec<usize>,
    pub(super) properties: Vec<(String, PropertyType)>,
}

/// A property of a node type.
#[derive(Debug)]
pub(super) struct Property {
    pub(super) owner: usize,
    pub(super) name: String,
    pub(super) definition: PropertyType,
    /// Its words: the name and the synonyms.
    pub(super) phrases: Vec<Vec<String>>,
    /// The unit that its name ends in, as in `weight_kg`.
    pub(super) unit: Option<String>,
    /// What its numbers are in.
    pub(super) measure: Measure,
}

/// An allowed value of a property, met in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AllowedValue {
    pub(super) property: usize,
    pub(super) value: usize,
}

/// The words of an ontology.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    pub(super) types: Vec<Kind>,
    pub(super) type_words: Phrases<usize>,
    /// The single words of these.
    words_of_types: HashSet<String>,
    pub(super) relations: Vec<Relation>,
    pub(super) cues: Vec<Cue>,
    /// Cues whose verb has this form.
    pub(super) heads: HashMap<String, Vec<(usize, Form)>>,
    /// Cues that begin with this word and are no verbs.
    pub(super) predicates: HashMap<String, Vec<usize>>,
    pub(super) nouns: Phrases<NounCue>,
    pub(super) doings: HashMap<String, Vec<usize>>,
    pub(super) properties: Vec<Property>,
    pub(super) property_words: Phrases<usize>,
    pub(super) allowed_values: Phrases<AllowedValue>,
    /// Properties that are dates or years by the past forms of the verb that they tell of.
    pub(super) event_verbs: HashMap<String, Vec<usize>>,
    pub(super) keys: Keys,
}

/// Patterns of paths; one that is none, which the check of the ontology tells, matches nothing.
fn pages(patterns: &[String]) -> GlobSet {
    let globs = patterns.iter().filter_map(|pattern| Glob::new(pattern).ok());
    globs
        .fold(GlobSetBuilder::new(), |mut set, glob| {
            set.add(glob);
            set
        })
        .build()
        .unwrap_or_default()
}

/// The words of a phrase, the last in the singular.
fn noun_words(name: &str) -> Vec<String> {
    let mut found = words(name);
    if let Some(last) = found.last_mut() {
        *last = inflection::singular(last).into_owned();
    }
    found
}

impl Vocabulary {
    /// The allowed values of properties that a text gives at a token, with their length: `Kotlin`, `Kotlin-based`.
    pub(super) fn allowed_values_at(
        &self,
        tokens: &[Token],
        at: usize,
    ) -> Option<(usize, Vec<&AllowedValue>)> {
        self.allowed_values.find(tokens, at).or_else(|| {
            let (value, _) =
                tokens[at].lower.split_once('-').filter(|(_, rest)| inflection::is_own_participle(rest))?;
            let found: Vec<&AllowedValue> = self.allowed_values.of_word(value).collect();
            (!found.is_empty()).then_some((1, found))
        })
    }

    /// Compiles an ontology.
    pub(super) fn new(ontology: &Ontology) -> Self {
        let mut vocabulary = Self::default();
        vocabulary.add_types(ontology);
        vocabulary.add_properties(ontology);
        vocabulary.add_relations(ontology);
        cues::compile(&mut vocabulary, ontology);
        vocabulary.keys = Keys::new(&vocabulary);
        vocabulary
    }

    fn add_types(&mut self, ontology: &Ontology) {
        for (label, node) in &ontology.nodes {
            let mut all = vec![noun_words(label)];
            all.extend(node.synonyms.iter().map(|synonym| noun_words(synonym)));
            let human = people::is_human(&all, &node.description);
            let own = all[0].last().is_some_and(|word| word == "work" || word == "artwork");
            let work = own
                || all
                    .iter()
                    .filter_map(|phrase| phrase.last())
                    .any(|word| graphwright_english::words::is_work(word));
            let kind = self.types.len();
            for phrase in &all {
                self.type_words.insert(phrase, kind);
                self.words_of_types.extend(phrase.iter().cloned());
            }
            let key = node.key.clone().unwrap_or_else(|| "name".to_owned());
            let mut name_words = vec![words(&key), words("name")];
            let of_name = node.properties.get(&key).or_else(|| node.properties.get("name"));
            name_words.extend(of_name.iter().flat_map(|name| &name.synonyms).map(|synonym| words(synonym)));
            self.types.push(Kind {
                label: label.clone(),
                human,
                work,
                event: all
                    .iter()
                    .filter_map(|phrase| phrase.last())
                    .any(|word| graphwright_english::words::is_event(word)),
                words: all,
                key,
                name_words,
                properties: Vec::new(),
                pages: pages(&node.from),
            });
        }
    }

    fn add_relations(&mut self, ontology: &Ontology) {
        let all: Vec<usize> = (0..self.types.len()).collect();
        for (name, relation) in &ontology.relationships {
            let ends = |labels: &[String]| -> Vec<usize> {
                if labels.is_empty() {
                    return all.clone();
                }
                labels.iter().filter_map(|label| ontology.nodes.get_index_of(label)).collect()
            };
            self.relations.push(Relation {
                name: name.clone(),
                has_nouns: !relation.synonyms.is_empty(),
                from: ends(&relation.from),
                to: ends(&relation.to),
                properties: relation
                    .properties
                    .iter()
                    .map(|(name, property)| (name.clone(), property.clone()))
                    .collect(),
            });
        }
    }

    /// The index of a node type.
    pub(super) fn kind(&self, label: &str) -> Option<usize> {
        self.types.iter().position(|kind| kind.label == label)
    }

    /// A name's words without the words for its type at either end. A tag (`#platform-team`) is written as it is.
    pub(super) fn strip_type_words<'a>(&self, kind: usize, words: &'a [String]) -> &'a [String] {
        if words.first().is_some_and(|first| first.starts_with('#')) {
            return words;
        }
        for phrase in &self.types[kind].words {
            if phrase.len() < words.len() {
                let (head, tail) = words.split_at(words.len() - phrase.len());
                if tail == phrase.as_slice() {
                    return head;
                }
                if &words[..phrase.len()] == phrase.as_slice() {
                    return &words[phrase.len()..];
                }
            }
        }
        words
    }

    /// Whether a word is one of the words for a type.
    pub(super) fn is_type_word(&self, word: &str) -> bool {
        self.words_of_types.contains(&*inflection::singular(word))
    }

    /// Whether a text names nothing: words for types and single letters, as in `The trait`, `Team members`, `T`, or
    /// what was named before: `Goals of this team`.
    pub(super) fn names_nothing(&self, text: &str) -> bool {
        let words = super::names::parts(text);
        let is_type_word = |word: &str| self.is_type_word(word);
        let is_empty = |word: &String| {
            let letter = word.len() == 1 && word.bytes().all(|letter| letter.is_ascii_alphabetic());
            letter || word == "the" || word == "an" || is_type_word(word)
        };
        let points = |pair: &[String]| {
            matches!(pair[0].as_str(), "this" | "these" | "that" | "those" | "our") && is_type_word(&pair[1])
        };
        !words.is_empty() && words.iter().all(is_empty) || words.windows(2).any(points)
    }

    /// The only relationship between two types, with whether it starts at the second.
    pub(super) fn only_relation(&self, one: usize, other: usize) -> Option<(usize, bool)> {
        let mut found = None;
        for (index, relation) in self.relations.iter().enumerate() {
            for inverse in [false, true] {
                let (from, to) = if inverse { (other, one) } else { (one, other) };
                if relation.from.contains(&from) && relation.to.contains(&to) {
                    if found.is_some() && one != other {
                        return None;
                    }
                    if one == other {
                        return None;
                    }
                    found = Some((index, inverse));
                }
            }
        }
        found
    }

    /// What the property is called that a key of fields or a header means, if its values identify the things of a type.
    pub(super) fn key_of(&self, kind: usize, meaning: Meaning) -> Option<&str> {
        let Meaning::Property(property) = meaning else { return None };
        let name = self.properties[property].name.as_str();
        (name == self.types[kind].key).then_some(name)
    }

    /// The relationship between two types that a bare word for the other type means: the only one, the only one for which
    /// the ontology gives no noun of its own, or the only one from the first to the second.
    pub(super) fn plain_relation(&self, one: usize, other: usize) -> Option<(usize, bool)> {
        if let Some(only) = self.only_relation(one, other) {
            return Some(only);
        }
        let stands = |relation: &Relation, from: usize, to: usize| {
            one != other && relation.from.contains(&from) && relation.to.contains(&to)
        };
        let mut plain = self.relations.iter().enumerate().filter(|(_, relation)| {
            !relation.has_nouns && (stands(relation, one, other) || stands(relation, other, one))
        });
        if let Some((index, relation)) = plain.next() {
            return plain.next().is_none().then(|| (index, !stands(relation, one, other)));
        }
        // Of several with nouns the one that goes from the first to the second.
        let mut forward =
            self.relations.iter().enumerate().filter(|(_, relation)| stands(relation, one, other));
        let (index, _) = forward.next()?;
        forward.next().is_none().then_some((index, false))
    }

    /// The only relationship between two types that the ontology calls by a word for the other type: `judge` for `DECIDED_BY`.
    pub(super) fn relation_called(&self, one: usize, other: usize) -> Option<(usize, bool)> {
        let words = &self.types[other].words;
        let mut found = self
            .nouns
            .all()
            .filter(|(noun, _)| words.iter().any(|word| word.as_slice() == *noun))
            .filter_map(|(_, cue)| {
                let relation = &self.relations[cue.relation];
                let inverse = cue.role == super::cues::Role::From;
                let (own, named) =
                    if inverse { (&relation.to, &relation.from) } else { (&relation.from, &relation.to) };
                (own.contains(&one) && named.contains(&other)).then_some((cue.relation, inverse))
            });
        let first = found.next()?;
        found.all(|next| next == first).then_some(first)
    }

    /// The properties for the years of birth and death of things of a type.
    pub(super) fn life_dates(&self, kind: usize) -> Option<[usize; 2]> {
        let own = |verb: &str| {
            let found = self.event_verbs.get(verb)?.iter().copied();
            found.clone().find(|property| {
                let property = &self.properties[*property];
                property.owner == kind && property.definition.kind == DataType::Integer
            })
        };
        Some([own("born")?, own("died")?])
    }

    /// Whether a property holds text of any kind.
    pub(super) fn is_free_text(&self, property: usize) -> bool {
        let definition = &self.properties[property].definition;
        definition.kind == DataType::String && definition.values.is_empty()
    }
}
