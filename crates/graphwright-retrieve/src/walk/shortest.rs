//! Finds the shortest paths, by breadth-first search from both sides.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::{
    Trail,
    passing::Passing,
    path_of,
    paths::{MOST_PARTIAL_PATHS, Partial, PathOptions, Paths},
};
use crate::{Direction, NodeIndex, Step, Topology};

/// The most steps of a shortest path: levels are kept in one byte for each node.
const MOST_HOPS: usize = 250;

impl Topology {
    /// Finds the paths with the fewest steps from any of `from` to any of `to`; of equally short
    /// ones the best-scored first.
    ///
    /// The distance is found by breadth-first search from both sides, each time on the side with fewer relationships to read.
    /// Then only nodes that lie on a shortest path are searched, the most promising first.
    pub fn shortest_paths(&self, from: &[NodeIndex], to: &[NodeIndex], options: &PathOptions) -> Paths {
        let passing = Passing::new(self, from, to, &options.follow, &options.labels);
        let (met, cancelled) = meet(self, &passing, from, to, options);
        let Some((ahead, behind)) = met else {
            return Paths { paths: Vec::new(), max_hops: options.max_hops, truncated: cancelled };
        };
        Between::new(self, &passing, &ahead, &behind).paths(options)
    }

    /// Returns the number of steps between `from` and `to`, if it is at most
    /// [`PathOptions::max_hops`].
    pub fn distance(&self, from: &[NodeIndex], to: &[NodeIndex], options: &PathOptions) -> Option<usize> {
        let passing = Passing::new(self, from, to, &options.follow, &options.labels);
        let (ahead, behind) = meet(self, &passing, from, to, options).0?;
        Some(ahead.depth() + behind.depth())
    }
}

/// Searches from both sides until they meet, and returns both; and whether the search was stopped.
fn meet(
    topology: &Topology,
    passing: &Passing<'_>,
    from: &[NodeIndex],
    to: &[NodeIndex],
    options: &PathOptions,
) -> (Option<(Levels, Levels)>, bool) {
    let mut ahead = Levels::new(topology, from);
    let mut behind = Levels::new(topology, to);
    for distance in 0..=options.max_hops.min(MOST_HOPS) {
        // The outermost nodes are enough: those before them were compared in earlier rounds.
        let (smaller, other) =
            if ahead.last().len() <= behind.last().len() { (&ahead, &behind) } else { (&behind, &ahead) };
        if smaller.last().iter().any(|node| other.level(*node) == Some(other.depth())) {
            return (Some((ahead, behind)), false);
        }
        if options.cancel.is_cancelled() {
            return (None, true);
        }
        let nothing_left = ahead.last().is_empty() || behind.last().is_empty();
        if nothing_left || distance == options.max_hops.min(MOST_HOPS) {
            break;
        }
        if ahead.cost <= behind.cost {
            ahead.advance(topology, |node, reach| passing.steps(node).for_each(|step| reach(step.node)));
        } else {
            behind
                .advance(topology, |node, reach| passing.steps_back(node).for_each(|step| reach(step.node)));
        }
    }
    (None, false)
}

/// The nodes around some nodes, by their number of steps.
struct Levels {
    /// The level of each node and one more; 0 if it was not reached.
    of_node: Vec<u8>,
    nodes: Vec<Vec<NodeIndex>>,
    /// The number of relationships of the last level.
    cost: usize,
}

impl Levels {
    fn new(topology: &Topology, nodes: &[NodeIndex]) -> Self {
        let mut levels = Self { of_node: vec![0; topology.node_count()], nodes: Vec::new(), cost: 0 };
        levels.add(topology, nodes.iter().copied());
        levels
    }

    fn depth(&self) -> usize {
        self.nodes.len() - 1
    }

    fn last(&self) -> &[NodeIndex] {
        self.nodes.last().map_or(&[], Vec::as_slice)
    }

    fn level(&self, node: NodeIndex) -> Option<usize> {
        usize::from(self.of_node[node.position()]).checked_sub(1)
    }

    fn add(&mut self, topology: &Topology, nodes: impl Iterator<Item = NodeIndex>) {
        let mark = self.nodes.len() as u8 + 1;
        let mut level = Vec::new();
        for node in nodes {
            let of_node = &mut self.of_node[node.position()];
            if *of_node == 0 {
                *of_node = mark;
                level.push(node);
            }
        }
        self.cost = level.iter().map(|&node| topology.rough_degree(node)).sum();
        self.nodes.push(level);
    }

    fn advance(&mut self, topology: &Topology, neighbours: impl Fn(NodeIndex, &mut dyn FnMut(NodeIndex))) {
        let last = self.last().to_vec();
        let mut reached = Vec::new();
        for node in last {
            neighbours(node, &mut |neighbour| {
                if self.of_node[neighbour.position()] == 0 {
                    reached.push(neighbour);
                }
            });
        }
        self.add(topology, reached.into_iter());
    }
}

/// The nodes that lie on shortest paths.
struct Between<'a> {
    topology: &'a Topology,
    passing: &'a Passing<'a>,
    /// The nodes at each number of steps from the start.
    layers: Vec<FxHashMap<NodeIndex, f64>>,
}

impl<'a> Between<'a> {
    fn new(topology: &'a Topology, passing: &'a Passing<'a>, ahead: &Levels, behind: &Levels) -> Self {
        let (before, after) = (ahead.depth(), behind.depth());
        let met = ahead.last().iter().copied().filter(|node| behind.level(*node) == Some(after));
        let mut layers = vec![FxHashMap::default(); before + after + 1];
        layers[before] = met.map(|node| (node, 0.0)).collect();
        let mut between = Self { topology, passing, layers };
        for place in (0..before).rev() {
            between.layers[place] = between.layer_before(place + 1, ahead, place);
        }
        for place in before + 1..=before + after {
            between.layers[place] = between.layer_after(place - 1, behind, before + after - place);
        }
        between.weigh();
        between
    }

    /// Returns the nodes of a level from which a step leads into a layer. Reads the relationships of the side that has fewer.
    fn layer_before(&self, layer: usize, levels: &Levels, level: usize) -> FxHashMap<NodeIndex, f64> {
        let (known, candidates) = (&self.layers[layer], &levels.nodes[level]);
        if self.cost(known.keys()) <= self.cost(candidates.iter()) {
            let back = known.keys().flat_map(|&node| self.passing.steps_back(node));
            back.filter(|step| levels.level(step.node) == Some(level)).map(|step| (step.node, 0.0)).collect()
        } else {
            let leads =
                |node: &&NodeIndex| self.passing.steps(**node).any(|step| known.contains_key(&step.node));
            candidates.iter().filter(leads).map(|&node| (node, 0.0)).collect()
        }
    }

    /// Returns the nodes of a level to which a step leads from a layer.
    fn layer_after(&self, layer: usize, levels: &Levels, level: usize) -> FxHashMap<NodeIndex, f64> {
        let (known, candidates) = (&self.layers[layer], &levels.nodes[level]);
        if self.cost(known.keys()) <= self.cost(candidates.iter()) {
            let on = known.keys().flat_map(|&node| self.passing.steps(node));
            on.filter(|step| levels.level(step.node) == Some(level)).map(|step| (step.node, 0.0)).collect()
        } else {
            let leads = |node: &&NodeIndex| {
                self.passing.steps_back(**node).any(|step| known.contains_key(&step.node))
            };
            candidates.iter().filter(leads).map(|&node| (node, 0.0)).collect()
        }
    }

    fn cost<'n>(&self, nodes: impl Iterator<Item = &'n NodeIndex>) -> usize {
        nodes.map(|&node| self.topology.rough_degree(node)).sum()
    }

    /// Computes for each node the score of the best path from it to the end.
    fn weigh(&mut self) {
        let Some(last) = self.layers.last_mut() else { return };
        for score in last.values_mut() {
            *score = 1.0;
        }
        for place in (0..self.layers.len() - 1).rev() {
            let (near, far) = self.layers.split_at_mut(place + 1);
            let (Some(here), Some(next)) = (near.last_mut(), far.first()) else { return };
            let forwards = here.keys().map(|&node| self.topology.rough_degree(node)).sum::<usize>();
            let backwards = next.keys().map(|&node| self.topology.rough_degree(node)).sum::<usize>();
            if forwards <= backwards {
                for (&node, best) in here.iter_mut() {
                    for step in self.passing.steps(node) {
                        if let Some(score) = next.get(&step.node) {
                            *best = best.max(score * self.topology.weight(step.relationship));
                        }
                    }
                }
            } else {
                for (&node, score) in next {
                    for step in self.passing.steps_back(node) {
                        if let Some(best) = here.get_mut(&step.node) {
                            *best = best.max(score * self.topology.weight(step.relationship));
                        }
                    }
                }
            }
        }
    }

    /// Returns the best-scored paths through all layers.
    fn paths(&self, options: &PathOptions) -> Paths {
        let hops = self.layers.len() - 1;
        let mut found = Paths { paths: Vec::new(), max_hops: options.max_hops, truncated: false };
        let (mut trails, mut heap): (Vec<Trail>, BinaryHeap<Partial>) = Default::default();
        let push = |trails: &mut Vec<Trail>, heap: &mut BinaryHeap<Partial>, trail: Trail| {
            if let Some(bound) = self.layers.get(trail.depth).and_then(|layer| layer.get(&trail.node)) {
                let score = trail.score * bound;
                heap.push(Partial { score, hops: hops as u32, depth: trail.depth, trail: trails.len() });
                trails.push(trail);
            }
        };
        let mut starts: Vec<NodeIndex> = self.layers[0].keys().copied().collect();
        starts.sort_unstable();
        for node in starts {
            push(&mut trails, &mut heap, Trail::start(node, 1.0));
        }
        while let Some(Partial { trail, .. }) = heap.pop() {
            let here = trails[trail];
            let is_stopped = trails.len() > MOST_PARTIAL_PATHS || options.cancel.is_cancelled();
            if is_stopped || (here.depth == hops && found.paths.len() == options.limit) {
                found.truncated = true;
                break;
            }
            if here.depth == hops {
                found.paths.push(path_of(&trails, trail));
                continue;
            }
            for step in self.onward(here.node, here.depth) {
                push(&mut trails, &mut heap, here.onward(trail, step, self.topology));
            }
        }
        found
    }

    /// Returns the steps from a node into the next layer, in the order of the node's relationships.
    fn onward(&self, node: NodeIndex, depth: usize) -> Vec<Step> {
        let next = &self.layers[depth + 1];
        self.passing.steps(node).filter(|step| next.contains_key(&step.node)).collect()
    }
}

impl Topology {
    /// Returns the number of relationships of a node, with those of other times.
    fn rough_degree(&self, node: NodeIndex) -> usize {
        self.row_lengths(node, Direction::Both)
    }
}
