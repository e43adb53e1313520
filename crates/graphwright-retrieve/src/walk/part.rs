//! A part of the graph, and the best paths within it.

use std::{cmp::Reverse, collections::BinaryHeap};

use rustc_hash::FxHashMap;

use super::{
    Trail, path_of,
    paths::{GraphPath, PathOptions},
};
use crate::{NodeIndex, Step, Topology};

/// Maximum number of partial paths. Then the search stops and the result says so.
const MOST_PARTIAL_PATHS: usize = 500_000;

/// What halving costs. Whole numbers add up to the same in any order, so that equal paths are equal.
const HALVING: f64 = (1_u64 << 40) as f64;

/// Returns what a step of a weight costs: paths with the highest products of weights are those with the lowest sums of costs.
pub(super) fn cost(weight: f64) -> u64 {
    // Weights above 0 cost no more than 2^51, and those of damaged bytes no more than sums can hold.
    ((-weight.log2() * HALVING).round() as u64).min(1 << 52)
}

/// Steps between nodes.
pub(super) struct Part<'a> {
    topology: &'a Topology,
    /// The nodes that are left by steps, and the ends.
    nodes: Vec<NodeIndex>,
    /// Where the steps of each node begin, and one more.
    rows: Vec<usize>,
    steps: Vec<Onward>,
    starts: Vec<u32>,
    is_end: Vec<bool>,
}

#[derive(Clone, Copy, Debug)]
struct Onward {
    step: Step,
    to: u32,
    cost: u64,
}

/// The best paths with their costs, and whether the search was stopped before there were as many as asked for.
pub(super) struct Found {
    pub(super) paths: Vec<(u64, GraphPath)>,
    pub(super) stopped: bool,
}

impl<'a> Part<'a> {
    /// `steps` begin at the nodes beside them.
    pub(super) fn new(
        topology: &'a Topology,
        steps: impl Iterator<Item = (NodeIndex, Step)>,
        from: &[NodeIndex],
        to: &[NodeIndex],
    ) -> Self {
        let mut steps: Vec<(NodeIndex, Step)> = steps.collect();
        // Dead ends go before the rest is sorted: most steps lead to one.
        let left: FxHashMap<NodeIndex, u32> =
            steps.iter().map(|&(node, _)| node).chain(to.iter().copied()).map(|node| (node, 0)).collect();
        steps.retain(|(_, step)| left.contains_key(&step.node));
        // In the order of `Topology::steps`.
        steps.sort_by_cached_key(|&(node, step)| {
            (node, !step.forward, topology.kind_number(step.relationship), step.relationship)
        });
        steps.dedup();
        let mut nodes: Vec<NodeIndex> = left.into_keys().collect();
        nodes.sort_unstable();
        let numbers: FxHashMap<NodeIndex, u32> = nodes.iter().copied().zip(0..).collect();
        let row = |node: &NodeIndex| steps.partition_point(|(before, _)| before < node);
        let rows = nodes.iter().map(row).chain([steps.len()]).collect();
        let onward = steps.iter().map(|(_, step)| Onward {
            step: *step,
            to: numbers.get(&step.node).copied().unwrap_or_default(),
            cost: cost(topology.weight(step.relationship)),
        });
        let mut starts: Vec<u32> = from.iter().filter_map(|node| numbers.get(node).copied()).collect();
        starts.sort_unstable();
        starts.dedup();
        let mut is_end = vec![false; nodes.len()];
        for node in to {
            if let Some(&number) = numbers.get(node) {
                is_end[number as usize] = true;
            }
        }
        Self { topology, steps: onward.collect(), rows, nodes, starts, is_end }
    }

    fn row(&self, node: u32) -> &[Onward] {
        &self.steps[self.rows[node as usize]..self.rows[node as usize + 1]]
    }

    /// Finds the paths with the lowest costs below a bound, and one more than asked for if there is one. Of equal ones the fewest
    /// steps come first, then the lowest start, then the first steps in the order of their nodes.
    ///
    /// Best-first search over partial paths. What a partial path still costs is bounded by the best walk from its end to
    /// the goal in the steps left, so hardly any path is begun that is not among the results.
    ///
    /// The order is right: each path that was not found yet has a beginning in the heap. That comes no later than the path, since
    /// its bound is never too high, and of equal ones a beginning comes before what continues it.
    pub(super) fn best_paths(&self, options: &PathOptions, max_hops: usize, below: u64) -> Found {
        let mut search = Search::new(self, max_hops, below);
        let mut found = Found { paths: Vec::new(), stopped: false };
        while let Some(Reverse(partial)) = search.heap.pop() {
            if self.is_end[partial.node as usize] {
                found.paths.push((partial.cost, path_of(&search.trails, partial.trail)));
                if found.paths.len() > options.limit {
                    break;
                }
                continue;
            }
            if search.trails.len() > MOST_PARTIAL_PATHS || options.cancel.is_cancelled() {
                found.stopped = true;
                break;
            }
            search.go_on(&partial);
        }
        found
    }

    /// Returns for each number of steps left and each node the cost and the steps of the best walk to the ends, as far as
    /// more steps make a difference.
    fn bounds(&self, max_hops: usize) -> Vec<Vec<Bound>> {
        let at_end = |&is_end: &bool| is_end.then_some((0, 0));
        let mut bounds: Vec<Vec<Bound>> = vec![self.is_end.iter().map(at_end).collect()];
        for left in 1..=max_hops {
            let before = &bounds[left - 1];
            let best = |number: usize| {
                let onward = self.row(number as u32).iter();
                let walks = onward.filter_map(|onward| {
                    let (cost, hops) = before[onward.to as usize]?;
                    Some((cost + onward.cost, hops + 1))
                });
                walks.chain(before[number]).min()
            };
            let now: Vec<Bound> = (0..self.nodes.len()).map(best).collect();
            if now == *before {
                break;
            }
            bounds.push(now);
        }
        bounds
    }
}

/// Cost and steps of a walk to the ends; `None` if there is none.
type Bound = Option<(u64, u32)>;

struct Search<'a> {
    part: &'a Part<'a>,
    bounds: Vec<Vec<Bound>>,
    max_hops: usize,
    below: u64,
    trails: Vec<Trail>,
    heap: BinaryHeap<Reverse<Partial>>,
}

/// A partial path: lowest possible cost first, then fewest possible steps, then the first in the order of steps.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Partial {
    cost: u64,
    hops: u32,
    /// The number of the start, then for each step its place among those of its node.
    places: Vec<u32>,
    so_far: u64,
    node: u32,
    trail: usize,
}

impl<'a> Search<'a> {
    fn new(part: &'a Part<'a>, max_hops: usize, below: u64) -> Self {
        let bounds = part.bounds(max_hops);
        let mut search = Self { part, bounds, max_hops, below, trails: Vec::new(), heap: BinaryHeap::new() };
        for &node in &part.starts {
            search.push(Trail::start(part.nodes[node as usize], 1.0), node, 0, &[], node);
        }
        search
    }

    /// Continues a partial path by each step.
    fn go_on(&mut self, partial: &Partial) {
        let here = self.trails[partial.trail];
        if here.depth == self.max_hops {
            return;
        }
        for (onward, place) in self.part.row(partial.node).iter().zip(0..) {
            let is_start = self.part.starts.binary_search(&onward.to).is_ok();
            if !is_start && !self.passes(partial.trail, onward.step.node) {
                let trail = here.onward(partial.trail, onward.step, self.part.topology);
                self.push(trail, onward.to, partial.so_far + onward.cost, &partial.places, place);
            }
        }
    }

    fn push(&mut self, trail: Trail, node: u32, so_far: u64, before: &[u32], place: u32) {
        // Trails of `max_hops` steps are not continued, so the depth is never more.
        let left = (self.max_hops - trail.depth).min(self.bounds.len() - 1);
        let Some((cost, hops)) = self.bounds[left][node as usize] else { return };
        let (cost, hops) = (so_far + cost, trail.depth as u32 + hops);
        if cost >= self.below {
            return;
        }
        let places = before.iter().copied().chain([place]).collect();
        self.heap.push(Reverse(Partial { cost, hops, places, so_far, node, trail: self.trails.len() }));
        self.trails.push(trail);
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
