//! A passage cut into sentences, and the quotations that begin at each of them.

use std::ops::{Range, RangeInclusive};

use graphwright_retrieve::{Passage, sentences};

use super::{Found, stems::Stems};

/// The most words of a quotation.
pub(super) const MOST_WORDS: usize = 60;
/// The most words of a sentence that says nothing without the line that introduces it.
const FRAGMENT: usize = 3;
/// The most words of the name of a field.
const FIELD_NAME: usize = 3;

/// A passage cut into sentences.
#[derive(Debug)]
pub(super) struct Cut<'a> {
    pub(super) found: &'a Found,
    sentences: Vec<Range<usize>>,
    /// The words of each sentence.
    pub(super) words: Vec<Stems>,
    /// The words of the headings above and of the document's name.
    pub(super) above: Stems,
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
            !text.starts_with('#') && !is_target && (self.words[at].words.len() > 1 || self.first(at) < at)
        })
    }

    fn sentence(&self, at: usize) -> &str {
        &self.found.passage.text[self.sentences[at].clone()]
    }

    /// Returns the first sentence that is quoted with one: the heading or the announcement before a few words (`Status`
    /// before `Accepted`), else the sentence itself.
    fn first(&self, at: usize) -> usize {
        let is_fragment = (1..=FRAGMENT).contains(&self.words[at].words.len());
        let introduces = |before: &usize| {
            let line = self.sentence(*before);
            line.starts_with('#') || line.ends_with(':')
        };
        at.checked_sub(1).filter(|before| is_fragment && introduces(before)).unwrap_or(at)
    }

    /// Returns the last sentence that is quoted with one: of the same paragraph, or of the list that it announces, as far
    /// as there is room.
    fn last(&self, at: usize) -> usize {
        let text = &self.found.passage.text;
        let start = self.sentences[self.first(at)].start;
        let fits = |&next: &usize| {
            let between = &text[self.sentences[next - 1].end..self.sentences[next].start];
            let follows = between.matches('\n').count() < 2 || self.sentence(next - 1).ends_with(':');
            follows
                && !self.sentence(next).starts_with('#')
                && text[start..self.sentences[next].end].split_whitespace().count() <= MOST_WORDS
        };
        (at + 1..self.sentences.len()).take_while(fits).last().unwrap_or(at)
    }

    /// The quotation that begins at a sentence.
    pub(super) fn quotation(&self, at: usize) -> Quotation<'_> {
        let (first, last) = (self.first(at), self.last(at));
        let (start, end) = (self.sentences[first].start, self.sentences[last].end);
        let text = &self.found.passage.text;
        Quotation {
            start,
            sentence: &text[start..self.sentences[at].end],
            text: first_words(&text[start..end], MOST_WORDS),
            said: first..=at,
            shown: first..=last,
        }
    }

    /// The passage of a quotation.
    pub(super) fn passage(&self, quotation: &Quotation<'_>, score: f64) -> Passage {
        let passage = &self.found.passage;
        Passage {
            start: passage.start + quotation.start,
            end: passage.start + quotation.start + quotation.text.len(),
            text: quotation.text.to_owned(),
            score: (score * 1000.0).round() / 1000.0,
            ..passage.clone()
        }
    }
}

/// A sentence with what is quoted with it.
#[derive(Debug)]
pub(super) struct Quotation<'a> {
    /// Its first byte in the passage.
    start: usize,
    /// The sentence, with what introduces it.
    pub(super) sentence: &'a str,
    /// All that is quoted, up to [`MOST_WORDS`].
    pub(super) text: &'a str,
    /// The sentence, with what introduces it, by the numbers of sentences.
    pub(super) said: RangeInclusive<usize>,
    /// All that is quoted, too.
    pub(super) shown: RangeInclusive<usize>,
}

impl Quotation<'_> {
    /// The name and the value of a field such as `- Status: Accepted`, if the sentence is one.
    pub(super) fn field(&self) -> Option<(&str, &str)> {
        let line = self.sentence.trim_start_matches(|sign: char| !sign.is_alphanumeric());
        let (name, value) = line.split_once(':')?;
        let is_name =
            name.split_whitespace().count() <= FIELD_NAME && !name.contains(['.', ',', '(', '/', '\n']);
        (is_name && value.starts_with(' ') && !self.sentence.contains(". ")).then_some((name, value))
    }

    /// Tells whether it has items of a list.
    pub(super) fn is_list(&self) -> bool {
        let is_item = |line: &&str| {
            let line = line.trim_start();
            let number = line.trim_start_matches(|sign: char| sign.is_ascii_digit());
            line.starts_with(['-', '*', '+', '|'])
                || (number.len() < line.len() && number.starts_with(['.', ')']))
        };
        self.text.lines().filter(is_item).count() > 1
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
