//! Finds all known names in a text.

use std::hash::Hash;

use serde::Serialize;

use super::{Agreement, Candidate, Lexicon, Token, best_of_each, singular, stem, tokens};

/// Maximum number of words in the text that may match a name written without spaces.
pub(super) const LONGEST_SPACING: usize = 4;

/// A range of a text that names something.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TextMatch<T> {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
    /// Possible meanings, best first; never empty.
    pub candidates: Vec<Candidate<T>>,
}

/// Words that are hardly ever a name when written in lower case. Sorted, for binary search.
const FUNCTION_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been", "before",
    "by", "can", "could", "did", "do", "does", "for", "from", "had", "has", "have", "he", "her", "his",
    "how", "i", "if", "in", "into", "is", "it", "its", "may", "me", "might", "must", "my", "no", "not", "of",
    "on", "one", "or", "our", "out", "over", "per", "she", "should", "so", "some", "such", "than", "that",
    "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "under", "up", "us",
    "was", "we", "were", "what", "when", "where", "which", "who", "whom", "whose", "why", "will", "with",
    "would", "you", "your",
];

/// Returns whether a normalised word is an English function word.
pub(crate) fn is_function_word(word: &str) -> bool {
    FUNCTION_WORDS.binary_search(&word).is_ok()
}

impl<T: Copy + Eq + Hash> Lexicon<T> {
    /// Finds all places in a text that name something with certainty.
    ///
    /// Goes from left to right, takes the longest name at each place, and returns no overlaps.
    /// Costs a few look-ups for each word, however many names there are.
    pub fn scan(&self, text: &str) -> Vec<TextMatch<T>> {
        let words = tokens(text);
        let mut matches = Vec::new();
        let mut position = 0;
        while position < words.len() {
            let (length, candidates) = self.longest_at(text, &words[position..]);
            if let Some(last) = (position + length).checked_sub(1).filter(|_| !candidates.is_empty()) {
                let (start, end) = (words[position].start, words[last].end);
                matches.push(TextMatch { start, end, candidates: best_of_each(candidates) });
            }
            position += length.max(1);
        }
        matches
    }

    fn longest_at(&self, text: &str, words: &[Token]) -> (usize, Vec<Candidate<T>>) {
        let first = &words[0];
        let longest = |word: &str| self.longest.get(word).map_or(0, |&count| count as usize);
        let reach =
            longest(&first.text).max(longest(&singular(&first.text))).max(longest(&stem(&first.text)));
        for length in (1..=reach.max(LONGEST_SPACING).min(words.len())).rev() {
            let window = &words[..length];
            let found =
                if length <= reach { self.lookup(text, window) } else { self.by_spacing(text, window) };
            let chance = length == 1 && is_chance(text, first, &found);
            if !found.is_empty() && !chance {
                return (length, found);
            }
        }
        let written = &text[first.start..first.end];
        let found =
            if super::is_acronym(written) { self.by_acronym(&first.text, written) } else { Vec::new() };
        (usize::from(!found.is_empty()), found)
    }

    fn by_spacing(&self, text: &str, words: &[Token]) -> Vec<Candidate<T>> {
        if words.iter().skip(1).any(|word| word.after_punctuation) {
            return Vec::new();
        }
        let numbers = self.squashed.get(super::squash(words).as_str()).into_iter().flatten();
        let written = &text[words[0].start..words[words.len() - 1].end];
        numbers.map(|&number| self.terms[number as usize].candidate(Agreement::Spacing, written)).collect()
    }
}

/// Returns whether a match is a coincidence: a function word in lower case that no name spells
/// exactly so.
fn is_chance<T>(text: &str, word: &Token, found: &[Candidate<T>]) -> bool {
    let written = &text[word.start..word.end];
    is_function_word(&word.text)
        && !found.iter().any(|candidate| candidate.name == written && written.chars().any(char::is_uppercase))
}
