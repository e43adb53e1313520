//! What tells that a quotation answers a question, and how much each of that weighs.

use graphwright_llm::BuiltinEmbedder;

use super::{
    cut::{Cut, Quotation, Record},
    reading::{InPassage, Shares},
    stems::Stems,
    terms::{Term, terms},
    vectors::dot,
    wanted::Wanted,
};

/// The number of clues.
const CLUES: usize = 16;

/// What each clue adds to the logarithm of the odds, in the order of [`Asked::clues`].
///
/// They are those of a conditional logit: of all quotations that could be made for a question, and none, one is chosen
/// (L-BFGS, an L2 penalty of 1 on weights of clues of unit variance). It was fitted on the questions with odd numbers of
/// seven collections of documents, each with an ontology and with an inferred one, and on the same questions where the passages
/// with the answer are taken away. The first weight was then raised by 2.25, since most people ask what the documents say;
/// docs/answers.md has the figures of the other questions.
const WEIGHTS: [f64; CLUES] = [
    -9.02, // always
    3.94,  // the sentence says of the question
    4.95,  // what is quoted with it says besides
    5.62,  // headings and the document's name say besides
    -2.92, // the rest of the passage says besides
    -7.94, // names that are missing
    -4.81, // the weightiest term that is missing
    10.02, // words of like meaning for what is missing
    2.72,  // rank of the passage
    6.51,  // margin of the first passage
    2.24,  // has the kind of thing that is wanted
    -4.26, // lacks it
    1.47,  // is a field that is asked for
    -1.07, // is another field
    -2.49, // is no list, where several things are wanted
    -0.54, // is a list
];

/// What likeness in meaning adds, from 0 to 1: of the question and the quotation, and of it and the sentence with its headings.
const LIKENESS: f64 = 3.50;
const LIKENESS_WITH_HEADINGS: f64 = 4.15;

/// The share of what a question says besides names that a quotation accounts for, if it answers it.
const LEAST_BESIDES_NAMES: f64 = 0.5;
/// The fewest words of a value that may be a sentence.
const LEAST_OF_SENTENCE: usize = 6;
/// The rating of one that does not.
const NEVER: f64 = -20.0;

/// A question, as quotations are compared with it.
pub(super) struct Asked {
    pub(super) terms: Vec<Term>,
    wanted: Wanted,
    embedder: BuiltinEmbedder,
    vector: Vec<f32>,
}

/// The place of a passage among those that a search found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// 1 for the first, 1/2 for the second …
    pub(super) rank: f64,
    /// How far the first is before the second, as a share of its score; 0 for others.
    pub(super) margin: f64,
}

impl Asked {
    pub(super) fn read(question: &str, cuts: &[Cut<'_>]) -> Self {
        let sentences: Vec<_> = cuts.iter().flat_map(|cut| &cut.words).collect();
        let embedder = BuiltinEmbedder::new();
        let vector = embedder.embed_text(question).unwrap_or_default();
        Self { terms: terms(question, &sentences), wanted: Wanted::read(question), embedder, vector }
    }

    /// Rates a quotation by all but likeness: with that, the logarithm of the odds that it answers the question. What only
    /// tells of the right thing, and not what is asked of it, never does.
    pub(super) fn rate(&self, passage: &InPassage, quotation: &Quotation<'_>, place: Place) -> f64 {
        let shares = passage.shares(&self.terms, quotation);
        let rating = self
            .clues(&shares, quotation, place)
            .iter()
            .zip(WEIGHTS)
            .map(|(clue, weight)| clue * weight)
            .sum();
        let is_beside = shares.besides_names < LEAST_BESIDES_NAMES || self.is_beside(quotation);
        if is_beside { f64::min(rating, NEVER) } else { rating }
    }

    /// What likeness of a quotation and the question adds.
    pub(super) fn rate_likeness(&self, cut: &Cut<'_>, quotation: &Quotation<'_>) -> f64 {
        let with_headings = format!("{} {}", cut.found.heading, quotation.sentence);
        LIKENESS * self.alike(quotation.text) + LIKENESS_WITH_HEADINGS * self.alike(&with_headings)
    }

    fn clues(&self, shares: &Shares, quotation: &Quotation<'_>, place: Place) -> [f64; CLUES] {
        let is = |is: bool| f64::from(u8::from(is));
        let has = self.wanted.found_in(quotation.text);
        let asks_for_field = quotation.field().map(|(name, value)| self.asks_for(name, value));
        [
            1.0,
            shares.said,
            shares.shown,
            shares.above,
            shares.around,
            shares.names_missing,
            shares.worst_missing,
            shares.alike,
            place.rank,
            place.margin,
            is(has == Some(true)),
            is(has == Some(false)),
            is(asks_for_field == Some(true)),
            is(asks_for_field == Some(false)),
            is(self.wanted.several && !quotation.is_list()),
            is(quotation.is_list()),
        ]
    }

    /// Tells whether a quotation is of a record and does not answer. A field answers that is asked for, or whose value is a
    /// sentence. A record does up to a field of which the question says name and value: it asks for the record.
    fn is_beside(&self, quotation: &Quotation<'_>) -> bool {
        let Some(record) = quotation.record else { return false };
        let Some((name, value)) = quotation.field() else { return record == Record::UpToField };
        let own = Stems::of(value);
        // Of a field with a list below, the value is not in the line.
        let is_said = !own.words.is_empty() && own.words.iter().all(|word| self.wanted.asked.contains(word));
        let says_name = self.says(&Stems::of(name));
        let is_sentence = || value.split_whitespace().count() >= LEAST_OF_SENTENCE;
        let answers = match record {
            Record::Field => !is_said && (says_name || self.wanted.is_measured_in(value) || is_sentence()),
            Record::UpToField => is_said && says_name,
        };
        !answers
    }

    /// Tells whether a question is for a field: its name is one of the question's words, or its value is of the kind that
    /// is wanted.
    fn asks_for(&self, name: &str, value: &str) -> bool {
        self.says(&Stems::of(name)) || self.wanted.found_in(value) == Some(true)
    }

    /// Tells whether the question says one of some words, or another in its place.
    fn says(&self, words: &Stems) -> bool {
        self.terms.iter().any(|term| term.said_by(words) > 0.0)
    }

    /// How far a text and the question are alike in meaning.
    fn alike(&self, text: &str) -> f64 {
        dot(&self.vector, &self.embedder.embed_text(text).unwrap_or_default())
    }
}
