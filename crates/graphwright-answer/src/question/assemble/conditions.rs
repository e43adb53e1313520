//! Values, dates and numbers: which thing has them, and in which property.

use super::items::{Condition, Items};
use crate::{
    question::{
        Form, Piece,
        annotate::Compare,
        plan::{Filter, Plan, Test},
    },
    schema::{Content, Label, Property, Schema, is_date_name},
};

/// The variable that has the property, by what stands near.
pub(super) fn owner(
    plan: &Plan,
    items: &Items<'_>,
    schema: &Schema,
    properties: &[Property],
    first: usize,
    end: usize,
    asked: bool,
) -> Option<(usize, f64)> {
    let mut best: Option<(usize, f64)> = None;
    for (number, variable) in plan.variables.iter().enumerate().take(items.things.len()) {
        let thing = &items.things[number];
        let fits = variable.labels.as_ref().is_none_or(|labels| {
            properties
                .iter()
                .any(|property| labels.iter().any(|label| schema.property(*property).labels.contains(label)))
        });
        if !fits || thing.excluded {
            continue;
        }
        let between = |from: usize, to: usize| {
            items.things.iter().filter(|other| other.first >= from && other.end <= to).count()
        };
        let near = if thing.first >= end {
            let gap = between(end, thing.first) as i32;
            let base = match (asked, thing.first - end) {
                (true, _) | (false, 0) => 1.0,
                (false, _) => 0.7,
            };
            base * 0.8_f64.powi(gap)
        } else {
            let gap = between(thing.end, first) as i32;
            0.95 * 0.8_f64.powi(gap)
        };
        let named =
            if thing.members.is_empty() || asked || items.head.form == Form::Truth { 1.0 } else { 0.6 };
        let known = if variable.labels.is_some() { 1.0 } else { 0.6 };
        let fit = near * named * known;
        if best.is_none_or(|(_, other)| fit > other) {
            best = Some((number, fit));
        }
    }
    best
}

/// The nearest unused condition of a sort that stands next to another, with at most two small words between.
pub(super) fn beside(
    items: &Items<'_>,
    condition: &Condition,
    used: &[bool],
    wanted: impl Fn(&Piece) -> bool,
) -> Option<usize> {
    let span = &condition.span;
    let gap = |other: &Condition| {
        if other.span.first >= span.end {
            other.span.first - span.end
        } else {
            span.first.saturating_sub(other.span.end)
        }
    };
    let candidates = items.conditions.iter().enumerate().filter(|(number, other)| {
        let (from, to) = if other.span.first >= span.end {
            (span.end, other.span.first)
        } else {
            (other.span.end, span.first)
        };
        let things_between = items.things.iter().any(|thing| thing.first >= from && thing.end <= to);
        !used[*number]
            && wanted(&other.span.piece)
            && other.span != *span
            && gap(other) <= 2
            && !things_between
    });
    candidates.min_by_key(|(_, other)| gap(other)).map(|(number, _)| number)
}

pub(super) fn filter(plan: &mut Plan, items: &Items<'_>, schema: &Schema, used: &mut [bool]) {
    for number in 0..items.conditions.len() {
        if used[number] {
            continue;
        }
        let condition = &items.conditions[number];
        let test = match &condition.span.piece {
            Piece::Value(_) => None,
            Piece::Time(compare, days) => Some(Test::Time(*compare, *days)),
            Piece::Quantity(compare, amount, _) => Some(Test::Number(*compare, *amount)),
            Piece::Between(low, high) => Some(Test::Between(*low, *high)),
            _ => continue,
        };
        used[number] = true;
        let neighbour = beside(items, condition, used, |piece| matches!(piece, Piece::Property(_)));
        let beside = neighbour.map(|neighbour| &items.conditions[neighbour].span.piece);
        let named: Option<Vec<Property>> = match (beside, &condition.span.piece) {
            (Some(Piece::Property(properties)), _) => {
                Some(properties.iter().map(|(property, _)| *property).collect())
            }
            (_, Piece::Quantity(.., measured)) if !measured.is_empty() => Some(measured.clone()),
            _ => None,
        };
        let negated =
            condition.negated || neighbour.is_some_and(|neighbour| items.conditions[neighbour].negated);
        let taken = match (&condition.span.piece, test) {
            (Piece::Value(values), _) => {
                filter_by_value(plan, items, schema, condition, values, named.as_deref(), negated)
            }
            (_, Some(test)) => {
                filter_by_measure(plan, items, schema, condition, test, named.as_deref(), negated)
            }
            _ => None,
        };
        match taken {
            Some(with_neighbour) => {
                if let Some(neighbour) = neighbour.filter(|_| with_neighbour) {
                    used[neighbour] = true;
                }
            }
            None => plan.score *= 0.3,
        }
    }
    for (number, condition) in items.conditions.iter().enumerate() {
        let Piece::Property(properties) = &condition.span.piece else { continue };
        if used[number] {
            continue;
        }
        let properties: Vec<Property> = properties.iter().map(|(property, _)| *property).collect();
        let span = &condition.span;
        match owner(plan, items, schema, &properties, span.first, span.end, false) {
            Some((owner, fit)) => {
                plan.score *= 0.75 * fit.max(0.7);
                let filter = Filter { properties, test: Test::Present, negated: condition.negated };
                plan.variables[owner].filters.push(filter);
            }
            None => plan.score *= 0.3,
        }
    }
}

/// Whether a property beside it was part of the condition; `None` when nothing can have the value.
fn filter_by_value(
    plan: &mut Plan,
    items: &Items<'_>,
    schema: &Schema,
    condition: &Condition,
    values: &[(Property, graphwright_core::Value)],
    named: Option<&[Property]>,
    negated: bool,
) -> Option<bool> {
    let with_name: Vec<_> =
        values.iter().filter(|(property, _)| named.is_some_and(|named| named.contains(property))).collect();
    let together = !with_name.is_empty();
    let chosen = if together { with_name } else { values.iter().collect() };
    let properties: Vec<Property> = chosen.iter().map(|(property, _)| *property).collect();
    let first = condition.span.first;
    let (owner, fit) = owner(plan, items, schema, &properties, first, condition.span.end, false)?;
    plan.score *= fit.max(0.6).sqrt();
    let test = Test::OneOf(chosen.iter().map(|(_, value)| value.clone()).collect());
    plan.variables[owner].filters.push(Filter { properties, test, negated });
    Some(together)
}

fn filter_by_measure(
    plan: &mut Plan,
    items: &Items<'_>,
    schema: &Schema,
    condition: &Condition,
    test: Test,
    named: Option<&[Property]>,
    negated: bool,
) -> Option<bool> {
    let (first, end) = (condition.span.first, condition.span.end);
    let time = matches!(test, Test::Time(..));
    if let Some(named) = named
        && let Some((owner, _)) = owner(plan, items, schema, named, first, end, false)
    {
        let test = exact(test, named, schema);
        plan.variables[owner].filters.push(Filter { properties: named.to_vec(), test, negated });
        return Some(true);
    }
    if named.is_none() {
        let on_join = plan.joins.iter().position(|join| {
            let own = schema.edge_properties.get(&join.kind);
            own.is_some_and(|own| {
                own.iter().any(|(name, content)| {
                    if time {
                        *content == Content::Date || is_date_name(name)
                    } else {
                        *content == Content::Number
                    }
                })
            })
        });
        if let Some(join) = on_join {
            plan.joins[join].test = Some(test);
            plan.score *= 0.95;
            return Some(false);
        }
    }
    let all: Vec<Label> =
        plan.variables.iter().filter_map(|variable| variable.labels.clone()).flatten().collect();
    let properties = if time { schema.date_properties(&all) } else { schema.number_properties(&all) };
    let (owner, fit) = owner(plan, items, schema, &properties, first, end, false)?;
    let labels = plan.variables[owner].labels.clone().unwrap_or_default();
    let own: Vec<Property> = properties
        .into_iter()
        .filter(|property| labels.iter().any(|label| schema.property(*property).labels.contains(label)))
        .collect();
    plan.score *= fit.max(0.5) * if own.len() == 1 { 0.85 } else { 0.6 };
    plan.variables[owner].filters.push(Filter { properties: own, test, negated });
    Some(false)
}

/// A date against a property that holds text is compared as a date where the text is one.
fn exact(test: Test, properties: &[Property], schema: &Schema) -> Test {
    match test {
        Test::Time(Compare::AtMost, days)
            if properties.iter().all(|property| schema.property(*property).name.ends_with("_by")) =>
        {
            Test::Time(Compare::Is, days)
        }
        other => other,
    }
}
