//! Reads the bytes of a snapshot.

use std::{
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use graphwright_core::{ElementId, Node, Value};
use tantivy::directory::OwnedBytes;

use super::{
    Edge, NodeIndex, RelationshipIndex,
    form::{ARRIVAL, EDGE, INTERVAL, Manifest, NUMBER, OFFSET, SUM, Section, TIMED, number},
    lazy::Lazy,
    rows::Row,
    tables::role_of_byte,
};
use crate::{
    mapped::{Blocks, RecordReader},
    role::Role,
    validity::Interval,
};

/// What stands for the folder of a snapshot that has no files.
pub(super) const MEMORY: &str = "memory";

/// The bytes of a snapshot, and what was read of them.
#[derive(Debug)]
pub(super) struct Data {
    pub(super) manifest: Manifest,
    /// Where the files lie; `memory` without files.
    pub(super) folder: PathBuf,
    adjacency: Blocks,
    values: Blocks,
    kinds: Vec<Arc<str>>,
    /// Where the relationships of each type begin in their section, and one more. Labels likewise.
    kind_starts: Vec<u64>,
    label_starts: Vec<u64>,
    nodes: Lazy<Node>,
    edges: Lazy<Edge>,
}

impl Data {
    /// Opens a snapshot. Fails with the reason if the bytes are not those of the manifest.
    pub(super) fn open(
        manifest: Manifest,
        folder: &Path,
        adjacency: OwnedBytes,
        values: OwnedBytes,
    ) -> Result<Self, String> {
        let adjacency = Blocks::open(adjacency, manifest.adjacency)?;
        let values = Blocks::open(values, manifest.values)?;
        Ok(Self {
            kinds: manifest.kinds.iter().map(|(kind, _)| Arc::from(kind.as_str())).collect(),
            kind_starts: starts(&manifest.kinds),
            label_starts: starts(&manifest.labels),
            nodes: Lazy::new(manifest.adjacency_sections.roles.entries as usize),
            edges: Lazy::new(manifest.adjacency_sections.edges.entries as usize),
            folder: folder.to_owned(),
            adjacency,
            values,
            manifest,
        })
    }

    /// Returns a snapshot of nothing that says why it is one.
    pub(super) fn nothing(reason: String) -> Self {
        let blocks = Blocks::empty();
        blocks.tell(reason);
        let (kinds, kind_starts, label_starts) = (Vec::new(), Vec::new(), Vec::new());
        let (nodes, edges) = (Lazy::new(0), Lazy::new(0));
        let (manifest, values) = (Manifest::default(), Blocks::empty());
        let folder = PathBuf::from(MEMORY);
        Self { manifest, folder, adjacency: blocks, values, kinds, kind_starts, label_starts, nodes, edges }
    }

    pub(super) fn damage(&self) -> Option<&str> {
        self.adjacency.damage().or_else(|| self.values.damage())
    }

    pub(super) fn compare_all(&self) {
        self.adjacency.compare_all();
        self.values.compare_all();
    }

    pub(super) fn node_count(&self) -> usize {
        self.manifest.adjacency_sections.roles.entries as usize
    }

    pub(super) fn edge_count(&self) -> usize {
        self.manifest.adjacency_sections.edges.entries as usize
    }

    pub(super) fn kinds(&self) -> &[Arc<str>] {
        &self.kinds
    }

    pub(super) fn kind_number(&self, kind: &str) -> Option<u32> {
        self.kinds.binary_search_by(|candidate| (**candidate).cmp(kind)).ok().map(|number| number as u32)
    }

    pub(super) fn role(&self, node: NodeIndex) -> Role {
        let section = self.manifest.adjacency_sections.roles;
        let byte = self.adjacency.get(section.start as usize + node.position(), 1);
        byte.first().map_or(Role::Record, |byte| role_of_byte(*byte))
    }

    /// Returns the relationships that leave a node, by type and end.
    pub(super) fn leaving(&self, node: NodeIndex) -> Row<'_> {
        let sections = &self.manifest.adjacency_sections;
        let range = self.row(sections.leaving, node);
        Row::leaving(entries::<EDGE>(&self.adjacency, sections.edges, range.clone()), range.start as u32)
    }

    /// Returns the relationships that arrive at a node, by type and start.
    pub(super) fn arriving(&self, node: NodeIndex) -> Row<'_> {
        let sections = &self.manifest.adjacency_sections;
        let range = self.row(sections.arriving, node);
        Row::arriving(entries::<ARRIVAL>(&self.adjacency, sections.arrivals, range))
    }

    /// Returns the number of relationships that leave a node, or arrive, without reading them.
    pub(super) fn row_length(&self, node: NodeIndex, leaving: bool) -> usize {
        let sections = &self.manifest.adjacency_sections;
        self.row(if leaving { sections.leaving } else { sections.arriving }, node).len()
    }

    /// Returns the place in its row of the relationship that is the heaviest but `rank` of those that leave a node, or arrive.
    pub(super) fn heaviest(&self, node: NodeIndex, leaving: bool, rank: usize) -> Option<usize> {
        let sections = &self.manifest.adjacency_sections;
        let (rows, order) = if leaving {
            (sections.leaving, sections.heaviest_leaving)
        } else {
            (sections.arriving, sections.heaviest_arriving)
        };
        let range = self.row(rows, node);
        (rank < range.len()).then(|| self.number(order, range.start + rank).map(|place| place as usize))?
    }

    fn row(&self, starts: Section, node: NodeIndex) -> Range<usize> {
        let bounds = entries::<NUMBER>(&self.adjacency, starts, node.position()..node.position() + 2);
        let bound = |place: usize| number(bounds.get(place * NUMBER..).unwrap_or_default());
        match (bound(0), bound(1)) {
            (Some(start), Some(end)) if start <= end => start as usize..end as usize,
            _ => 0..0,
        }
    }

    /// Returns the ends of a relationship, the number of its type with the bit for intervals, and its weight.
    pub(super) fn edge_entry(&self, relationship: RelationshipIndex) -> EdgeEntry {
        let place = relationship.position();
        let bytes =
            entries::<EDGE>(&self.adjacency, self.manifest.adjacency_sections.edges, place..place + 1);
        let at = |place: usize| number(bytes.get(place * NUMBER..).unwrap_or_default()).unwrap_or_default();
        let weight = bytes.get(3 * NUMBER..).and_then(|bytes| bytes.first_chunk());
        EdgeEntry {
            end: NodeIndex(at(0)),
            start: NodeIndex(at(1)),
            kind: at(2),
            weight: weight.map_or(0.0, |weight| f64::from_le_bytes(*weight)),
        }
    }

    /// Returns the sum of the weights of a node's relationships. `None` if some are so on some days only.
    pub(super) fn strength(&self, node: NodeIndex) -> Option<f64> {
        let (section, place) = (self.manifest.adjacency_sections.strengths, node.position());
        let bytes = entries::<SUM>(&self.adjacency, section, place..place + 1).first_chunk()?;
        Some(f64::from_le_bytes(*bytes)).filter(|sum| !sum.is_nan())
    }

    /// Returns the days on which a relationship is so, if it is not so always.
    pub(super) fn interval(&self, relationship: RelationshipIndex) -> Option<Interval> {
        let section = self.manifest.adjacency_sections.intervals;
        let (mut low, mut high) = (0, section.entries as usize);
        while low < high {
            let middle = low + (high - low) / 2;
            let (found, interval) = self.interval_at(middle)?;
            match found.cmp(&relationship) {
                std::cmp::Ordering::Equal => return Some(interval),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Returns all relationships that are not so always, with the days on which they are.
    pub(super) fn intervals(&self) -> impl Iterator<Item = (RelationshipIndex, Interval)> {
        let count = self.manifest.adjacency_sections.intervals.entries as usize;
        (0..count).map_while(|place| self.interval_at(place))
    }

    fn interval_at(&self, place: usize) -> Option<(RelationshipIndex, Interval)> {
        let section = self.manifest.adjacency_sections.intervals;
        let bytes = entries::<INTERVAL>(&self.adjacency, section, place..place + 1);
        let at = |place: usize| number(bytes.get(place * NUMBER..)?);
        Some((RelationshipIndex(at(0)?), Interval { first: at(1)? as i32, last: at(2)? as i32 }))
    }

    /// Returns the relationships of a type.
    pub(super) fn of_kind(&self, kind: u32) -> Numbers<'_> {
        let section = self.manifest.adjacency_sections.by_kind;
        Numbers::of(&self.adjacency, section, &self.kind_starts, kind as usize)
    }

    /// Returns the nodes with a label.
    pub(super) fn with_label(&self, label: &str) -> Numbers<'_> {
        let labels = &self.manifest.labels;
        match labels.binary_search_by(|(candidate, _)| candidate.as_str().cmp(label)) {
            Err(_) => Numbers { bytes: &[] },
            Ok(number) => {
                let section = self.manifest.adjacency_sections.by_label;
                Numbers::of(&self.adjacency, section, &self.label_starts, number)
            }
        }
    }

    /// Finds a node by its `__id__`: nodes are in this order.
    pub(super) fn by_id(&self, id: &str) -> Option<NodeIndex> {
        let key = self.manifest.keys.iter().position(|key| key == graphwright_core::names::ID)? as u32;
        let first = self.manifest.without_id as usize;
        let id_of = |place: usize| {
            let mut reader = self.node_record(NodeIndex(place as u32))?;
            skip_head(&mut reader)?;
            reader.property(key)
        };
        let place = partition_point(first..self.node_count(), |place| {
            id_of(place).is_some_and(|found| found.as_str().is_some_and(|found| found < id))
        });
        let is_found = place < self.node_count() && id_of(place).as_ref().and_then(Value::as_str) == Some(id);
        is_found.then_some(NodeIndex(place as u32))
    }

    /// Finds a node by the store's identifier.
    pub(super) fn by_element(&self, id: &ElementId) -> Option<NodeIndex> {
        let section = self.manifest.adjacency_sections.by_element;
        let node_at = |place: usize| self.number(section, place).map(NodeIndex);
        let id_of = |place: usize| self.node_record(node_at(place)?)?.text();
        let place = partition_point(0..self.node_count(), |place| {
            id_of(place).is_some_and(|found| found < id.as_str())
        });
        (place < self.node_count() && id_of(place) == Some(id.as_str())).then(|| node_at(place))?
    }

    pub(super) fn node(&self, node: NodeIndex) -> &Node {
        self.nodes.get_or_make(node.position(), || self.read_node(node))
    }

    pub(super) fn edge(&self, relationship: RelationshipIndex) -> &Edge {
        self.edges.get_or_make(relationship.position(), || self.read_edge(relationship))
    }

    /// Reads a node without keeping it. Without its content if that is damaged, which [`damage`](Self::damage) then says.
    pub(super) fn read_node(&self, node: NodeIndex) -> Node {
        let read = || {
            let mut reader = self.node_record(node)?;
            let element_id = ElementId::new(reader.text()?);
            let count = reader.number()?;
            let mut labels = Vec::new();
            for _ in 0..count {
                let number = usize::try_from(reader.number()?).ok()?;
                labels.push(self.manifest.labels.get(number)?.0.clone());
            }
            Some(Node { element_id, labels, properties: reader.properties(&self.manifest.keys)? })
        };
        read().unwrap_or_else(|| {
            self.values.tell(format!("what is written of node {} cannot be read", node.position()));
            Node { element_id: ElementId::new(""), labels: Vec::new(), properties: [].into() }
        })
    }

    /// Reads a relationship without keeping it, as [`read_node`](Self::read_node).
    pub(super) fn read_edge(&self, relationship: RelationshipIndex) -> Edge {
        let read = || {
            let mut reader = self.record(self.manifest.value_sections.edges, relationship.position())?;
            Some((ElementId::new(reader.text()?), reader.properties(&self.manifest.keys)?))
        };
        let (element_id, properties) = read().unwrap_or_else(|| {
            let place = relationship.position();
            self.values.tell(format!("what is written of relationship {place} cannot be read"));
            (ElementId::new(""), [].into())
        });
        let EdgeEntry { start, end, kind, weight } = self.edge_entry(relationship);
        let kind = self.kinds.get((kind & !TIMED) as usize).map_or_else(|| Arc::from(""), Arc::clone);
        Edge { element_id, kind, start, end, weight, properties }
    }

    /// Returns the first label of a node that is not reserved, or its first.
    pub(super) fn has_label(&self, node: NodeIndex, label: &str) -> bool {
        let labels = &self.manifest.labels;
        let Ok(wanted) = labels.binary_search_by(|(candidate, _)| candidate.as_str().cmp(label)) else {
            return false;
        };
        let found = self.node_record(node).and_then(|mut reader| {
            reader.text()?;
            let mut numbers = (0..reader.number()?).map_while(|_| reader.number());
            Some(numbers.any(|number| number == wanted as u64))
        });
        found.unwrap_or(false)
    }

    pub(super) fn kind_of(&self, node: NodeIndex) -> Option<&str> {
        let mut reader = self.node_record(node)?;
        reader.text()?;
        let mut first = None;
        for _ in 0..reader.number()? {
            let label = self.manifest.labels.get(usize::try_from(reader.number()?).ok()?)?.0.as_str();
            if !graphwright_core::names::is_reserved(label) {
                return Some(label);
            }
            first = first.or(Some(label));
        }
        first
    }

    /// Returns whether a relationship has a property with another key than those known.
    pub(super) fn has_other_keys(&self, relationship: RelationshipIndex, known: &[u32]) -> Option<bool> {
        let mut reader = self.record(self.manifest.value_sections.edges, relationship.position())?;
        reader.text()?;
        reader.any_key(|key| !known.contains(&key))
    }

    /// Returns the text of a passage.
    pub(super) fn text(&self, node: NodeIndex) -> Option<&str> {
        let mut reader = self.node_record(node)?;
        skip_head(&mut reader)?;
        reader.skip_properties()?;
        str::from_utf8(reader.rest()).ok().filter(|text| !text.is_empty())
    }

    fn node_record(&self, node: NodeIndex) -> Option<RecordReader<'_>> {
        self.record(self.manifest.value_sections.nodes, node.position())
    }

    fn record(&self, section: Section, place: usize) -> Option<RecordReader<'_>> {
        let bounds = entries::<OFFSET>(&self.values, section, place..place + 2);
        let bound = |place: usize| {
            let bytes = bounds.get(place * OFFSET..)?.first_chunk()?;
            usize::try_from(u64::from_le_bytes(*bytes)).ok()
        };
        let (start, end) = (bound(0)?, bound(1)?);
        Some(RecordReader::new(self.values.get(start, end.checked_sub(start)?)))
    }

    fn number(&self, section: Section, place: usize) -> Option<u32> {
        number(entries::<NUMBER>(&self.adjacency, section, place..place + 1))
    }
}

/// A relationship without its properties.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeEntry {
    pub(super) start: NodeIndex,
    pub(super) end: NodeIndex,
    pub(super) kind: u32,
    pub(super) weight: f64,
}

/// Numbers of nodes or relationships.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers<'a> {
    bytes: &'a [u8],
}

impl<'a> Numbers<'a> {
    fn of(blocks: &'a Blocks, section: Section, starts: &[u64], list: usize) -> Self {
        let bound = |place: usize| starts.get(place).map_or(0, |start| *start as usize);
        Self { bytes: entries::<NUMBER>(blocks, section, bound(list)..bound(list + 1)) }
    }

    pub(super) fn iter(self) -> impl ExactSizeIterator<Item = u32> + DoubleEndedIterator + Clone + use<'a> {
        self.bytes.chunks_exact(NUMBER).map(|bytes| number(bytes).unwrap_or_default())
    }
}

/// Returns the bytes of entries of a section.
#[inline]
fn entries<const WIDTH: usize>(blocks: &Blocks, section: Section, range: Range<usize>) -> &[u8] {
    if range.is_empty() || range.end as u64 > section.entries {
        return &[];
    }
    blocks.get(section.start as usize + range.start * WIDTH, range.len() * WIDTH)
}

fn skip_head(reader: &mut RecordReader<'_>) -> Option<()> {
    reader.text()?;
    for _ in 0..reader.number()? {
        reader.number()?;
    }
    Some(())
}

fn starts(counted: &[(String, u32)]) -> Vec<u64> {
    let mut starts = vec![0];
    let mut sum = 0;
    for (_, count) in counted {
        sum += u64::from(*count);
        starts.push(sum);
    }
    starts
}

fn partition_point(range: Range<usize>, is_before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
