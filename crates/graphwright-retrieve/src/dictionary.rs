//! Finds names in text, and the nearest names for words that match none.
//!
//! Names are compared word by word after normalisation ([`graphwright_english::names`]). What is certain (the same words, an alias, other
//! spacing, a plural, another inflection, an acronym) is found by hash look-up, at any number of names in the time of the
//! text alone; what is only near (part of the name, a typing error) is found by [`NameDictionary::suggest`], which looks at all.

mod suggest;

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    hash::Hash,
};

use graphwright_english::{
    inflection,
    names::{key, squash},
    words,
};
use serde::Serialize;

pub(crate) use graphwright_english::names::{Token, tokens};
pub(crate) use suggest::suggest;

/// Over how many words of the text a name written without spaces may reach.
const LONGEST_SPACING: usize = 4;

/// The way in which a text matches a name; the earlier, the more certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// Equal words.
    Name,
    /// Words of another name of the target.
    Alias,
    /// Equal letters with other spaces or accents, such as `oncall` for `On-Call`.
    Spacing,
    /// Singular for plural, or plural for singular.
    Plural,
    /// Equal word stems.
    Inflection,
    /// Initials of the name.
    Acronym,
    /// Some words of the name.
    Part,
    /// Nearly equal letters.
    Spelling,
}

impl Agreement {
    /// Returns the match in words, such as `alias`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Alias => "alias",
            Self::Spacing => "spacing",
            Self::Plural => "plural",
            Self::Inflection => "inflection",
            Self::Acronym => "acronym",
            Self::Part => "part of the name",
            Self::Spelling => "similar spelling",
        }
    }

    /// Returns how certain such a match is by itself, from 0 to 1.
    fn certainty(self) -> f64 {
        match self {
            Self::Name => 1.0,
            Self::Alias => 0.99,
            Self::Spacing => 0.96,
            Self::Plural => 0.93,
            Self::Inflection => 0.8,
            Self::Acronym | Self::Part | Self::Spelling => 0.85,
        }
    }
}

/// A possible meaning of a text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate<T> {
    /// What the name stands for.
    pub target: T,
    /// The name that matches, as it was inserted.
    pub name: String,
    /// Certainty, from 0 to 1.
    pub score: f64,
    /// How the text matches the name.
    pub agreement: Agreement,
}

/// A collection of names, each with what it stands for.
///
/// ```
/// use graphwright_retrieve::{Agreement, NameDictionary};
///
/// let mut dictionary = NameDictionary::new();
/// dictionary.insert("Payment Gateway", 1);
/// dictionary.insert("auth-lib-v2", 2);
/// dictionary.insert_alias("Single Sign-On library", 2);
///
/// let found = dictionary.find("payment gateways");
/// assert_eq!((found[0].target, found[0].agreement), (1, Agreement::Plural));
/// assert_eq!(dictionary.find("Auth Lib v2")[0].target, 2);
/// assert_eq!(dictionary.suggest("paymnet gateway", 3)[0].target, 1);
/// ```
#[derive(Debug)]
pub struct NameDictionary<T> {
    terms: Vec<OwnTerm<T>>,
    numbers: HashMap<(Form, Box<str>), Vec<u32>>,
}

#[derive(Debug)]
struct OwnTerm<T> {
    target: T,
    name: Box<str>,
    entry: Entry,
}

impl<T> Default for NameDictionary<T> {
    fn default() -> Self {
        Self { terms: Vec::new(), numbers: HashMap::new() }
    }
}

impl<T: Copy + Eq + Hash> NameDictionary<T> {
    /// No names yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Returns whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Adds a name of `target`.
    pub fn insert(&mut self, name: &str, target: T) {
        self.add(name, target, false);
    }

    /// Adds another name of `target`.
    pub fn insert_alias(&mut self, name: &str, target: T) {
        self.add(name, target, true);
    }

    /// Returns what a text names with certainty, best first.
    pub fn find(&self, text: &str) -> Vec<Candidate<T>> {
        find(self, text)
    }

    /// What a text may mean, best first: what it names with certainty, then names of which it is a part (words in
    /// order, the last may be cut short), then names spelled nearly so. Digits must agree: `lib-v2` is never
    /// suggested for `lib-v3`. Looks at every name.
    pub fn suggest(&self, text: &str, limit: usize) -> Vec<Candidate<T>> {
        suggest(self, text, limit)
    }

    fn add(&mut self, name: &str, target: T, alias: bool) {
        for (name, entry) in entries_of(name, alias) {
            let number = self.terms.len() as u32;
            for (form, key) in entry.forms(name) {
                self.numbers.entry((form, key.into())).or_default().push(number);
            }
            self.terms.push(OwnTerm { target, name: name.into(), entry });
        }
    }
}

impl<T: Copy + Eq + Hash> Terms for NameDictionary<T> {
    type Target = T;

    fn count(&self) -> u32 {
        self.terms.len() as u32
    }

    fn numbers(&self, form: Form, key: &str) -> Vec<u32> {
        self.numbers.get(&(form, key.into())).cloned().unwrap_or_default()
    }

    fn term(&self, number: u32) -> Option<Term<'_, T>> {
        let OwnTerm { target, name, entry } = self.terms.get(number as usize)?;
        Some(Term {
            target: *target,
            name,
            key: Cow::Borrowed(&entry.key),
            alias: entry.alias,
            punctuation: entry.punctuation,
        })
    }
}

/// A form of a name by which it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    /// Its words. The other forms are kept only where they differ.
    Exact,
    /// Its letters.
    Squashed,
    /// Its words in the singular.
    Singular,
    /// The stems of its words.
    Stemmed,
    /// Its initials.
    Acronym,
}

/// Names with what they stand for, wherever they lie.
pub(crate) trait Terms {
    /// What names stand for.
    type Target: Copy + Eq + Hash;

    /// Returns the number of names.
    fn count(&self) -> u32;

    /// Returns the numbers of the names with a form, in ascending order.
    fn numbers(&self, form: Form, key: &str) -> Vec<u32>;

    /// Returns a name by its number.
    fn term(&self, number: u32) -> Option<Term<'_, Self::Target>>;
}

/// A name and what it stands for.
#[derive(Debug)]
pub(crate) struct Term<'a, T> {
    pub(crate) target: T,
    pub(crate) name: &'a str,
    pub(crate) key: Cow<'a, str>,
    pub(crate) alias: bool,
    /// Bit n is set if punctuation precedes word n.
    pub(crate) punctuation: u64,
}

/// What is kept of a name besides itself.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) key: Box<str>,
    pub(crate) alias: bool,
    pub(crate) punctuation: u64,
}

impl Entry {
    /// Returns all forms by which the name is found.
    pub(crate) fn forms(&self, name: &str) -> Vec<(Form, String)> {
        let words = tokens(name);
        let exact = self.key.to_string();
        let singulars = forms(&words, singular).join(" ");
        let stems = forms(&words, stem).join(" ");
        let mut found = Vec::with_capacity(4);
        let has_brackets = name.contains(['(', '[']);
        let is_word = |letter: char| letter.is_ascii_digit();
        if !self.alias && words.len() > 1 && !has_brackets && !exact.contains(is_word) {
            found.extend(initials(&words).into_iter().map(|initials| (Form::Acronym, initials)));
        }
        found.push((Form::Squashed, squash(&words)));
        if stems != singulars {
            found.push((Form::Stemmed, stems));
        }
        found.push((Form::Singular, singulars));
        found.push((Form::Exact, exact));
        found
    }
}

/// Returns a name and the other names in its brackets, which are aliases.
pub(crate) fn entries_of(name: &str, alias: bool) -> Vec<(&str, Entry)> {
    let words = tokens(name);
    if words.is_empty() {
        return Vec::new();
    }
    let entry = Entry { key: key(&words).into(), alias, punctuation: punctuation(&words) };
    let mut entries = vec![(name, entry)];
    entries.extend(bracket_parts(name).into_iter().flat_map(|part| entries_of(part, true)));
    entries
}

/// Returns what a text names with certainty, best first.
pub(crate) fn find<S: Terms>(terms: &S, text: &str) -> Vec<Candidate<S::Target>> {
    let words = tokens(text);
    let mut found = lookup(terms, text, &words);
    if found.is_empty() && words.len() == 1 {
        found = by_acronym(terms, &words[0].text, text);
    }
    best_of_each(found)
}

/// Returns all certain matches for exactly these words of `text`, each name by its most certain
/// match.
fn lookup<S: Terms>(terms: &S, text: &str, words: &[Token]) -> Vec<Candidate<S::Target>> {
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return Vec::new() };
    let written = &text[first.start..last.end];
    let punctuation = punctuation(words);
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let mut collect = |form: Form, key: &str, agreement: Agreement| {
        for number in terms.numbers(form, key) {
            let Some(term) = terms.term(number) else { continue };
            // Words on both sides of a comma are one name only if the name has it there too.
            if punctuation & !term.punctuation == 0 && seen.insert(number) {
                found.push(term.candidate(agreement, written));
            }
        }
    };
    collect(Form::Exact, &key(words), Agreement::Name);
    let singulars = forms(words, singular).join(" ");
    if words.len() <= LONGEST_SPACING {
        collect(Form::Squashed, &squash(words), Agreement::Spacing);
    }
    collect(Form::Singular, &singulars, Agreement::Plural);
    let stems = forms(words, stem).join(" ");
    collect(Form::Stemmed, &stems, Agreement::Inflection);
    // Names whose stems equal their singulars have the one form only.
    collect(Form::Singular, &stems, Agreement::Inflection);
    found
}

fn by_acronym<S: Terms>(terms: &S, word: &str, written: &str) -> Vec<Candidate<S::Target>> {
    let upper = is_acronym(written);
    let numbers = terms.numbers(Form::Acronym, word).into_iter();
    let candidates = numbers.filter_map(|number| terms.term(number)).map(|term| {
        let score = Agreement::Acronym.certainty() * if upper { 1.0 } else { 0.8 };
        Candidate { target: term.target, name: term.name.to_owned(), score, agreement: Agreement::Acronym }
    });
    candidates.collect()
}

impl<T: Copy> Term<'_, T> {
    fn candidate(&self, agreement: Agreement, written: &str) -> Candidate<T> {
        let agreement = if agreement == Agreement::Name && self.alias { Agreement::Alias } else { agreement };
        let case = if agreement <= Agreement::Alias { case_factor(self.name, written) } else { 1.0 };
        let alias =
            if self.alias && agreement > Agreement::Alias { Agreement::Alias.certainty() } else { 1.0 };
        let score = agreement.certainty() * case * alias;
        Candidate { target: self.target, name: self.name.to_owned(), score, agreement }
    }
}

/// Returns the factor for a difference in case.
///
/// Short names (`IT`, `Go`) lose much, since they may be common words.
fn case_factor(name: &str, written: &str) -> f64 {
    let case = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>();
    match (case(name) == case(written), name.chars().count() <= 3) {
        (true, _) => 1.0,
        (false, true) => 0.6,
        (false, false) => 0.98,
    }
}

/// Keeps the best candidate for each target, sorted best first.
fn best_of_each<T: Copy + Eq + Hash>(mut found: Vec<Candidate<T>>) -> Vec<Candidate<T>> {
    found
        .sort_by(|left, right| right.score.total_cmp(&left.score).then(left.agreement.cmp(&right.agreement)));
    let mut seen = HashSet::new();
    found.retain(|candidate| seen.insert(candidate.target));
    found
}

fn punctuation(words: &[Token]) -> u64 {
    let bits = words.iter().take(64).enumerate().skip(1);
    bits.fold(0, |bits, (position, word)| bits | u64::from(word.after_punctuation) << position)
}

fn forms(words: &[Token], form: impl Fn(&str) -> Cow<'_, str>) -> Vec<String> {
    words.iter().map(|word| form(&word.text).into_owned()).collect()
}

/// Returns whether a word may be an English plural or verb form, so that its ending may be cut.
fn is_english(word: &str) -> bool {
    word.len() > 3 && word.bytes().all(|letter| letter.is_ascii_lowercase())
}

/// Returns the singular of an English plural, and any other word unchanged.
pub(crate) fn singular(word: &str) -> Cow<'_, str> {
    if is_english(word) { inflection::singular(word) } else { Cow::Borrowed(word) }
}

/// Returns the stem of an English word.
pub(crate) fn stem(word: &str) -> Cow<'_, str> {
    if is_english(word) { inflection::stem(word) } else { Cow::Borrowed(word) }
}

/// Returns whether a word is written like an acronym: `SSO`, `BoE`.
fn is_acronym(written: &str) -> bool {
    written.chars().filter(|letter| letter.is_uppercase()).count() > 1
}

/// Returns the initials of a name, with and without its function words.
fn initials(words: &[Token]) -> Vec<String> {
    let initials = |words: &mut dyn Iterator<Item = &Token>| -> String {
        words.filter_map(|word| word.text.chars().next()).collect()
    };
    let all = initials(&mut words.iter());
    let main = initials(&mut words.iter().filter(|word| !words::is_function_word(&word.text)));
    let mut found = vec![all];
    if main.chars().count() > 1 && main != found[0] {
        found.push(main);
    }
    found
}

/// Returns the other names in a name with brackets: `Single Sign-On` and `SSO` for
/// `Single Sign-On (SSO)`.
fn bracket_parts(name: &str) -> Vec<&str> {
    let Some((before, rest)) = name.split_once('(') else { return Vec::new() };
    let Some((inside, after)) = rest.split_once(')') else { return Vec::new() };
    if before.trim().is_empty() || !after.trim().is_empty() {
        return Vec::new();
    }
    let short = !inside.contains(char::is_whitespace)
        && inside.chars().filter(|letter| letter.is_uppercase()).count() > 1;
    if short { vec![before.trim(), inside] } else { vec![before.trim()] }
}

#[cfg(test)]
mod tests;
