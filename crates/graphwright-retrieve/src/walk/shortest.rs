//! Finds the shortest paths, by breadth-first search from both sides.

use rustc_hash::FxHashSet;

use super::{
    part::Part,
    passing::Passing,
    paths::{PathOptions, Paths},
};
use crate::{Direction, NodeIndex, Step, Topology};

/// The most steps of a shortest path: levels are kept in one byte for each node.
const MOST_HOPS: usize = 250;

impl Topology {
    /// Finds the paths with the fewest steps from any of `from` to any of `to`; of equally short
    /// ones the best-scored first, and of equal ones those that [`best_paths`](Self::best_paths) gives first.
    ///
    /// The distance is found by breadth-first search from both sides, each time on the side with fewer relationships to read.
    /// Then only nodes that lie on a shortest path are searched, the most promising first.
    pub fn shortest_paths(&self, from: &[NodeIndex], to: &[NodeIndex], options: &PathOptions) -> Paths {
        let passing = Passing::new(self, from, to, &options.follow, &options.labels);
        let (met, cancelled) = meet(self, &passing, from, to, options);
        let Some((ahead, behind)) = met else {
            return Paths { paths: Vec::new(), max_hops: options.max_hops, truncated: cancelled };
        };
        let hops = ahead.depth() + behind.depth();
        let between = Between::new(self, &passing, &ahead, &behind);
        let part = Part::new(self, between.steps.into_iter(), &ahead.nodes[0], &behind.nodes[0]);
        let found = part.best_paths(options, hops, u64::MAX);
        let truncated = found.stopped || found.paths.len() > options.limit;
        let paths = found.paths.into_iter().map(|(_, path)| path).take(options.limit).collect();
        Paths { paths, max_hops: options.max_hops, truncated }
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
        if ahead.cost_of_last(topology) <= behind.cost_of_last(topology) {
            ahead.advance(|node, reach| passing.steps(node).for_each(|step| reach(step.node)));
        } else {
            behind.advance(|node, reach| passing.steps_back(node).for_each(|step| reach(step.node)));
        }
    }
    (None, false)
}

/// The nodes around some nodes, by their number of steps.
struct Levels {
    /// The level of each node and one more; 0 if it was not reached.
    of_node: Vec<u8>,
    nodes: Vec<Vec<NodeIndex>>,
    /// The number of relationships of each level; the last is counted when it is asked for.
    costs: Vec<usize>,
}

impl Levels {
    fn new(topology: &Topology, nodes: &[NodeIndex]) -> Self {
        let of_node = vec![0; topology.node_count()];
        let mut levels = Self { of_node, nodes: Vec::new(), costs: Vec::new() };
        levels.add(nodes.iter().copied());
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

    fn cost_of_last(&mut self, topology: &Topology) -> usize {
        for nodes in &self.nodes[self.costs.len()..] {
            self.costs.push(topology.rough_degrees(nodes));
        }
        self.costs.last().copied().unwrap_or_default()
    }

    fn add(&mut self, nodes: impl Iterator<Item = NodeIndex>) {
        let mark = self.nodes.len() as u8 + 1;
        let mut level = Vec::new();
        for node in nodes {
            let of_node = &mut self.of_node[node.position()];
            if *of_node == 0 {
                *of_node = mark;
                level.push(node);
            }
        }
        self.nodes.push(level);
    }

    fn advance(&mut self, neighbours: impl Fn(NodeIndex, &mut dyn FnMut(NodeIndex))) {
        let last = self.last().to_vec();
        let mut reached = Vec::new();
        for node in last {
            neighbours(node, &mut |neighbour| {
                if self.of_node[neighbour.position()] == 0 {
                    reached.push(neighbour);
                }
            });
        }
        self.add(reached.into_iter());
    }
}

/// The steps that lie on shortest paths.
struct Between<'a> {
    topology: &'a Topology,
    passing: &'a Passing<'a>,
    /// The steps with the nodes where they begin.
    steps: Vec<(NodeIndex, Step)>,
}

impl<'a> Between<'a> {
    fn new(topology: &'a Topology, passing: &'a Passing<'a>, ahead: &Levels, behind: &Levels) -> Self {
        let mut between = Self { topology, passing, steps: Vec::new() };
        let met = ahead.last().iter().copied();
        let met: FxHashSet<NodeIndex> =
            met.filter(|node| behind.level(*node) == Some(behind.depth())).collect();
        let mut layer = met.clone();
        for level in (0..ahead.depth()).rev() {
            layer = between.add_before(&layer, ahead, level);
        }
        let mut layer = met;
        for level in (0..behind.depth()).rev() {
            layer = between.add_after(&layer, behind, level);
        }
        between
    }

    /// Adds the steps from nodes of a level into a layer, and returns these nodes. Reads the relationships of the side that has fewer.
    fn add_before(
        &mut self,
        layer: &FxHashSet<NodeIndex>,
        levels: &Levels,
        level: usize,
    ) -> FxHashSet<NodeIndex> {
        let (passing, candidates, first) = (self.passing, &levels.nodes[level], self.steps.len());
        if self.topology.rough_degrees(layer) <= levels.costs[level] {
            let back = |&node| passing.steps_back(node).map(move |step| (step.node, Step { node, ..step }));
            let back = layer.iter().flat_map(back);
            self.steps.extend(back.filter(|(node, _)| levels.level(*node) == Some(level)));
        } else {
            let on = candidates.iter().flat_map(|&node| passing.steps(node).map(move |step| (node, step)));
            self.steps.extend(on.filter(|(_, step)| layer.contains(&step.node)));
        }
        self.steps[first..].iter().map(|(node, _)| *node).collect()
    }

    /// Adds the steps from a layer to nodes of a level, and returns these nodes.
    fn add_after(
        &mut self,
        layer: &FxHashSet<NodeIndex>,
        levels: &Levels,
        level: usize,
    ) -> FxHashSet<NodeIndex> {
        let (passing, candidates, first) = (self.passing, &levels.nodes[level], self.steps.len());
        if self.topology.rough_degrees(layer) <= levels.costs[level] {
            let on = layer.iter().flat_map(|&node| passing.steps(node).map(move |step| (node, step)));
            self.steps.extend(on.filter(|(_, step)| levels.level(step.node) == Some(level)));
        } else {
            let back = |&node| passing.steps_back(node).map(move |step| (step.node, Step { node, ..step }));
            let back = candidates.iter().flat_map(back);
            self.steps.extend(back.filter(|(node, _)| layer.contains(node)));
        }
        self.steps[first..].iter().map(|(_, step)| step.node).collect()
    }
}

impl Topology {
    /// Returns the number of relationships of some nodes, with those of other times.
    fn rough_degrees<'n>(&self, nodes: impl IntoIterator<Item = &'n NodeIndex>) -> usize {
        nodes.into_iter().map(|&node| self.row_lengths(node, Direction::Both)).sum()
    }
}
