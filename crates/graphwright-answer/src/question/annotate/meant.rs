//! Words that nothing explains, by what of the schema is likest them in meaning: `stopped selling` for `discontinued`.

use super::{Annotator, Piece, Span};
use crate::{
    called::{Called, Likest},
    lexicon::{Reading, Shape},
    schema::{Kind, Property},
};

/// The most words that are compared together.
const MOST_WORDS: usize = 4;
/// From this weight on, what words mean is no matter of likeness.
const SURE: f64 = 0.8;

impl<'a> Annotator<'a> {
    /// The same, which compares in meaning what nothing explains.
    pub(crate) fn by_meaning(self, called: &'a Called) -> Self {
        Self { called: Some(called), ..self }
    }

    /// Adds what runs of open words mean most likely.
    pub(super) fn meant_spans(&self, open: &[bool], spans: &mut Vec<Span>) {
        let Some(called) = self.called else { return };
        let surely = |at: usize| spans.iter().any(|span| span.has(at) && span.weight > SURE);
        // `Stopped selling`, though to sell is nearly to supply.
        let may_mean: Vec<bool> =
            (0..self.tokens.len()).map(|at| open[at] || self.carries_meaning(at) && !surely(at)).collect();
        let mut found = Vec::new();
        for first in (self.head.lead..self.tokens.len()).filter(|at| may_mean[*at]) {
            // `Spend in the air`: words that say nothing may stand between.
            let inside = |at: &usize| may_mean[*at] || !self.carries_meaning(*at);
            let run = (first..self.tokens.len().min(first + MOST_WORDS)).take_while(inside);
            for last in run.filter(|at| may_mean[*at]) {
                if !open[first..=last].contains(&true) {
                    continue;
                }
                let words: Vec<&str> =
                    self.tokens[first..=last].iter().map(|token| token.lower.as_str()).collect();
                let Some((likest, like)) = called.likest(&words.join(" "), self.schema) else { continue };
                if let Some(piece) = self.piece_of(likest) {
                    found.push(Span::new(first, last + 1, piece, like));
                }
            }
        }
        spans.extend(found);
    }

    fn piece_of(&self, likest: Likest) -> Option<Piece> {
        match likest {
            Likest::Properties(properties) => Some(Piece::Property(properties)),
            Likest::Label(label) => Some(Piece::Type(vec![label])),
            // Which end says it of the other is not known.
            Likest::Kind(kind) if self.schema.is_same_at_both_ends(kind) => None,
            Likest::Kind(kind) => Some(Piece::Relation(Shape::Verb, both_ways(kind))),
        }
    }

    /// The numbers that an adjective measures by its meaning.
    pub(super) fn measured_by_meaning(&self, adjective: &str) -> Vec<Property> {
        self.called.map_or_else(Vec::new, |called| called.measures_like(adjective, self.schema))
    }
}

fn both_ways(kind: Kind) -> Vec<Reading> {
    [true, false].map(|subject_is_start| Reading { kind, subject_is_start, weight: 1.0 }).to_vec()
}
