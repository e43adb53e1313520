//! How well words in their order fit together: which thing a relationship word takes for its subject and object.

use graphwright_english::{inflection, questions::Token, words};

use crate::question::{annotate::Place, plan::Quantifier};

use super::{
    draft::Draft,
    items::Items,
    parts::{Link, Thing},
};

/// How well two things hang together without a word for it, and how much each further hop costs.
pub(super) fn implicit_fit(items: &Items<'_>, left: usize, right: usize) -> (f64, f64) {
    let (a, b) = (&items.things[left], &items.things[right]);
    // `Artists with blues tracks`: what stands before the noun as an adjective is a part of it.
    let describes = |thing: &usize| *thing > left && items.stands_before(&items.things[*thing], b);
    let described = right.checked_sub(1).filter(describes).unwrap_or(right);
    // What is implied may stand within the words of another thing: `Which person is Person`, where `is` is a relationship.
    let tokens = |from: usize, to: usize| items.tokens.get(from..to).unwrap_or_default();
    let between = tokens(a.end, items.things[described].first);
    let things_between = described - left - 1;
    let has = |wanted: fn(&str) -> bool| between.iter().any(|token| wanted(&token.lower));
    let short = between.len() <= 4 && things_between == 0;
    let owned = between.iter().any(Token::is_possessive);
    // `Films with A have B`: the films have it.
    // `Flights from A to B` go to B, A does not.
    let moves = |thing: usize| {
        !items.things[thing].members.is_empty()
            && matches!(items.preposition_before(&items.things[thing]), Some("from" | "to"))
    };
    if moves(right) && right > left + 1 && (left + 1..right).all(moves) && !moves(left) {
        return (0.85, 0.62);
    }
    if moves(right) && moves(left) {
        return (0.4, 0.62);
    }
    let nearest = described - 1;
    let behind = tokens(items.things[nearest].end, items.things[described].first);
    let is_had = behind.iter().any(|token| words::is_have(&token.lower));
    let owner = subject_of_have(nearest, items.things[described].first, items);
    if is_had && owner != nearest {
        return (if left == owner { 0.82 } else { 0.4 }, 0.62);
    }
    // What is not there restricts what is asked for, not another thing that is named.
    let is_no = b.quantifier == Some(Quantifier::No);
    if is_no && !a.members.is_empty() && items.answer.is_some_and(|answer| answer != left) {
        return (0.4, 0.62);
    }
    // `Flown only on Columbia`: what it is said of, the verb before says.
    let only = matches!(b.quantifier, Some(Quantifier::Only | Quantifier::All)) && !b.members.is_empty();
    let says = |link: &Link| {
        let small = |token: &Token| words::is_operator(&token.lower) || words::is_preposition(&token.lower);
        link.own.is_none() && link.end <= b.first && items.tokens[link.end..b.first].iter().all(small)
    };
    if only && items.links.iter().any(says) {
        return (0.4, 0.62);
    }
    let base = if short && (owned || has(words::is_preposition)) {
        0.85
    } else if between.is_empty() || (has(words::is_have) || has(is_light)) && things_between == 0 {
        0.82
    } else if things_between == 0 {
        0.68
    } else {
        0.6 * 0.85_f64.powi(things_between as i32)
    };
    (base, 0.62)
}

/// Whether a word is a form of a verb that only holds a sentence together: `received`.
fn is_light(word: &str) -> bool {
    !words::is_auxiliary(word) && inflection::bases(word).iter().any(|base| words::is_light_verb(base))
}

/// How well the type of what `who` and `where` stand for fits.
pub(super) fn asker_fit(draft: &Draft, items: &Items<'_>) -> f64 {
    let mut fit = 1.0;
    for (thing, labels) in items.things.iter().zip(&draft.labels) {
        let (Some(place), Some(labels)) = (thing.who, labels) else { continue };
        if !labels.iter().any(|label| place.labels(items.schema).contains(label)) {
            // Things stand in other things, but do nothing as somebody would.
            fit *= if place == Place::Where { 0.7 } else { 0.45 };
        }
    }
    fit
}

pub(super) fn nearness(thing: usize, preferred: Option<usize>) -> f64 {
    match preferred {
        Some(preferred) => 0.78_f64.powi(thing.abs_diff(preferred) as i32),
        None => 0.85,
    }
}

pub(super) fn order_fit(link: &Link, left: usize, right: usize, items: &Items<'_>) -> f64 {
    let (left, right) = (items.things[left].first, items.things[right].first);
    match (left < link.first, right < link.first) {
        (true, false) => 1.0,
        (true, true) => 0.97,
        (false, true) => 0.6,
        (false, false) => 0.5,
    }
}

pub(super) fn noun_fit(link: &Link, own: usize, other: usize, items: &Items<'_>) -> f64 {
    let (thing, noun) = (&items.things[other], &items.things[own]);
    // In `suppliers of A's rivals`, the rivals are what has suppliers.
    let owners = |from: usize| (from..other).filter(|&at| items.possessed(at) != at).count();
    let things_between =
        own.abs_diff(other).saturating_sub(1 + if other > own { owners(own + 1) } else { 0 }) as i32;
    let possessed = items.possessed(other);
    let owns_another = if possessed != other && possessed != own { 0.5 } else { 1.0 };
    let far = 0.8_f64.powi(things_between) * owns_another;
    let next = items.tokens.get(link.end).map_or("", |token| token.lower.as_str());
    if thing.first >= noun.end {
        let near = if words::is_preposition(next) { 1.0 } else { 0.75 };
        return near * far;
    }
    let between = &items.tokens[thing.end..noun.first];
    let has = between.iter().any(|token| words::is_have(&token.lower));
    let nearest = items.things[..own].iter().rposition(|thing| thing.end <= noun.first);
    if let Some(head) = nearest.map(|nearest| subject_of_have(nearest, noun.first, items)).filter(|_| has)
        && (head == other || nearest == Some(other))
    {
        return if head == other { 0.95 } else { 0.5 };
    }
    let possessive = between.first().is_some_and(Token::is_possessive);
    let whose = between.iter().any(|token| token.lower == "whose");
    let have = between.iter().any(|token| words::is_have(&token.lower));
    let stranded_have = items.tokens[noun.end..].iter().any(|token| words::is_have(&token.lower));
    let base = if possessive || whose {
        1.0
    } else if between.is_empty() || have || stranded_have {
        0.95
    } else if words::is_preposition(next) {
        0.6
    } else {
        0.7
    };
    base * far
}

/// `The suppliers of Umber` are suppliers: the thing that a phrase speaks of, of which another one tells more.
fn head_of_phrase(thing: usize, items: &Items<'_>) -> usize {
    let mut first = items.things[thing].first;
    while first > 0 && words::is_article(&items.tokens[first - 1].lower) {
        first -= 1;
    }
    let preposition = first.checked_sub(1).filter(|&at| words::is_preposition(&items.tokens[at].lower));
    let head = preposition.and_then(|at| items.things[..thing].iter().position(|thing| thing.end == at));
    head.map_or(thing, |head| head_of_phrase(head, items))
}

/// What has what stands at a place, of which the thing before is nearest: the thing that its phrase or clause speaks of.
fn subject_of_have(nearest: usize, had: usize, items: &Items<'_>) -> usize {
    let Thing { first, end, .. } = items.things[nearest];
    // `Books that Ada wrote have no review`.
    let verb = items.links.iter().any(|link| link.own.is_none() && link.first >= end && link.end < had);
    let clause = relative_head(items, first).filter(|_| verb);
    clause.unwrap_or_else(|| head_of_phrase(nearest, items))
}

/// The subject and object that the order of the words gives.
pub(super) fn preferred(link: &Link, items: &Items<'_>) -> (Option<usize>, Option<usize>) {
    let (subject, object) = by_order(link, items);
    let verb = link.verb.and_then(|at| items.links.iter().find(|other| other.first == at));
    // `Played for Brazil at Atlanta`: who played there is who played for Brazil.
    (verb.map_or(subject, |verb| preferred(verb, items).0), object)
}

fn by_order(link: &Link, items: &Items<'_>) -> (Option<usize>, Option<usize>) {
    let is_behind = |thing: &Thing| thing.first >= link.end && !thing.excluded;
    // `Books that Ada wrote have no review`: the verb has its object before it.
    let ends = items.tokens.get(link.end).is_some_and(|token| words::is_auxiliary(&token.lower));
    let mut object = items.things.iter().position(is_behind).filter(|&next| {
        let thing = &items.things[next];
        let interrupted = ends
            || (link.end..thing.first).any(|at| {
                let word = items.tokens[at].lower.as_str();
                matches!(word, "that" | "which" | "who" | "whose" | "and" | "but" | "without" | "except")
                    && items.head.asker != Some(at)
                    || items
                        .links
                        .iter()
                        .any(|other| other.own.is_none() && other.first <= at && at < other.end)
            });
        !interrupted
    });
    let mut subject = None;
    let mut at = link.first;
    while at > 0 {
        at -= 1;
        if let Some(thing) = items.thing_at(at).filter(|&thing| !items.things[thing].excluded) {
            if let Some(before) = clause_before(link, thing, items) {
                subject = preferred(before, items).0;
                break;
            }
            subject = Some(head_of_phrase(thing, items));
            let before = items.things[thing].first;
            let head = relative_head(items, before);
            if object.is_none() {
                object = head.or(items.answer.filter(|&answer| answer != thing));
            }
            break;
        }
        let word = items.tokens[at].lower.as_str();
        if matches!(word, "that" | "which" | "who" | "whom" | "whose") && items.head.asker != Some(at) {
            // `Trips of the 140N that run`: a word for a route's number is none for what runs.
            let before = || (0..items.things.len()).rev().filter(|&thing| items.things[thing].end <= at);
            subject = before().find(|&thing| !items.things[thing].implied).or_else(|| before().next());
            break;
        }
        if matches!(word, "and" | "but" | "or")
            && let Some(before) =
                items.links.iter().rev().find(|other| other.own.is_none() && other.end <= at)
        {
            subject = preferred(before, items).0;
            break;
        }
    }
    if subject.is_none() {
        subject = items.answer.filter(|&answer| Some(answer) != object);
    }
    if object.is_none() {
        object = items.answer.filter(|&answer| Some(answer) != subject);
    }
    (subject, object)
}

/// `Does A depend on B`, `is A used by B`, `which service does A depend on`: the verb has both, so nothing unnamed stands at its other end.
pub(super) fn has_subject_and_object(link: &Link, items: &Items<'_>) -> bool {
    let is_by = |at: usize| items.tokens.get(at).is_some_and(|token| token.lower == "by");
    let by = is_by(link.end) || is_by(link.end - 1);
    let active = items.tokens.get(link.first).is_some_and(|token| !inflection::is_participle(&token.lower));
    let (subject, object) = preferred(link, items);
    let behind = object.is_some_and(|object| items.things[object].first >= link.end);
    let stranded = link.end == items.tokens.len()
        && items.tokens.last().is_some_and(|last| words::is_preposition(&last.lower));
    (active || by) && link.own.is_none() && subject.is_some() && (behind || stranded && object.is_some())
}

/// `Records mastered by Ada were produced by Bo`, `lakes that border A do not touch B`: a verb with its auxiliary goes on with the
/// subject of the clause before it, of which the thing in between is the object.
fn clause_before<'i>(link: &Link, thing: usize, items: &'i Items<'_>) -> Option<&'i Link> {
    let between = items.tokens.get(items.things[thing].end..link.first)?;
    let finite = between.first().is_some_and(|token| words::is_auxiliary(&token.lower))
        && between.iter().all(|token| {
            let word = token.lower.as_str();
            words::is_auxiliary(word) || words::is_negation(word) || words::is_adverb(word)
        });
    let start = items.things[thing].first;
    let ends_before = |other: &&Link| other.own.is_none() && other.end <= start;
    let before = items.links.iter().rev().find(ends_before).filter(|_| finite)?;
    let verb = items.tokens[before.first].lower.as_str();
    let participle = inflection::is_participle(verb) || verb.ends_with("ing");
    let relative = before.first.checked_sub(1).is_some_and(|at| {
        matches!(items.tokens[at].lower.as_str(), "that" | "which" | "who") && items.head.asker != Some(at)
    });
    let subject = items.things.iter().any(|other| other.end <= before.first);
    ((participle || relative) && subject).then_some(before)
}

/// The thing before `that` in `the service that Ada owns`.
fn relative_head(items: &Items<'_>, before: usize) -> Option<usize> {
    // `The service Ada owns`.
    let open = |thing: &Thing| thing.end == before && thing.members.is_empty() && thing.labels.is_some();
    if let Some(head) = items.things.iter().position(open) {
        return Some(head);
    }
    let mut at = before;
    while at > 0 {
        at -= 1;
        let word = items.tokens[at].lower.as_str();
        if matches!(word, "that" | "which" | "who" | "whom") && items.head.asker != Some(at) {
            return (0..items.things.len()).rev().find(|&thing| items.things[thing].end <= at);
        }
        if !words::is_plain_determiner(word) && !words::is_preposition(word) {
            return None;
        }
    }
    None
}
