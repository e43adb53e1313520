//! Reads a topology from a store.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use futures::TryStreamExt;
use graphwright_core::{
    ElementId, GraphStore, Node, Properties, Relationship, Value, names,
    store::{ScanOptions, Selection},
};

use super::{
    Edge, NodeIndex, RelationshipIndex, Topology,
    adjacency::{Adjacency, Slot},
    time::holds_on,
};
use crate::{
    Result,
    naming::name_nodes,
    role::{Role, role_of},
};

/// Maximum length of a list of numbers. Longer ones are taken for vectors and left out.
const LONGEST_LIST_OF_NUMBERS: usize = 128;

/// The weight of a relationship that has none.
const DEFAULT_WEIGHT: f64 = 0.5;

impl Topology {
    /// Reads the graph of a store by one scan. Nodes are in the order of their `__id__` and relationships in that of their
    /// ends, whatever the order of the store: what is equally good comes in the same order from every store.
    ///
    /// Facts that have ended or not begun today are left out ([`facts_of_other_times`](Self::facts_of_other_times)).
    pub async fn load(store: &dyn GraphStore) -> Result<Self> {
        // Before the scan: a write in between makes the topology look old, never new.
        let version = store.version().await?;
        let scan = ScanOptions {
            labels: Selection::All,
            relationship_types: Selection::All,
            node_properties: Selection::Except(vec![names::EMBEDDING.to_owned()]),
            relationship_properties: Selection::All,
        };
        let mut batches = store.scan(scan).await?;
        let (mut nodes, mut relationships) = (Vec::new(), Vec::new());
        while let Some(batch) = batches.try_next().await? {
            nodes.extend(batch.nodes);
            relationships.extend(batch.relationships);
        }
        let today = jiff::Zoned::now().date();
        let all = relationships.len();
        relationships.retain(|relationship: &Relationship| holds_on(today, &relationship.properties));
        let mut builder = Builder { facts_of_other_times: all - relationships.len(), ..Builder::default() };
        nodes.sort_by(|one: &Node, other| id(one).cmp(&id(other)));
        builder.add(nodes, Vec::new());
        relationships.sort_by(|one: &Relationship, other| builder.place(one).cmp(&builder.place(other)));
        builder.add(Vec::new(), relationships);
        Ok(builder.finish(version))
    }

    /// Builds a topology from nodes and relationships in memory.
    pub fn from_parts(
        version: impl Into<String>,
        nodes: Vec<Node>,
        relationships: Vec<Relationship>,
    ) -> Self {
        let mut builder = Builder::default();
        builder.add(nodes, relationships);
        builder.finish(version.into())
    }
}

#[derive(Default)]
struct Builder {
    nodes: Vec<Node>,
    roles: Vec<Role>,
    edges: Vec<Edge>,
    kinds: BTreeMap<Arc<str>, Vec<RelationshipIndex>>,
    labels: BTreeMap<String, Vec<NodeIndex>>,
    by_id: HashMap<Box<str>, NodeIndex>,
    by_element: HashMap<ElementId, NodeIndex>,
    unusable_weights: usize,
    loose_relationships: usize,
    facts_of_other_times: usize,
}

impl Builder {
    fn add(&mut self, nodes: Vec<Node>, relationships: Vec<Relationship>) {
        for node in nodes {
            self.add_node(node);
        }
        for relationship in relationships {
            self.add_relationship(relationship);
        }
    }

    fn add_node(&mut self, mut node: Node) {
        let index = NodeIndex(self.nodes.len() as u32);
        let role = role_of(&node.labels);
        if role == Role::Chunk {
            node.properties.remove("text");
        }
        node.properties.retain(|name, value| name != names::EMBEDDING && !is_vector(value));
        for label in &node.labels {
            // `entry` would need an owned label for each node.
            if let Some(nodes) = self.labels.get_mut(label) {
                nodes.push(index);
            } else {
                self.labels.insert(label.clone(), vec![index]);
            }
        }
        if let Some(id) = id(&node) {
            self.by_id.entry(id.into()).or_insert(index);
        }
        self.by_element.insert(node.element_id.clone(), index);
        self.roles.push(role);
        self.nodes.push(node);
    }

    /// Returns the sort key of a relationship.
    fn place<'r>(&self, relationship: &'r Relationship) -> (Option<&NodeIndex>, Option<&NodeIndex>, &'r str) {
        let [start, end] = [&relationship.start, &relationship.end].map(|end| self.by_element.get(end));
        (start, end, &relationship.kind)
    }

    fn add_relationship(&mut self, relationship: Relationship) {
        let ends = (self.by_element.get(&relationship.start), self.by_element.get(&relationship.end));
        let (Some(&start), Some(&end)) = ends else {
            self.loose_relationships += 1;
            return;
        };
        let index = RelationshipIndex(self.edges.len() as u32);
        let kind = match self.kinds.get_key_value(relationship.kind.as_str()) {
            Some((kind, _)) => Arc::clone(kind),
            None => Arc::from(relationship.kind),
        };
        self.kinds.entry(Arc::clone(&kind)).or_default().push(index);
        let weight = self.weight(&relationship.properties);
        let Relationship { element_id, properties, .. } = relationship;
        self.edges.push(Edge { element_id, kind, start, end, weight, properties });
    }

    fn weight(&mut self, properties: &Properties) -> f64 {
        let Some(value) = properties.get(names::WEIGHT) else { return DEFAULT_WEIGHT };
        match value.as_float() {
            Some(weight) if weight > 0.0 && weight <= 1.0 => weight,
            Some(weight) if weight > 1.0 => {
                self.unusable_weights += 1;
                1.0
            }
            _ => {
                self.unusable_weights += 1;
                DEFAULT_WEIGHT
            }
        }
    }

    fn finish(mut self, version: String) -> Topology {
        name_nodes(&mut self.nodes);
        let (kinds, edges_by_kind): (Vec<_>, Vec<_>) = self.kinds.into_iter().unzip();
        let mut kind_of = vec![0_u32; self.edges.len()];
        for (kind, edges) in edges_by_kind.iter().enumerate() {
            for edge in edges {
                kind_of[edge.position()] = kind as u32;
            }
        }
        let slot = |position: usize, node: NodeIndex| Slot {
            node,
            relationship: RelationshipIndex(position as u32),
            kind: kind_of[position],
        };
        let edges = self.edges.iter().enumerate();
        let outgoing = edges.clone().map(|(position, edge)| (edge.start, slot(position, edge.end)));
        let incoming = edges.map(|(position, edge)| (edge.end, slot(position, edge.start)));
        Topology {
            version,
            outgoing: Adjacency::build(self.nodes.len(), outgoing),
            incoming: Adjacency::build(self.nodes.len(), incoming),
            nodes: self.nodes,
            roles: self.roles,
            edges: self.edges,
            kinds,
            edges_by_kind,
            labels: self.labels.into_iter().collect(),
            by_id: self.by_id,
            by_element: self.by_element,
            unusable_weights: self.unusable_weights,
            loose_relationships: self.loose_relationships,
            facts_of_other_times: self.facts_of_other_times,
        }
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
