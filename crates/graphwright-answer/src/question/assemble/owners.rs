//! Which thing of a plan, or which relationship, has a property.

use graphwright_english::words;

use super::items::Items;
use crate::{
    question::{
        Form, Span,
        plan::{Join, Plan},
    },
    schema::{Kind, Label, Property},
};

/// How well a property fits what the question does not speak of.
const BETWEEN: f64 = 0.85;

/// The variable that has one of the properties, by what stands near, and how well it fits.
pub(super) fn owner(
    plan: &Plan,
    items: &Items<'_>,
    properties: &[Property],
    span: &Span,
    asked: bool,
) -> Option<(usize, f64)> {
    // A date tells which of several things of one name is meant.
    let tells_which = properties.iter().all(|property| items.schema.is_date_like(*property));
    let mut best: Option<(usize, f64)> = None;
    // Relationships have them, not things.
    if properties.iter().all(|&property| items.schema.property(property).labels.is_empty()) {
        return None;
    }
    for (number, (variable, thing)) in plan.variables.iter().zip(&items.things).enumerate() {
        let has_one =
            |labels: &Vec<Label>| properties.iter().any(|&property| items.schema.have(labels, property));
        if thing.excluded || !variable.labels.as_ref().is_none_or(has_one) {
            continue;
        }
        let between = |from: usize, to: usize| {
            items.things.iter().filter(|other| other.first >= from && other.end <= to).count() as i32
        };
        let is_class_noun = (thing.first, thing.end) == (span.first, span.end);
        // `When was the record made that Ada reviews?`: what is asked of stands before the participle.
        let is_before_participle = asked && items.head.form == Form::When && thing.end == span.first;
        let near = if is_class_noun || is_before_participle {
            1.0
        } else if thing.first < span.end {
            0.95 * 0.8_f64.powi(between(thing.end, span.first))
        } else {
            let base = if asked || thing.first == span.end { 1.0 } else { 0.7 };
            base * 0.8_f64.powi(between(span.end, thing.first))
        };
        let is_one_of = tells_which && matches!(thing.members.as_slice(), [alike] if alike.len() > 1);
        let open = thing.members.is_empty() || asked || is_one_of || items.head.form == Form::Truth;
        // `Who won the Golden Boot before 1960`: when it was introduced says nothing of that.
        if tells_which && !open && matches!(thing.members.as_slice(), [one] if one.len() == 1) {
            continue;
        }
        // `The age of the Silurian epochs` is that of the epochs.
        let describes = items.things.iter().any(|other| items.stands_before(thing, other));
        let named = if open { 1.0 } else { 0.6 } * if describes { 0.5 } else { 1.0 };
        let known = if variable.labels.is_some() { 1.0 } else { 0.6 };
        let fit = near * named * known;
        if best.is_none_or(|(_, other)| fit > other) {
            best = Some((number, fit));
        }
    }
    // `The 10th stop of a trip` is where its tenth call is.
    let has_all = |labels: &[Label]| {
        labels.iter().all(|label| properties.iter().any(|&property| items.schema.have(&[*label], property)))
    };
    let between = || {
        let labels = |number: usize| plan.variables[number].labels.as_deref().unwrap_or_default();
        let is_spoken_of = |label: &Label| {
            (0..items.things.len().min(plan.variables.len())).any(|thing| labels(thing).contains(label))
        };
        let is_it = |number: &usize| {
            let own = labels(*number);
            !own.is_empty() && has_all(own) && !own.iter().any(is_spoken_of)
        };
        (items.things.len()..plan.variables.len()).find(is_it).map(|number| (number, BETWEEN))
    };
    // When somebody was born, nobody else tells.
    let of_life = || properties.iter().all(|property| items.schema.is_of_life(*property));
    best.or_else(|| between().filter(|_| !of_life()))
}

/// The relationship of a plan that has one of the properties, with their names: where things may have them too, only one between
/// two that are named.
pub(super) fn holder(
    plan: &Plan,
    items: &Items<'_>,
    properties: &[Property],
    span: &Span,
) -> Option<(usize, Vec<String>)> {
    let names = |kind: Kind| -> Vec<String> {
        let own = properties.iter().map(|&property| items.schema.property(property));
        own.filter(|own| own.kinds.contains(&kind)).map(|own| own.name.clone()).collect()
    };
    let is_named = |variable: usize| plan.variables[variable].entities.is_some();
    let between_named = |join: &Join| is_named(join.left) && is_named(join.right);
    // Units are of what was done, where the question says that.
    let is_unit = words::is_counted_unit(&items.tokens[span.first].lower);
    let of_things = !is_unit && owner(plan, items, properties, span, true).is_some();
    plan.joins.iter().enumerate().find_map(|(number, join)| {
        let names = names(join.kind);
        let has = !names.is_empty() && !join.negated && (!of_things || between_named(join));
        has.then_some((number, names))
    })
}
