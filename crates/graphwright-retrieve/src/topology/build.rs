//! Turns nodes and relationships into the bytes of a snapshot.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    thread,
};

use graphwright_core::{Node, Relationship, Value, names};
use rustc_hash::FxHashMap;

use super::{
    edges::{Edges, MOST},
    elements::Elements,
    form::{AdjacencySections, FORM, Manifest, TIMED, ValueSections},
    tables::{SectionWriter, Tables, counting_sort, distinct_labels},
};
use crate::{
    mapped::{BlockWriter, Numbered, Seal, put_number, put_properties, put_text},
    naming::name_nodes,
    role::{Role, role_of},
};

/// Maximum length of a list of numbers. Longer ones are taken for vectors and left out.
const LONGEST_LIST_OF_NUMBERS: usize = 128;

/// Collects nodes, then relationships, then writes a snapshot.
#[derive(Debug, Default)]
pub(super) struct Builder {
    nodes: Vec<Node>,
    /// The texts of passages, by position in `nodes`.
    texts: FxHashMap<u32, String>,
    /// Nodes by the store's identifier, by position in `nodes`.
    elements: Elements,
    pub(super) edges: Edges,
    loose_relationships: usize,
}

impl Builder {
    pub(super) fn add_node(&mut self, mut node: Node) -> io::Result<()> {
        let position = self.nodes.len();
        if position >= MOST {
            return Err(io::Error::other(format!("a snapshot holds at most {MOST} nodes")));
        }
        if role_of(&node.labels) == Role::Chunk
            && let Some(Value::String(text)) = node.properties.remove("text")
        {
            self.texts.insert(position as u32, text);
        }
        node.properties.retain(|name, value| name != names::EMBEDDING && !is_vector(value));
        self.elements.insert(&node.element_id, position as u32);
        self.nodes.push(node);
        Ok(())
    }

    /// Adds a relationship. Its ends must have been added before.
    pub(super) fn add_relationship(&mut self, relationship: &Relationship) -> io::Result<()> {
        self.ends(relationship).map_or(Ok(()), |ends| self.edges.add(ends, relationship))
    }

    /// Returns the nodes where a relationship starts and ends, or counts it among the loose ones.
    pub(super) fn ends(&mut self, relationship: &Relationship) -> Option<(u32, u32)> {
        let ends = self.elements.get(&relationship.start).zip(self.elements.get(&relationship.end));
        self.loose_relationships += usize::from(ends.is_none());
        ends
    }

    /// Writes the snapshot: adjacency and values each to their own place.
    pub(super) fn write<A: Write, V: Write + Send>(
        mut self,
        store_version: &str,
        adjacency: A,
        values: V,
    ) -> io::Result<(A, V, Manifest)> {
        self.elements = Elements::default();
        name_nodes(&mut self.nodes);
        let labels = self.labels();
        self.sort_nodes();
        let kinds = self.sort_relationships();
        let keys = std::mem::take(&mut self.edges.keys);
        let (this, labelled) = (&self, &labels);
        let (written, adjacency) = thread::scope(|scope| {
            let values = scope.spawn(move || this.write_values(keys, labelled, BlockWriter::new(values)));
            let adjacency = this.write_adjacency(labelled, adjacency);
            (values.join(), adjacency)
        });
        let (values, value_seal, value_sections, keys) =
            written.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        let (adjacency, adjacency_seal, adjacency_sections) = adjacency?;
        let manifest = Manifest {
            form: FORM,
            store_version: store_version.to_owned(),
            adjacency: adjacency_seal,
            values: value_seal,
            adjacency_sections,
            value_sections,
            labels,
            kinds,
            keys: keys.into_names(),
            without_id: self.nodes.partition_point(|node| id(node).is_none()) as u32,
            unusable_weights: self.edges.unusable_weights,
            loose_relationships: self.loose_relationships,
        };
        Ok((adjacency, values, manifest))
    }

    fn labels(&self) -> Vec<(String, u32)> {
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for label in self.nodes.iter().flat_map(distinct_labels) {
            *counts.entry(label).or_default() += 1;
        }
        counts.into_iter().map(|(label, count)| (label.to_owned(), count)).collect()
    }

    /// Sorts the nodes by `__id__`. Those without stay in the order of the store.
    fn sort_nodes(&mut self) {
        // Found once and not for each comparison: a property is looked up by its name.
        let ids: Vec<Option<&str>> = self.nodes.iter().map(id).collect();
        let mut order: Vec<u32> = (0..self.nodes.len() as u32).collect();
        order.sort_by_key(|&position| ids[position as usize]);
        let number_of = inverse(&order);
        let mut nodes: Vec<Option<Node>> = std::mem::take(&mut self.nodes).into_iter().map(Some).collect();
        self.nodes = order.iter().filter_map(|&position| nodes[position as usize].take()).collect();
        let texts = std::mem::take(&mut self.texts).into_iter();
        self.texts = texts.map(|(position, text)| (number_of[position as usize], text)).collect();
        for edge in &mut self.edges.pending {
            edge.start = number_of[edge.start as usize];
            edge.end = number_of[edge.end as usize];
        }
    }

    /// Sorts the relationships by start, type and end, and returns the types. What is equal stays in the order of the store.
    fn sort_relationships(&mut self) -> Vec<(String, u32)> {
        let names = std::mem::take(&mut self.edges.kinds).into_names();
        let mut alphabetical: Vec<u32> = (0..names.len() as u32).collect();
        alphabetical.sort_by_key(|&kind| &names[kind as usize]);
        let kind_of = inverse(&alphabetical);
        let mut counts = vec![0_u32; names.len()];
        for edge in &mut self.edges.pending {
            let kind = kind_of[(edge.kind & !TIMED) as usize];
            counts[kind as usize] += 1;
            edge.kind = kind | edge.kind & TIMED;
        }
        let (rows, mut order) =
            counting_sort(self.nodes.len(), self.edges.pending.iter().map(|edge| edge.start));
        for row in rows.windows(2) {
            order[row[0] as usize..row[1] as usize].sort_unstable_by_key(|&position| {
                let edge = &self.edges.pending[position as usize];
                (edge.kind & !TIMED, edge.end, position)
            });
        }
        let number_of = inverse(&order);
        self.edges.pending = order.iter().map(|&position| self.edges.pending[position as usize]).collect();
        for (edge, _) in &mut self.edges.intervals {
            *edge = number_of[*edge as usize];
        }
        self.edges.intervals.sort_unstable_by_key(|(edge, _)| *edge);
        alphabetical.iter().zip(counts).map(|(&kind, count)| (names[kind as usize].clone(), count)).collect()
    }

    fn write_adjacency<A: Write>(
        &self,
        labels: &[(String, u32)],
        adjacency: A,
    ) -> io::Result<(A, Seal, AdjacencySections)> {
        let mut writer = SectionWriter::new(adjacency);
        let (edges, intervals) = (&self.edges.pending, &self.edges.intervals);
        let sections = Tables { nodes: &self.nodes, edges, intervals, labels }.write(&mut writer)?;
        let (adjacency, seal) = writer.finish()?;
        Ok((adjacency, seal, sections))
    }

    fn write_values<V: Write>(
        &self,
        mut keys: Numbered,
        labels: &[(String, u32)],
        writer: BlockWriter<V>,
    ) -> io::Result<(V, Seal, ValueSections, Numbered)> {
        let mut writer = SectionWriter { writer };
        let numbers: FxHashMap<&str, u64> =
            labels.iter().enumerate().map(|(number, (label, _))| (label.as_str(), number as u64)).collect();
        let (mut record, mut offsets) = (Vec::new(), Vec::with_capacity(self.nodes.len() + 1));
        for (number, node) in self.nodes.iter().enumerate() {
            offsets.push(writer.writer.position());
            record.clear();
            put_text(&mut record, node.element_id.as_str());
            put_number(&mut record, node.labels.len() as u64);
            for label in &node.labels {
                put_number(&mut record, numbers.get(label.as_str()).copied().unwrap_or_default());
            }
            put_properties(&mut record, &node.properties, &mut keys);
            writer.writer.put(&record)?;
            if let Some(text) = self.texts.get(&(number as u32)) {
                writer.writer.put(text.as_bytes())?;
            }
        }
        offsets.push(writer.writer.position());
        let mut edge_offsets = Vec::with_capacity(self.edges.pending.len() + 1);
        for edge in &self.edges.pending {
            edge_offsets.push(writer.writer.position());
            let (start, length) = (edge.record.0 as usize, edge.record.1 as usize);
            writer.writer.put(&self.edges.records[start..start + length])?;
        }
        edge_offsets.push(writer.writer.position());
        let nodes = writer.put(offsets.iter().map(|offset| offset.to_le_bytes()))?;
        let edges = writer.put(edge_offsets.iter().map(|offset| offset.to_le_bytes()))?;
        let (values, seal) = writer.finish()?;
        Ok((values, seal, ValueSections { nodes, edges }, keys))
    }
}

fn id(node: &Node) -> Option<&str> {
    node.properties.get(names::ID).and_then(Value::as_str)
}

fn is_vector(value: &Value) -> bool {
    match value {
        Value::List(items) => {
            items.len() > LONGEST_LIST_OF_NUMBERS && items.iter().all(|item| item.as_float().is_some())
        }
        _ => false,
    }
}

/// Returns for each element of a permutation where it stands.
fn inverse(order: &[u32]) -> Vec<u32> {
    let mut places = vec![0; order.len()];
    for (place, &element) in order.iter().enumerate() {
        places[element as usize] = place as u32;
    }
    places
}
