//! A passage cut into sentences, and what each of them says of a question.

use std::ops::Range;

use graphwright_retrieve::{Passage, sentences};

use super::{Found, stems::Stems, terms::Term};

/// The most words of a quotation.
pub(super) const MOST_WORDS: usize = 60;

/// What a term counts that only the headings above or the document's name have.
const ABOVE: f64 = 0.8;
/// What a term counts that only a sentence behind has which is quoted too.
pub(super) const BEHIND: f64 = 0.7;
/// What a term counts that only other sentences of the passage have.
const AROUND: f64 = 0.2;

/// A passage cut into sentences.
#[derive(Debug)]
pub(super) struct Cut<'a> {
    pub(super) found: &'a Found,
    sentences: Vec<Range<usize>>,
    /// The words of each sentence.
    pub(super) words: Vec<Stems>,
    /// The words of the headings above and of the document's name.
    above: Stems,
}

impl<'a> Cut<'a> {
    pub(super) fn new(found: &'a Found) -> Self {
        let text = &found.passage.text;
        let sentences = sentences(text);
        let words = sentences.iter().map(|sentence| Stems::of(&text[sentence.clone()])).collect();
        let above = Stems::of(&format!("{} {}", found.heading, found.passage.document));
        Self { found, sentences, words, above }
    }

    /// The sentences that say something: no headings, targets of links or rulers.
    pub(super) fn quotable(&self) -> impl Iterator<Item = usize> {
        (0..self.sentences.len()).filter(|&at| {
            let text = self.sentence(at);
            let is_target = text.starts_with('[') && text.contains("]: ");
            !text.starts_with('#') && !is_target && self.words[at].are_several()
        })
    }

    fn sentence(&self, at: usize) -> &str {
        &self.found.passage.text[self.sentences[at].clone()]
    }

    /// Returns the last sentence that is quoted with one: of the same paragraph, or of the list that it announces, as far
    /// as there is room.
    fn last(&self, at: usize) -> usize {
        let text = &self.found.passage.text;
        let start = self.sentences[at].start;
        let fits = |&next: &usize| {
            let between = &text[self.sentences[next - 1].end..self.sentences[next].start];
            let follows = between.matches('\n').count() < 2 || self.sentence(next - 1).ends_with(':');
            follows
                && !self.sentence(next).starts_with('#')
                && text[start..self.sentences[next].end].split_whitespace().count() <= MOST_WORDS
        };
        (at + 1..self.sentences.len()).take_while(fits).last().unwrap_or(at)
    }

    /// How far a term is said by a sentence and around it, from 0 to 1.
    pub(super) fn credit(&self, at: usize, term: &Term) -> f64 {
        let here = term.said_by(&self.words[at]);
        if here >= 1.0 {
            return here;
        }
        let above = if term.is_document { 1.0 } else { term.said_by(&self.above) };
        let behind =
            self.words[at + 1..=self.last(at)].iter().map(|words| term.said_by(words)).fold(0.0, f64::max);
        let near = here.max(ABOVE * above).max(BEHIND * behind);
        let is_around = || self.words.iter().any(|words| words.have(&term.stems));
        if near < AROUND && is_around() { AROUND } else { near }
    }

    /// The sentence with what follows it, up to a number of words.
    pub(super) fn quote(&self, at: usize, score: f64) -> Passage {
        let passage = &self.found.passage;
        let (start, end) = (self.sentences[at].start, self.sentences[self.last(at)].end);
        let text = first_words(&passage.text[start..end], MOST_WORDS);
        Passage {
            start: passage.start + start,
            end: passage.start + start + text.len(),
            text: text.to_owned(),
            score: (score * 1000.0).round() / 1000.0,
            ..passage.clone()
        }
    }
}

/// Cuts a text behind its first words.
fn first_words(text: &str, most: usize) -> &str {
    let starts = text.char_indices().filter(|&(at, letter)| {
        !letter.is_whitespace() && text[..at].chars().next_back().is_none_or(char::is_whitespace)
    });
    let end = starts.map(|(at, _)| at).nth(most);
    text[..end.unwrap_or(text.len())].trim_end()
}
