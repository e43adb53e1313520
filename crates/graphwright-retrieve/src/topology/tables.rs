//! Writes the sections of the adjacency.

use std::io::{self, Write};

use graphwright_core::Node;
use rustc_hash::FxHashMap;

use super::form::{AdjacencySections, Section, TIMED};
use crate::{
    mapped::{BlockWriter, Seal},
    role::{Role, role_of},
    validity::Interval,
};

/// A relationship on its way into the snapshot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub(super) start: u32,
    pub(super) end: u32,
    /// The number of its type, with the bit [`TIMED`] if it has an interval.
    pub(super) kind: u32,
    pub(super) weight: f64,
    /// Where its record lies among those of all relationships, and its length.
    pub(super) record: (u64, u32),
}

impl Pending {
    /// Returns the number of its type alone.
    pub(super) fn kind_number(&self) -> u32 {
        self.kind & !TIMED
    }
}

/// Writes entries in sections.
#[derive(Debug)]
pub(super) struct SectionWriter<W> {
    pub(super) writer: BlockWriter<W>,
}

impl<W: Write> SectionWriter<W> {
    pub(super) fn new(sink: W) -> Self {
        Self { writer: BlockWriter::new(sink) }
    }

    pub(super) fn put<const WIDTH: usize>(
        &mut self,
        entries: impl Iterator<Item = [u8; WIDTH]>,
    ) -> io::Result<Section> {
        let mut section = Section { start: self.writer.position(), entries: 0 };
        for entry in entries {
            self.writer.put(&entry)?;
            section.entries += 1;
        }
        Ok(section)
    }

    fn numbers<'a>(&mut self, numbers: impl IntoIterator<Item = &'a u32>) -> io::Result<Section> {
        self.put(numbers.into_iter().map(|number| number.to_le_bytes()))
    }

    pub(super) fn finish(self) -> io::Result<(W, Seal)> {
        self.writer.finish()
    }
}

/// Nodes and relationships in the order of the snapshot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tables<'a> {
    pub(super) nodes: &'a [Node],
    pub(super) edges: &'a [Pending],
    pub(super) intervals: &'a [(u32, Interval)],
    pub(super) labels: &'a [(String, u32)],
}

impl Tables<'_> {
    pub(super) fn write<W: Write>(self, writer: &mut SectionWriter<W>) -> io::Result<AdjacencySections> {
        let (leaving, by_start) = counting_sort(self.nodes.len(), self.edges.iter().map(|edge| edge.start));
        let (arriving, mut by_end) = counting_sort(self.nodes.len(), self.edges.iter().map(|edge| edge.end));
        for row in arriving.windows(2) {
            by_end[row[0] as usize..row[1] as usize]
                .sort_unstable_by_key(|&number| (self.edges[number as usize].kind_number(), number));
        }
        let kinds = self.edges.iter().map(Pending::kind_number);
        let most = kinds.clone().max().map_or(0, |most| most as usize + 1);
        let by_kind = counting_sort(most, kinds).1;
        Ok(AdjacencySections {
            leaving: writer.numbers(&leaving)?,
            edges: writer.put(self.edges.iter().map(edge_bytes))?,
            arriving: writer.numbers(&arriving)?,
            arrivals: writer.put(by_end.iter().map(|&number| self.arrival_bytes(number)))?,
            heaviest_leaving: self.heaviest(&leaving, &by_start, |edge| edge.end, writer)?,
            heaviest_arriving: self.heaviest(&arriving, &by_end, |edge| edge.start, writer)?,
            by_kind: writer.numbers(&by_kind)?,
            by_label: self.by_label(writer)?,
            roles: writer.put(self.nodes.iter().map(|node| [role_byte(role_of(&node.labels))]))?,
            strengths: self.strengths(&leaving, &arriving, &by_end, writer)?,
            by_element: self.by_element(writer)?,
            intervals: writer.put(self.intervals.iter().map(interval_bytes))?,
        })
    }

    /// Writes for each row the places in it, the heaviest first; of equal weight the lowest neighbour.
    fn heaviest<W: Write>(
        self,
        rows: &[u32],
        numbers: &[u32],
        neighbour: impl Fn(&Pending) -> u32,
        writer: &mut SectionWriter<W>,
    ) -> io::Result<Section> {
        let mut section = Section { start: writer.writer.position(), entries: 0 };
        let mut row: Vec<(u64, u32, u32)> = Vec::new();
        for bounds in rows.windows(2) {
            row.clear();
            row.extend(numbers[bounds[0] as usize..bounds[1] as usize].iter().zip(0_u32..).map(
                |(&number, place)| {
                    let edge = &self.edges[number as usize];
                    // Weights are above 0, and the bits of such numbers are in their order.
                    (!edge.weight.to_bits(), neighbour(edge), place)
                },
            ));
            row.sort_unstable();
            section.entries += writer.put(row.iter().map(|(.., place)| place.to_le_bytes()))?.entries;
        }
        Ok(section)
    }

    /// Writes for each node the sum of the weights of its relationships, in the order in which steps come.
    fn strengths<W: Write>(
        self,
        leaving: &[u32],
        arriving: &[u32],
        by_end: &[u32],
        writer: &mut SectionWriter<W>,
    ) -> io::Result<Section> {
        let range = |starts: &[u32], node: usize| starts[node] as usize..starts[node + 1] as usize;
        let strength = |node: usize| {
            let arrivals = by_end[range(arriving, node)].iter().map(|&number| &self.edges[number as usize]);
            let others = arrivals.filter(|edge| edge.start as usize != node);
            let all = self.edges[range(leaving, node)].iter().chain(others);
            all.map(|edge| if edge.kind & TIMED == 0 { edge.weight } else { f64::NAN }).sum::<f64>()
        };
        writer.put((0..self.nodes.len()).map(|node| strength(node).to_le_bytes()))
    }

    fn arrival_bytes(self, number: u32) -> [u8; super::form::ARRIVAL] {
        let edge = &self.edges[number as usize];
        joined(&[&edge.start.to_le_bytes(), &number.to_le_bytes(), &edge.kind.to_le_bytes()])
    }

    fn by_label<W: Write>(self, writer: &mut SectionWriter<W>) -> io::Result<Section> {
        let numbers: FxHashMap<&str, usize> =
            self.labels.iter().enumerate().map(|(number, (label, _))| (label.as_str(), number)).collect();
        let mut lists: Vec<Vec<u32>> =
            self.labels.iter().map(|(_, count)| Vec::with_capacity(*count as usize)).collect();
        for (number, node) in self.nodes.iter().enumerate() {
            for label in distinct_labels(node) {
                if let Some(&label) = numbers.get(label) {
                    lists[label].push(number as u32);
                }
            }
        }
        writer.numbers(lists.iter().flatten())
    }

    fn by_element<W: Write>(self, writer: &mut SectionWriter<W>) -> io::Result<Section> {
        let mut order: Vec<u32> = (0..self.nodes.len() as u32).collect();
        order.sort_by_key(|&number| &self.nodes[number as usize].element_id);
        writer.numbers(&order)
    }
}

fn edge_bytes(edge: &Pending) -> [u8; super::form::EDGE] {
    joined(&[
        &edge.end.to_le_bytes(),
        &edge.start.to_le_bytes(),
        &edge.kind.to_le_bytes(),
        &edge.weight.to_le_bytes(),
    ])
}

fn interval_bytes((number, interval): &(u32, Interval)) -> [u8; super::form::INTERVAL] {
    joined(&[&number.to_le_bytes(), &interval.first.to_le_bytes(), &interval.last.to_le_bytes()])
}

fn joined<const WIDTH: usize>(parts: &[&[u8]]) -> [u8; WIDTH] {
    let mut bytes = [0; WIDTH];
    let mut at = 0;
    for part in parts {
        bytes[at..at + part.len()].copy_from_slice(part);
        at += part.len();
    }
    bytes
}

/// Returns where each owner's entries begin, and one more; and the entries by owner, each in the order in which it came.
pub(super) fn counting_sort(
    owners: usize,
    entries: impl Iterator<Item = u32> + Clone,
) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0_u32; owners + 1];
    for owner in entries.clone() {
        starts[owner as usize + 1] += 1;
    }
    for owner in 1..starts.len() {
        starts[owner] += starts[owner - 1];
    }
    let mut next = starts.clone();
    let mut sorted = vec![0; starts[owners] as usize];
    for (entry, owner) in entries.enumerate() {
        let place = &mut next[owner as usize];
        sorted[*place as usize] = entry as u32;
        *place += 1;
    }
    (starts, sorted)
}

const ROLES: [Role; 4] = [Role::Entity, Role::Document, Role::Chunk, Role::Record];

fn role_byte(role: Role) -> u8 {
    ROLES.iter().position(|candidate| *candidate == role).unwrap_or_default() as u8
}

/// Returns the role that a byte stands for.
pub(super) fn role_of_byte(byte: u8) -> Role {
    ROLES.get(usize::from(byte)).copied().unwrap_or(Role::Record)
}

/// Returns the labels of a node, each once.
pub(super) fn distinct_labels(node: &Node) -> impl Iterator<Item = &str> {
    let labels = node.labels.iter().enumerate();
    labels.filter(|(place, label)| !node.labels[..*place].contains(label)).map(|(_, label)| label.as_str())
}
