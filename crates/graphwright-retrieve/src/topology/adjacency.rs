//! Adjacency as compressed sparse rows.

use std::ops::Range;

use super::{NodeIndex, RelationshipIndex, Step};

/// A neighbour of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) node: NodeIndex,
    pub(super) relationship: RelationshipIndex,
    pub(super) kind: u32,
}

impl Slot {
    pub(super) fn step(self, forward: bool) -> Step {
        Step { relationship: self.relationship, node: self.node, forward }
    }
}

/// A row of neighbours for each node, sorted by relationship type and then by relationship.
#[derive(Debug, Default)]
pub(super) struct Adjacency {
    /// `starts[n]..starts[n + 1]` is the row of node `n`.
    starts: Vec<u32>,
    pub(super) slots: Vec<Slot>,
}

impl Adjacency {
    /// Builds the rows by counting. `entries` returns each slot with its owner, by ascending
    /// relationship.
    pub(super) fn build(nodes: usize, entries: impl Iterator<Item = (NodeIndex, Slot)> + Clone) -> Self {
        let mut starts = vec![0_u32; nodes + 1];
        for (owner, _) in entries.clone() {
            starts[owner.position() + 1] += 1;
        }
        for position in 1..starts.len() {
            starts[position] += starts[position - 1];
        }
        let mut next = starts.clone();
        let empty = Slot { node: NodeIndex(0), relationship: RelationshipIndex(0), kind: 0 };
        let mut slots = vec![empty; starts.last().map_or(0, |&count| count as usize)];
        for (owner, slot) in entries {
            slots[next[owner.position()] as usize] = slot;
            next[owner.position()] += 1;
        }
        for row in starts.windows(2) {
            // The sort is stable, so relationships stay ascending within a type.
            slots[row[0] as usize..row[1] as usize].sort_by_key(|slot| slot.kind);
        }
        Self { starts, slots }
    }

    pub(super) fn row(&self, node: NodeIndex) -> Range<usize> {
        self.starts[node.position()] as usize..self.starts[node.position() + 1] as usize
    }

    pub(super) fn row_of_kind(&self, node: NodeIndex, kind: u32) -> Range<usize> {
        let row = self.row(node);
        let slots = &self.slots[row.clone()];
        let first = slots.partition_point(|slot| slot.kind < kind);
        let last = slots.partition_point(|slot| slot.kind <= kind);
        row.start + first..row.start + last
    }
}
