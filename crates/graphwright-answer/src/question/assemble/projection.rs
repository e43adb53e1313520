//! What of the matches is the answer.

use super::{conditions::owner, items::Items};
use crate::{
    question::{
        Form, Piece,
        plan::{Aggregate, Plan, Projection},
    },
    schema::{Content, Label, Property, Schema, is_date_name},
};

/// What a number or date as the answer to `who`, or a text to `how many`, leaves of a plan's score.
const MISFIT: f64 = 0.6;

pub(super) fn choose_projection(plan: &mut Plan, items: &Items<'_>, schema: &Schema, used: &mut [bool]) {
    if let Some((aggregate, _)) = items.head.aggregate
        && choose_aggregate(plan, items, schema, used, aggregate)
    {
        return;
    }
    match items.head.form {
        Form::Truth => {
            plan.projection = Projection::Truth;
            return;
        }
        Form::Count if plan.answer != usize::MAX => {
            plan.projection = Projection::Number;
            return;
        }
        _ => {}
    }
    if plan.answer != usize::MAX {
        return;
    }
    let when = items.head.form == Form::When;
    if let Some((asked, answer, fit)) = asked_property(plan, items, schema, when)
        && let Piece::Property(properties) = &items.conditions[asked].span.piece
    {
        let properties: Vec<Property> = properties.iter().map(|(property, _)| *property).collect();
        mark_used(items, &properties, used);
        // `Who founded the firm` asks for no year.
        let who = items.asks_who()
            && properties.iter().all(|property| {
                schema.property(*property).content != Content::Text || schema.is_date_like(*property)
            });
        // Nor does `how many people live in` ask for what they are called.
        let no_number = items.head.form == Form::Count
            && properties.iter().all(|property| schema.property(*property).content == Content::Text);
        plan.answer = answer;
        plan.score *= fit.max(0.85) * if who || no_number { MISFIT } else { 1.0 };
        plan.projection = Projection::Values(properties);
        return;
    }
    if when {
        choose_date(plan, schema);
        return;
    }
    let open = plan.variables.iter().position(|variable| variable.entities.is_none());
    plan.answer = open.unwrap_or(usize::MAX);
}

/// The sum or average of a property that holds numbers; whether there is one.
fn choose_aggregate(
    plan: &mut Plan,
    items: &Items<'_>,
    schema: &Schema,
    used: &mut [bool],
    aggregate: Aggregate,
) -> bool {
    let Some((asked, answer, fit)) = asked_property(plan, items, schema, false) else { return false };
    let Piece::Property(properties) = &items.conditions[asked].span.piece else { return false };
    let properties: Vec<Property> = properties.iter().map(|(property, _)| *property).collect();
    if !properties.iter().any(|property| schema.property(*property).content == Content::Number) {
        return false;
    }
    mark_used(items, &properties, used);
    plan.answer = answer;
    plan.score *= fit.max(0.85);
    plan.projection = Projection::Aggregate(aggregate, properties);
    true
}

fn mark_used(items: &Items<'_>, properties: &[Property], used: &mut [bool]) {
    for (condition, used) in items.conditions.iter().zip(used) {
        *used |= matches!(&condition.span.piece, Piece::Property(others)
            if others.iter().any(|(other, _)| properties.contains(other)));
    }
}

/// The property whose value is asked for: the first that some thing has. One right behind the word that asks for a
/// date (`in which year was Ada born`) comes last.
fn asked_property(
    plan: &Plan,
    items: &Items<'_>,
    schema: &Schema,
    when: bool,
) -> Option<(usize, usize, f64)> {
    let mut candidates: Vec<(usize, usize, f64)> = Vec::new();
    for (number, condition) in items.conditions.iter().enumerate() {
        let Piece::Property(properties) = &condition.span.piece else { continue };
        let properties: Vec<Property> = properties.iter().map(|(property, _)| *property).collect();
        if when && !properties.iter().any(|property| schema.is_date_like(*property)) {
            continue;
        }
        let span = &condition.span;
        let owner = owner(plan, items, schema, &properties, span.first, span.end, true);
        candidates.extend(owner.map(|(owner, fit)| (number, owner, fit)));
    }
    let date_word = |candidate: &(usize, usize, f64)| {
        items.head.date_word == Some(items.conditions[candidate.0].span.first)
    };
    let said = candidates.iter().find(|candidate| !date_word(candidate));
    said.or(candidates.first()).copied()
}

/// `When did Ada join the team?`: a date of the relationship, a thing that is a date, or a date of the thing.
fn choose_date(plan: &mut Plan, schema: &Schema) {
    for (number, join) in plan.joins.iter().enumerate() {
        let dates: Vec<String> = schema
            .edge_properties
            .get(&join.kind)
            .into_iter()
            .flatten()
            .filter(|(name, content)| **content == Content::Date || is_date_name(name))
            .map(|(name, _)| name.clone())
            .collect();
        if !dates.is_empty() {
            plan.projection = Projection::JoinValue(number, dates);
            return;
        }
    }
    let open = plan.variables.iter().position(|variable| {
        let labels = variable.labels.as_deref().unwrap_or_default();
        variable.entities.is_none() && labels.iter().any(|label| is_date_name(schema.label(*label)))
    });
    if let Some(open) = open {
        plan.answer = open;
        return;
    }
    let labels: Vec<Label> =
        plan.variables.first().and_then(|variable| variable.labels.clone()).unwrap_or_default();
    let dates = schema.date_properties(&labels);
    plan.answer = 0;
    plan.score *= if dates.len() == 1 { 0.8 } else { 0.5 };
    plan.projection = Projection::Values(dates);
}
