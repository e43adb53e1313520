//! Which things each relationship word joins.

use super::items::{Items, Link, Place};
use crate::{
    english::{Token, words},
    lexicon::{Reading, is_actor_type, is_place_type},
    question::{Form, plan::Join},
    schema::{Hop, Kind, Label, Schema},
};

/// A plan in the making.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) joins: Vec<Join>,
    /// Types of each thing; things beyond those of the question stand between or beside them.
    pub(super) labels: Vec<Option<Vec<Label>>>,
    /// Which part each thing belongs to.
    parts: Vec<usize>,
    pub(super) score: f64,
    pub(super) guessed: usize,
    /// Things of which there must be most (true) or fewest for the thing that they are joined to.
    pub(super) extremes: Vec<(usize, bool)>,
    /// Things that must differ.
    pub(super) different: Vec<(usize, usize)>,
}

/// How many unfinished plans are kept.
const BEAM: usize = 24;
/// The longest chain that a vague word may stand for.
const LONGEST_CHAIN: usize = 3;

/// Drafts in which all things hang together, best first.
pub(super) fn join(items: &Items<'_>, schema: &Schema) -> Vec<Draft> {
    let start = Draft {
        joins: Vec::new(),
        labels: items.things.iter().map(|thing| thing.labels.clone()).collect(),
        parts: (0..items.things.len()).collect(),
        score: items.things.iter().map(|thing| thing.quality).product(),
        guessed: 0,
        extremes: Vec::new(),
        different: Vec::new(),
    };
    let mut beam = vec![start];
    for link in &items.links {
        let mut next = Vec::new();
        for draft in &beam {
            expand(draft, link, items, schema, &mut next);
        }
        beam = best(next);
    }
    let mut finished = Vec::new();
    for draft in beam {
        connect(draft, items, schema, 0, &mut finished);
    }
    for draft in &mut finished {
        draft.score *= asker_fit(draft, items, schema);
    }
    let mut finished = best(finished);
    finished.dedup_by(|left, right| left.joins == right.joins && left.extremes == right.extremes);
    finished
}

fn best(mut drafts: Vec<Draft>) -> Vec<Draft> {
    drafts.sort_by(|left, right| {
        right.score.total_cmp(&left.score).then(left.joins.len().cmp(&right.joins.len()))
    });
    drafts.truncate(BEAM);
    drafts
}

fn expand(draft: &Draft, link: &Link, items: &Items<'_>, schema: &Schema, next: &mut Vec<Draft>) {
    if link.shared {
        expand_shared(draft, link, items, schema, next);
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
            expand_pair(draft, link, own, other, fit, items, schema, next);
        }
        // A noun may also just name a thing, as in `the actor X`.
        let mut alone = draft.clone();
        alone.score *= if items.things[own].members.is_empty() { 0.5 } else { 0.9 };
        next.push(alone);
        return;
    }
    for left in 0..count {
        for right in (0..count).filter(|&right| right != left) {
            let fit = nearness(left, subject) * nearness(right, object) * order_fit(link, left, right, items);
            expand_pair(draft, link, left, right, fit, items, schema, next);
        }
    }
    expand_alone(draft, link, items, schema, subject, next);
}

/// One word between two things, each reading of it.
#[expect(clippy::too_many_arguments, reason = "a place in a sentence has many parts")]
fn expand_pair(
    draft: &Draft,
    link: &Link,
    left: usize,
    right: usize,
    fit: f64,
    items: &Items<'_>,
    schema: &Schema,
    next: &mut Vec<Draft>,
) {
    if fit < 0.2 || draft.parts[left] == draft.parts[right] {
        return;
    }
    for reading in &link.readings {
        for turned in [false, true] {
            // Against the order of the words, in case of loose language; a noun may name either end.
            let weight = reading.weight * if turned { 0.5 } else { 1.0 };
            let forward = reading.subject_is_start != turned;
            if weight * fit < 0.2 || (turned && link.readings.iter().any(|other| is_turned(other, reading))) {
                continue;
            }
            let joined = draft.with_join(
                left,
                right,
                reading.kind,
                forward,
                weight * fit,
                items,
                schema,
                link.negated,
            );
            next.extend(joined);
        }
    }
    let fits = |reading: &Reading| {
        let forward = reading.subject_is_start;
        let (start, end) = if forward { (left, right) } else { (right, left) };
        schema.connects(draft.labels[start].as_deref(), reading.kind, draft.labels[end].as_deref())
    };
    if link.vague && !link.readings.iter().any(fits) {
        for length in 1..=LONGEST_CHAIN {
            let weight = [0.9, 0.72, 0.55][length - 1] * fit;
            for chain in draft.chains(left, right, length, schema) {
                let joined = draft.with_chain(left, right, &chain, weight, items, schema, link.negated);
                next.extend(joined);
            }
        }
    }
}

fn is_turned(other: &Reading, reading: &Reading) -> bool {
    other.kind == reading.kind && other.subject_is_start != reading.subject_is_start
}

/// One side of the relationship is not named: `which services are deprecated`.
fn expand_alone(
    draft: &Draft,
    link: &Link,
    items: &Items<'_>,
    schema: &Schema,
    subject: Option<usize>,
    next: &mut Vec<Draft>,
) {
    for thing in 0..items.things.len() {
        let near = nearness(thing, subject) * if link.extreme.is_some() { 0.95 } else { 0.72 };
        for reading in &link.readings {
            let dated = items.head.form == Form::When
                && schema
                    .ends(reading.kind, false)
                    .iter()
                    .chain(&schema.ends(reading.kind, true))
                    .any(|label| super::shape::is_date_name(schema.label(*label)));
            let near = if dated { near.max(nearness(thing, subject) * 0.95) } else { near };
            let mut open = draft.clone();
            let other = open.labels.len();
            open.labels.push(None);
            open.parts.push(other);
            // `most used`: what stands there is what it is done to.
            let forward = reading.subject_is_start;
            let joined = open.with_join(
                thing,
                other,
                reading.kind,
                forward,
                near * reading.weight,
                items,
                schema,
                link.negated,
            );
            next.extend(joined.map(|mut joined| {
                if let Some(most) = link.extreme {
                    joined.extremes.push((other, most));
                }
                joined
            }));
        }
    }
    // The word may say nothing that the graph knows.
    let mut without = draft.clone();
    without.score *= if link.vague && link.readings.is_empty() { 0.6 } else { 0.3 };
    next.push(without);
}

/// `films that share a director with X`: both are joined to the thing between in the same way.
fn expand_shared(draft: &Draft, link: &Link, items: &Items<'_>, schema: &Schema, next: &mut Vec<Draft>) {
    let count = items.things.len();
    for left in 0..count {
        for middle in (0..count).filter(|&middle| middle != left) {
            for right in (0..count).filter(|&right| right != left && right != middle) {
                let ordered = items.things[left].first < items.things[middle].first
                    && items.things[middle].first < items.things[right].first;
                let same = match (&draft.labels[left], &draft.labels[right]) {
                    (Some(left), Some(right)) => left.iter().any(|label| right.contains(label)),
                    _ => true,
                };
                if !ordered || !same || items.things[right].members.is_empty() && !items.things[right].asker {
                    continue;
                }
                let own = items.links.iter().find(|other| other.own == Some(middle));
                for chain in draft.chains(left, middle, 1, schema) {
                    let hop = chain[0];
                    let read = own.map_or(0.9, |own| {
                        let fits = own.readings.iter().filter(|reading| reading.kind == hop.kind);
                        fits.map(|reading| reading.weight).fold(0.3, f64::max)
                    });
                    let first = draft.with_join(
                        left,
                        middle,
                        hop.kind,
                        hop.forward,
                        read,
                        items,
                        schema,
                        link.negated,
                    );
                    let second = first.and_then(|first| {
                        first.with_join(right, middle, hop.kind, hop.forward, 1.0, items, schema, false)
                    });
                    next.extend(second.map(|mut joined| {
                        joined.different.push((left, right));
                        joined
                    }));
                }
            }
        }
    }
    let mut without = draft.clone();
    without.score *= 0.97;
    next.push(without);
}

impl Draft {
    #[expect(clippy::too_many_arguments, reason = "a join and what it must agree with")]
    fn with_join(
        &self,
        left: usize,
        right: usize,
        kind: Kind,
        forward: bool,
        weight: f64,
        items: &Items<'_>,
        schema: &Schema,
        negated: bool,
    ) -> Option<Self> {
        if self.parts[left] == self.parts[right] {
            return None;
        }
        let mut next = self.clone();
        next.narrow(left, right, kind, forward, schema)?;
        let negated_thing = |thing: usize| items.things.get(thing).is_some_and(|thing| thing.negated);
        let count = |thing: usize| items.things.get(thing).and_then(|thing| thing.count);
        let chains = chains_with_itself(kind, schema);
        let (left, right, forward) = if count(left).is_some() || negated_thing(left) {
            (right, left, !forward)
        } else {
            (left, right, forward)
        };
        next.joins.push(Join {
            left,
            right,
            kind,
            forward,
            negated: negated || negated_thing(right),
            transitive: items.transitive && chains,
            count: count(right),
            test: None,
        });
        let (old, new) = (next.parts[right], next.parts[left]);
        next.parts.iter_mut().filter(|part| **part == old).for_each(|part| *part = new);
        next.score *= weight;
        Some(next)
    }

    /// Keeps only the types that the kind connects; `None` when there are none.
    fn narrow(
        &mut self,
        left: usize,
        right: usize,
        kind: Kind,
        forward: bool,
        schema: &Schema,
    ) -> Option<()> {
        let (start, end) = if forward { (left, right) } else { (right, left) };
        let fits = |candidates: &Option<Vec<Label>>, other: &Option<Vec<Label>>, is_start: bool| {
            let all = schema.ends(kind, is_start);
            let kept: Vec<Label> = all
                .into_iter()
                .filter(|label| candidates.as_ref().is_none_or(|labels| labels.contains(label)))
                .filter(|&label| {
                    let one = [label];
                    if is_start {
                        schema.connects(Some(&one), kind, other.as_deref())
                    } else {
                        schema.connects(other.as_deref(), kind, Some(&one))
                    }
                })
                .collect();
            (!kept.is_empty()).then_some(kept)
        };
        let starts = fits(&self.labels[start], &self.labels[end], true)?;
        let ends = fits(&self.labels[end], &self.labels[start], false)?;
        self.labels[start] = Some(starts);
        self.labels[end] = Some(ends);
        Some(())
    }

    fn chains(&self, left: usize, right: usize, length: usize, schema: &Schema) -> Vec<Vec<Hop>> {
        let all: Vec<Label> = (0..schema.labels.len() as Label).collect();
        if length > 1 && (self.labels[left].is_none() || self.labels[right].is_none()) {
            return Vec::new();
        }
        let labels = |thing: usize| self.labels[thing].as_deref().unwrap_or(&all).to_vec();
        let mut chains = schema.chains(&labels(left), &labels(right), length);
        if length == 1 {
            let key = |chain: &Vec<Hop>| (chain[0].kind, chain[0].forward);
            chains.sort_by_key(key);
            chains.dedup_by_key(|chain| key(chain));
        }
        chains
    }

    #[expect(clippy::too_many_arguments, reason = "a chain and what it must agree with")]
    fn with_chain(
        &self,
        left: usize,
        right: usize,
        chain: &[Hop],
        weight: f64,
        items: &Items<'_>,
        schema: &Schema,
        negated: bool,
    ) -> Option<Self> {
        let mut next = self.clone();
        let mut at = left;
        for (number, hop) in chain.iter().enumerate() {
            let last = number + 1 == chain.len();
            let to = if last { right } else { next.labels.len() };
            if !last {
                next.labels.push(Some(vec![hop.to]));
                next.parts.push(to);
            }
            next =
                next.with_join(at, to, hop.kind, hop.forward, 1.0, items, schema, negated && number == 0)?;
            at = to;
        }
        next.score *= weight;
        next.guessed += chain.len();
        Some(next)
    }
}

/// Joins parts that no word joins: `the services of Platform`, `Go libraries`.
fn connect(draft: Draft, items: &Items<'_>, schema: &Schema, depth: usize, finished: &mut Vec<Draft>) {
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
    if depth > 3 || finished.len() > 4 * BEAM {
        return;
    }
    let mut next = Vec::new();
    for left in 0..count {
        for right in left + 1..count {
            let excluded = items.things[left].excluded || items.things[right].excluded;
            if excluded || draft.parts[left] == draft.parts[right] {
                continue;
            }
            let (base, longer) = implicit_fit(items, left, right);
            for length in 1..=LONGEST_CHAIN {
                let weight = base * f64::powi(longer, length as i32 - 1);
                if weight < 0.2 {
                    break;
                }
                for chain in draft.chains(left, right, length, schema) {
                    next.extend(draft.with_chain(left, right, &chain, weight, items, schema, false));
                }
            }
        }
    }
    let mut next = best(next);
    next.truncate(8);
    for draft in next {
        connect(draft, items, schema, depth + 1, finished);
    }
}

/// How well two things hang together without a word for it, and how much each further hop costs.
fn implicit_fit(items: &Items<'_>, left: usize, right: usize) -> (f64, f64) {
    let (a, b) = (&items.things[left], &items.things[right]);
    let between = &items.tokens[a.end..b.first];
    let things_between = right - left - 1;
    let has = |wanted: fn(&str) -> bool| between.iter().any(|token| wanted(&token.lower));
    let short = between.len() <= 4 && things_between == 0;
    let owned = between.iter().any(Token::is_possessive);
    let base = if short && (owned || has(words::is_preposition)) {
        0.85
    } else if between.is_empty() || has(words::is_have) && things_between == 0 {
        0.82
    } else if things_between == 0 {
        0.68
    } else {
        0.6 * 0.85_f64.powi(things_between as i32)
    };
    (base, 0.62)
}

/// How well the type of what `who` and `where` stand for fits.
fn asker_fit(draft: &Draft, items: &Items<'_>, schema: &Schema) -> f64 {
    let mut fit = 1.0;
    for (thing, labels) in items.things.iter().zip(&draft.labels) {
        let (Some(place), Some(labels)) = (thing.who, labels) else { continue };
        let wanted = |label: &Label| match place {
            Place::Who => is_actor_type(schema, *label),
            Place::Where => is_place_type(schema, *label),
        };
        if !labels.iter().any(wanted) {
            fit *= 0.85;
        }
    }
    fit
}

fn nearness(thing: usize, preferred: Option<usize>) -> f64 {
    match preferred {
        Some(preferred) => 0.78_f64.powi(thing.abs_diff(preferred) as i32),
        None => 0.85,
    }
}

fn order_fit(link: &Link, left: usize, right: usize, items: &Items<'_>) -> f64 {
    let (left, right) = (items.things[left].first, items.things[right].first);
    match (left < link.first, right < link.first) {
        (true, false) => 1.0,
        (true, true) => 0.97,
        (false, true) => 0.6,
        (false, false) => 0.5,
    }
}

fn noun_fit(link: &Link, own: usize, other: usize, items: &Items<'_>) -> f64 {
    let (thing, noun) = (&items.things[other], &items.things[own]);
    let things_between = own.abs_diff(other).saturating_sub(1) as i32;
    let far = 0.8_f64.powi(things_between);
    let next = items.tokens.get(link.end).map_or("", |token| token.lower.as_str());
    if thing.first >= noun.end {
        let near = if words::is_preposition(next) { 1.0 } else { 0.75 };
        return near * far;
    }
    let between = &items.tokens[thing.end..noun.first];
    let possessive = between.first().is_some_and(crate::english::tokens::Token::is_possessive);
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

/// The subject and object that the order of the words gives.
fn preferred(link: &Link, items: &Items<'_>) -> (Option<usize>, Option<usize>) {
    let mut object = items.things.iter().position(|thing| thing.first >= link.end).filter(|&next| {
        let thing = &items.things[next];
        let interrupted = (link.end..thing.first).any(|at| {
            matches!(items.tokens[at].lower.as_str(), "that" | "which" | "who" | "whose" | "and" | "but")
                && items.head.asker != Some(at)
                || items.links.iter().any(|other| other.own.is_none() && other.first <= at && at < other.end)
        });
        !interrupted
    });
    let mut subject = None;
    let mut at = link.first;
    while at > 0 {
        at -= 1;
        if let Some(thing) = items.thing_at(at) {
            subject = Some(thing);
            let before = items.things[thing].first;
            let head = relative_head(items, before);
            if object.is_none() {
                object = head.or(items.answer.filter(|&answer| answer != thing));
            }
            break;
        }
        let word = items.tokens[at].lower.as_str();
        if matches!(word, "that" | "which" | "who" | "whom" | "whose") && items.head.asker != Some(at) {
            subject = (0..items.things.len()).rev().find(|&thing| items.things[thing].end <= at);
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

/// The thing before `that` in `the service that Ada owns`.
fn relative_head(items: &Items<'_>, before: usize) -> Option<usize> {
    let mut at = before;
    while at > 0 {
        at -= 1;
        let word = items.tokens[at].lower.as_str();
        if matches!(word, "that" | "which" | "who" | "whom") && items.head.asker != Some(at) {
            return (0..items.things.len()).rev().find(|&thing| items.things[thing].end <= at);
        }
        if !words::is_determiner(word) && !words::is_preposition(word) {
            return None;
        }
    }
    None
}

/// Whether the kind leads from a type back to it, so that it may be followed further.
fn chains_with_itself(kind: Kind, schema: &Schema) -> bool {
    let starts = schema.ends(kind, true);
    schema.ends(kind, false).iter().any(|label| starts.contains(label))
}
