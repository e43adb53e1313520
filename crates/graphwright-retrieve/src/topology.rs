//! The graph in memory, for walking, path search, ranking and name look-up.
//!
//! [`Topology::load`] reads a snapshot with one scan of any store. It keeps nodes and relationships
//! with their properties, without the text of passages and without vectors. Adjacency in both
//! directions is stored as compressed sparse rows, each row sorted by relationship type. Building
//! costs one pass over the scan and one counting sort.

mod adjacency;
mod follow;
mod load;
mod support;
mod time;

use std::{collections::HashMap, sync::Arc};

use graphwright_core::{ElementId, Node, Properties, names};

pub use follow::{Follow, Following};
pub use support::{PropertySupport, Support};

use adjacency::Adjacency;

use crate::role::Role;

/// Index of a node in its [`Topology`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeIndex(u32);

impl NodeIndex {
    /// Returns the position in lists that run parallel to the nodes.
    pub fn position(self) -> usize {
        self.0 as usize
    }
}

/// Index of a relationship in its [`Topology`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelationshipIndex(u32);

impl RelationshipIndex {
    /// Returns the position in lists that run parallel to the relationships.
    pub fn position(self) -> usize {
        self.0 as usize
    }
}

/// Direction in which relationships are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From its start to its end.
    Outgoing,
    /// From its end to its start.
    Incoming,
    /// Either way.
    #[default]
    Both,
}

/// A step from a node along a relationship.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// The relationship that is followed.
    pub relationship: RelationshipIndex,
    /// The node that is reached.
    pub node: NodeIndex,
    /// Whether the relationship is followed from start to end.
    pub forward: bool,
}

/// A relationship of a [`Topology`].
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Identifier in the store.
    pub element_id: ElementId,
    /// Relationship type.
    pub kind: Arc<str>,
    /// Node where the relationship starts.
    pub start: NodeIndex,
    /// Node where the relationship ends.
    pub end: NodeIndex,
    /// Weight in walks, above 0 and at most 1.
    pub weight: f64,
    /// All properties of the relationship.
    pub properties: Properties,
}

impl Edge {
    /// Returns the value of `__id__`, or the store's identifier if there is none.
    pub fn id(&self) -> &str {
        self.properties.get(names::ID).and_then(|id| id.as_str()).unwrap_or(self.element_id.as_str())
    }

    /// Returns the confidence of the fact, from 0 to 1, or `None` if it is unknown.
    pub fn confidence(&self) -> Option<f64> {
        self.properties.get(names::CONFIDENCE)?.as_float()
    }
}

/// A snapshot of a graph for walking.
///
/// ```
/// use std::collections::BTreeMap;
/// use graphwright_core::{ElementId, Node, Relationship, Value};
/// use graphwright_retrieve::{Direction, Topology};
///
/// let node = |id: &str, name: &str| Node {
///     element_id: ElementId::new(id),
///     labels: vec!["Person".into()],
///     properties: BTreeMap::from([("name".into(), Value::from(name))]),
/// };
/// let knows = Relationship {
///     element_id: ElementId::new("r"),
///     kind: "KNOWS".into(),
///     start: ElementId::new("1"),
///     end: ElementId::new("2"),
///     properties: BTreeMap::new(),
/// };
/// let nodes = vec![node("1", "Ada"), node("2", "Charles")];
/// let topology = Topology::from_parts("v1", nodes, vec![knows]);
///
/// let ada = topology.node_by_id("1").unwrap();
/// let step = topology.steps(ada, Direction::Outgoing).next().unwrap();
/// assert_eq!(topology.node(step.node).display_name(), "Charles");
/// assert_eq!(topology.edge(step.relationship).weight, 0.5);
/// ```
#[derive(Debug)]
pub struct Topology {
    version: String,
    nodes: Vec<Node>,
    roles: Vec<Role>,
    edges: Vec<Edge>,
    kinds: Vec<Arc<str>>,
    edges_by_kind: Vec<Vec<RelationshipIndex>>,
    labels: Vec<(String, Vec<NodeIndex>)>,
    by_id: HashMap<Box<str>, NodeIndex>,
    by_element: HashMap<ElementId, NodeIndex>,
    outgoing: Adjacency,
    incoming: Adjacency,
    unusable_weights: usize,
    loose_relationships: usize,
    facts_of_other_times: usize,
}

impl Topology {
    /// Returns the version of the store that the topology was read from.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Returns the number of nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of relationships.
    pub fn relationship_count(&self) -> usize {
        self.edges.len()
    }

    /// Returns the number of relationships whose weight is not a number above 0 and at most 1.
    ///
    /// Weights above 1 count as 1, the others as the default weight.
    pub fn unusable_weights(&self) -> usize {
        self.unusable_weights
    }

    /// Returns the number of relationships that were left out because one of their ends was not
    /// read.
    pub fn loose_relationships(&self) -> usize {
        self.loose_relationships
    }

    /// Returns the number of facts that were left out because they have ended or not begun.
    pub fn facts_of_other_times(&self) -> usize {
        self.facts_of_other_times
    }

    /// Returns all nodes.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeIndex> + use<> {
        (0..self.nodes.len() as u32).map(NodeIndex)
    }

    /// Returns all nodes that are entities.
    pub fn entities(&self) -> impl Iterator<Item = NodeIndex> + '_ {
        self.nodes().filter(|&node| self.role(node) == Role::Entity)
    }

    /// Returns all relationships.
    pub fn relationships(&self) -> impl ExactSizeIterator<Item = RelationshipIndex> + use<> {
        (0..self.edges.len() as u32).map(RelationshipIndex)
    }

    /// Returns a node with its properties.
    ///
    /// # Panics
    /// If the index belongs to another topology.
    pub fn node(&self, node: NodeIndex) -> &Node {
        &self.nodes[node.position()]
    }

    /// Returns the role of a node.
    ///
    /// # Panics
    /// If the index belongs to another topology.
    pub fn role(&self, node: NodeIndex) -> Role {
        self.roles[node.position()]
    }

    /// Returns a relationship with its properties.
    ///
    /// # Panics
    /// If the index belongs to another topology.
    pub fn edge(&self, relationship: RelationshipIndex) -> &Edge {
        &self.edges[relationship.position()]
    }

    /// Returns whether a relationship connects two entities, rather than being part of the
    /// documents' own structure.
    pub fn is_fact(&self, relationship: RelationshipIndex) -> bool {
        let edge = self.edge(relationship);
        self.role(edge.start) == Role::Entity && self.role(edge.end) == Role::Entity
    }

    /// Returns the labels with their numbers of nodes, in alphabetical order.
    pub fn labels(&self) -> impl Iterator<Item = (&str, usize)> {
        self.labels.iter().map(|(label, nodes)| (label.as_str(), nodes.len()))
    }

    /// Returns the nodes with a label, in the order of the store.
    pub fn nodes_with_label(&self, label: &str) -> &[NodeIndex] {
        match self.labels.binary_search_by(|(candidate, _)| candidate.as_str().cmp(label)) {
            Ok(position) => &self.labels[position].1,
            Err(_) => &[],
        }
    }

    /// Returns the relationship types with their numbers of relationships, in alphabetical order.
    pub fn relationship_types(&self) -> impl Iterator<Item = (&str, usize)> {
        self.kinds.iter().zip(&self.edges_by_kind).map(|(kind, edges)| (&**kind, edges.len()))
    }

    /// Returns the relationships of a type, in the order of the store.
    pub fn relationships_of_type(&self, kind: &str) -> &[RelationshipIndex] {
        self.kind_number(kind).map_or(&[], |number| &self.edges_by_kind[number as usize])
    }

    /// Finds a node by its `__id__`, or by the store's identifier.
    pub fn node_by_id(&self, id: &str) -> Option<NodeIndex> {
        let ours = self.by_id.get(id).copied();
        ours.or_else(|| self.node_by_element_id(&ElementId::new(id)))
    }

    /// Finds a node by the store's identifier.
    pub fn node_by_element_id(&self, id: &ElementId) -> Option<NodeIndex> {
        self.by_element.get(id).copied()
    }

    /// Returns all steps from a node, sorted by relationship type.
    ///
    /// With [`Direction::Both`], outgoing steps come first and a loop comes once.
    pub fn steps(&self, node: NodeIndex, direction: Direction) -> impl Iterator<Item = Step> + '_ {
        let (outgoing, incoming) = self.rows(node, direction, None);
        chain(node, direction, outgoing, incoming)
    }

    /// Returns the steps from a node along one relationship type. Costs two binary searches besides
    /// the steps.
    pub fn steps_along<'a>(
        &'a self,
        node: NodeIndex,
        direction: Direction,
        kind: &str,
    ) -> impl Iterator<Item = Step> + use<'a> {
        let rows = self.kind_number(kind).map(|number| self.rows(node, direction, Some(number)));
        let (outgoing, incoming) = rows.unwrap_or((&[], &[]));
        chain(node, direction, outgoing, incoming)
    }

    /// Returns the number of relationships of a node. With [`Direction::Both`], loops count twice.
    pub fn degree(&self, node: NodeIndex, direction: Direction) -> usize {
        let (outgoing, incoming) = self.rows(node, direction, None);
        outgoing.len() + incoming.len()
    }

    fn kind_number(&self, kind: &str) -> Option<u32> {
        let found = self.kinds.binary_search_by(|candidate| (**candidate).cmp(kind));
        found.ok().map(|position| position as u32)
    }

    fn rows(
        &self,
        node: NodeIndex,
        direction: Direction,
        kind: Option<u32>,
    ) -> (&[adjacency::Slot], &[adjacency::Slot]) {
        let row = |adjacency: &'_ Adjacency, wanted: bool| -> std::ops::Range<usize> {
            match (wanted, kind) {
                (false, _) => 0..0,
                (true, None) => adjacency.row(node),
                (true, Some(kind)) => adjacency.row_of_kind(node, kind),
            }
        };
        let outgoing = row(&self.outgoing, direction != Direction::Incoming);
        let incoming = row(&self.incoming, direction != Direction::Outgoing);
        (&self.outgoing.slots[outgoing], &self.incoming.slots[incoming])
    }
}

fn chain<'a>(
    node: NodeIndex,
    direction: Direction,
    outgoing: &'a [adjacency::Slot],
    incoming: &'a [adjacency::Slot],
) -> impl Iterator<Item = Step> + use<'a> {
    chain_slots(node, direction, outgoing, incoming).map(|(_, step)| step)
}

fn chain_slots<'a>(
    node: NodeIndex,
    direction: Direction,
    outgoing: &'a [adjacency::Slot],
    incoming: &'a [adjacency::Slot],
) -> impl Iterator<Item = (u32, Step)> + use<'a> {
    let forward = outgoing.iter().map(|slot| (slot.kind, slot.step(true)));
    let backward = incoming.iter().map(|slot| (slot.kind, slot.step(false)));
    let loop_seen = direction == Direction::Both;
    forward.chain(backward.filter(move |(_, step)| !(loop_seen && step.node == node)))
}

#[cfg(test)]
mod tests;
