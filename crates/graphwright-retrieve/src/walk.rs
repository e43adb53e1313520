//! Walks over a [`Topology`](crate::Topology): weighted neighbourhoods and paths.

mod ball;
mod best;
mod neighbourhood;
mod part;
mod passing;
mod paths;
mod shortest;

use crate::{NodeIndex, Step, Topology};

pub use neighbourhood::{Neighbourhood, NeighbourhoodOptions, ReachedNode, ReachedRelationship};
pub use paths::{GraphPath, PathOptions, Paths};

/// A step of a walk with a link to the step before, so that walks share their beginnings.
#[derive(Clone, Copy, Debug)]
struct Trail {
    node: NodeIndex,
    depth: usize,
    score: f64,
    /// Index of the trail before, and the step taken from there.
    before: Option<(u32, Step)>,
}

impl Trail {
    fn start(node: NodeIndex, score: f64) -> Self {
        Self { node, depth: 0, score, before: None }
    }

    fn onward(&self, position: usize, step: Step, topology: &Topology) -> Self {
        let score = self.score * topology.weight(step.relationship);
        Self { node: step.node, depth: self.depth + 1, score, before: Some((position as u32, step)) }
    }
}

/// Returns the path that ends with the trail at `position`.
fn path_of(trails: &[Trail], position: usize) -> GraphPath {
    let score = trails[position].score;
    let mut steps = Vec::with_capacity(trails[position].depth);
    let mut current = &trails[position];
    while let Some((before, step)) = current.before {
        steps.push(step);
        current = &trails[before as usize];
    }
    steps.reverse();
    GraphPath { start: current.node, steps, score }
}

#[cfg(test)]
mod tests;
