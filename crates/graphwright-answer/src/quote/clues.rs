//! What tells that a quotation answers a question, and how much each of that weighs.

use graphwright_llm::BuiltinEmbedder;

use super::{
    cut::{Cut, Quotation, Record},
    reading::Shares,
    stems::Stems,
    terms::{Term, terms},
    vectors::dot,
    wanted::Wanted,
};

/// The number of clues.
const CLUES: usize = 20;

/// The places of the clues for what sentences and what is quoted with them say, of the one that compares what sentences say, and of
/// the first of the two of likeness in meaning.
const SAID: usize = 1;
const SHOWN: usize = 2;
const SAID_LESS: usize = 16;
const LIKENESS: usize = 18;

/// What each clue adds to the logarithm of the odds that a quotation answers.
///
/// They are those of a conditional logit: of all quotations that could be made for a question, and none, one is chosen
/// (L-BFGS, an L2 penalty on weights of clues of unit variance; `tools/quotes`). docs/answers.md has the collections of
/// documents that they are fitted on, and the figures when each is left out.
const WEIGHTS: [f64; CLUES] = [
    -7.32, // always
    5.26,  // the sentence says of the question
    4.39,  // what is quoted with it says besides
    5.53,  // headings and the document's name say besides
    -0.43, // the rest of the passage says besides
    -2.74, // names that are missing
    -0.48, // the weightiest term that is missing
    8.37,  // words of like meaning for what is missing
    1.21,  // rank of the passage
    15.88, // margin of the first passage
    0.19,  // has the kind of thing that is wanted
    -1.97, // lacks it
    0.53,  // is a field that is asked for
    0.98,  // is another field
    -1.08, // is no list, where several things are wanted
    0.27,  // is a list
    -2.11, // the sentence says less of the question than the one that says most
    3.02,  // words that stand side by side in the question do so here
    1.43,  // likeness of the question and the quotation
    1.45,  // likeness of the question and the sentence with its headings
];

/// The fewest words of a value that may be a sentence.
const LEAST_OF_SENTENCE: usize = 6;

/// What tells whether a quotation answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clues([f64; CLUES]);

impl Clues {
    pub(super) fn rating(&self) -> f64 {
        self.0.iter().zip(WEIGHTS).map(|(clue, weight)| clue * weight).sum()
    }

    pub(super) fn said(&self) -> f64 {
        self.0[SAID]
    }

    /// Whether what is quoted with the sentence says of the question besides.
    pub(super) fn says_more(&self) -> bool {
        self.0[SHOWN] > 0.0
    }

    /// Compares with the sentence that says most of the question.
    pub(super) fn compare_said(&mut self, most: f64) {
        self.0[SAID_LESS] = most - self.0[SAID];
    }

    pub(super) fn set_likeness(&mut self, quotation: f64, with_headings: f64) {
        self.0[LIKENESS..].copy_from_slice(&[quotation, with_headings]);
    }

    pub(super) fn to_vec(self) -> Vec<f64> {
        self.0.to_vec()
    }
}

/// A question, as quotations are compared with it.
pub(super) struct Asked {
    pub(super) terms: Vec<Term>,
    /// The words that stand side by side, as stems.
    pub(super) pairs: Vec<[String; 2]>,
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
    /// The stem of the word for what is asked (`which museum`).
    pub(super) fn noun(&self) -> Option<&str> {
        self.wanted.noun.as_deref()
    }

    pub(super) fn read(question: &str, cuts: &[Cut<'_>]) -> Self {
        let sentences: Vec<_> = cuts.iter().flat_map(|cut| &cut.words).collect();
        let embedder = BuiltinEmbedder::new();
        let vector = embedder.embed_text(question).unwrap_or_default();
        let (terms, pairs) = (terms(question, &sentences), Stems::of(question).pairs());
        Self { terms, pairs, wanted: Wanted::read(question), embedder, vector }
    }

    /// All clues that a quotation has by itself; [`Clues`] has the setters of the others.
    pub(super) fn clues(&self, shares: &Shares, quotation: &Quotation<'_>, place: Place) -> Clues {
        let is = |is: bool| f64::from(u8::from(is));
        let has = self.wanted.found_in(quotation.text);
        let asks_for_field = quotation.field().map(|(name, value)| self.asks_for(name, value));
        Clues([
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
            0.0,
            shares.pairs,
            0.0,
            0.0,
        ])
    }

    /// Tells whether a quotation is of a record and does not answer. A field answers that is asked for, or whose value is a
    /// sentence. A record does up to a field of which the question says name and value: it asks for the record.
    pub(super) fn is_beside(&self, quotation: &Quotation<'_>) -> bool {
        let Some(record) = quotation.record else { return false };
        let Some((name, value)) = quotation.field() else { return record == Record::UpToField };
        let own = Stems::of(value);
        // Of a field with a list below, the value is not in the line.
        let is_said = !own.words.is_empty() && own.words.iter().all(|word| self.wanted.asked.contains(word));
        let says_name = self.says(&Stems::of(name));
        let is_list = value.trim_start().starts_with(['[', '{']);
        let is_sentence = || !is_list && value.split_whitespace().count() >= LEAST_OF_SENTENCE;
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
    pub(super) fn alike(&self, text: &str) -> f64 {
        dot(&self.vector, &self.embedder.embed_text(text).unwrap_or_default())
    }
}
