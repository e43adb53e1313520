//! What the documents say: the sentences of found passages that come nearest to a question.
//!
//! A sentence is worth the share of the question's words that it has, rare words counting more. Words
//! that only stand near it count less. The numbers here were chosen on the questions with odd numbers
//! of three collections of documents; docs/answers.md has the figures of the others.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    ops::Range,
};

use graphwright_english::{inflection, names, questions::words};
use graphwright_retrieve::{Passage, sentences};

/// The most words of a quotation.
const MOST_WORDS: usize = 60;
/// The most quotations of an answer.
const MOST_QUOTES: usize = 3;

/// What a word of the question counts that only a sentence behind has which is quoted too.
const BEHIND: f64 = 0.7;
/// What a word of the question counts that only the headings above have.
const ABOVE: f64 = 0.8;
/// What a word of the question counts that only other sentences of the passage have.
const AROUND: f64 = 0.2;
/// What the score of the passage among those found counts, where all words of the question count 1.
const PLACE: f64 = 0.3;
/// The share of the question's words from which a sentence is to the point.
const TO_THE_POINT: f64 = 0.55;

/// The number of sentences from which frequencies tell something; fewer are taken for as many.
const LEAST_SENTENCES: usize = 30;

/// A passage that a search found.
pub(crate) struct Found {
    /// The document's title and the headings above the passage.
    pub(crate) heading: String,
    pub(crate) passage: Passage,
}

/// Chooses quotations, best first; none where nothing is to the point.
pub(crate) fn quote(question: &str, found: &[Found]) -> Vec<Passage> {
    let cuts: Vec<Cut<'_>> = found.iter().map(Cut::new).collect();
    let mut rated = rate(question, &cuts);
    rated.sort_by(|left, right| right.score.total_cmp(&left.score));
    let Some(first) = rated.iter().position(|rated| rated.share >= TO_THE_POINT) else { return Vec::new() };
    // A sentence of a better passage may have the higher score and still not be to the point.
    rated.drain(..first);
    let mut quotes: Vec<Passage> = Vec::new();
    for Rated { score, cut, at, .. } in rated.into_iter().filter(|rated| rated.share >= TO_THE_POINT / 2.0) {
        let quote = cut.quote(at, score / (1.0 + PLACE));
        let shared = |other: &Passage| {
            other.chunk == quote.chunk && other.start < quote.end && quote.start < other.end
        };
        if !quotes.iter().any(|other| shared(other) || other.text == quote.text) {
            quotes.push(quote);
        }
        if quotes.len() == MOST_QUOTES {
            break;
        }
    }
    quotes
}

/// Rates all sentences that say something.
fn rate<'a>(question: &str, cuts: &'a [Cut<'a>]) -> Vec<Rated<'a>> {
    let terms = terms(question, cuts);
    let best = cuts.iter().map(|cut| cut.found.passage.score).fold(f64::MIN_POSITIVE, f64::max);
    let rated = cuts.iter().flat_map(|cut| {
        let place = PLACE * cut.found.passage.score / best;
        let sentences = (0..cut.sentences.len()).filter(|&at| cut.can_be_quoted(at));
        let terms = &terms;
        sentences.map(move |at| {
            let share = cut.share(at, terms);
            Rated { share, score: share + place, cut, at }
        })
    });
    rated.collect()
}

/// A sentence that may be quoted.
struct Rated<'a> {
    share: f64,
    score: f64,
    cut: &'a Cut<'a>,
    at: usize,
}

/// The words of a question that tell sentences apart, with their weights, which add up to 1. They have
/// an order, so that sums of them are the same each time.
///
/// The weight is the inverse document frequency (Spärck Jones 1972) among the sentences.
fn terms(question: &str, cuts: &[Cut<'_>]) -> BTreeMap<String, f64> {
    let asked = names::tokens(question).into_iter().filter(|token| !is_function_word(&token.text));
    let asked: BTreeSet<String> = asked.map(|token| inflection::stem(&token.text).into_owned()).collect();
    let all: Vec<&HashSet<String>> = cuts.iter().flat_map(|cut| &cut.words).collect();
    let weigh = |term: String| {
        let having = all.iter().filter(|words| words.contains(&term)).count();
        let weight = (1.0 + all.len().max(LEAST_SENTENCES) as f64 / (0.5 + having as f64)).ln();
        (term, weight)
    };
    let mut terms: BTreeMap<String, f64> = asked.into_iter().map(weigh).collect();
    let sum: f64 = terms.values().sum();
    for weight in terms.values_mut() {
        *weight /= sum;
    }
    terms
}

/// Tells whether a word says nothing of what a question is about.
fn is_function_word(word: &str) -> bool {
    words::is_auxiliary(word)
        || words::is_determiner(word)
        || words::is_preposition(word)
        || words::is_relative(word)
        || matches!(
            word,
            "and"
                | "how"
                | "i"
                | "if"
                | "it"
                | "many"
                | "me"
                | "much"
                | "or"
                | "than"
                | "there"
                | "they"
                | "we"
                | "why"
                | "you"
        )
}

/// A passage cut into sentences.
struct Cut<'a> {
    found: &'a Found,
    sentences: Vec<Range<usize>>,
    /// The stems of each sentence.
    words: Vec<HashSet<String>>,
    heading: HashSet<String>,
}

impl<'a> Cut<'a> {
    fn new(found: &'a Found) -> Self {
        let text = &found.passage.text;
        let sentences = sentences(text);
        let words = sentences.iter().map(|sentence| stems(&text[sentence.clone()])).collect();
        Self { found, sentences, words, heading: stems(&found.heading) }
    }

    /// Tells whether a sentence says something: it is no heading, no target of links, no ruler.
    fn can_be_quoted(&self, at: usize) -> bool {
        let text = &self.found.passage.text[self.sentences[at].clone()];
        let is_target = text.starts_with('[') && text.contains("]: ");
        !text.starts_with('#') && !is_target && self.words[at].len() > 1
    }

    /// Returns the last sentence that is quoted with one: of the same paragraph, as far as there is
    /// room.
    fn last(&self, at: usize) -> usize {
        let text = &self.found.passage.text;
        let start = self.sentences[at].start;
        let fits = |&next: &usize| {
            let between = &text[self.sentences[next - 1].end..self.sentences[next].start];
            between.matches('\n').count() < 2
                && !text[self.sentences[next].clone()].starts_with('#')
                && text[start..self.sentences[next].end].split_whitespace().count() <= MOST_WORDS
        };
        (at + 1..self.sentences.len()).take_while(fits).last().unwrap_or(at)
    }

    /// The share of the question's words that a sentence has, and what is said of it around it.
    fn share(&self, at: usize, terms: &BTreeMap<String, f64>) -> f64 {
        let behind = &self.words[at + 1..=self.last(at)];
        let credit = |term: &String| {
            if self.words[at].contains(term) {
                1.0
            } else if self.heading.contains(term) {
                ABOVE
            } else if behind.iter().any(|words| words.contains(term)) {
                BEHIND
            } else if self.words.iter().any(|words| words.contains(term)) {
                AROUND
            } else {
                0.0
            }
        };
        terms.iter().map(|(term, weight)| weight * credit(term)).sum()
    }

    fn quote(&self, at: usize, score: f64) -> Passage {
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

fn stems(text: &str) -> HashSet<String> {
    names::tokens(text).iter().map(|token| inflection::stem(&token.text).into_owned()).collect()
}

/// Cuts a text behind its first words.
fn first_words(text: &str, most: usize) -> &str {
    let starts = text.char_indices().filter(|&(at, letter)| {
        !letter.is_whitespace() && text[..at].chars().next_back().is_none_or(char::is_whitespace)
    });
    let end = starts.map(|(at, _)| at).nth(most);
    text[..end.unwrap_or(text.len())].trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(heading: &str, text: &str, score: f64) -> Found {
        let passage = Passage {
            document: "notes.md".into(),
            chunk: format!("notes.md#{heading}"),
            start: 100,
            end: 100 + text.len(),
            text: text.into(),
            score,
        };
        Found { heading: heading.into(), passage }
    }

    fn quotes(question: &str, found: &[Found]) -> Vec<String> {
        quote(question, found).into_iter().map(|quote| quote.text).collect()
    }

    #[test]
    fn the_sentence_with_most_of_the_question_leads() {
        let passages = [
            found("Hosting", "We host much. There are three environments in the cloud.\n\n- Staging\n", 0.5),
            found("Backups", "The cloud is backed up.", 0.6),
        ];
        let quoted = quotes("How many environments are in the cloud?", &passages);
        assert_eq!(quoted[0], "There are three environments in the cloud.");
        let place = &quote("How many environments are in the cloud?", &passages)[0];
        assert_eq!((place.start, place.end), (114, 156));
    }

    #[test]
    fn headings_and_what_follows_count_and_other_things_do_not() {
        let dated = [found("Union types", "- Start Date: 2015-12-29\n- Issue: 32836", 0.5)];
        assert_eq!(quotes("What is the start date of union types?", &dated).len(), 1);
        let other = [found("Other", "- Start Date: 2015-12-29", 0.5)];
        assert!(quotes("What is the start date of union types?", &other).is_empty());
        assert!(quotes("", &dated).is_empty() && quotes("How many?", &dated).is_empty());
        assert!(quotes("Who?", &[]).is_empty());
    }

    #[test]
    fn headings_links_and_rulers_are_not_quoted() {
        let passages =
            [found("", "# Rate limits\n\n[limits]: https://example.org/rate/limits\n\n| --- |\n", 0.5)];
        assert!(quotes("What are the rate limits?", &passages).is_empty());
    }

    #[test]
    fn a_quotation_is_of_bounded_length_and_stands_in_the_text() {
        let long = format!("Ledger über {}", "wörd ".repeat(200));
        let passages = [found("", &long, 0.5)];
        let quote = &quote("What is ledger über?", &passages)[0];
        assert_eq!(quote.text.split_whitespace().count(), MOST_WORDS);
        assert_eq!(&long[quote.start - 100..quote.end - 100], quote.text);
    }
}
