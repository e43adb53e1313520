//! Words that do not follow the rules.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use crate::data;

/// Base, past and past participles of a verb that does not take `-ed`.
pub(super) struct Verb {
    pub(super) base: &'static str,
    pub(super) past: &'static str,
    /// The past participles: often one, two if both are in use (`borne`, `born`).
    pub(super) participles: Vec<&'static str>,
}

#[derive(Default)]
pub(super) struct Irregular {
    verbs: Vec<Verb>,
    verb_of: HashMap<&'static str, usize>,
    pasts: HashSet<&'static str>,
    /// Pasts that are not also the base of their verb.
    own_pasts: HashSet<&'static str>,
    participles: HashSet<&'static str>,
    plurals: HashMap<&'static str, &'static str>,
    singulars: HashMap<&'static str, &'static str>,
    /// How words begin in British and in American spelling, in order.
    spellings: Vec<(&'static str, &'static str)>,
}

pub(super) static IRREGULAR: LazyLock<Irregular> =
    LazyLock::new(|| Irregular::read(include_str!("../../data/irregular_forms.txt")));

impl Irregular {
    fn read(table: &'static str) -> Self {
        let mut irregular = Self::default();
        for (section, line) in data::lines(table) {
            let mut words = line.split(' ');
            let (Some(base), Some(other)) = (words.next(), words.next()) else { continue };
            match section {
                "verbs" => irregular.add_verb(Verb { base, past: other, participles: words.collect() }),
                "spellings" => irregular.spellings.push((base, other)),
                _ => {
                    irregular.plurals.insert(base, other);
                    irregular.singulars.extend([other].into_iter().chain(words).map(|plural| (plural, base)));
                }
            }
        }
        irregular.spellings.sort_unstable();
        irregular
    }

    fn add_verb(&mut self, verb: Verb) {
        let index = self.verbs.len();
        for form in [verb.base, verb.past].into_iter().chain(verb.participles.iter().copied()) {
            self.verb_of.entry(form).or_insert(index);
        }
        self.pasts.insert(verb.past);
        if verb.past != verb.base {
            self.own_pasts.insert(verb.past);
        }
        self.participles.extend(&verb.participles);
        self.verbs.push(verb);
    }

    /// Finds the verb of which the word is the base, the past or a participle.
    pub(super) fn verb(&self, form: &str) -> Option<&Verb> {
        self.verb_of.get(form).map(|index| &self.verbs[*index])
    }

    pub(super) fn is_past(&self, word: &str) -> bool {
        self.pasts.contains(word)
    }

    pub(super) fn is_own_past(&self, word: &str) -> bool {
        self.own_pasts.contains(word)
    }

    pub(super) fn is_participle(&self, word: &str) -> bool {
        self.participles.contains(word)
    }

    pub(super) fn plural(&self, singular: &str) -> Option<&'static str> {
        self.plurals.get(singular).copied()
    }

    pub(super) fn singular(&self, plural: &str) -> Option<&'static str> {
        self.singulars.get(plural).copied()
    }

    /// The beginning of a word that is written otherwise in American English, and how it is written there.
    pub(super) fn spelling(&self, word: &str) -> Option<(&'static str, &'static str)> {
        let after = self.spellings.partition_point(|(british, _)| *british <= word);
        self.spellings[..after].last().copied().filter(|(british, _)| word.starts_with(british))
    }
}
