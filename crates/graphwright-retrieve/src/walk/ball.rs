//! Reads the steps around one end of paths, the nearest first.

use std::{cmp::Reverse, collections::BinaryHeap};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{part::cost, passing::Way};
use crate::{NodeIndex, Step, Topology, topology::Strongest};

/// What lies around one end of paths.
///
/// Its *inner* steps begin fewer than some number of hops from the end and are read in the order of what it costs to reach their far side:
/// Dijkstra's algorithm, in which a node is left again where it is reached in fewer hops than before. Its *outer* steps begin at all
/// nodes that were reached, and are read in the order of their middles. Of a node's steps only those are read that are near
/// enough, so hubs cost no more than other nodes.
pub(super) struct Ball<'a> {
    topology: &'a Topology,
    way: Way<'a>,
    /// The nodes of the other end. They are not left.
    others: FxHashSet<NodeIndex>,
    /// Inner steps begin at fewer hops.
    hops: u32,
    inner: BinaryHeap<Reverse<Event>>,
    outer: BinaryHeap<Reverse<Event>>,
    rows: Vec<Row<'a>>,
    /// Fewest steps by which a node was reached.
    reached: FxHashMap<NodeIndex, u32>,
    /// The lowest cost that was seen of a walk of two steps, or one where inner steps are no more.
    least: u64,
    /// The steps with the nodes where they begin, as a path takes them. Some come twice.
    pub(super) steps: Vec<(NodeIndex, Step)>,
    /// Number of steps read.
    pub(super) events: usize,
}

/// The steps from a node that are left, the strongest first.
struct Row<'a> {
    node: NodeIndex,
    cost: u64,
    hops: u32,
    steps: Strongest<'a>,
    next: Option<Step>,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    /// The cost of an inner step with all before it, or twice the cost up to the middle of an outer one.
    key: u64,
    hops: u32,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// A node from which outer steps begin.
    Node(NodeIndex),
    /// The next step of a row.
    Step(u32),
}

impl<'a> Ball<'a> {
    /// The ball around `nodes`, whose inner steps begin fewer than `hops` from them.
    pub(super) fn new(
        topology: &'a Topology,
        way: Way<'a>,
        nodes: &[NodeIndex],
        others: &[NodeIndex],
        hops: usize,
    ) -> Self {
        let mut ball = Self {
            topology,
            way,
            others: others.iter().copied().collect(),
            hops: u32::try_from(hops).unwrap_or(u32::MAX),
            inner: BinaryHeap::new(),
            outer: BinaryHeap::new(),
            rows: Vec::new(),
            reached: nodes.iter().map(|&node| (node, 0)).collect(),
            least: u64::MAX,
            steps: Vec::new(),
            events: 0,
        };
        let mut nodes: Vec<NodeIndex> = ball.reached.keys().copied().collect();
        nodes.sort_unstable();
        for node in nodes {
            ball.leave(node, 0, 0, true);
        }
        ball
    }

    /// Returns the cost below which all inner steps were read.
    pub(super) fn inner_radius(&self) -> u64 {
        self.inner.peek().map_or(u64::MAX, |Reverse(event)| event.key)
    }

    /// Returns twice the cost below which the middles of all steps lie that were read.
    pub(super) fn diameter(&self) -> u64 {
        let outer = self.outer.peek().map_or(u64::MAX, |Reverse(event)| event.key);
        outer.min(self.inner_radius().saturating_mul(2))
    }

    /// Returns what every walk costs at least that has as many steps as inner steps follow each other. (Two are looked at.)
    pub(super) fn least(&self) -> u64 {
        if self.hops == 0 { 0 } else { self.least.min(self.inner_radius()) }
    }

    /// Returns whether [`least`](Self::least) grows with the radius.
    pub(super) fn may_grow_least(&self) -> bool {
        self.hops > 0 && self.inner_radius() < self.least
    }

    /// Reads the next inner step.
    pub(super) fn read_inner(&mut self) {
        let Some(Reverse(Event { key, hops, what: What::Step(row) })) = self.inner.pop() else { return };
        if let Some(step) = self.take_next_of(row as usize) {
            let hops = hops + 1;
            let fewest = self.reached.get(&step.node).copied();
            if fewest.is_none_or(|fewest| fewest > hops) {
                self.reached.insert(step.node, hops);
                self.leave(step.node, key, hops, fewest.is_none());
            }
        }
        self.push_next_of(row as usize, true);
    }

    /// Reads the next outer step.
    pub(super) fn read_outer(&mut self) {
        match self.outer.pop() {
            Some(Reverse(Event { key, hops, what: What::Node(node) })) => {
                self.add_rows(node, key / 2, hops, false);
            }
            Some(Reverse(Event { what: What::Step(row), .. })) => {
                self.take_next_of(row as usize);
                self.push_next_of(row as usize, false);
            }
            None => {}
        }
    }

    fn leave(&mut self, node: NodeIndex, cost: u64, hops: u32, is_first: bool) {
        if self.others.contains(&node) {
            return;
        }
        if is_first {
            self.outer.push(Reverse(Event { key: 2 * cost, hops, what: What::Node(node) }));
        }
        if hops < self.hops {
            self.add_rows(node, cost, hops, true);
        }
    }

    fn add_rows(&mut self, node: NodeIndex, cost: u64, hops: u32, inner: bool) {
        for forward in [true, false] {
            if let Some(steps) = self.way.strongest(node, forward) {
                self.rows.push(Row { node, cost, hops, steps, next: None });
                let least = self.push_next_of(self.rows.len() - 1, inner);
                if inner && hops + 1 == self.hops.min(2) {
                    self.least = self.least.min(least);
                }
            }
        }
    }

    /// Keeps the next step of a row.
    fn take_next_of(&mut self, row: usize) -> Option<Step> {
        self.events += 1;
        let row = self.rows.get_mut(row)?;
        let step = row.next.take()?;
        self.steps.push(self.way.as_taken(row.node, step));
        Some(step)
    }

    /// Pushes the next step of a row, and returns its cost with all before it.
    fn push_next_of(&mut self, number: usize, inner: bool) -> u64 {
        let Some(row) = self.rows.get_mut(number) else { return u64::MAX };
        let is_start = |node: &NodeIndex| self.reached.get(node) == Some(&0);
        let Some(step) = row.steps.find(|step| !is_start(&step.node) && self.way.lets(step.node)) else {
            return u64::MAX;
        };
        row.next = Some(step);
        let more = cost(self.topology.weight(step.relationship));
        let (whole, what) = (row.cost + more, What::Step(number as u32));
        let (heap, key) = if inner { (&mut self.inner, whole) } else { (&mut self.outer, row.cost + whole) };
        heap.push(Reverse(Event { key, hops: row.hops, what }));
        whole
    }
}
