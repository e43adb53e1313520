//! Superlatives: by what the matches are ranked.

use super::{
    conditions::{beside, owner},
    items::{Condition, Items},
};
use crate::{
    question::{
        Piece,
        annotate::Measure,
        plan::{Plan, Ranking},
    },
    schema::{Property, Schema},
};

pub(super) fn rank(plan: &mut Plan, items: &Items<'_>, schema: &Schema, used: &mut [bool]) {
    for (number, condition) in items.conditions.iter().enumerate() {
        let Piece::Extreme(most, measure) = &condition.span.piece else { continue };
        used[number] = true;
        let end = condition.span.end;
        let beside = beside(items, condition, used, |piece| matches!(piece, Piece::Property(_)));
        let next = items.things.iter().position(|thing| thing.first >= end && thing.first <= end + 1);
        let counts = *measure == Measure::Number
            && next.is_some_and(|next| next != plan.answer)
            && beside.is_none_or(|beside| {
                next.is_some_and(|next| items.things[next].first <= items.conditions[beside].span.first)
            });
        if let Some(counted) = next.filter(|_| counts) {
            let answer = plan.answer;
            plan.variables[answer].ranking = Some(Ranking::Number(counted, *most));
            continue;
        }
        if *measure == Measure::Number && beside.is_none() {
            plan.score *= 0.4;
            continue;
        }
        let next = next.filter(|&next| items.things[next].members.is_empty());
        let ranked =
            next.or_else(|| named_owner(plan, items, schema, condition, beside)).unwrap_or(plan.answer);
        let labels =
            plan.variables.get(ranked).and_then(|variable| variable.labels.clone()).unwrap_or_default();
        let mut properties: Vec<Property> = match beside.map(|beside| &items.conditions[beside].span.piece) {
            Some(Piece::Property(properties)) => properties.iter().map(|(property, _)| *property).collect(),
            _ => match measure {
                Measure::Properties(properties) => properties.clone(),
                Measure::Date => schema.date_properties(&labels),
                _ => schema.number_properties(&labels),
            },
        };
        properties.retain(|property| {
            labels.is_empty() || labels.iter().any(|label| schema.property(*property).labels.contains(label))
        });
        if let Some(beside) = beside {
            used[beside] = true;
        }
        if properties.is_empty() || ranked >= plan.variables.len() {
            plan.score *= 0.4;
            continue;
        }
        plan.score *= if properties.len() > 1 && beside.is_none() { 0.85 } else { 1.0 };
        plan.variables[ranked].ranking = Some(Ranking::Property(properties, *most));
    }
}

/// `The ward with the smallest population`: the thing that has the property named beside the superlative.
fn named_owner(
    plan: &Plan,
    items: &Items<'_>,
    schema: &Schema,
    condition: &Condition,
    beside: Option<usize>,
) -> Option<usize> {
    let Piece::Property(properties) = &items.conditions[beside?].span.piece else { return None };
    let properties: Vec<Property> = properties.iter().map(|(property, _)| *property).collect();
    let (first, end) = (condition.span.first, condition.span.end);
    let (owner, _) = owner(plan, items, schema, &properties, first, end, false)?;
    plan.variables[owner].entities.is_none().then_some(owner)
}
