//! Codes that stand for names, and the names that one thing has: `DE`, `DEU` and `Germany`.

use std::{collections::HashMap, sync::LazyLock};

use crate::{
    data,
    questions::{phrase_key, tokenize},
};

/// So many words the longest of the names has that people use.
pub const LONGEST_NAME: usize = 4;
/// What the codes of languages are called in the file.
const LANGUAGES: &str = "languages";
/// The schemes of things that have names.
const NAMED: [&str; 3] = ["countries", "states", LANGUAGES];
/// A code has so many letters at most.
const LONGEST_CODE: usize = 3;

/// One of the texts that a thing is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spelling {
    /// What such things are: `countries`.
    pub scheme: &'static str,
    /// The text.
    pub text: &'static str,
}

impl Spelling {
    /// Returns whether it is the name of a country, a state or a language: nothing that says something else where none of its scheme
    /// is expected, as `IT` and `girls` do.
    pub fn is_name(&self) -> bool {
        !is_code(self.text) && NAMED.contains(&self.scheme)
    }
}

/// Returns whether a text is as short as a code.
pub fn is_code(text: &str) -> bool {
    text.chars().count() <= LONGEST_CODE
}

/// Lists what else the things are written as of which one spelling has this [phrase key](phrase_key).
///
/// ```
/// use graphwright_english::codes::spellings;
///
/// let is_one = |key, text| spellings(key).any(|spelling| spelling.text == text);
/// assert!(is_one("germany", "DE") && is_one("unitedstates", "USA") && is_one("women", "F"));
/// assert!(is_one("georgia", "GE") && is_one("georgia", "GA"), "the country and the state");
/// ```
pub fn spellings(key: &str) -> impl Iterator<Item = Spelling> {
    let things = CODES.things.get(key).into_iter().flatten();
    let all = things.flat_map(|thing| CODES.spellings[*thing].iter().copied());
    all.filter(move |spelling| phrase_key(&tokenize(spelling.text)) != key)
}

/// Whether a word is a language or its code: `fr`, `french`.
fn is_language(word: &str) -> bool {
    let mut things = CODES.things.get(&phrase_key(&tokenize(word))).into_iter().flatten();
    things.any(|thing| CODES.spellings[*thing][0].scheme == LANGUAGES)
}

/// Returns what the name of a column says before the language in which it is: `seat` and `fr` of `seat fr`.
pub fn in_language(name: &[String]) -> Option<(&[String], &str)> {
    let (language, before) = name.split_last()?;
    (!before.is_empty() && is_language(language)).then_some((before, language))
}

/// Returns the language that a code stands for: `French` for `fr`.
pub fn language(code: &str) -> Option<&'static str> {
    let mut things = CODES.things.get(code)?.iter().map(|thing| &CODES.spellings[*thing]);
    let own = things.find(|spellings| spellings[0].scheme == LANGUAGES && spellings[0].text == code)?;
    own.get(1).map(|name| name.text)
}

/// Returns of each scheme how many of some values are of it, of the greatest share first.
pub fn schemes<'a>(values: impl Iterator<Item = &'a str>) -> Vec<(&'static str, usize)> {
    let mut found: Vec<(&'static str, usize)> = Vec::new();
    for value in values {
        let mut own: Vec<&'static str> = Vec::new();
        for thing in CODES.things.get(&phrase_key(&tokenize(value))).into_iter().flatten() {
            let scheme = CODES.spellings[*thing][0].scheme;
            if !own.contains(&scheme) {
                own.push(scheme);
            }
        }
        for scheme in own {
            match found.iter_mut().find(|(other, _)| *other == scheme) {
                Some((_, count)) => *count += 1,
                None => found.push((scheme, 1)),
            }
        }
    }
    found.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    found
}

#[derive(Default)]
struct Codes {
    /// The spellings of each thing.
    spellings: Vec<Vec<Spelling>>,
    /// Things by the keys of their spellings.
    things: HashMap<String, Vec<usize>>,
}

static CODES: LazyLock<Codes> = LazyLock::new(|| {
    let mut codes = Codes::default();
    for (scheme, line) in data::lines(include_str!("../data/codes.txt")) {
        let spellings: Vec<Spelling> = line.split('|').map(|text| Spelling { scheme, text }).collect();
        for spelling in &spellings {
            let things = codes.things.entry(phrase_key(&tokenize(spelling.text))).or_default();
            things.push(codes.spellings.len());
        }
        codes.spellings.push(spellings);
    }
    codes
});
