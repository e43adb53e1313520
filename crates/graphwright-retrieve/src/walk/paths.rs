//! Finds the best-scored paths between nodes.

use std::{
    cmp::Ordering,
    collections::{BinaryHeap, HashSet},
};

use tokio_util::sync::CancellationToken;

use super::{Trail, passing::Passing, path_of};
use crate::{Follow, NodeIndex, Step, Topology};

/// Maximum number of partial paths. Then the search stops and the result says so.
pub(super) const MOST_PARTIAL_PATHS: usize = 500_000;

/// Options of path searches.
#[derive(Clone, Debug)]
pub struct PathOptions {
    /// Maximum number of steps; 5 by default.
    pub max_hops: usize,
    /// Maximum number of paths; 5 by default.
    pub limit: usize,
    /// Relationships to follow.
    pub follow: Follow,
    /// Labels of the nodes that a path may pass; all if empty. Its ends may have any.
    pub labels: Vec<String>,
    /// Stops the search; what was found so far is then the result, marked as truncated.
    pub cancel: CancellationToken,
}

impl Default for PathOptions {
    fn default() -> Self {
        let (follow, cancel) = (Follow::default(), CancellationToken::new());
        Self { max_hops: 5, limit: 5, follow, labels: Vec::new(), cancel }
    }
}

/// A path through a topology. No node occurs twice.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphPath {
    /// Node where the path starts.
    pub start: NodeIndex,
    /// Steps from the start.
    pub steps: Vec<Step>,
    /// Product of the weights.
    pub score: f64,
}

impl GraphPath {
    /// Returns the nodes from start to end.
    pub fn nodes(&self) -> impl Iterator<Item = NodeIndex> + '_ {
        std::iter::once(self.start).chain(self.steps.iter().map(|step| step.node))
    }

    /// Returns the node where the path ends.
    pub fn end(&self) -> NodeIndex {
        self.steps.last().map_or(self.start, |step| step.node)
    }
}

/// Result of a path search. Empty means that there is no path within `max_hops`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paths {
    /// The paths, best first.
    pub paths: Vec<GraphPath>,
    /// Maximum number of steps that was searched.
    pub max_hops: usize,
    /// Whether there may be more paths than the limit, or the search was stopped early.
    pub truncated: bool,
}

impl Topology {
    /// Finds the paths with the highest products of weights from any of `from` to any of `to`, best
    /// first.
    ///
    /// Of equal paths the shorter comes first. A path touches `from` and `to` only at its ends.
    ///
    /// Best-first search over partial paths. The score that a partial path can still reach is
    /// bounded by the best walk from its end to the goal in the steps left, which is computed
    /// backwards first. With that bound, hardly any path is begun that is not among the results.
    pub fn best_paths(&self, from: &[NodeIndex], to: &[NodeIndex], options: &PathOptions) -> Paths {
        let passing = Passing::new(self, from, to, &options.follow, &options.labels);
        let bounds = Bounds::compute(self, &passing, to, options.max_hops);
        let mut search = Search { bounds, trails: Vec::new(), heap: BinaryHeap::new() };
        let sources: HashSet<NodeIndex> = from.iter().copied().collect();
        let targets: HashSet<NodeIndex> = to.iter().copied().collect();
        let mut starts: Vec<NodeIndex> = sources.iter().copied().collect();
        starts.sort_unstable();
        for node in starts {
            search.push(Trail::start(node, 1.0), options.max_hops);
        }
        let mut found = Paths { paths: Vec::new(), max_hops: options.max_hops, truncated: false };
        while let Some(Partial { trail, .. }) = search.heap.pop() {
            let here = search.trails[trail];
            if targets.contains(&here.node) {
                if found.paths.len() == options.limit {
                    found.truncated = true;
                    break;
                }
                found.paths.push(path_of(&search.trails, trail));
                continue;
            }
            if search.trails.len() > MOST_PARTIAL_PATHS || options.cancel.is_cancelled() {
                found.truncated = true;
                break;
            }
            if here.depth == options.max_hops {
                continue;
            }
            for step in passing.steps(here.node) {
                if !sources.contains(&step.node) && !search.passes(trail, step.node) {
                    search.push(here.onward(trail, step, self), options.max_hops);
                }
            }
        }
        found
    }
}

/// Score of the best walk to the goal, for each number of steps left and each node; 0 if there is
/// none.
struct Bounds {
    scores: Vec<Vec<f64>>,
    /// Fewest steps to the goal, by node.
    hops: Vec<u32>,
}

impl Bounds {
    fn compute(topology: &Topology, passing: &Passing<'_>, to: &[NodeIndex], max_hops: usize) -> Self {
        let mut scores = vec![vec![0.0; topology.node_count()]];
        let mut hops = vec![u32::MAX; topology.node_count()];
        for node in to {
            scores[0][node.position()] = 1.0;
            hops[node.position()] = 0;
        }
        let mut changed: Vec<NodeIndex> = to.to_vec();
        for left in 1..=max_hops {
            let before = &scores[left - 1];
            // What is reached in fewer steps is reached with more steps left, too.
            let mut now = before.clone();
            let mut next = Vec::new();
            for &node in &changed {
                for step in passing.steps_back(node) {
                    let score = before[node.position()] * topology.weight(step.relationship);
                    let best = &mut now[step.node.position()];
                    if score > *best {
                        *best = score;
                        next.push(step.node);
                        let fewest = &mut hops[step.node.position()];
                        *fewest = (*fewest).min(left as u32);
                    }
                }
            }
            next.sort_unstable();
            next.dedup();
            changed = next;
            scores.push(now);
        }
        Self { scores, hops }
    }
}

struct Search {
    bounds: Bounds,
    trails: Vec<Trail>,
    heap: BinaryHeap<Partial>,
}

impl Search {
    fn push(&mut self, trail: Trail, max_hops: usize) {
        // Trails of `max_hops` steps are not continued, so the depth is never more.
        let bound = self.bounds.scores[max_hops - trail.depth][trail.node.position()];
        if bound > 0.0 {
            let hops = trail.depth as u32 + self.bounds.hops[trail.node.position()];
            let score = trail.score * bound;
            self.heap.push(Partial { score, hops, depth: trail.depth, trail: self.trails.len() });
            self.trails.push(trail);
        }
    }

    fn passes(&self, trail: usize, node: NodeIndex) -> bool {
        let mut current = &self.trails[trail];
        loop {
            if current.node == node {
                return true;
            }
            let Some((before, _)) = current.before else { return false };
            current = &self.trails[before as usize];
        }
    }
}

/// An entry of the heap: highest possible score first, then fewest possible steps, then the one
/// furthest along.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partial {
    pub(super) score: f64,
    pub(super) hops: u32,
    pub(super) depth: usize,
    pub(super) trail: usize,
}

impl Ord for Partial {
    fn cmp(&self, other: &Self) -> Ordering {
        let score = self.score.total_cmp(&other.score);
        score
            .then(other.hops.cmp(&self.hops))
            .then(self.depth.cmp(&other.depth))
            .then(other.trail.cmp(&self.trail))
    }
}

impl PartialOrd for Partial {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Partial {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Partial {}
