//! What the key of a field, the header of a column or the title of a section means.

use std::collections::HashMap;

use graphwright_english::inflection;

use super::{
    cues::{Role, Shape},
    vocabulary::{self, Vocabulary},
    words,
};

/// What a key says of the thing it stands with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The value is the thing's property.
    Property(usize),
    /// The value is the other end of the relationship; `inverse` if the relationship starts at the value.
    Relation { relation: usize, inverse: bool },
    /// The value is a thing of this type.
    Kind(usize),
}

/// A key of more words than these is a sentence.
const LONGEST: usize = 6;

/// All keys by their stems.
#[derive(Debug, Default)]
pub(super) struct Keys {
    meanings: HashMap<String, Vec<Meaning>>,
    /// By the words as they stand, where other words have the same stems: `introducer` and `introduced`.
    exact: HashMap<String, Vec<Meaning>>,
}

/// Words that add nothing to a key.
fn is_filler(word: &str) -> bool {
    matches!(
        word,
        "name"
            | "names"
            | "of"
            | "the"
            | "date"
            | "number"
            | "no"
            | "current"
            | "main"
            | "best"
            | "chief"
            | "principal"
            | "primary"
            | "its"
            | "our"
            | "list"
            | "all"
            | "a"
            | "an"
            | "s"
            | "id"
            | "count"
            | "full"
            | "in"
            | "on"
            | "and"
            | "at"
            | "is"
            | "are"
            | "key"
            | "value"
            | "details"
            | "information"
            | "direct"
            | "known"
            | "related"
            | "associated"
            | "responsible"
            | "year"
            | "total"
    )
}

fn stem_all<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    words
        .into_iter()
        .flat_map(|word| word.split('-'))
        .filter(|word| !word.is_empty())
        .map(|word| {
            let base = if word.ends_with("ies") || word.len() > 3 {
                inflection::singular(word).into_owned()
            } else {
                word.to_owned()
            };
            let irregular = inflection::bases(&base);
            let base = if inflection::is_own_participle(&base) && !base.ends_with("ed") {
                irregular[0].clone()
            } else {
                base
            };
            inflection::stem(&base).into_owned()
        })
        .collect()
}

/// The words of a key: without numbering, brackets and marks.
fn key_words(text: &str) -> Vec<String> {
    let mut clean = String::new();
    let mut depth = 0_usize;
    for letter in text.chars() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            letter if letter.is_alphanumeric() || matches!(letter, '_' | '-' | ' ') => clean.push(letter),
            _ => clean.push(' '),
        }
    }
    let mut words = vocabulary::words(&clean);
    while words.len() > 1 && words[0].chars().all(|letter| letter.is_ascii_digit() || letter == '.') {
        words.remove(0);
    }
    words
}

impl Keys {
    /// The keys that a vocabulary gives.
    pub(super) fn new(vocabulary: &Vocabulary) -> Self {
        let mut keys = Self::default();
        for (index, property) in vocabulary.properties.iter().enumerate() {
            for phrase in &property.phrases {
                keys.insert(phrase, Meaning::Property(index));
            }
            if let Some(unit) = &property.unit {
                let mut full = property.phrases[0].clone();
                full.push(unit.clone());
                keys.insert(&full, Meaning::Property(index));
            }
        }
        keys.add_relations(vocabulary);
        for (index, kind) in vocabulary.types.iter().enumerate() {
            for phrase in &kind.words {
                keys.insert(phrase, Meaning::Kind(index));
            }
        }
        keys
    }

    /// Adds the keys of relationships.
    fn add_relations(&mut self, vocabulary: &Vocabulary) {
        let keys = self;
        for cue in &vocabulary.cues {
            let own = Meaning::Relation { relation: cue.relation, inverse: cue.inverse };
            let turned = Meaning::Relation { relation: cue.relation, inverse: !cue.inverse };
            match cue.shape {
                Shape::Verb => {
                    let passive = cue.words.len() > 1 && cue.words.last().is_some_and(|last| last == "by");
                    let mut active =
                        vec![cue.words.iter().find(|word| !words::is_be(word)).cloned().unwrap_or_default()];
                    active.extend(cue.tail.iter().cloned());
                    if !passive || active.len() > 1 {
                        keys.insert(&active, own);
                    } else {
                        let bases = inflection::bases(&active[0]);
                        keys.insert(&bases[..1], own);
                    }
                    let mut by = active;
                    by.push("by".to_owned());
                    keys.insert(&by, turned);
                }
                Shape::Participle | Shape::Predicate => {
                    let words: Vec<String> =
                        cue.words.iter().filter(|word| !words::is_be(word)).cloned().collect();
                    keys.insert(&words, own);
                }
            }
        }
        for (words, noun) in vocabulary.nouns.all() {
            let inverse = noun.role == Role::From;
            keys.insert(words, Meaning::Relation { relation: noun.relation, inverse });
        }
        for (doing, cues) in &vocabulary.doings {
            for cue in cues {
                let cue = &vocabulary.cues[*cue];
                if !cue.tail.is_empty() || cue.shape != Shape::Verb {
                    keys.insert(
                        std::slice::from_ref(doing),
                        Meaning::Relation { relation: cue.relation, inverse: cue.inverse },
                    );
                }
            }
        }
    }

    fn insert(&mut self, words: &[String], meaning: Meaning) {
        let key = stem_all(words.iter().map(String::as_str)).join(" ");
        for meanings in
            [self.meanings.entry(key).or_default(), self.exact.entry(words.join(" ")).or_default()]
        {
            if !meanings.contains(&meaning) {
                meanings.push(meaning);
            }
        }
    }

    /// All that a key may mean, surest first. Empty when nothing.
    pub(super) fn meanings(&self, text: &str) -> Vec<Meaning> {
        let words = key_words(text);
        let exact = self.all_of(&words);
        if exact.is_empty() { self.without_fillers(&words) } else { exact }
    }

    fn all_of(&self, words: &[String]) -> Vec<Meaning> {
        if words.len() > LONGEST { Vec::new() } else { self.get(words.iter().map(String::as_str)) }
    }

    fn without_fillers(&self, words: &[String]) -> Vec<Meaning> {
        let telling = words.iter().map(String::as_str).filter(|word| !is_filler(word));
        if words.len() > LONGEST { Vec::new() } else { self.get(telling) }
    }

    /// What a key means by its words as they stand.
    pub(super) fn exact_meanings(&self, text: &str) -> &[Meaning] {
        self.exact.get(&key_words(text).join(" ")).map_or(&[], Vec::as_slice)
    }

    /// The type that a key names.
    pub(super) fn kind_named(&self, text: &str) -> Option<usize> {
        self.meanings(text).into_iter().find_map(|meaning| match meaning {
            Meaning::Kind(kind) => Some(kind),
            _ => None,
        })
    }

    fn get<'a>(&self, words: impl Iterator<Item = &'a str>) -> Vec<Meaning> {
        let words: Vec<&str> = words.collect();
        let mut found = self.exact.get(&words.join(" ")).cloned().unwrap_or_default();
        for meaning in self.meanings.get(&stem_all(words).join(" ")).into_iter().flatten() {
            if !found.contains(meaning) {
                found.push(*meaning);
            }
        }
        found
    }

    /// What a key means on a thing of a type.
    pub(super) fn meaning_for(&self, vocabulary: &Vocabulary, text: &str, kind: usize) -> Option<Meaning> {
        let fits = |meaning: &Meaning| fit(vocabulary, *meaning, kind);
        let words = key_words(text);
        if words.is_empty() {
            return None;
        }
        // The `album_id` of a track is its album, also where albums have a property that is called so.
        let found = self.all_of(&words).iter().find_map(fits);
        if let Some(found) = found.or_else(|| self.without_fillers(&words).iter().find_map(fits)) {
            return Some(found);
        }
        // Without the words of the type itself (`service tier`), or of the type of the other end (`owner team`).
        for (index, other) in vocabulary.types.iter().enumerate() {
            for phrase in &other.words {
                let Some(at) = words.windows(phrase.len()).position(|window| {
                    window
                        .iter()
                        .zip(phrase)
                        .all(|(word, wanted)| word == wanted || inflection::singular(word) == *wanted)
                }) else {
                    continue;
                };
                let rest = words[..at].iter().chain(&words[at + phrase.len()..]).map(String::as_str);
                let rest: Vec<&str> = rest.filter(|word| !is_filler(word)).collect();
                if rest.is_empty() {
                    continue;
                }
                for meaning in self.get(rest.iter().copied()).into_iter().filter_map(|meaning| fits(&meaning))
                {
                    let right = match meaning {
                        Meaning::Relation { relation, inverse } => {
                            let relation = &vocabulary.relations[relation];
                            index == kind
                                || if inverse {
                                    relation.from.contains(&index)
                                } else {
                                    relation.to.contains(&index)
                                }
                        }
                        Meaning::Property(_) => index == kind,
                        Meaning::Kind(_) => false,
                    };
                    if right {
                        return Some(meaning);
                    }
                }
            }
        }
        // `Member` on a committee is short for `committee member`.
        vocabulary.types[kind].words.iter().find_map(|phrase| {
            let whole = phrase.iter().chain(&words).map(String::as_str);
            self.get(whole).into_iter().find_map(|meaning| fits(&meaning))
        })
    }
}

/// The meaning as it holds for a thing of a type; `None` when it does not.
pub(super) fn fit(vocabulary: &Vocabulary, meaning: Meaning, kind: usize) -> Option<Meaning> {
    match meaning {
        Meaning::Property(property) => (vocabulary.properties[property].owner == kind).then_some(meaning),
        Meaning::Relation { relation: index, inverse } => {
            let relation = &vocabulary.relations[index];
            let (own, other) =
                if inverse { (&relation.to, &relation.from) } else { (&relation.from, &relation.to) };
            if own.contains(&kind) {
                Some(meaning)
            } else {
                // The noun may name the other end (`Team: …` of OWNS on a service).
                other.contains(&kind).then_some(Meaning::Relation { relation: index, inverse: !inverse })
            }
        }
        Meaning::Kind(other) => vocabulary
            .plain_relation(kind, other)
            .or_else(|| vocabulary.relation_called(kind, other))
            .map(|(relation, inverse)| Meaning::Relation { relation, inverse }),
    }
}
