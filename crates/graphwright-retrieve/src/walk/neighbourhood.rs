//! Finds the best connected nodes around some nodes.

use std::{
    cmp::Ordering,
    collections::{BinaryHeap, HashMap, HashSet},
};

use super::{GraphPath, Trail, path_of};
use crate::{Follow, NodeIndex, RelationshipIndex, Topology};

/// Options of [`Topology::neighbourhood`].
#[derive(Clone, Debug, PartialEq)]
pub struct NeighbourhoodOptions {
    /// Maximum number of steps; 2 by default.
    pub depth: usize,
    /// Minimum score of a path, which is the product of its weights; 0.1 by default.
    pub minimum: f64,
    /// Maximum number of nodes including the seeds; 100 by default. Seeds are never cut.
    pub limit: usize,
    /// Relationships to follow.
    pub follow: Follow,
}

impl Default for NeighbourhoodOptions {
    fn default() -> Self {
        Self { depth: 2, minimum: 0.1, limit: 100, follow: Follow::default() }
    }
}

/// A node that a walk reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachedNode {
    /// The node.
    pub node: NodeIndex,
    /// Score of the best path to the node: the product of its weights; 1 for seeds.
    pub score: f64,
    /// Number of steps in that path.
    pub depth: usize,
    trail: usize,
}

/// A relationship that a walk followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachedRelationship {
    /// The relationship.
    pub relationship: RelationshipIndex,
    /// Score of the best path that ends with the relationship.
    pub score: f64,
}

/// A neighbourhood of some nodes.
#[derive(Clone, Debug, Default)]
pub struct Neighbourhood {
    /// The seeds, then the nodes that were reached, best first.
    pub nodes: Vec<ReachedNode>,
    /// Relationships followed between these nodes, best first.
    pub relationships: Vec<ReachedRelationship>,
    /// Whether the limit cut nodes that score high enough.
    pub truncated: bool,
    trails: Vec<Trail>,
}

impl Neighbourhood {
    /// Returns the best path from a seed to a node of this neighbourhood.
    ///
    /// # Panics
    /// If the node belongs to another neighbourhood.
    pub fn path(&self, node: &ReachedNode) -> GraphPath {
        path_of(&self.trails, node.trail)
    }
}

impl Topology {
    /// Returns what can be reached from the seeds by short enough paths that score at least the
    /// minimum.
    ///
    /// Walks along the strongest relationships first. Seeds stay even if nothing else qualifies.
    ///
    /// The search is best-first: Dijkstra's algorithm with products of weights of at most 1. A node
    /// is expanded again only if it is reached in fewer steps than before, so paths are never
    /// enumerated.
    pub fn neighbourhood(&self, seeds: &[NodeIndex], options: &NeighbourhoodOptions) -> Neighbourhood {
        Walk::new(self, seeds).run(options)
    }
}

struct Walk<'a> {
    topology: &'a Topology,
    trails: Vec<Trail>,
    heap: BinaryHeap<Entry>,
    /// Fewest steps by which a node was settled.
    settled: HashMap<NodeIndex, usize>,
    walked: HashMap<RelationshipIndex, f64>,
    nodes: Vec<ReachedNode>,
}

impl<'a> Walk<'a> {
    fn new(topology: &'a Topology, seeds: &[NodeIndex]) -> Self {
        let (settled, walked, nodes) = (HashMap::new(), HashMap::new(), Vec::new());
        let mut walk = Self { topology, trails: Vec::new(), heap: BinaryHeap::new(), settled, walked, nodes };
        let mut seen = HashSet::new();
        for &seed in seeds.iter().filter(|&&seed| seen.insert(seed)) {
            walk.push(Trail::start(seed));
        }
        walk
    }

    fn push(&mut self, trail: Trail) {
        let Trail { node, depth, score, .. } = trail;
        self.heap.push(Entry { score, depth, node, trail: self.trails.len() });
        self.trails.push(trail);
    }

    fn run(mut self, options: &NeighbourhoodOptions) -> Neighbourhood {
        let following = self.topology.following(&options.follow);
        let seeds = self.heap.len();
        let mut truncated = false;
        while let Some(Entry { score, depth, node, trail }) = self.heap.pop() {
            match self.settled.get(&node) {
                Some(&fewest) if fewest <= depth => continue,
                // This path scores less than the first one, but leaves more steps to go on.
                Some(_) => {}
                None if self.nodes.len() >= options.limit.max(seeds) => {
                    truncated = true;
                    continue;
                }
                None => self.nodes.push(ReachedNode { node, score, depth, trail }),
            }
            self.settled.insert(node, depth);
            if depth == options.depth {
                continue;
            }
            for step in following.steps(node) {
                let next = self.trails[trail].onward(trail, step, self.topology);
                if next.score < options.minimum {
                    continue;
                }
                let best = self.walked.entry(step.relationship).or_insert(next.score);
                *best = best.max(next.score);
                if self.settled.get(&next.node).is_none_or(|&fewest| fewest > next.depth) {
                    self.push(next);
                }
            }
        }
        self.finish(truncated)
    }

    fn finish(self, truncated: bool) -> Neighbourhood {
        let kept = |relationship: RelationshipIndex| {
            let edge = self.topology.edge(relationship);
            self.settled.contains_key(&edge.start) && self.settled.contains_key(&edge.end)
        };
        let walked = self.walked.iter().filter(|(relationship, _)| kept(**relationship));
        let mut relationships: Vec<_> =
            walked.map(|(&relationship, &score)| ReachedRelationship { relationship, score }).collect();
        relationships.sort_by(|left, right| {
            right.score.total_cmp(&left.score).then(left.relationship.cmp(&right.relationship))
        });
        Neighbourhood { nodes: self.nodes, relationships, truncated, trails: self.trails }
    }
}

/// An entry of the heap: highest score first, then fewest steps, then lowest node, so that results
/// are deterministic.
#[derive(Clone, Copy, Debug)]
struct Entry {
    score: f64,
    depth: usize,
    node: NodeIndex,
    trail: usize,
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        let score = self.score.total_cmp(&other.score);
        score
            .then(other.depth.cmp(&self.depth))
            .then(other.node.cmp(&self.node))
            .then(other.trail.cmp(&self.trail))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}
