//! Which things each relationship word joins.

use std::borrow::Cow;

use graphwright_english::words;

use super::{
    beam::Beam,
    draft::{Draft, Way},
    held::expand_held,
    items::Items,
    order::{asker_fit, has_subject_and_object, implicit_fit, nearness, noun_fit, order_fit, preferred},
    parts::{Link, Tie},
    shared::{expand_shared, expand_together},
};
use crate::{
    lexicon::Reading,
    limits::Limits,
    question::{Form, plan::Quantifier},
    schema::{Hop, is_date_name},
};

/// How many unfinished plans are kept.
const BEAM: usize = 24;
/// How many ways to join two parts are followed.
const WAYS: usize = 8;
/// What is left of the weight of a noun's relationship if nothing is named at its other end.
const NOUN_ALONE: f64 = 0.6;
/// What is left of the weight of a relationship that holds of a part of the thing named.
const THROUGH_PART: f64 = 0.6;
/// The same, of something that happens with the one and the other only.
const THROUGH_EVENT: f64 = 0.85;
/// What is left of the weight of a property for each hop to what has it, where a thing has one only, and for each thing between.
const HELD: f64 = 0.95;
/// What is left of the weight of a way for each further hop, where each thing on it is of one of the next.
const NESTED: f64 = 0.9;
/// What is left of the weight of a way over another thing of the kind that is joined there already.
const ANOTHER: f64 = 0.7;
/// The longest chain that a vague word may stand for.
const LONGEST_CHAIN: usize = 3;

/// Drafts in which all things hang together, best first. Some are missing when the time is over.
pub(super) fn join(items: &Items<'_>, limits: Limits) -> Vec<Draft> {
    let start = Draft {
        joins: Vec::new(),
        labels: items.things.iter().map(|thing| thing.labels.clone()).collect(),
        parts: (0..items.things.len()).collect(),
        score: items.things.iter().map(|thing| thing.quality).product(),
        guessed: 0,
        extremes: Vec::new(),
        counts: Vec::new(),
        copies: Vec::new(),
        places: Vec::new(),
        different: Vec::new(),
        unused: items
            .unread
            .iter()
            .copied()
            .chain(items.things.iter().filter_map(|thing| thing.own))
            .collect(),
    };
    let mut beam = vec![start];
    for link in &items.links {
        let mut next = Beam::new(BEAM);
        for draft in beam.iter().take_while(|_| !limits.is_over()) {
            expand(draft, link, items, &mut next);
        }
        beam = next.best();
    }
    for word in &items.held {
        let mut next = Beam::new(BEAM);
        for draft in &beam {
            expand_held(draft, word, items, &mut next);
        }
        beam = next.best();
    }
    let mut finished = Vec::new();
    for draft in beam {
        connect(draft, items, limits, 0, &mut finished);
    }
    for draft in &mut finished {
        draft.score *= asker_fit(draft, items);
    }
    let mut best = Beam::new(BEAM);
    best.extend(finished);
    let mut finished = best.best();
    finished.dedup_by(|left, right| left.joins == right.joins && left.extremes == right.extremes);
    finished
}

fn expand(draft: &Draft, link: &Link, items: &Items<'_>, next: &mut Beam) {
    if link.shared {
        expand_shared(draft, link, items, next);
        return;
    }
    if link.having {
        expand_having(draft, link, items, next);
        return;
    }
    let count = items.things.len();
    let (subject, object) = preferred(link, items);
    if let Some(own) = link.own {
        let said = draft.joins.iter().any(|join| {
            (join.left == own || join.right == own)
                && link.readings.iter().any(|reading| reading.kind == join.kind)
        });
        if said {
            // `share a director`: the join that the noun stands for is there already.
            next.push(draft.clone());
            return;
        }
        for other in (0..count).filter(|&other| other != own) {
            let fit = noun_fit(link, own, other, items);
            expand_pair(draft, link, (own, other), (fit, false), items, next);
        }
        // A noun may also just name a thing, as in `the actor X`, or a thing that does so to anything.
        let named = !items.things[own].members.is_empty();
        if !named {
            expand_noun_alone(draft, link, own, items, next);
        }
        next.push(draft.times(if named { 0.9 } else { 0.5 }));
        return;
    }
    for left in 0..count {
        for right in (0..count).filter(|&right| right != left) {
            let fit = nearness(left, subject) * nearness(right, object) * order_fit(link, left, right, items);
            let swapped = object == Some(left) || subject == Some(right);
            expand_pair(draft, link, (left, right), (fit, swapped), items, next);
        }
    }
    expand_coordinated(draft, link, items, subject, next);
    expand_together(draft, link, items, subject, next);
    expand_alone(draft, link, items, subject, next);
}

/// `Actors who directed a film`: who has acted in something.
fn expand_noun_alone(draft: &Draft, link: &Link, own: usize, items: &Items<'_>, next: &mut Beam) {
    for reading in &link.readings {
        let weight = NOUN_ALONE * reading.weight;
        if next.admits(draft.score * weight) {
            let mut open = draft.clone();
            let other = open.add_thing(None);
            next.extend(open.with_tie(link.tie(reading, (own, other), weight), items));
        }
    }
}

/// A verb that the graph does not know says of two things whose types the question names that one has the other.
fn expand_having(draft: &Draft, link: &Link, items: &Items<'_>, next: &mut Beam) {
    let typed: Vec<usize> =
        (0..items.things.len()).filter(|&thing| items.things[thing].labels.is_some()).collect();
    for (at, &left) in typed.iter().enumerate() {
        for &right in &typed[at + 1..] {
            let fit = order_fit(link, left, right, items).max(0.9);
            expand_pair(draft, link, (left, right), (fit, false), items, next);
        }
    }
    next.push(draft.without(link.first..link.end, 0.3));
}

/// One word between two things, each reading of it. `swapped` is whether they stand the other way round in the text.
fn expand_pair(
    draft: &Draft,
    link: &Link,
    pair @ (left, right): (usize, usize),
    (fit, swapped): (f64, bool),
    items: &Items<'_>,
    next: &mut Beam,
) {
    let one_part = draft.parts[left] == draft.parts[right];
    if one_part && link.own.is_none() && !link.negated {
        // `Which suppliers supply it`: the noun said so before.
        let said = link.readings.iter().filter(|reading| draft.says(reading, (left, right)));
        next.extend(said.map(|reading| draft.times(reading.weight * fit)).collect::<Vec<_>>());
    }
    let is_left_out = |thing: usize| items.things.get(thing).is_some_and(|thing| thing.excluded);
    if is_left_out(left) || is_left_out(right) {
        return;
    }
    if fit < 0.2 || (one_part && !(items.is_own(left) || items.is_own(right))) {
        return;
    }
    for reading in &link.readings {
        for turned in [false, true] {
            // Against the order of the words, in case of loose language; a noun may name either end.
            if (turned || swapped) && link.own.is_none() && is_order_meant(reading, items) {
                continue;
            }
            let forward = reading.subject_is_start != turned;
            // `Run on Sundays`, where trips run under a service of Sundays: what stands there is of this verb.
            let said = if forward && draft.is_had(pair, reading.kind, items) { HELD } else { 0.0 };
            let weight = reading.weight.max(said) * if turned { 0.5 } else { 1.0 };
            if weight * fit < 0.2 || (turned && link.readings.iter().any(|other| other.is_converse(reading)))
            {
                continue;
            }
            let weight = weight * fit;
            if !next.admits(draft.score * weight) {
                continue;
            }
            let tie = Tie { forward, ..link.tie(reading, (left, right), weight) };
            next.extend(draft.with_tie(tie, items));
        }
    }
    let fits = |reading: &Reading| {
        let forward = reading.subject_is_start;
        let (start, end) = if forward { (left, right) } else { (right, left) };
        let [start, end] = [start, end].map(|thing| draft.labels_of(thing, items));
        items.schema.connects(start.as_deref(), reading.kind, end.as_deref())
    };
    if one_part || link.readings.iter().any(fits) {
        return;
    }
    let is_denied =
        |thing: usize| items.things.get(thing).is_some_and(|thing| thing.quantifier == Some(Quantifier::No));
    // That a verb which the graph does not know says what one has is guess enough: who was in a race may not have won it.
    if link.own.is_none() && !link.having && !is_denied(left) && !is_denied(right) {
        expand_through_part(draft, link, pair, fit, items, next);
    }
    if link.vague {
        // `Who took part in it` asks for somebody.
        let mut draft = Cow::Borrowed(draft);
        for thing in [left, right].into_iter().filter(|thing| items.is_who(*thing)) {
            let somebody = draft.labels_of(thing, items).map(Cow::into_owned);
            draft.to_mut().labels[thing] = somebody;
        }
        for length in 1..=LONGEST_CHAIN {
            let weight = [0.9, 0.72, 0.55][length - 1] * fit;
            if !next.admits(draft.score * weight) {
                break;
            }
            let ways = draft.chains(left, right, length, items.schema);
            let ways = if right < items.things.len() { items.said_by_preposition(right, ways) } else { ways };
            for hops in &ways {
                let way = Way { left, right, hops, weight, negated: link.negated, guessed: true };
                next.extend(draft.with_way(way, items));
            }
        }
    }
}

/// `The terminal where the ship lies` is the one that its berth is part of: the relationship holds of something one hop from
/// the thing named.
fn expand_through_part(
    draft: &Draft,
    link: &Link,
    (left, right): (usize, usize),
    fit: f64,
    items: &Items<'_>,
    next: &mut Beam,
) {
    let is_clear =
        |reading: &&Reading| reading.weight >= 0.7 && !items.schema.is_same_at_both_ends(reading.kind);
    let verb = &items.tokens[link.first];
    for reading in link.readings.iter().filter(is_clear) {
        for (near, far, forward) in
            [(left, right, reading.subject_is_start), (right, left, !reading.subject_is_start)]
        {
            let weight = reading.weight * fit;
            // `Who supplies seafood`: who asks may be of any type.
            let is_open = |thing: usize| draft.labels[thing].is_none();
            let best = draft.score * weight * THROUGH_EVENT;
            let is_unknown = |thing: usize| is_open(thing) && !items.is_who(thing);
            if is_unknown(far) || is_unknown(near) || !next.admits(best) {
                continue;
            }
            // `Flew from A to B`: what flew from A flew to B.
            let added = items.things.len()..draft.labels.len();
            let same = added.filter(|event| {
                link.verb.is_some()
                    && draft.joins.iter().any(|join| join.from(far).is_some_and(|(other, _)| other == *event))
            });
            for event in same {
                let tie = Tie { forward, ..link.tie(reading, (near, event), weight) };
                next.extend(draft.with_tie(tie, items));
            }
            let mut open = draft.clone();
            let middle = open.add_thing(None);
            // What was not done is not done by what is asked for.
            let by_near = items.answer == Some(near);
            let negated = link.negated && by_near;
            let tie = Tie {
                left: near,
                right: middle,
                kind: reading.kind,
                forward,
                weight,
                negated,
                others: Vec::new(),
            };
            let Some(joined) = open.with_tie(tie, items) else { continue };
            // `Where have planes hit deer`, of strikes: these are what is asked for, and no others.
            let may_be_it = |thing: usize| {
                let labels = draft.labels[thing].as_deref();
                let middle = joined.labels[middle].as_deref().unwrap_or_default();
                ![near, far].contains(&thing)
                    && labels.is_none_or(|labels| labels.iter().any(|label| middle.contains(label)))
            };
            let is_spoken_of = (0..items.things.len()).any(may_be_it);
            let is_event = |hops: &Vec<Hop>| {
                !is_spoken_of && joined.is_event(middle, (reading.kind, verb), hops, items.schema)
            };
            let mut chains = joined.chains(far, middle, 1, items.schema);
            chains.extend(joined.chains(far, middle, 2, items.schema).into_iter().filter(is_event));
            // There and back again is no part: what needs the same thing is not what is needed.
            for hops in chains.iter().filter(|hops| hops.iter().all(|hop| hop.kind != reading.kind)) {
                let negated = link.negated && !by_near;
                let is_event = is_event(hops);
                let weight = if is_event { THROUGH_EVENT } else { THROUGH_PART };
                let way = Way { left: far, right: middle, hops, weight, negated, guessed: !is_event };
                next.extend(joined.with_way(way, items));
            }
        }
    }
}

/// Whether only the order of the words tells which end is which, as where both ends are of one type; or whether the order is what is asked.
fn is_order_meant(reading: &Reading, items: &Items<'_>) -> bool {
    items.head.form == Form::Truth || items.schema.is_same_at_both_ends(reading.kind)
}

/// `Who wrote and directed X`: the object of the second verb is the object of the first one too.
fn expand_coordinated(
    draft: &Draft,
    link: &Link,
    items: &Items<'_>,
    subject: Option<usize>,
    next: &mut Beam,
) {
    let Some(subject) = subject else { return };
    let second = items.links.iter().find(|other| other.own.is_none() && other.first >= link.end);
    let Some(second) = second.filter(|second| {
        let between = &items.tokens[link.end..second.first];
        !between.is_empty()
            && between.iter().all(|token| {
                matches!(token.lower.as_str(), "and" | "but" | "also" | "both")
                    || words::is_auxiliary(&token.lower)
                    || words::is_negation(&token.lower)
            })
    }) else {
        return;
    };
    let object = items.things.iter().position(|thing| thing.first >= second.end);
    let Some(object) = object.filter(|&object| object != subject && !items.things[object].members.is_empty())
    else {
        return;
    };
    for reading in &link.readings {
        let mut open = draft.clone();
        let copy = open.add_thing(items.things[object].labels.clone());
        open.copies.push((copy, object));
        next.extend(open.with_tie(link.tie(reading, (subject, copy), reading.weight), items));
    }
}

/// One side of the relationship is not named: `which services are deprecated`.
fn expand_alone(draft: &Draft, link: &Link, items: &Items<'_>, subject: Option<usize>, next: &mut Beam) {
    let complete = has_subject_and_object(link, items);
    for thing in 0..items.things.len() {
        // `Who has never acted`: nothing can follow, and nothing was named.
        let is_last = items.is_in_conditions(link.end)
            && !words::is_preposition(&items.tokens[link.end - 1].lower)
            && items.things[thing].members.is_empty();
        let near = nearness(thing, subject)
            * if link.extreme.is_some() || link.times.is_some() || is_last { 0.95 } else { 0.72 };
        for reading in &link.readings {
            if complete && is_order_meant(reading, items) {
                continue;
            }
            let dated = items.head.form == Form::When
                && [false, true]
                    .into_iter()
                    .flat_map(|start| items.schema.ends(reading.kind, start))
                    .any(|label| is_date_name(items.schema.label(*label)));
            let near = if dated { near.max(nearness(thing, subject) * 0.95) } else { near };
            if !next.admits(draft.score * (near * reading.weight)) {
                continue;
            }
            let mut open = draft.clone();
            let other = open.add_thing(None);
            open.places.push((other, link.first));
            // `most used`: what stands there is what it is done to.
            // `Which hut did nobody sleep in`: what is named is the object.
            let by_nobody = link.denied_by.is_some_and(|at| {
                items.things[thing].end <= at
                    && at < link.first
                    && matches!(items.tokens[at].lower.as_str(), "nobody" | "none" | "no")
            });
            let pair = if by_nobody { (other, thing) } else { (thing, other) };
            let tie = link.tie(reading, pair, near * reading.weight);
            next.extend(open.with_tie(tie, items).map(|mut joined| {
                joined.extremes.extend(link.extreme.map(|order| (other, order)));
                joined.counts.extend(link.times.map(|times| (other, times)));
                joined
            }));
        }
    }
    // The word may say nothing that the graph knows.
    let mut without = if link.vague && link.readings.is_empty() {
        draft.times(0.6)
    } else {
        draft.without(link.first..link.end, 0.3)
    };
    without.unused.extend(link.denied_by);
    next.push(without);
}

/// How well a property that one of two things has is said of the other one, and whether it is the right one that the other has one of:
/// trips `on Saturdays`, of which the service of each trip tells; the points of a driver in a race, of which the result of both does.
/// `None` if neither is spoken of by a property only.
fn held_fit(items: &Items<'_>, left: usize, right: usize, hops: usize) -> Option<(f64, bool)> {
    let [one, other] = [left, right].map(|thing| &items.things[thing]);
    let (implied, named) = if one.implied { (one, other) } else { (other, one) };
    if one.implied == other.implied {
        return None;
    }
    let is_had = items.may_hold(named);
    if !is_had && (hops > 1 || !items.happens_with_named(implied)) {
        return None;
    }
    let between = if is_had { hops + right - left - 1 } else { hops };
    Some((HELD.powi(between as i32), other.implied == is_had))
}

/// Joins parts that no word joins: `the services of Platform`, `Go libraries`.
fn connect(draft: Draft, items: &Items<'_>, limits: Limits, depth: usize, finished: &mut Vec<Draft>) {
    let count = items.things.len();
    let open = |draft: &Draft| {
        let live = (0..count).filter(|&thing| !items.things[thing].excluded);
        let mut parts: Vec<usize> = live.map(|thing| draft.parts[thing]).collect();
        parts.sort_unstable();
        parts.dedup();
        parts.len() > 1
    };
    if !open(&draft) {
        finished.push(draft);
        return;
    }
    if depth > 3 || finished.len() > 4 * BEAM || limits.is_over() {
        return;
    }
    let mut next = Beam::new(WAYS);
    for left in 0..count {
        for right in left + 1..count {
            let excluded = items.things[left].excluded || items.things[right].excluded;
            if excluded || draft.parts[left] == draft.parts[right] {
                continue;
            }
            let (base, longer) = implicit_fit(items, left, right);
            for length in 1..=LONGEST_CHAIN {
                let weight = base * f64::powi(longer, length as i32 - 1);
                let held = held_fit(items, left, right, length);
                let nested = base * NESTED.powi(length as i32 - 1);
                let best = held.map_or(nested, |(fit, _)| fit.max(nested));
                if best < 0.2 || !next.admits(draft.score * best) {
                    break;
                }
                let ways = items.said_by_preposition(right, draft.chains(left, right, length, items.schema));
                // That two have something in common is said: `a household of household 46` is none that bought what it bought.
                let goes_back = |hops: &&Vec<Hop>| {
                    hops.windows(2)
                        .any(|pair| pair[0].kind == pair[1].kind && pair[0].forward != pair[1].forward)
                };
                for hops in ways.iter().filter(|hops| !goes_back(hops)) {
                    let held = held
                        .filter(|(_, forward)| draft.is_held(*forward, (left, right), hops, items.schema));
                    let other = if draft.asks_another(left, hops, items.schema) { ANOTHER } else { 1.0 };
                    // The tracks of an artist are those of the albums that are the artist's.
                    let nests = length > 1
                        && [true, false]
                            .iter()
                            .any(|forward| draft.is_held(*forward, (left, right), hops, items.schema));
                    let weight = if nests { nested } else { weight };
                    let weight = held.map_or(weight * other, |(fit, _)| fit);
                    let way = Way { left, right, hops, weight, negated: false, guessed: held.is_none() };
                    next.extend(draft.with_way(way, items));
                }
            }
        }
    }
    for draft in next.best() {
        connect(draft, items, limits, depth + 1, finished);
    }
}
