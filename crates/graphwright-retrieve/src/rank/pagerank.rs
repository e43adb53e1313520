//! Personalised PageRank by pushing.
//!
//! R. Andersen, F. Chung, K. Lang, *Local Graph Partitioning using PageRank Vectors*, FOCS 2006
//! (<https://doi.org/10.1109/FOCS.2006.44>): weight begins at the seeds, and each node keeps a share of what reaches it
//! and pushes the rest to its neighbours, until no node holds more than a bound for its degree. So the work depends on
//! the bound and not on the size of the graph.

use std::{
    collections::{HashMap, VecDeque},
    hash::Hash,
};

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
            visit(step.node, self.edge(step.relationship).weight);
        }
        Ok(())
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
        let mut pushing = Pushing::new(graph, seeds, options);
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

struct Pushing<'a, G: WeightedGraph> {
    graph: &'a G,
    options: &'a PageRankOptions,
    ranks: HashMap<G::Node, f64>,
    held: HashMap<G::Node, f64>,
    degrees: HashMap<G::Node, f64>,
    /// Nodes that may hold more than the bound, first come first.
    waiting: VecDeque<G::Node>,
}

impl<'a, G: WeightedGraph> Pushing<'a, G> {
    fn new(graph: &'a G, seeds: &[(G::Node, f64)], options: &'a PageRankOptions) -> Self {
        let usable = || seeds.iter().filter(|(_, weight)| *weight > 0.0 && weight.is_finite());
        let total: f64 = usable().map(|(_, weight)| weight).sum();
        let mut held: HashMap<G::Node, f64> = HashMap::new();
        let mut waiting = VecDeque::new();
        for &(node, weight) in usable() {
            if !held.contains_key(&node) {
                waiting.push_back(node);
            }
            *held.entry(node).or_default() += weight / total;
        }
        Self { graph, options, ranks: HashMap::new(), held, degrees: HashMap::new(), waiting }
    }

    /// Keeps a share of what a node holds and gives the rest to its neighbours, if it holds more than the bound.
    fn push(&mut self, node: G::Node) -> Result<()> {
        let degree = self.degree(node)?;
        let held = self.held.get(&node).copied().unwrap_or(0.0);
        if held <= self.options.error * degree {
            return Ok(());
        }
        self.held.remove(&node);
        let teleport = self.options.teleport.clamp(f64::MIN_POSITIVE, 1.0);
        // Where no edge leads on, all stays.
        let kept = if degree > 0.0 { teleport * held } else { held };
        *self.ranks.entry(node).or_default() += kept;
        if degree == 0.0 {
            return Ok(());
        }
        let share = (held - kept) / degree;
        let mut reached = Vec::new();
        self.graph.neighbours(node, &mut |neighbour, weight| reached.push((neighbour, weight * share)))?;
        for (neighbour, weight) in reached {
            let before = self.held.get(&neighbour).copied().unwrap_or(0.0);
            self.held.insert(neighbour, before + weight);
            let bound = self.options.error * self.degree(neighbour)?;
            if before <= bound && before + weight > bound {
                self.waiting.push_back(neighbour);
            }
        }
        Ok(())
    }

    fn degree(&mut self, node: G::Node) -> Result<f64> {
        if let Some(degree) = self.degrees.get(&node) {
            return Ok(*degree);
        }
        let degree = self.graph.degree(node)?;
        self.degrees.insert(node, degree);
        Ok(degree)
    }

    fn finish(self, pushes: usize, truncated: bool) -> PageRank<G::Node> {
        let mut nodes: Vec<(G::Node, f64)> = self.ranks.into_iter().collect();
        nodes.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        let given: f64 = nodes.iter().map(|(_, rank)| rank).sum();
        let left = if nodes.is_empty() { 0.0 } else { (1.0 - given).max(0.0) };
        PageRank { nodes, left, pushes, truncated }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fixture::{at, topology};

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
}
