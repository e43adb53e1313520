//! Stems of words, by the language of the text.

use std::{borrow::Cow, cell::RefCell, collections::HashMap};

use rust_stemmers::{Algorithm, Stemmer};
use serde::{Deserialize, Serialize};

use crate::dictionary;

/// A language whose words are stemmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) enum Language {
    /// English, which is also taken for texts whose language is not known.
    English,
    /// Another one, by its place in [`OTHERS`].
    Other(u8),
}

/// The languages that Snowball (<https://snowballstem.org>) stems, by their ISO 639-1 codes.
const OTHERS: [(&str, Algorithm); 18] = [
    ("ar", Algorithm::Arabic),
    ("da", Algorithm::Danish),
    ("de", Algorithm::German),
    ("el", Algorithm::Greek),
    ("es", Algorithm::Spanish),
    ("fi", Algorithm::Finnish),
    ("fr", Algorithm::French),
    ("hu", Algorithm::Hungarian),
    ("it", Algorithm::Italian),
    ("nb", Algorithm::Norwegian),
    ("nl", Algorithm::Dutch),
    ("no", Algorithm::Norwegian),
    ("pt", Algorithm::Portuguese),
    ("ro", Algorithm::Romanian),
    ("ru", Algorithm::Russian),
    ("sv", Algorithm::Swedish),
    ("ta", Algorithm::Tamil),
    ("tr", Algorithm::Turkish),
];

impl Language {
    /// Returns the language with a code such as `de` or `de-AT`. English for any without a stemmer.
    pub(super) fn of_code(code: &str) -> Self {
        let code = code.split(['-', '_']).next().unwrap_or_default().to_lowercase();
        let place = OTHERS.iter().position(|(known, _)| *known == code);
        place.map_or(Self::English, |place| Self::Other(place as u8))
    }

    /// Returns its code.
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Other(place) => OTHERS[place as usize].0,
        }
    }

    /// Returns the stem of a word in the form in which tokens come.
    pub(super) fn stem(self, word: &str) -> Cow<'_, str> {
        match self {
            Self::English => dictionary::stem(word),
            Self::Other(place) => Stemmer::create(OTHERS[place as usize].1).stem(word),
        }
    }
}

/// Stems that were computed, since most words of a text come again.
#[derive(Debug, Default)]
pub(super) struct Stems(RefCell<HashMap<Language, HashMap<String, String>>>);

/// The number of stems of a language that are remembered.
const MOST: usize = 1 << 17;

impl Stems {
    /// Calls `use_stem` with the stem of a word.
    pub(super) fn with_stem(&self, language: Language, word: &str, use_stem: impl FnOnce(&str)) {
        let mut known = self.0.borrow_mut();
        let known = known.entry(language).or_default();
        if let Some(stem) = known.get(word) {
            return use_stem(stem);
        }
        let stem = language.stem(word);
        use_stem(&stem);
        if known.len() < MOST {
            known.insert(word.to_owned(), stem.into_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_stemmed_by_language() {
        let stem = |code: &str, word: &str| Language::of_code(code).stem(word).into_owned();
        assert_eq!(stem("de", "häuser"), stem("de", "hauses"));
        assert_eq!(stem("de-AT", "laufen"), "lauf");
        assert_eq!(stem("fr", "continuellement"), "continuel");
        assert_eq!(stem("en", "migrating"), stem("xx", "migrate"), "what has no stemmer is read as English");
        let stems = Stems::default();
        for _ in 0..2 {
            stems.with_stem(Language::of_code("de"), "laufen", |stem| assert_eq!(stem, "lauf"));
            stems.with_stem(Language::English, "laufen", |stem| assert_eq!(stem, "laufen"));
        }
    }
}
