//! Properties of relationships: the relationship that a word for one stands for (`the rating of Top Gun`).

use graphwright_english::{inflection, words};

use super::{
    beam::Beam,
    draft::Draft,
    items::Items,
    parts::{HeldProperty, Tie},
};
use crate::question::voice::voice;

/// What is left of a plan's score where the word for the property, or for giving it, stands between two things, where nothing
/// does, and where one of the two is not named.
const WEIGHTS: (f64, f64, f64) = (0.95, 0.78, 0.85);

/// Adds the relationship that has the property, where no other word says it.
pub(super) fn expand_held(draft: &Draft, word: &HeldProperty, items: &Items<'_>, next: &mut Beam) {
    next.push(draft.clone());
    let said = draft.joins.iter().any(|join| word.kinds.contains(&join.kind) && !join.negated);
    if said || word.of_things {
        return;
    }
    let things: Vec<usize> = (0..items.things.len()).filter(|&thing| !items.things[thing].excluded).collect();
    // `Movies with Ada that were rated`: nobody says who rated them.
    let voice = voice(items.tokens, word.first);
    let by_somebody = voice.passive && !voice.by;
    for &left in things.iter().filter(|_| !by_somebody) {
        for &right in things.iter().filter(|&&right| right != left) {
            let weight = if is_given_between(left.min(right), left.max(right), word, items) {
                WEIGHTS.0
            } else {
                WEIGHTS.1
            };
            tie(draft, word, (left, right), weight, items, next);
        }
    }
    // A value is of what is between two things that are spoken of.
    let alone = things.iter().filter(|_| !word.is_value || things.len() < 2);
    for &thing in alone {
        let mut open = draft.clone();
        let other = open.add_thing(None);
        tie(&open, word, (thing, other), WEIGHTS.2, items, next);
        tie(&open, word, (other, thing), WEIGHTS.2, items, next);
    }
    if things.is_empty() {
        let mut open = draft.clone();
        let (left, right) = (open.add_thing(None), open.add_thing(None));
        tie(&open, word, (left, right), WEIGHTS.2, items, next);
    }
}

fn tie(
    draft: &Draft,
    word: &HeldProperty,
    (left, right): (usize, usize),
    weight: f64,
    items: &Items<'_>,
    next: &mut Beam,
) {
    if next.admits(draft.score * weight) {
        let tie =
            |&kind| Tie { left, right, kind, forward: true, weight, negated: false, others: Vec::new() };
        next.extend(word.kinds.iter().filter_map(|kind| draft.with_tie(tie(kind), items)));
    }
}

/// Whether the word itself, a verb for giving or a form of `do` stands between two things.
fn is_given_between(left: usize, right: usize, word: &HeldProperty, items: &Items<'_>) -> bool {
    let mut between = items.things[left].end..items.things[right].first;
    between.any(|at| {
        let said = items.tokens[at].lower.as_str();
        at == word.first
            || words::is_do(said)
            || inflection::bases(said).iter().any(|base| words::is_light_verb(base))
    })
}
