//! Words without an explanation that a reading may do without.

use graphwright_english::{inflection, questions::word, thesaurus, words};

use super::{Annotator, Piece, Segmentation, Span};
use crate::{lexicon::Shape, question::Form};

impl Annotator<'_> {
    /// `How long is the half-life`: the adjective says nothing that the property does not.
    pub(super) fn forgive_measure(&self, segmentation: &mut Segmentation) {
        let property = segmentation.spans.iter().any(|span| matches!(span.piece, Piece::Property(_)));
        segmentation.unexplained.retain(|&at| {
            let behind_how = at > 0 && self.tokens[at - 1].lower == "how";
            !(property && behind_how && !thesaurus::measures(&self.tokens[at].stem).is_empty())
        });
    }

    /// `When was the decision to leave made`: that documents are made says nothing of when.
    pub(super) fn pass_making(&self, segmentation: &mut Segmentation) {
        let subject = segmentation.spans.iter().any(|span| span.is_subject);
        if !subject || self.head.form != Form::When {
            return;
        }
        let makes = |at: usize| {
            let bases = inflection::bases(&self.tokens[at].lower);
            bases.iter().any(|base| matches!(base.as_str(), "make" | "take" | "record" | "write" | "reach"))
        };
        let (passed, left) =
            std::mem::take(&mut segmentation.unexplained).into_iter().partition(|at| makes(*at));
        segmentation.unexplained = left;
        segmentation.passed.extend::<Vec<usize>>(passed);
    }

    /// `Affected by the coming end of X`: what it is about X that affects, the graph need not know.
    pub(super) fn pass_occasion(&self, segmentation: &mut Segmentation) {
        let spans = &segmentation.spans;
        let is_vague = |span: &Span| match span.piece {
            Piece::Vague => true,
            Piece::Relation(Shape::Verb, _) => words::is_vague(&self.tokens[span.first].stem),
            _ => false,
        };
        let is_article = |at: &usize| words::is_article(word(self.tokens, *at));
        let is_preposition = |at: usize| words::is_preposition(word(self.tokens, at));
        let is_occasion = |at: usize, unexplained: &[usize]| {
            let before = spans.iter().rfind(|span| span.end <= at).filter(|span| is_vague(span));
            let behind = spans.iter().find(|span| span.first > at).filter(|span| span.is_entity());
            before.zip(behind).is_some_and(|(before, behind)| {
                let joining = (at + 1..behind.first).rfind(|at| !is_article(at));
                joining.is_some_and(is_preposition)
                    && (before.end..behind.first)
                        .all(|at| is_preposition(at) || is_article(&at) || unexplained.contains(&at))
            })
        };
        let unexplained = std::mem::take(&mut segmentation.unexplained);
        let (passed, left) = unexplained.iter().partition(|at| is_occasion(**at, &unexplained));
        segmentation.unexplained = left;
        segmentation.passed.extend::<Vec<usize>>(passed);
    }
}
