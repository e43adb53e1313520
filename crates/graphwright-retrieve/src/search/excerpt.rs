//! Finds the part of a long text that has most of a query.

use std::{
    collections::{BTreeSet, HashSet},
    ops::Range,
};

use graphwright_english::words;

use super::{Hit, HitKind, stems::Language};
use crate::{dictionary::tokens, sentences::sentences};

/// The words of a query, with their weights, as texts in some languages have them.
pub(super) struct Wanted<'a> {
    languages: &'a [Language],
    /// The stems of each word, one for each language.
    words: Vec<(Vec<String>, f32)>,
}

impl<'a> Wanted<'a> {
    pub(super) fn new<'w>(
        words: impl IntoIterator<Item = (&'w str, f32)>,
        languages: &'a [Language],
    ) -> Self {
        let stems = |word: &str| languages.iter().map(|language| language.stem(word).into_owned()).collect();
        Self { languages, words: words.into_iter().map(|(word, weight)| (stems(word), weight)).collect() }
    }

    /// The words that occur in a sentence, by their places.
    fn found_in(&self, sentence: &str) -> Vec<usize> {
        let place = |token: &str| {
            let stems: Vec<_> = self.languages.iter().map(|language| language.stem(token)).collect();
            self.words.iter().position(|(word, _)| word.iter().zip(&stems).any(|(word, stem)| word == stem))
        };
        tokens(sentence).iter().filter_map(|token| place(&token.text)).collect()
    }
}

/// Returns the part of a text, in whole sentences of at most `longest` bytes, that has most words of a query. Where one
/// sentence is longer, it is that sentence.
///
/// ```
/// let text = "Flower is a web tool.\n\nIt listens on port 5555.";
/// assert_eq!(graphwright_retrieve::excerpt(text, "Which port is it?", 30), "It listens on port 5555.");
/// ```
pub fn excerpt<'t>(text: &'t str, query: &str, longest: usize) -> &'t str {
    let words = tokens(query).into_iter().map(|token| token.text);
    let words: BTreeSet<String> = words.filter(|word| !words::is_filler(word)).collect();
    let wanted = Wanted::new(words.iter().map(|word| (word.as_str(), 1.0)), &[Language::English]);
    &text[best_stretch(text, &wanted, longest)]
}

/// Leaves of a passage that is longer than `longest` bytes the part that has most of a query.
pub(super) fn shorten(hit: &mut Hit, wanted: &Wanted<'_>, longest: usize) {
    if hit.kind == HitKind::Chunk && hit.text.len() > longest {
        let part = best_part(&hit.text, wanted, longest);
        hit.end = hit.start.map(|start| start + part.end);
        hit.start = hit.start.map(|start| start + part.start);
        hit.text = hit.text[part].to_owned();
    }
}

/// Returns the best stretch. A sentence that is longer than that is cut.
fn best_part(text: &str, wanted: &Wanted<'_>, longest: usize) -> Range<usize> {
    let best = best_stretch(text, wanted, longest);
    let end = text.floor_char_boundary(best.end.min(best.start + longest));
    best.start..end.max(best.start)
}

/// Returns the stretch of whole sentences, lines or fields, of at most `longest` bytes, that has most of the words by
/// weight; of several the one with the most occurrences.
fn best_stretch(text: &str, wanted: &Wanted<'_>, longest: usize) -> Range<usize> {
    let sentences = sentences(text);
    let found: Vec<Vec<usize>> =
        sentences.iter().map(|sentence| wanted.found_in(&text[sentence.clone()])).collect();
    let (mut best, mut best_worth) = (0..0, (0.0, 0));
    for (first, sentence) in sentences.iter().enumerate() {
        let start = sentence.start;
        let fits = sentences[first..].iter().take_while(|sentence| sentence.end - start <= longest).count();
        let last = first + fits.max(1) - 1;
        let stretch = &found[first..=last];
        let had: HashSet<usize> = stretch.iter().flatten().copied().collect();
        let weight: f32 =
            wanted.words.iter().enumerate().filter(|(at, _)| had.contains(at)).map(|(_, word)| word.1).sum();
        let worth = (weight, stretch.iter().map(Vec::len).sum());
        if best.is_empty() || worth > best_worth {
            (best, best_worth) = (start..sentences[last].end, worth);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stretch_with_most_of_the_words_is_shown() {
        let text =
            "Nothing. The capital is big.\n\ncapital: Nairobi\narea: 580367\n\nNothing more. Still nothing.";
        let wanted = |words: &[(&'static str, f32)]| Wanted::new(words.iter().copied(), &[Language::English]);
        let shown = |words: &[(&'static str, f32)], longest| &text[best_part(text, &wanted(words), longest)];
        assert_eq!(shown(&[("capital", 1.0), ("area", 2.0)], 30), "capital: Nairobi\narea: 580367");
        assert_eq!(shown(&[("area", 2.0)], 13), "area: 580367");
        assert_eq!(shown(&[("more", 1.0)], 5), "Nothi");
        assert_eq!(shown(&[], 8), "Nothing.");
        assert_eq!(best_part("", &wanted(&[]), 8), 0..0);
    }
}
