//! What of a question a passage says, and where.

use std::ops::RangeInclusive;

use super::{
    cut::{Cut, Quotation},
    stems::Stems,
    terms::Term,
    vectors::Likeness,
};

/// How far a passage says each term of a question, from 0 to 1.
pub(super) struct InPassage {
    /// By each sentence.
    said: Vec<Vec<f64>>,
    /// How like the likest word of each sentence is.
    alike: Vec<Vec<f64>>,
    /// Whether each sentence has each pair of words that stand side by side in the question.
    pairs: Vec<Vec<f64>>,
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
    /// What is missing, as far as a word of the quotation is like it in meaning.
    pub(super) alike: f64,
    /// The share of the question's pairs of words that stand side by side in the quotation.
    pub(super) pairs: f64,
}

impl InPassage {
    pub(super) fn read(
        terms: &[Term],
        pairs: &[[String; 2]],
        likeness: &mut Likeness,
        cut: &Cut<'_>,
    ) -> Self {
        let said_by = |words| terms.iter().map(|term: &Term| term.said_by(words)).collect();
        let above = |term: &Term| if term.is_document { 1.0 } else { term.said_by(&cut.above) };
        let have = |words: &Stems, pair| f64::from(u8::from(words.have(pair)));
        let have_pairs = |words: &Stems| pairs.iter().map(|pair| have(words, pair)).collect();
        Self {
            pairs: cut.words.iter().map(have_pairs).collect(),
            said: cut.words.iter().map(said_by).collect(),
            alike: cut.words.iter().map(|words| likeness.of(words)).collect(),
            above: terms.iter().map(above).collect(),
        }
    }

    pub(super) fn shares(&self, terms: &[Term], quotation: &Quotation<'_>) -> Shares {
        let all = 0..=self.said.len().saturating_sub(1);
        let total = terms.iter().map(|term| term.weight).sum::<f64>().max(f64::MIN_POSITIVE);
        let mut shares = Shares::default();
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
            shares.alike += missing * most(&self.alike, &quotation.shown, at);
        }
        let pairs = self.pairs.first().map_or(0, Vec::len);
        let found: f64 = (0..pairs).map(|at| most(&self.pairs, &quotation.shown, at)).sum();
        shares.pairs = found / pairs.max(1) as f64;
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
