//! What of a question a passage says, and where.

use std::ops::RangeInclusive;

use super::{
    cut::{Cut, Quotation},
    terms::Term,
    vectors::Likeness,
};

/// How far a passage says each term of a question, from 0 to 1.
pub(super) struct InPassage {
    /// By each sentence.
    said: Vec<Vec<f64>>,
    /// How like the likest word of each sentence is.
    alike: Vec<Vec<f64>>,
    /// By the headings above or the document's name.
    above: Vec<f64>,
}

/// Shares of the terms of a question, by weight.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shares {
    /// What the sentence says.
    pub(super) said: f64,
    /// What is quoted with it says besides.
    pub(super) shown: f64,
    /// The headings above or the document's name say besides.
    pub(super) above: f64,
    /// The rest of the passage says besides.
    pub(super) around: f64,
    /// The names that at most the rest of the passage says.
    pub(super) names_missing: f64,
    /// The weightiest term that at most the rest of the passage says.
    pub(super) worst_missing: f64,
    /// Of what the question says besides names alone: what the quotation and the headings say, or as far as a word of the
    /// quotation is like it in meaning.
    pub(super) besides_names: f64,
    /// All of these, as far as a word of the quotation is like them in meaning.
    pub(super) alike: f64,
}

impl InPassage {
    pub(super) fn read(terms: &[Term], likeness: &mut Likeness, cut: &Cut<'_>) -> Self {
        let said_by = |words| terms.iter().map(|term: &Term| term.said_by(words)).collect();
        let above = |term: &Term| if term.is_document { 1.0 } else { term.said_by(&cut.above) };
        Self {
            said: cut.words.iter().map(said_by).collect(),
            alike: cut.words.iter().map(|words| likeness.of(words)).collect(),
            above: terms.iter().map(above).collect(),
        }
    }

    pub(super) fn shares(&self, terms: &[Term], quotation: &Quotation<'_>) -> Shares {
        let all = 0..=self.said.len().saturating_sub(1);
        let total = terms.iter().map(|term| term.weight).sum::<f64>().max(f64::MIN_POSITIVE);
        let mut shares = Shares::default();
        let (mut asked, mut told) = (0.0, 0.0);
        for (at, term) in terms.iter().enumerate() {
            let weight = term.weight / total;
            let said = most(&self.said, &quotation.said, at);
            let shown = most(&self.said, &quotation.shown, at);
            let above = shown.max(self.above[at]);
            let missing = weight * (1.0 - above);
            shares.said += weight * said;
            shares.shown += weight * (shown - said);
            shares.above += weight * (above - shown);
            shares.around += weight * (most(&self.said, &all, at).max(above) - above);
            shares.names_missing += if term.is_name { missing } else { 0.0 };
            shares.worst_missing = shares.worst_missing.max(missing);
            let alike = missing * most(&self.alike, &quotation.shown, at);
            shares.alike += alike;
            if !term.is_name {
                asked += weight;
                told += weight * above + alike;
            }
        }
        shares.besides_names = if asked > 0.0 { told / asked } else { 1.0 };
        shares
    }

    /// Tells whether a quotation, with the headings above it, says all that the question names.
    pub(super) fn names_all(&self, terms: &[Term], quotation: &Quotation<'_>) -> bool {
        let mut names = terms.iter().enumerate().filter(|(_, term)| term.is_name).peekable();
        let is_said = |(at, _)| most(&self.said, &quotation.shown, at).max(self.above[at]) >= 1.0;
        names.peek().is_some() && names.all(is_said)
    }
}

/// The most that some sentences have of a term.
fn most(sentences: &[Vec<f64>], range: &RangeInclusive<usize>, term: usize) -> f64 {
    sentences[range.clone()].iter().map(|sentence| sentence[term]).fold(0.0, f64::max)
}
