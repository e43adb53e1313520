//! Which trees of things the graph allows.

use rustc_hash::FxHashSet;

use crate::schema::{Label, Schema, StepId, Way};

/// The most shapes that are all tried for a question.
const MOST_SHAPES: usize = 6000;
/// Up to so many steps, all shapes are tried, whatever was learned from.
const FEW_STEPS: usize = 2;

/// How many more steps a question may take than those that were learned from.
const STEPS_BEYOND: usize = 1;

/// A tree of things: the label of the first, and for each other one the thing before and the step from it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shape {
    pub(crate) labels: Vec<Label>,
    pub(crate) steps: Vec<(u8, StepId)>,
}

/// What shapes the pairs have taught.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    /// The most steps of a meaning that was learned from.
    pub(crate) steps: usize,
    /// Whether what is asked for may be joined to several things.
    pub(crate) forks: bool,
    /// Steps that are not taken.
    pub(crate) unused: FxHashSet<StepId>,
}

impl Limits {
    /// The most steps of a reading that are nothing out of the ordinary.
    pub(crate) fn usual(&self) -> usize {
        self.steps.max(FEW_STEPS)
    }

    /// The most steps of a reading. Where answers teach, they are explained by ways of any length up to the longest, so that
    /// none is longer.
    pub(crate) fn reach(&self) -> usize {
        let reach = if self.forks { self.steps + STEPS_BEYOND } else { self.steps };
        reach.max(FEW_STEPS)
    }
}

/// Lists the shapes, small ones first: as far as the limits go and there are not too many of them. Larger ones are for the
/// search to grow.
pub(crate) fn list(schema: &Schema, limits: &Limits) -> Vec<Shape> {
    let mut all: Vec<Shape> = (0..schema.labels.len())
        .map(|label| Shape { labels: vec![label as Label], steps: Vec::new() })
        .collect();
    let mut last = all.clone();
    for _ in 0..limits.usual() {
        let mut next: Vec<Shape> = Vec::new();
        for shape in &last {
            extend(schema, limits, shape, &mut next);
        }
        if all.len() + next.len() > MOST_SHAPES {
            break;
        }
        all.extend(next.iter().cloned());
        last = next;
    }
    all
}

/// Adds a step to the end of the last branch, or a branch at the first thing. Branches are in order of their first steps.
pub(crate) fn extend(schema: &Schema, limits: &Limits, shape: &Shape, next: &mut Vec<Shape>) {
    let end = shape.labels.len() - 1;
    let mut at = vec![end];
    if limits.forks && end > 0 {
        at.push(0);
    }
    for at in at {
        for &step in &schema.from[usize::from(shape.labels[at])] {
            let last_branch = shape.steps.iter().rev().find(|(before, _)| *before == 0);
            let in_order = at == end || last_branch.is_none_or(|(_, branch)| *branch <= step);
            let turns_back = at == end && at > 0 && !schema_allows(schema, shape.steps[at - 1].1, step);
            if limits.unused.contains(&step) || !in_order || turns_back {
                continue;
            }
            let mut longer = shape.clone();
            longer.labels.push(schema.at(step).to);
            longer.steps.push((at as u8, step));
            next.push(longer);
        }
    }
}

fn schema_allows(schema: &Schema, last: StepId, step: StepId) -> bool {
    schema.next[usize::from(last)].contains(&step)
}

/// The steps that the queries of pairs do not take: where they leave the direction open, one with it, and the other way round.
pub(crate) fn unused_ways(schema: &Schema, taken: &FxHashSet<StepId>) -> FxHashSet<StepId> {
    let mut unused = FxHashSet::default();
    for (at, step) in schema.steps.iter().enumerate().filter(|(_, step)| step.way == Way::Both) {
        let same = |other: &&StepId| {
            let other = schema.at(**other);
            other.kind == step.kind
                && other.way != Way::Both
                && (other.from, other.to) == (step.from, step.to)
        };
        let directed = taken.iter().any(|other| same(&other));
        let open = taken.contains(&(at as StepId));
        for (other, found) in schema.steps.iter().enumerate() {
            let is_same = found.kind == step.kind && (found.from, found.to) == (step.from, step.to);
            if is_same && (found.way == Way::Both && directed && !open || found.way != Way::Both && !directed)
            {
                unused.insert(other as StepId);
            }
        }
    }
    unused
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn people_and_towns() -> Schema {
        let mut schema = Schema::default();
        schema.labels = vec!["Person".into(), "Town".into()];
        schema.connect(&BTreeSet::from([(0, 0, 0), (0, 1, 1)]));
        schema
    }

    #[test]
    fn readings_reach_further_than_what_was_learned_from_unless_answers_taught() {
        let limits = |forks| Limits { steps: 2, forks, ..Limits::default() };
        assert_eq!([true, false].map(|forks| limits(forks).reach()), [3, 2]);
    }

    #[test]
    fn shapes_of_a_size_are_listed_all_or_not_at_all() {
        let limits = Limits { steps: 20, forks: true, ..Limits::default() };
        let shapes = list(&people_and_towns(), &limits);
        assert!(shapes.len() <= MOST_SHAPES);
        assert!(shapes.last().unwrap().steps.len() < limits.steps);
    }
}
