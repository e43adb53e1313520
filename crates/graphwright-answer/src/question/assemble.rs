//! From spans to plans: which variable each relationship word joins, in the order that English gives.

mod beam;
mod claim;
mod conditions;
mod draft;
mod held;
mod items;
mod joins;
mod order;
mod owners;
mod parts;
mod projection;
mod ranking;
mod shape;
mod shared;

pub(crate) use items::Items;

use graphwright_english::words;

use super::{
    Segmentation,
    annotate::{Annotator, WHOLE_NAME},
    plan::{Filter, Plan, Projection, Test, Variable, changes_meaning},
};
use crate::{limits::Limits, schema::Schema};

/// What each word without an explanation leaves of a plan's score, beside the lower coverage.
const UNEXPLAINED: f64 = 0.65;

/// Plans for one way to cut the question, best first; none when the time is over.
pub(crate) fn assemble(
    annotator: &Annotator<'_>,
    segmentation: &Segmentation,
    schema: &Schema,
    limits: Limits,
) -> Vec<Plan> {
    if limits.is_over() {
        return Vec::new();
    }
    let items = Items::read(annotator, segmentation, schema, limits);
    let drafts = joins::join(&items, limits);
    let mut plans: Vec<Plan> = drafts.into_iter().filter_map(|draft| shape::finish(draft, &items)).collect();
    for plan in &mut plans {
        plan.score *=
            segmentation.coverage.powf(1.5) * UNEXPLAINED.powi(segmentation.unexplained.len() as i32);
        // `What was the verdict in …`: when the thing asked for is not known, nothing else will do.
        if annotator.asked_word().is_some_and(|at| segmentation.unexplained.contains(&at)) {
            plan.score *= UNEXPLAINED;
        }
        // `How many routes are there in Cairns`, where that is a part of the name of a stop.
        let names_part =
            || segmentation.spans.iter().any(|span| span.is_entity() && span.weight < WHOLE_NAME);
        if plan.projection == Projection::Number && plan.guessed > 1 && names_part() {
            plan.score *= UNEXPLAINED;
        }
        if splits_what_is_said(plan) {
            plan.score *= UNEXPLAINED.powi(2);
        }
        let operators = plan.unused.iter().filter(|&&at| words::is_operator(&annotator.tokens[at].lower));
        plan.score *= UNEXPLAINED.powi(operators.count() as i32);
        plan.unused.extend(&segmentation.unexplained);
        plan.unused.retain(|&at| {
            let word = &annotator.tokens[at].lower;
            !words::is_filler(word) || changes_meaning(word)
        });
        plan.unused.sort_unstable();
        plan.unused.dedup();
        // `Yes` must not rest on a guess, nor `No` on a part of what is asked.
        let is_sure = plan.guessed == 0 && plan.unused.is_empty() && segmentation.unexplained.is_empty();
        if plan.projection == Projection::Truth && !is_sure {
            plan.score *= UNEXPLAINED;
        }
    }
    plans
}

/// `Does the trip call at the university`, where that is only a sign on trips: that it calls somewhere, and has the sign, is not
/// what is asked.
fn splits_what_is_said(plan: &Plan) -> bool {
    let is_nothing = |at: usize, variable: &Variable| {
        let is_free = variable.between && variable.entities.is_none() && variable.filters.is_empty();
        is_free && plan.joins.iter().filter(|join| join.from(at).is_some()).count() == 1
    };
    let has_value = |variable: &Variable| {
        let is_value = |filter: &Filter| matches!(filter.test, Test::OneOf(_));
        variable.entities.is_some() && variable.filters.iter().any(is_value)
    };
    plan.projection == Projection::Truth
        && plan.variables.iter().any(has_value)
        && plan.variables.iter().enumerate().any(|(at, variable)| is_nothing(at, variable))
}
