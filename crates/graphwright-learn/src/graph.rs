//! The graph as learning and reading need it: types, values and neighbours, in memory.

use std::collections::{BTreeMap, BTreeSet};

use graphwright_core::Value;
use rustc_hash::FxHashMap;

use crate::{
    schema::{Kind, Label, Property, Schema, Step, Way},
    values::Values,
};

/// A neighbour of a node: it and the relationship to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Neighbour {
    pub(crate) node: u32,
    pub(crate) relationship: u32,
}

/// Neighbours of all nodes by type, one row after the other.
#[derive(Debug, Default)]
struct Rows {
    starts: FxHashMap<(u32, Kind), (u32, u32)>,
    neighbours: Vec<Neighbour>,
}

impl Rows {
    fn of(mut found: Vec<(u32, Kind, Neighbour)>) -> Self {
        found.sort_unstable_by_key(|(from, kind, neighbour)| {
            (*from, *kind, neighbour.node, neighbour.relationship)
        });
        let mut rows = Self::default();
        for (from, kind, neighbour) in found {
            let at = rows.neighbours.len() as u32;
            rows.starts.entry((from, kind)).or_insert((at, at)).1 = at + 1;
            rows.neighbours.push(neighbour);
        }
        rows
    }

    fn of_node(&self, node: u32, kind: Kind) -> &[Neighbour] {
        let (from, to) = self.starts.get(&(node, kind)).copied().unwrap_or_default();
        &self.neighbours[from as usize..to as usize]
    }
}

/// A graph in memory, made by a [`GraphBuilder`].
#[derive(Debug, Default)]
pub struct Graph {
    pub(crate) schema: Schema,
    pub(crate) values: Values,
    labels: Vec<Label>,
    properties: Vec<Vec<(Property, Value)>>,
    by_label: Vec<Vec<u32>>,
    out: Rows,
    into: Rows,
}

impl Graph {
    /// Returns the types of the graph.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    pub(crate) fn label_of(&self, node: u32) -> Label {
        self.labels[node as usize]
    }

    pub(crate) fn value(&self, node: u32, property: Property) -> Option<&Value> {
        self.properties[node as usize].iter().find(|(at, _)| *at == property).map(|(_, value)| value)
    }

    pub(crate) fn with_label(&self, label: Label) -> &[u32] {
        &self.by_label[usize::from(label)]
    }

    /// The neighbours of a node along a step.
    pub(crate) fn along(&self, node: u32, step: Step) -> impl Iterator<Item = Neighbour> + '_ {
        let out = if step.way == Way::In { &[] } else { self.out.of_node(node, step.kind) };
        let into = if step.way == Way::Out { &[] } else { self.into.of_node(node, step.kind) };
        out.iter().chain(into).copied().filter(move |neighbour| self.label_of(neighbour.node) == step.to)
    }
}

/// Takes in nodes and relationships. Nodes are numbered in the order in which they come, from 0, and so are relationships.
#[derive(Debug, Default)]
pub struct GraphBuilder {
    graph: Graph,
    label_numbers: BTreeMap<String, Label>,
    kind_numbers: BTreeMap<String, Kind>,
    property_numbers: BTreeMap<String, Property>,
    relationships: Vec<(u32, Kind, u32)>,
}

fn number(numbers: &mut BTreeMap<String, u16>, names: &mut Vec<String>, name: &str) -> u16 {
    *numbers.entry(name.to_owned()).or_insert_with(|| {
        names.push(name.to_owned());
        (names.len() - 1) as u16
    })
}

impl GraphBuilder {
    /// Adds a node.
    pub fn node<'a>(&mut self, label: &str, properties: impl IntoIterator<Item = (&'a str, &'a Value)>) {
        let schema = &mut self.graph.schema;
        let label = number(&mut self.label_numbers, &mut schema.labels, label);
        schema.has.resize(schema.labels.len(), BTreeSet::new());
        self.graph.by_label.resize(schema.labels.len(), Vec::new());
        let node = self.graph.labels.len() as u32;
        let mut own = Vec::new();
        for (name, value) in properties {
            let property = number(&mut self.property_numbers, &mut schema.properties, name);
            schema.has[usize::from(label)].insert(property);
            self.graph.values.add(node, label, property, value);
            own.push((property, value.clone()));
        }
        self.graph.labels.push(label);
        self.graph.properties.push(own);
        self.graph.by_label[usize::from(label)].push(node);
    }

    /// Adds a relationship between nodes that were added.
    pub fn relationship(&mut self, from: u32, kind: &str, to: u32) {
        let kind = number(&mut self.kind_numbers, &mut self.graph.schema.kinds, kind);
        self.relationships.push((from, kind, to));
    }

    /// Ends the graph.
    pub fn build(mut self) -> Graph {
        let labels = &self.graph.labels;
        let mut patterns = BTreeSet::new();
        let (mut out, mut into) = (Vec::new(), Vec::new());
        for (at, &(from, kind, to)) in self.relationships.iter().enumerate() {
            let relationship = at as u32;
            patterns.insert((labels[from as usize], kind, labels[to as usize]));
            out.push((from, kind, Neighbour { node: to, relationship }));
            into.push((to, kind, Neighbour { node: from, relationship }));
        }
        self.graph.schema.connect(&patterns);
        self.graph.out = Rows::of(out);
        self.graph.into = Rows::of(into);
        self.graph.schema.scales = self.graph.values.scales();
        self.graph.values.finish();
        self.graph
    }
}
