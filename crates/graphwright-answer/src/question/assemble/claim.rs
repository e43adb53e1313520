//! `Are all services written in Go`: what is claimed of everything of a kind.

use super::items::Items;
use crate::question::plan::{Claim, Part, Plan, Projection, Quantifier};

/// Makes a yes/no question with `all` a claim. What `all` stands before is spoken of; the rest of the plan says which of it, but for one
/// part, which is claimed.
pub(super) fn make_claim(plan: &mut Plan, items: &Items<'_>) {
    let is_all = |thing: usize| plan.variables[thing].quantifier == Some(Quantifier::All);
    let mut things = (0..items.things.len()).filter(|&thing| is_all(thing));
    let (Projection::Truth, Some(variable), None) = (&plan.projection, things.next(), things.next()) else {
        return;
    };
    let part = claimed(plan, items, variable);
    plan.claim = part.map(|part| Claim { variable, part });
    if plan.claim.is_some() {
        plan.answer = variable;
    }
}

/// The part that is claimed: what joins the thing with what stands before it (`did Ada write all books on logic`), or else what is
/// said last (`are all books by Ada out of print`).
fn claimed(plan: &Plan, items: &Items<'_>, variable: usize) -> Option<Part> {
    let at = |thing: usize| items.things.get(thing).map(|thing| thing.first);
    let own = at(variable)?;
    let ends = (0..plan.joins.len()).filter_map(|join| Some((join, far_end(plan, join, variable)?)));
    let leads: Vec<(usize, usize)> =
        ends.filter_map(|(join, other)| Some((join, spoken_beyond(plan, items, variable, other)?))).collect();
    // In `all Seafood products`, the name is part of what is spoken of.
    let is_before = |at: usize| {
        at < own
            && !items
                .things
                .iter()
                .any(|thing| thing.first == at && items.stands_before(thing, &items.things[variable]))
    };
    if let Some((join, _)) = leads.iter().filter(|(_, at)| is_before(*at)).max_by_key(|(_, at)| *at) {
        return Some(Part::Join(*join));
    }
    let joins = leads.iter().map(|(join, at)| (*at, Part::Join(*join)));
    let filters = plan.variables[variable].filters.iter().enumerate();
    let filters = filters.map(|(number, filter)| (filter.at, Part::Filter(number)));
    joins.chain(filters).filter(|(at, _)| *at > own).max_by_key(|(at, _)| *at).map(|(_, part)| part)
}

/// The other end of a join of a variable.
fn far_end(plan: &Plan, join: usize, variable: usize) -> Option<usize> {
    let join = plan.joins.get(join)?;
    match (join.left == variable, join.right == variable) {
        (true, _) => Some(join.right),
        (_, true) => Some(join.left),
        _ => None,
    }
}

/// Where the thing stands that a join leads to, or the nearest beyond it if the question does not speak of that. `None` where it
/// speaks of neither: `all directors` have directed something.
fn spoken_beyond(plan: &Plan, items: &Items<'_>, from: usize, to: usize) -> Option<usize> {
    let (mut before, mut at) = (from, to);
    for _ in 0..plan.joins.len() {
        if let Some(thing) = items.things.get(at) {
            return Some(thing.first);
        }
        // `Have all books been reviewed`: nobody is named, but the verb is.
        if let Some(verb) = plan.variables.get(at).map(|variable| variable.at).filter(|verb| *verb > 0) {
            return Some(verb);
        }
        let onward = (0..plan.joins.len()).filter_map(|join| far_end(plan, join, at));
        (before, at) = (at, onward.into_iter().find(|&next| next != before)?);
    }
    None
}
