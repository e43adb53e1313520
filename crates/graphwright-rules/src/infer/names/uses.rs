//! How the documents use a candidate for a name.

use std::collections::{BTreeSet, HashMap};

use aho_corasick::{AhoCorasick, MatchKind};
use graphwright_english::inflection as english;

use super::is_plural_acronym;
use crate::infer::{
    bases::Bases,
    common_words::is_function_word,
    text::{Text, Word, words},
};

/// How a candidate is used, whatever its case.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses {
    /// The spellings with capitals.
    written: HashMap<String, usize>,
    /// The other spellings, but for those at the start of a sentence.
    plain: HashMap<String, usize>,
    /// In capitals, other than by opening a sentence.
    pub capital: usize,
    /// In small letters.
    pub small: usize,
    /// In capitals, with no noun after it that it only describes.
    pub heads: usize,
    /// Of these, after a word that counts things of a kind, or in the plural of an abbreviation.
    pub indefinite: usize,
    /// Of these, after `the`.
    pub definite: usize,
    pub documents: BTreeSet<usize>,
}

impl Uses {
    /// The most frequent spelling with capitals.
    pub(super) fn best(&self) -> Option<&str> {
        most_frequent(&self.written)
    }

    /// The most frequent spelling of a common noun.
    pub(super) fn best_plain(&self) -> Option<&str> {
        most_frequent(&self.plain).or_else(|| self.best())
    }

    pub(super) fn add(&mut self, other: Self) {
        for (mine, others) in [(&mut self.written, other.written), (&mut self.plain, other.plain)] {
            for (text, count) in others {
                *mine.entry(text).or_default() += count;
            }
        }
        self.capital += other.capital;
        self.small += other.small;
        self.heads += other.heads;
        self.indefinite += other.indefinite;
        self.definite += other.definite;
        self.documents.extend(other.documents);
    }
}

fn most_frequent(spellings: &HashMap<String, usize>) -> Option<&str> {
    let best = spellings.iter().max_by(|left, right| left.1.cmp(right.1).then_with(|| right.0.cmp(left.0)));
    best.map(|(text, _)| text.as_str())
}

/// Words before a noun that counts: a name does not stand after them.
pub(in crate::infer) const COUNTING: [&str; 24] = [
    "a",
    "an",
    "each",
    "every",
    "another",
    "any",
    "no",
    "many",
    "multiple",
    "several",
    "some",
    "these",
    "those",
    "two",
    "three",
    "four",
    "few",
    "more",
    "various",
    "different",
    "additional",
    "most",
    "both",
    "other",
];

/// Words after a noun phrase, other than function words.
const AFTER: [&str; 28] = [
    "are", "was", "were", "be", "has", "have", "had", "does", "do", "could", "would", "might", "without",
    "within", "via", "during", "whose", "whether", "like", "until", "across", "again", "too", "today",
    "well", "together", "alone", "where",
];

/// Counts the uses of candidates, by candidate in small letters. Within a longer candidate a shorter one does not count.
pub(super) fn scan<'n>(
    texts: &[Text],
    candidates: impl Iterator<Item = &'n String>,
    bases: &Bases,
) -> HashMap<String, Uses> {
    let mut patterns: Vec<String> = candidates.map(|name| name.to_lowercase()).collect();
    patterns.sort();
    patterns.dedup();
    let mut builder = AhoCorasick::builder();
    let built = builder.match_kind(MatchKind::LeftmostLongest).ascii_case_insensitive(true).build(&patterns);
    let Some(matcher) = built.ok().filter(|_| !patterns.is_empty()) else { return HashMap::new() };
    let mut found: HashMap<String, Uses> = HashMap::new();
    for (document, text) in texts.iter().enumerate() {
        for block in &text.blocks {
            let words = words(block);
            for hit in matcher.find_iter(block) {
                let first = words.partition_point(|word| word.start < hit.start());
                let last = words.partition_point(|word| word.end < hit.end());
                let whole = words.get(first).is_some_and(|word| word.start == hit.start())
                    && words.get(last).is_some_and(|word| word.end == hit.end());
                if whole {
                    let uses = found.entry(patterns[hit.pattern()].clone()).or_default();
                    uses.documents.insert(document);
                    uses.count(&block[hit.range()], &words, first, last, bases);
                }
            }
        }
    }
    found
}

impl Uses {
    fn count(&mut self, shown: &str, words: &[Word<'_>], first: usize, last: usize, bases: &Bases) {
        if !is_capital(shown) {
            self.small += 1;
            if !words[first].opens {
                *self.plain.entry(shown.to_owned()).or_default() += 1;
            }
            return;
        }
        if first == last && words[first].opens && !has_inner_capital(shown) {
            return;
        }
        self.capital += 1;
        *self.written.entry(shown.to_owned()).or_default() += 1;
        let next = words.get(last + 1).filter(|next| next.joins && !next.opens);
        if next.is_some_and(|next| is_noun_after(next.text, bases)) {
            return;
        }
        self.heads += 1;
        let before = first.checked_sub(1).filter(|_| words[first].joins).map_or("", |at| words[at].text);
        let before = before.to_lowercase();
        let plural = is_plural_acronym(words[last].text);
        self.indefinite += usize::from(COUNTING.contains(&before.as_str()) || plural);
        self.definite += usize::from(before == "the");
    }
}

/// Whether what stands after a name is a noun that the name describes.
pub(in crate::infer) fn is_noun_after(word: &str, bases: &Bases) -> bool {
    let verb = bases.third_person(word).is_some() || english::is_past(word) || word.ends_with("ing");
    word.starts_with(char::is_lowercase)
        && !is_function_word(word)
        && !AFTER.contains(&word)
        && !word.ends_with("ly")
        && !verb
}

/// Whether all words that carry meaning have a capital; an identifier has its own spelling.
fn is_capital(shown: &str) -> bool {
    let mut words = shown.split(' ').filter(|word| !is_function_word(word) || shown == *word);
    words.all(|word| word.starts_with(|letter: char| !letter.is_lowercase()) || is_joined(word))
}

fn is_joined(word: &str) -> bool {
    has_inner_capital(word) || word.contains(['-', '_'])
}

/// Whether a word has a capital or a digit after its first letter.
pub(super) fn has_inner_capital(word: &str) -> bool {
    word.chars().skip(1).any(|character| character.is_uppercase() || character.is_numeric())
}
