//! What lies around some nodes, best connected first.

use std::{
    cmp::Ordering,
    collections::{BinaryHeap, HashMap, HashSet},
};

use super::{GraphPath, Trail, path_of};
use crate::{Follow, NodeIndex, RelationshipIndex, Topology};

/// How far to walk.
#[derive(Clone, Debug, PartialEq)]
pub struct NeighbourhoodOptions {
    /// How many steps at most; the default is 2.
    pub depth: usize,
    /// The least score of a path: the product of the weights on it; the default is 0.1.
    pub minimum: f64,
    /// How many nodes at most, the seeds included; the default is 100. Seeds are never cut.
    pub limit: usize,
    /// What is followed.
    pub follow: Follow,
}

impl Default for NeighbourhoodOptions {
    fn default() -> Self {
        Self { depth: 2, minimum: 0.1, limit: 100, follow: Follow::default() }
    }
}

/// A node that was reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachedNode {
    /// The node.
    pub node: NodeIndex,
    /// The score of the best path to it: the product of its weights; 1 for seeds.
    pub score: f64,
    /// How many steps that path has.
    pub depth: usize,
    trail: usize,
}

/// A relationship that was walked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachedRelationship {
    /// The relationship.
    pub relationship: RelationshipIndex,
    /// The score of the best path that ends with it.
    pub score: f64,
}

/// What lies around some nodes.
#[derive(Clone, Debug, Default)]
pub struct Neighbourhood {
    /// The seeds, then what was reached, best first.
    pub nodes: Vec<ReachedNode>,
    /// The relationships walked between these nodes, best first.
    pub relationships: Vec<ReachedRelationship>,
    /// Whether the limit cut nodes that score high enough.
    pub truncated: bool,
    trails: Vec<Trail>,
}

impl Neighbourhood {
    /// The best path from a seed to a node of this neighbourhood.
    ///
    /// # Panics
    /// If the node is of another neighbourhood.
    pub fn path(&self, node: &ReachedNode) -> GraphPath {
        path_of(&self.trails, node.trail)
    }
}

impl Topology {
    /// Walks from the seeds along the strongest relationships first, and keeps what can be reached by a path that is
    /// short enough and scores at least the minimum. Seeds stay even when nothing else qualifies.
    ///
    /// Best first (Dijkstra's algorithm with products of weights of at most 1): a node is walked on from again only when
    /// it is reached in fewer steps than before, so that paths are never enumerated.
    pub fn neighbourhood(&self, seeds: &[NodeIndex], options: &NeighbourhoodOptions) -> Neighbourhood {
        Walk::new(self, seeds).run(options)
    }
}

struct Walk<'a> {
    topology: &'a Topology,
    trails: Vec<Trail>,
    heap: BinaryHeap<Entry>,
    /// The fewest steps by which a node was settled.
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

/// Highest score first, then fewest steps, then lowest node, so that results do not depend on chance.
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
