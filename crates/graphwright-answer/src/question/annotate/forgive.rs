//! Words without an explanation that a reading may do without.

use graphwright_english::{inflection, questions::word, thesaurus, words};

use super::{Annotator, Compare, Piece, Segmentation, Span};
use crate::{lexicon::Shape, question::Form};

impl Annotator<'_> {
    /// `How long is the half-life`: the adjective says nothing that the property does not.
    pub(super) fn forgive_measure(&self, segmentation: &mut Segmentation) {
        // `How old was Ada when it was released` asks for no date.
        let property = segmentation.spans.iter().any(|span| match &span.piece {
            Piece::Property(properties) => {
                properties.iter().all(|&property| !self.schema.is_date_like(property))
            }
            _ => false,
        });
        segmentation.unexplained.retain(|&at| {
            let behind_how = at > 0 && self.tokens[at - 1].lower == "how";
            !(property && behind_how && !thesaurus::measures(&self.tokens[at].stem).is_empty())
        });
    }

    /// `Who made most comments`, `comments made by Ada`, `orders placed`: the noun says what is done. `Lives in Rome`: the value does.
    pub(super) fn pass_light_verbs(&self, segmentation: &mut Segmentation) {
        let spans = &segmentation.spans;
        let is_noun = |span: &Span| matches!(span.piece, Piece::Type(_) | Piece::Relation(Shape::Noun, _));
        let says_how_many = |at: usize| {
            spans.iter().any(|span| {
                span.has(at)
                    && matches!(
                        span.piece,
                        Piece::Quantity(..) | Piece::Between(..) | Piece::Extreme(..) | Piece::More(_)
                    )
            })
        };
        let is_small = |at: usize| {
            says_how_many(at)
                || words::is_passed_over(word(self.tokens, at))
                || words::is_operator(word(self.tokens, at))
                || word(self.tokens, at) == "any"
        };
        // `Who lives in Rome`, where a city is a value.
        let locates = |at: usize| {
            let base_locates =
                inflection::bases(&self.tokens[at].lower).iter().any(|base| words::is_locating(base));
            // `Lives in the same city as Ada`.
            let is_same = |span: &Span| {
                matches!(span.piece, Piece::Than(Compare::Is, ..)) && (at + 2..at + 4).contains(&span.first)
            };
            let is_value =
                |span: &Span| span.first == at + 2 && matches!(span.piece, Piece::Value(_)) || is_same(span);
            base_locates && words::is_preposition(word(self.tokens, at + 1)) && spans.iter().any(is_value)
        };
        // `Who gave it a rating of 80`: what is given says what is done.
        let gives = spans.iter().any(|span| {
            matches!(&span.piece, Piece::Property(properties)
                if properties.iter().any(|&property| !self.schema.property(property).kinds.is_empty()))
        });
        let is_light = |at: usize| {
            let light =
                inflection::bases(&self.tokens[at].lower).iter().any(|base| words::is_light_verb(base));
            let behind = spans.iter().find(|span| span.first > at && is_noun(span));
            let before = spans.iter().rfind(|span| span.end <= at && is_noun(span));
            self.takes_place(at)
                || light
                    && (gives
                        || behind.is_some_and(|noun| (at + 1..noun.first).all(is_small))
                        || before.is_some_and(|noun| self.is_done(noun.end, at)))
        };
        let (passed, left) = std::mem::take(&mut segmentation.unexplained)
            .into_iter()
            .partition(|at| is_light(*at) || locates(*at));
        segmentation.unexplained = left;
        segmentation.passed.extend::<Vec<usize>>(passed);
    }

    /// Whether a verb tells what is done to the thing whose words end before it: `orders placed`, `comments that were made`,
    /// not `documents that have taken it`, `documents took the place`, `counties received anything`.
    fn is_done(&self, end: usize, at: usize) -> bool {
        let is_auxiliary = |at: usize| words::is_auxiliary(word(self.tokens, at));
        let has = end < at && words::is_have(word(self.tokens, at - 1));
        let next = word(self.tokens, at + 1);
        (end..at).all(is_auxiliary) && !has && !words::is_article(next) && !words::is_general(next)
    }

    /// Whether a word is the second of `take place`.
    pub(super) fn takes_place(&self, at: usize) -> bool {
        let is_take = |word: &str| inflection::bases(word).iter().any(|base| base == "take");
        word(self.tokens, at) == "place" && is_take(word(self.tokens, at.wrapping_sub(1)))
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
        // `Go from A to B`: what is named is no occasion.
        let is_named = |at: usize| !self.lexicon.names.exact(&self.tokens[at..=at]).is_empty();
        let is_occasion = |at: usize, unexplained: &[usize]| {
            if is_named(at) {
                return false;
            }
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
