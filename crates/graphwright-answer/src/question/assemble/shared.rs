//! Things that have something in common: the same director, a film in which both acted.

use graphwright_english::questions::word;

use super::{
    beam::Beam,
    draft::Draft,
    items::Items,
    parts::{Link, Tie},
};
use crate::lexicon::Reading;

/// What is left of the weight of a relationship that two things have to a third, which nothing names.
const TOGETHER: f64 = 0.95;

/// `films that share a director with X`: both are joined to the thing between in the same way.
pub(super) fn expand_shared(draft: &Draft, link: &Link, items: &Items<'_>, next: &mut Beam) {
    let count = items.things.len();
    let mut is_shared = false;
    for left in 0..count {
        for middle in left + 1..count {
            for right in middle + 1..count {
                let same = match (&draft.labels[left], &draft.labels[right]) {
                    (Some(left), Some(right)) => left.iter().any(|label| right.contains(label)),
                    _ => true,
                };
                if same && (items.things[right].asker || !items.things[right].members.is_empty()) {
                    is_shared |= share(draft, link, (left, middle, right), items, next);
                }
            }
        }
    }
    let mut without = draft.clone();
    match others_than(link, items) {
        Some(others) => without.different.push(others),
        None if items.names_several() => without.score *= 0.97,
        // What may be shared is not left out as easily.
        None => without = without.without(link.first..link.end, if is_shared { 0.6 } else { 0.97 }),
    }
    next.push(without);
}

/// Joins the left and the right thing to the one in the middle, if that can be.
fn share(
    draft: &Draft,
    link: &Link,
    ends: (usize, usize, usize),
    items: &Items<'_>,
    next: &mut Beam,
) -> bool {
    let (left, middle, right) = ends;
    let mut is_shared = false;
    let own = items.links.iter().find(|other| other.own == Some(middle));
    if let Some(reading) = own.and_then(|own| mutual_act(own, items)) {
        let joined = draft.with_mutual(reading, ends, link.negated, items);
        is_shared |= joined.is_some();
        next.extend(joined);
        return is_shared;
    }
    for chain in draft.chains(left, middle, 1, items.schema) {
        let (kind, forward) = (chain[0].kind, chain[0].forward);
        let weight = own.map_or(0.9, |own| {
            let fits = own.readings.iter().filter(|reading| reading.kind == kind);
            fits.map(|reading| reading.weight).fold(0.3, f64::max)
        });
        let first =
            Tie { left, right: middle, kind, forward, weight, negated: link.negated, others: Vec::new() };
        let joined = joined_alike(draft, first, right, items);
        is_shared |= joined.is_some();
        next.extend(joined.map(|mut joined| {
            joined.different.push((left, right));
            joined
        }));
    }
    is_shared
}

/// `Who acted with A`: both did so in the same thing. Only where the relationship leads to things of another type; else `with`
/// says what it leads to.
pub(super) fn expand_together(
    draft: &Draft,
    link: &Link,
    items: &Items<'_>,
    subject: Option<usize>,
    next: &mut Beam,
) {
    let with =
        (link.end..items.tokens.len()).find(|&at| !matches!(word(items.tokens, at), "together" | "along"));
    let with = with.filter(|&at| matches!(word(items.tokens, at), "with" | "alongside"));
    let other = with.and_then(|with| items.things.iter().position(|thing| thing.first > with));
    let Some((subject, other)) = subject.zip(other).filter(|(subject, other)| subject != other) else {
        return;
    };
    for reading in link.readings.iter().filter(|reading| !items.schema.is_same_at_both_ends(reading.kind)) {
        let mut open = draft.clone();
        let shared = open.add_thing(None);
        if !link.negated {
            open.different.push((subject, other));
        }
        let first = link.tie(reading, (subject, shared), reading.weight * TOGETHER);
        next.extend(joined_alike(&open, first, other, items));
    }
}

/// Joins another thing, too, in the way in which a tie joins its left one.
fn joined_alike(draft: &Draft, tie: Tie, other: usize, items: &Items<'_>) -> Option<Draft> {
    let second = Tie { left: other, weight: 1.0, negated: false, ..tie.clone() };
    draft.with_tie(tie, items)?.with_tie(second, items)
}

/// What two things do to each other that share a noun for an act: to share a border is to border.
fn mutual_act<'l>(own: &'l Link, items: &Items<'_>) -> Option<&'l Reading> {
    own.readings.iter().find(|reading| own.is_act && items.schema.is_same_at_both_ends(reading.kind))
}

/// `The company that belongs to the same group as X`: what stands before `same` is not X.
fn others_than(link: &Link, items: &Items<'_>) -> Option<(usize, usize)> {
    let left = items.things.iter().rposition(|thing| thing.end <= link.first)?;
    let middle = items.things.iter().position(|thing| thing.first >= link.end)?;
    let same = items.tokens[link.first].lower == "same" && items.things[middle].members.is_empty();
    (same && middle + 1 < items.things.len()).then_some((left, middle + 1))
}
