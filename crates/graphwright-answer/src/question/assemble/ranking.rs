//! Superlatives: by what the matches are ranked.

use super::{
    conditions::{beside, owner},
    items::Items,
};
use crate::question::{
    Piece,
    annotate::Measure,
    plan::{Plan, Ranking},
};

pub(super) fn rank(plan: &mut Plan, items: &Items<'_>, used: &mut [bool]) {
    for (number, condition) in items.conditions.iter().enumerate() {
        let Piece::Extreme(order, measure) = &condition.span.piece else { continue };
        used[number] = true;
        let end = condition.span.end;
        let beside = beside(items, condition, used).map(|at| (at, &items.conditions[at]));
        let named = beside.and_then(|(_, beside)| beside.properties());
        let next = items.things.iter().position(|thing| thing.first >= end && thing.first <= end + 1);
        if *measure == Measure::Number {
            let stands_first = |next: &usize| {
                beside.is_none_or(|(_, beside)| items.things[*next].first <= beside.span.first)
            };
            if let Some(counted) = next.filter(|next| *next != plan.answer && stands_first(next)) {
                plan.variables[plan.answer].ranking = Some(Ranking::Number(counted, *order));
                continue;
            }
            if beside.is_none() {
                plan.score *= 0.4;
                continue;
            }
        }
        // `The ward with the smallest population`: the thing that has the property named beside the superlative.
        let owner = || {
            let (owner, _) = owner(plan, items, named?, &condition.span, false)?;
            plan.variables[owner].entities.is_none().then_some(owner)
        };
        let next = next.filter(|&next| items.things[next].members.is_empty());
        let ranked = next.or_else(owner).unwrap_or(plan.answer);
        let labels =
            plan.variables.get(ranked).and_then(|variable| variable.labels.clone()).unwrap_or_default();
        let mut properties = match (named, measure) {
            (Some(named), _) => named.to_vec(),
            (None, Measure::Properties(properties)) => properties.clone(),
            (None, Measure::Date) => items.schema.date_properties(&labels),
            (None, _) => items.schema.number_properties(&labels),
        };
        properties.retain(|property| labels.is_empty() || items.schema.have(&labels, *property));
        if let Some((beside, _)) = beside {
            used[beside] = true;
        }
        if properties.is_empty() || ranked >= plan.variables.len() {
            plan.score *= 0.4;
            continue;
        }
        plan.score *= if properties.len() > 1 && beside.is_none() { 0.85 } else { 1.0 };
        plan.variables[ranked].ranking = Some(Ranking::Property(properties, *order));
    }
}
