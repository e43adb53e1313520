//! Relationships that a question names, against which a reading that guesses one is held.

use graphwright_english::{questions::Token, words};

use crate::{
    lexicon::{Reading, Shape},
    question::{
        Piece, Segmentation, Span,
        plan::{Join, Plan},
    },
};

/// Lists the relationships of a particular kind that a question names. Where a segmentation takes the verb for a type (`did Ada
/// order tea`, where there are orders), that is what it says.
pub(super) fn relations_said<'s>(
    segmentation: &Segmentation,
    all: &'s [Segmentation],
    tokens: &[Token],
) -> Vec<&'s Reading> {
    let is_done =
        tokens.first().is_some_and(|token| words::is_do(&token.lower) || words::is_have(&token.lower));
    let is_behind_article = |at: usize| at > 0 && words::is_article(&tokens[at - 1].lower);
    let is_type = |span: &&Span| {
        let other = segmentation.spans.iter().find(|other| other.has(span.first));
        other.is_some_and(|other| matches!(other.piece, Piece::Type(_))) && !is_behind_article(span.first)
    };
    // `The province of Mons` is one name, and says no relationship.
    let is_named = |span: &&Span| {
        let mut names = segmentation.spans.iter().filter(|other| other.is_entity());
        names.any(|name| name.first < span.end && span.first < name.end)
    };
    let spans = all.iter().flat_map(|segmentation| &segmentation.spans).filter(|span| !is_named(span));
    let readings = spans.filter(|span| !(is_done && is_type(span))).filter_map(|span| match &span.piece {
        Piece::Relation(_, readings) if !words::is_vague(&tokens[span.first].stem) => Some(readings),
        _ => None,
    });
    readings.flatten().collect()
}

/// Tells whether a guess differs from what the question names. The question asks whether that
/// relationship holds, not whether the two are connected at all.
pub(super) fn is_other_than(plan: &Plan, said: &[&Reading]) -> bool {
    let is_said = |join: &Join| {
        said.iter().any(|reading| {
            reading.kind == join.kind
                && reading.subject_is_start == (join.forward == (join.left < join.right))
        })
    };
    let as_said = plan.joins.len() == 1 && plan.joins.iter().all(is_said);
    !said.is_empty() && !as_said
}

/// Lists the readings of verbs that another segmentation explains and this one does not.
pub(super) fn verbs_left_out<'s>(segmentation: &Segmentation, all: &'s [Segmentation]) -> Vec<&'s Reading> {
    let is_left_out = |at: usize| segmentation.spans.iter().all(|span| at < span.first || at >= span.end);
    let verbs = all.iter().flat_map(|other| &other.spans).filter_map(|span| match &span.piece {
        Piece::Relation(Shape::Verb, readings) if is_left_out(span.first) => Some(readings),
        _ => None,
    });
    verbs.flatten().collect()
}
