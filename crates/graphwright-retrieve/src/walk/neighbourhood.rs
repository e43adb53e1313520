//! Finds the best connected nodes around some nodes.

use std::{cmp::Ordering, collections::BinaryHeap};

use rustc_hash::{FxHashMap, FxHashSet};
use tokio_util::sync::CancellationToken;

use super::{GraphPath, Trail, path_of};
use crate::{
    Direction, Follow, Following, NodeIndex, RelationshipIndex, Step, Topology, topology::Strongest,
};

/// Number of relationships above which those of a node are searched rather than all read.
const MANY: usize = 1024;

/// Options of [`Topology::neighbourhood`].
#[derive(Clone, Debug)]
pub struct NeighbourhoodOptions {
    /// Maximum number of steps; 2 by default.
    pub depth: usize,
    /// Minimum score of a path, which is the product of its weights; 0.1 by default.
    pub minimum: f64,
    /// Maximum number of nodes including the seeds; 100 by default. Seeds are never cut.
    pub limit: usize,
    /// Relationships to follow.
    pub follow: Follow,
    /// Stops the walk; what was reached so far is then the result, marked as truncated.
    pub cancel: CancellationToken,
}

impl Default for NeighbourhoodOptions {
    fn default() -> Self {
        let (follow, cancel) = (Follow::default(), CancellationToken::new());
        Self { depth: 2, minimum: 0.1, limit: 100, follow, cancel }
    }
}

/// A node that a walk reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachedNode {
    /// The node.
    pub node: NodeIndex,
    /// Score of the best path to the node: the product of its weights and the score of its seed.
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
    /// Whether the limit cut nodes that score high enough, or the walk was stopped.
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
    /// enumerated. Of a node's relationships the strongest are taken first, and only as far as they are needed: the cost does
    /// not grow with the number of relationships of the nodes on the way. Of equal scores the fewest steps come first, then
    /// the lowest node.
    pub fn neighbourhood(&self, seeds: &[NodeIndex], options: &NeighbourhoodOptions) -> Neighbourhood {
        let seeds: Vec<(NodeIndex, f64)> = seeds.iter().map(|&seed| (seed, 1.0)).collect();
        self.neighbourhood_of_scored(&seeds, options)
    }

    /// As [`neighbourhood`](Self::neighbourhood), from seeds with scores of their own, above 0 and at most 1: a walk begins
    /// with the score of its seed. A seed below the minimum stays, but nothing is reached from it.
    pub fn neighbourhood_of_scored(
        &self,
        seeds: &[(NodeIndex, f64)],
        options: &NeighbourhoodOptions,
    ) -> Neighbourhood {
        let following = self.following(&options.follow);
        Walk::new(self, &following, options).run(seeds)
    }
}

struct Walk<'a> {
    topology: &'a Topology,
    following: &'a Following<'a>,
    options: &'a NeighbourhoodOptions,
    trails: Vec<Trail>,
    /// The nodes that are walked from, each with its strongest relationships that are left.
    rows: Vec<(usize, Strongest<'a>)>,
    heap: BinaryHeap<Entry>,
    /// Fewest steps by which a node was settled.
    settled: FxHashMap<NodeIndex, usize>,
    /// Best score with which the walk went on from a node.
    left: FxHashMap<NodeIndex, f64>,
    nodes: Vec<ReachedNode>,
}

impl<'a> Walk<'a> {
    fn new(topology: &'a Topology, following: &'a Following<'a>, options: &'a NeighbourhoodOptions) -> Self {
        Self {
            topology,
            following,
            options,
            trails: Vec::new(),
            rows: Vec::new(),
            heap: BinaryHeap::new(),
            settled: FxHashMap::default(),
            left: FxHashMap::default(),
            nodes: Vec::new(),
        }
    }

    fn run(mut self, seeds: &[(NodeIndex, f64)]) -> Neighbourhood {
        let mut seen = FxHashSet::default();
        for &(node, score) in seeds.iter().filter(|(seed, _)| seen.insert(*seed)) {
            self.heap.push(Entry { score, depth: 0, node, from: None });
        }
        let limit = self.options.limit.max(self.heap.len());
        let mut truncated = false;
        while let Some(entry) = self.heap.pop() {
            if let Some((row, _)) = entry.from {
                self.push_next_of(row);
            }
            let Entry { score, depth, node, .. } = entry;
            let fewest = self.settled.get(&node).copied();
            if fewest.is_some_and(|fewest| fewest <= depth) {
                continue;
            }
            // A path to a settled node scores less than the first one, but leaves more steps to go on.
            if (fewest.is_none() && self.nodes.len() >= limit) || self.options.cancel.is_cancelled() {
                truncated = true;
                break;
            }
            let trail = self.trails.len();
            self.trails.push(match entry.from {
                None => Trail::start(node, score),
                Some((row, step)) => {
                    let before = self.rows[row].0;
                    self.trails[before].onward(before, step, self.topology)
                }
            });
            if fewest.is_none() {
                self.nodes.push(ReachedNode { node, score, depth, trail });
            }
            self.settled.insert(node, depth);
            if depth < self.options.depth {
                self.left.entry(node).or_insert(score);
                for forward in [true, false] {
                    if let Some(steps) = self.following.strongest(node, forward) {
                        self.rows.push((trail, steps));
                        self.push_next_of(self.rows.len() - 1);
                    }
                }
            }
        }
        let relationships = self.relationships();
        Neighbourhood { nodes: self.nodes, relationships, truncated, trails: self.trails }
    }

    /// Pushes the strongest step that is left of a row and that may lead on.
    fn push_next_of(&mut self, row: usize) {
        let (trail, steps) = &mut self.rows[row];
        let Trail { score, depth, .. } = self.trails[*trail];
        for step in steps {
            let score = score * self.topology.weight(step.relationship);
            if score < self.options.minimum {
                return;
            }
            if self.settled.get(&step.node).is_none_or(|&fewest| fewest > depth + 1) {
                self.heap.push(Entry { score, depth: depth + 1, node: step.node, from: Some((row, step)) });
                return;
            }
        }
    }

    /// Returns the relationships between the nodes that were reached, as far as the walk may have taken them.
    fn relationships(&self) -> Vec<ReachedRelationship> {
        let nodes = self.nodes.iter().map(|reached| reached.node);
        let (many, few): (Vec<NodeIndex>, Vec<NodeIndex>) =
            nodes.partition(|&node| self.topology.row_lengths(node, Direction::Both) > MANY);
        let few_steps = few.iter().flat_map(|&node| self.following.touching(node));
        let between = many.iter().flat_map(|&one| many.iter().map(move |&other| (one, other)));
        let many_steps = between.flat_map(|(one, other)| self.following.between(one, other));
        let within = few_steps.chain(many_steps).filter(|step| self.settled.contains_key(&step.node));
        let distinct: FxHashSet<RelationshipIndex> = within.map(|step| step.relationship).collect();
        let mut found: Vec<_> =
            distinct.into_iter().filter_map(|relationship| self.walked(relationship)).collect();
        found.sort_unstable_by(|left, right| {
            right.score.total_cmp(&left.score).then(left.relationship.cmp(&right.relationship))
        });
        found
    }

    fn walked(&self, relationship: RelationshipIndex) -> Option<ReachedRelationship> {
        let (start, end) = self.topology.ends(relationship);
        let direction = self.options.follow.direction;
        let forward = self.left.get(&start).filter(|_| direction != Direction::Incoming);
        let backward = self.left.get(&end).filter(|_| direction != Direction::Outgoing);
        let best = forward.into_iter().chain(backward).copied().max_by(f64::total_cmp)?;
        let score = best * self.topology.weight(relationship);
        (score >= self.options.minimum).then_some(ReachedRelationship { relationship, score })
    }
}

/// An entry of the heap: highest score first, then fewest steps, then lowest node, so that results
/// are deterministic.
#[derive(Clone, Copy, Debug)]
struct Entry {
    score: f64,
    depth: usize,
    node: NodeIndex,
    /// The row and its step that lead here; `None` for seeds.
    from: Option<(usize, Step)>,
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        let score = self.score.total_cmp(&other.score);
        score
            .then(other.depth.cmp(&self.depth))
            .then(other.node.cmp(&self.node))
            .then(other.from.cmp(&self.from))
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
