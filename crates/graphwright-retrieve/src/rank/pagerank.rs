//! Personalised PageRank by pushing.
//!
//! R. Andersen, F. Chung, K. Lang, *Local Graph Partitioning using PageRank Vectors*, FOCS 2006
//! (<https://doi.org/10.1109/FOCS.2006.44>): weight begins at the seeds, and each node keeps a share of what reaches it
//! and pushes the rest to its neighbours, until no node holds more than a bound for its degree. So the work depends on
//! the bound and not on the size of the graph.

use std::{
    collections::{VecDeque, hash_map::Entry},
    hash::Hash,
};

use rustc_hash::FxHashMap;

use crate::{Direction, NodeIndex, Result, Topology};

/// A graph over which weight flows.
pub trait WeightedGraph {
    /// A node.
    type Node: Copy + Ord + Hash;

    /// Calls `visit` with each neighbour of a node and the weight of the edge to it, above 0, always in the same order.
    ///
    /// # Errors
    /// If the graph cannot be read.
    fn neighbours(&self, node: Self::Node, visit: &mut dyn FnMut(Self::Node, f64)) -> Result<()>;

    /// Returns the sum of the weights of a node's edges.
    ///
    /// # Errors
    /// If the graph cannot be read.
    fn degree(&self, node: Self::Node) -> Result<f64> {
        let mut degree = 0.0;
        self.neighbours(node, &mut |_, weight| degree += weight)?;
        Ok(degree)
    }
}

/// All relationships, in either direction, with their weights.
impl WeightedGraph for Topology {
    type Node = NodeIndex;

    fn neighbours(&self, node: NodeIndex, visit: &mut dyn FnMut(NodeIndex, f64)) -> Result<()> {
        for step in self.steps(node, Direction::Both) {
            visit(step.node, self.weight(step.relationship));
        }
        Ok(())
    }

    fn degree(&self, node: NodeIndex) -> Result<f64> {
        Ok(self.strength(node))
    }
}

/// Options of [`PageRank::of`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageRankOptions {
    /// Share of the weight that stays at each node that it reaches, above 0 and at most 1; 0.3 by default.
    pub teleport: f64,
    /// The most that a node's rank may be too low, for each unit of its degree, where every edge has the same weight in
    /// both directions; 1e-6 by default.
    pub error: f64,
    /// The most pushes; 1,000,000 by default.
    pub limit: usize,
}

impl Default for PageRankOptions {
    fn default() -> Self {
        Self { teleport: 0.3, error: 1e-6, limit: 1_000_000 }
    }
}

/// Personalised PageRank of the nodes around some seeds.
///
/// ```
/// use graphwright_retrieve::{PageRank, PageRankOptions, Result, WeightedGraph};
///
/// /// 0 — 1 — 2 — 3
/// struct Line;
///
/// impl WeightedGraph for Line {
///     type Node = usize;
///
///     fn neighbours(&self, node: usize, visit: &mut dyn FnMut(usize, f64)) -> Result<()> {
///         if node > 0 {
///             visit(node - 1, 1.0);
///         }
///         if node < 3 {
///             visit(node + 1, 1.0);
///         }
///         Ok(())
///     }
/// }
///
/// let rank = PageRank::of(&Line, &[(0, 1.0)], &PageRankOptions::default(), || false)?;
/// let order: Vec<usize> = rank.nodes.iter().map(|(node, _)| *node).collect();
/// assert_eq!(order, [0, 1, 2, 3]);
/// # Ok::<(), graphwright_retrieve::RetrieveError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PageRank<N> {
    /// The nodes that were reached with their ranks, best first. All ranks and [`left`](Self::left) add up to 1.
    pub nodes: Vec<(N, f64)>,
    /// The weight that was not given to a node.
    pub left: f64,
    /// Number of pushes.
    pub pushes: usize,
    /// Whether the limit or the caller ended the computation before the error was as small as asked for.
    pub truncated: bool,
}

impl<N: Copy + Ord + Hash> PageRank<N> {
    /// Ranks the nodes around seeds with weights above 0; others are left out. `cancelled` is asked from time to time.
    ///
    /// # Errors
    /// If the graph cannot be read.
    pub fn of<G: WeightedGraph<Node = N>>(
        graph: &G,
        seeds: &[(N, f64)],
        options: &PageRankOptions,
        cancelled: impl Fn() -> bool,
    ) -> Result<Self> {
        let mut pushing = Pushing::new(graph, seeds, options)?;
        let mut pushes = 0;
        let mut truncated = false;
        while let Some(node) = pushing.waiting.pop_front() {
            if pushes == options.limit || (pushes.is_multiple_of(PUSHES_BETWEEN_QUESTIONS) && cancelled()) {
                truncated = true;
                break;
            }
            pushing.push(node)?;
            pushes += 1;
        }
        Ok(pushing.finish(pushes, truncated))
    }
}

/// How many pushes pass before the caller is asked again.
const PUSHES_BETWEEN_QUESTIONS: usize = 256;

/// What is known of a node that weight has reached.
struct Reached {
    degree: f64,
    /// The weight that is still to be shared out.
    held: f64,
    rank: f64,
}

struct Pushing<'a, G: WeightedGraph> {
    graph: &'a G,
    options: &'a PageRankOptions,
    nodes: FxHashMap<G::Node, Reached>,
    /// Nodes that may hold more than the bound, first come first.
    waiting: VecDeque<G::Node>,
    /// The neighbours of a node with their weights; kept for its room.
    neighbours: Vec<(G::Node, f64)>,
}

impl<'a, G: WeightedGraph> Pushing<'a, G> {
    fn new(graph: &'a G, seeds: &[(G::Node, f64)], options: &'a PageRankOptions) -> Result<Self> {
        let usable = || seeds.iter().filter(|(_, weight)| *weight > 0.0 && weight.is_finite());
        let total: f64 = usable().map(|(_, weight)| weight).sum();
        let (nodes, waiting) = (FxHashMap::default(), VecDeque::new());
        let mut pushing = Self { graph, options, nodes, waiting, neighbours: Vec::new() };
        for &(node, weight) in usable() {
            if !pushing.nodes.contains_key(&node) {
                pushing.waiting.push_back(node);
            }
            pushing.reached(node)?.held += weight / total;
        }
        Ok(pushing)
    }

    /// Keeps a share of what a node holds and gives the rest to its neighbours, if it holds more than the bound.
    fn push(&mut self, node: G::Node) -> Result<()> {
        let (error, teleport) = (self.options.error, self.options.teleport.clamp(f64::MIN_POSITIVE, 1.0));
        let here = self.reached(node)?;
        let (held, degree) = (here.held, here.degree);
        if held <= error * degree {
            return Ok(());
        }
        // Where no edge leads on, all stays.
        let kept = if degree > 0.0 { teleport * held } else { held };
        here.held = 0.0;
        here.rank += kept;
        if degree == 0.0 {
            return Ok(());
        }
        let share = (held - kept) / degree;
        let mut neighbours = std::mem::take(&mut self.neighbours);
        self.graph.neighbours(node, &mut |neighbour, weight| neighbours.push((neighbour, weight)))?;
        for (neighbour, weight) in neighbours.drain(..) {
            let there = self.reached(neighbour)?;
            let (before, bound) = (there.held, error * there.degree);
            there.held += weight * share;
            if before <= bound && there.held > bound {
                self.waiting.push_back(neighbour);
            }
        }
        self.neighbours = neighbours;
        Ok(())
    }

    fn reached(&mut self, node: G::Node) -> Result<&mut Reached> {
        Ok(match self.nodes.entry(node) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => {
                free.insert(Reached { degree: self.graph.degree(node)?, held: 0.0, rank: 0.0 })
            }
        })
    }

    fn finish(self, pushes: usize, truncated: bool) -> PageRank<G::Node> {
        let ranked = self.nodes.into_iter().filter(|(_, reached)| reached.rank > 0.0);
        let mut nodes: Vec<(G::Node, f64)> = ranked.map(|(node, reached)| (node, reached.rank)).collect();
        nodes.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        let given: f64 = nodes.iter().map(|(_, rank)| rank).sum();
        let left = if nodes.is_empty() { 0.0 } else { (1.0 - given).max(0.0) };
        PageRank { nodes, left, pushes, truncated }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;
    use graphwright_core::Value;

    use crate::fixture::{at, node, relationship, topology};

    #[derive(Debug)]
    struct Matrix(Vec<Vec<f64>>);

    impl WeightedGraph for Matrix {
        type Node = usize;

        fn neighbours(&self, node: usize, visit: &mut dyn FnMut(usize, f64)) -> Result<()> {
            let row = self.0[node].iter().enumerate();
            row.filter(|(_, weight)| **weight > 0.0).for_each(|(other, weight)| visit(other, *weight));
            Ok(())
        }
    }

    /// Computes the ranks by many rounds over the whole graph.
    fn by_iteration(graph: &Matrix, seed: usize, teleport: f64) -> Vec<f64> {
        let count = graph.0.len();
        let (mut walking, mut ranks) = (vec![0.0; count], vec![0.0; count]);
        walking[seed] = 1.0;
        for _ in 0..500 {
            let mut next = vec![0.0; count];
            for ((row, held), rank) in graph.0.iter().zip(&walking).zip(&mut ranks) {
                let degree: f64 = row.iter().sum();
                let kept = if degree > 0.0 { teleport } else { 1.0 };
                *rank += kept * held;
                for (reached, weight) in next.iter_mut().zip(row).filter(|_| degree > 0.0) {
                    *reached += (1.0 - kept) * held * weight / degree;
                }
            }
            walking = next;
        }
        ranks
    }

    fn symmetric() -> impl Strategy<Value = Matrix> {
        let weights = |count: usize| {
            let weight = prop_oneof![Just(0.0), 0.1_f64..3.0];
            (Just(count), prop::collection::vec(weight, count * count))
        };
        (2_usize..9).prop_flat_map(weights).prop_map(|(count, weights)| {
            let weight = |row: usize, column: usize| {
                if row == column { 0.0 } else { weights[row.min(column) * count + row.max(column)] }
            };
            Matrix((0..count).map(|row| (0..count).map(|column| weight(row, column)).collect()).collect())
        })
    }

    proptest! {
        #[test]
        fn ranks_are_too_low_by_no_more_than_the_error(graph in symmetric(), teleport in 0.1_f64..0.9) {
            for error in [1e-2, 1e-5] {
                let options = PageRankOptions { teleport, error, ..PageRankOptions::default() };
                let found = PageRank::of(&graph, &[(0, 2.0)], &options, || false).unwrap();
                let ranks: HashMap<usize, f64> = found.nodes.iter().copied().collect();
                for (node, exact) in by_iteration(&graph, 0, teleport).into_iter().enumerate() {
                    let low = exact - ranks.get(&node).copied().unwrap_or(0.0);
                    let degree: f64 = graph.0[node].iter().sum();
                    prop_assert!((-1e-9..=error * degree + 1e-9).contains(&low), "{node}: {low}");
                }
                let total: f64 = ranks.values().sum();
                prop_assert!((total + found.left - 1.0).abs() < 1e-9 && !found.truncated);
            }
        }
    }

    #[test]
    fn limits_and_the_caller_end_it_and_unusable_seeds_count_nothing() {
        let graph = Matrix(vec![vec![0.0, 1.0], vec![1.0, 0.0]]);
        let options = PageRankOptions { limit: 3, ..PageRankOptions::default() };
        let found = PageRank::of(&graph, &[(0, 1.0)], &options, || false).unwrap();
        assert!(found.truncated && found.pushes == 3 && found.left > 0.0);
        let options = PageRankOptions::default();
        assert!(PageRank::of(&graph, &[(0, 1.0)], &options, || true).unwrap().truncated);
        let none = PageRank::of(&graph, &[(0, 0.0), (1, f64::NAN)], &options, || false).unwrap();
        assert_eq!((none.nodes, none.left, none.truncated), (vec![], 0.0, false));
    }

    #[test]
    fn the_weights_of_a_topology_are_followed_both_ways() {
        let topology = topology(
            &["Thing:a", "Thing:b", "Thing:c", "Thing:far"],
            &["a -USES 0.9-> b", "c -USES 0.1-> a"],
        );
        let seeds = [(at(&topology, "a"), 1.0)];
        let found = PageRank::of(&topology, &seeds, &PageRankOptions::default(), || false).unwrap();
        let names: Vec<&str> =
            found.nodes.iter().map(|(found, _)| topology.node(*found).display_name()).collect();
        assert_eq!(names, ["a", "b", "c"]);
    }

    #[test]
    fn degrees_are_the_sums_of_the_weights_that_are_shown() {
        let topology =
            topology(&["Thing:a", "Thing:b"], &["a -USES 0.9-> b", "b -USES 0.4-> a", "a -IS 0.2-> a"]);
        let mut relationships = vec![relationship("a -USES 0.9-> b"), relationship("b -USES 0.4-> a")];
        relationships[0].properties.insert("valid_to".into(), Value::Date("2020-01-01".parse().unwrap()));
        let nodes = vec![node("Thing:a"), node("Thing:b")];
        let timed = Topology::from_parts("test", nodes, relationships);
        let of = |topology: &Topology| WeightedGraph::degree(topology, at(topology, "a")).unwrap();
        assert!((of(&topology) - 1.5).abs() < 1e-12);
        assert!((of(&timed) - 1.3).abs() < 1e-12);
        assert!((of(&timed.on("2024-01-01".parse().unwrap())) - 0.4).abs() < 1e-12);
    }
}
