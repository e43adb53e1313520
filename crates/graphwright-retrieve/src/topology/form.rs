//! The form of a snapshot: two pieces of bytes in sections, and what is known of them.
//!
//! *Adjacency* says what is connected, *values* what nodes and relationships hold. All numbers are little-endian. Nodes are
//! in the order of their `__id__`, relationships in that of their start, type and end: so the relationships that leave a node
//! lie together, and need no list of their own.

use serde::{Deserialize, Serialize};

use crate::mapped::Seal;

/// Version of the form. Changes with it.
pub(super) const FORM: u32 = 2;

/// Bytes of a relationship: end, start, type (4 each) and weight (8).
pub(super) const EDGE: usize = 20;
/// Bytes of an entry of an arriving relationship: start, relationship and type (4 each).
pub(super) const ARRIVAL: usize = 12;
/// Bytes of an interval: relationship, first day and last day (4 each).
pub(super) const INTERVAL: usize = 12;
/// Bytes of a number of a node, a relationship or a place.
pub(super) const NUMBER: usize = 4;
/// Bytes of a sum of weights.
pub(super) const SUM: usize = 8;
/// Bytes of a place in the values.
pub(super) const OFFSET: usize = 8;

/// The bit of a type that says that the relationship has an interval.
pub(super) const TIMED: u32 = 1 << 31;

/// Where a section begins, and how many entries it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Section {
    pub(super) start: u64,
    pub(super) entries: u64,
}

/// The sections of the adjacency, in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct AdjacencySections {
    /// For each node, the first relationship that leaves it; and one more.
    pub(super) leaving: Section,
    pub(super) edges: Section,
    /// For each node, its first entry in `arrivals`; and one more.
    pub(super) arriving: Section,
    /// For each node, by type and start.
    pub(super) arrivals: Section,
    /// For each node, the places of the relationships that leave it, the heaviest first.
    pub(super) heaviest_leaving: Section,
    /// For each node, the places of its entries in `arrivals`, the heaviest first.
    pub(super) heaviest_arriving: Section,
    /// The relationships of each type.
    pub(super) by_kind: Section,
    /// The nodes of each label.
    pub(super) by_label: Section,
    /// The role of each node, one byte each.
    pub(super) roles: Section,
    /// For each node, the sum of the weights of its relationships, a loop once; not a number if some are so on some days only.
    pub(super) strengths: Section,
    /// The nodes in the order of the store's identifiers.
    pub(super) by_element: Section,
    /// The intervals, by relationship.
    pub(super) intervals: Section,
}

/// The sections of the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ValueSections {
    /// For each node, where its record begins in the values; and one more.
    pub(super) nodes: Section,
    /// For each relationship, where its record begins in the values; and one more.
    pub(super) edges: Section,
}

/// What is known of a snapshot before its bytes are read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) form: u32,
    /// The version of the store that it stands for.
    pub(super) store_version: String,
    pub(super) adjacency: Seal,
    pub(super) values: Seal,
    pub(super) adjacency_sections: AdjacencySections,
    pub(super) value_sections: ValueSections,
    /// The labels in alphabetical order, each with its number of nodes.
    pub(super) labels: Vec<(String, u32)>,
    /// The relationship types in alphabetical order, each with its number of relationships.
    pub(super) kinds: Vec<(String, u32)>,
    /// The names of properties, by the number that stands for them in records.
    pub(super) keys: Vec<String>,
    /// The number of nodes at the beginning that have no `__id__`.
    pub(super) without_id: u32,
    pub(super) unusable_weights: usize,
    pub(super) loose_relationships: usize,
}

/// Reads the number at the start of some bytes.
#[inline]
pub(super) fn number(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}
