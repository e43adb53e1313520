//! A snapshot of the graph, for walking, path search, ranking and name look-up.
//!
//! [`Topology::open_or_build`] opens the files of a snapshot that lie beside a store, or makes them with one scan of any
//! store; [`Topology::load`] makes the same bytes in memory. Files are mapped: what nobody reads takes neither time nor
//! memory. Nodes and relationships are read when they are first asked for.
//!
//! Adjacency in both directions is stored as compressed sparse rows, each row sorted by relationship type. Texts of passages
//! lie with their nodes ([`Topology::text`]); vectors are left out. The days on which facts are so are in the snapshot, so
//! the day that it shows is chosen when it is read ([`Topology::on`]).
//!
//! Each block of bytes has a checksum, which is compared when the block is first read. A damaged block reads as nothing, and
//! [`Topology::damage`] says so: ask it before you trust what you found.

mod build;
mod data;
mod edges;
mod elements;
mod files;
mod follow;
mod form;
mod lazy;
mod load;
mod overview;
mod rows;
mod support;
mod tables;

use std::sync::{Arc, OnceLock};

use graphwright_core::{ElementId, Node, Properties, names};
use jiff::civil::Date;

pub(crate) use follow::Strongest;
pub use follow::{Follow, Following};
pub use support::{PropertySupport, Support};

use data::Data;
use rows::{Row, Slot};

use crate::role::Role;

/// Index of a node in its [`Topology`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeIndex(u32);

impl NodeIndex {
    /// Returns the node with a number.
    pub(crate) fn at(number: u32) -> Self {
        Self(number)
    }

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
#[derive(Clone, Debug)]
pub struct Topology {
    data: Arc<Data>,
    /// The day whose facts are shown, counted from 1970. `None` shows those of all times.
    day: Option<i32>,
    hidden: Arc<OnceLock<Hidden>>,
}

/// Numbers of relationships that are not shown.
#[derive(Debug, Default)]
struct Hidden {
    all: usize,
    by_kind: Vec<usize>,
}

impl Topology {
    fn of(data: Data) -> Self {
        Self { data: Arc::new(data), day: None, hidden: Arc::default() }
    }

    /// Shows the facts that are so on a day, and leaves out those that have ended or not begun.
    #[must_use]
    pub fn on(self, day: Date) -> Self {
        Self { day: Some(crate::validity::day_number(day)), hidden: Arc::default(), ..self }
    }

    fn today(self) -> Self {
        self.on(jiff::Zoned::now().date())
    }

    /// Returns whether it shows the facts of today, or of all times.
    pub fn is_of_today(&self) -> bool {
        self.day.is_none_or(|shown| shown == crate::validity::day_number(jiff::Zoned::now().date()))
    }

    /// Fails if something was found not to be as it was written.
    ///
    /// # Errors
    /// [`RetrieveError::DamagedTopology`](crate::RetrieveError::DamagedTopology).
    pub fn require_whole(&self) -> crate::Result<()> {
        self.damage().map_or(Ok(()), |message| {
            Err(crate::RetrieveError::DamagedTopology {
                path: self.data.folder.clone(),
                message: message.to_owned(),
            })
        })
    }

    /// Says what was found not to be as it was written, if something was. Such parts read as nothing.
    pub fn damage(&self) -> Option<&str> {
        self.data.damage()
    }

    /// Reads everything, and says what is not as it was written.
    pub fn check(&self) -> Option<&str> {
        self.data.compare_all();
        self.damage()
    }

    /// Returns what only this snapshot has: what is made from it can be told from what is made from another.
    pub fn fingerprint(&self) -> String {
        let manifest = &self.data.manifest;
        format!("{} {} {}", manifest.store_version, manifest.adjacency, manifest.values)
    }

    /// Returns the version of the store that the topology was read from.
    pub fn version(&self) -> &str {
        &self.data.manifest.store_version
    }

    /// Returns the number of nodes.
    pub fn node_count(&self) -> usize {
        self.data.node_count()
    }

    /// Returns the number of relationships.
    pub fn relationship_count(&self) -> usize {
        self.data.edge_count() - self.hidden().all
    }

    /// Returns the number of relationships whose weight is not a number above 0 and at most 1.
    ///
    /// Weights above 1 count as 1, the others as the default weight.
    pub fn unusable_weights(&self) -> usize {
        self.data.manifest.unusable_weights
    }

    /// Returns the number of relationships that were left out because one of their ends was not
    /// read.
    pub fn loose_relationships(&self) -> usize {
        self.data.manifest.loose_relationships
    }

    /// Returns the number of facts that are left out because they have ended or not begun.
    pub fn facts_of_other_times(&self) -> usize {
        self.hidden().all
    }

    /// Returns all nodes.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeIndex> + use<> {
        (0..self.node_count() as u32).map(NodeIndex)
    }

    /// Returns all nodes that are entities.
    pub fn entities(&self) -> impl Iterator<Item = NodeIndex> + '_ {
        self.nodes().filter(|&node| self.role(node) == Role::Entity)
    }

    /// Returns all relationships.
    pub fn relationships(&self) -> impl Iterator<Item = RelationshipIndex> + '_ {
        let all = (0..self.data.edge_count() as u32).map(RelationshipIndex);
        all.filter(|&relationship| self.is_of_day(relationship))
    }

    /// Returns a node with its properties, and keeps it for the next call.
    ///
    /// # Panics
    /// If the index belongs to another topology.
    pub fn node(&self, node: NodeIndex) -> &Node {
        self.data.node(node)
    }

    /// Reads a node with its properties without keeping it, for those who read all.
    pub fn read_node(&self, node: NodeIndex) -> Node {
        self.data.read_node(node)
    }

    /// Returns the text of a passage; `None` for all other nodes.
    pub fn text(&self, passage: NodeIndex) -> Option<&str> {
        self.data.text(passage)
    }

    /// Returns the role of a node.
    pub fn role(&self, node: NodeIndex) -> Role {
        self.data.role(node)
    }

    /// Returns a relationship with its properties, and keeps it for the next call.
    ///
    /// # Panics
    /// If the index belongs to another topology.
    pub fn edge(&self, relationship: RelationshipIndex) -> &Edge {
        self.data.edge(relationship)
    }

    /// Reads a relationship with its properties without keeping it, for those who read all.
    pub fn read_edge(&self, relationship: RelationshipIndex) -> Edge {
        self.data.read_edge(relationship)
    }

    /// Returns the weight of a relationship, above 0 and at most 1. Reads no properties.
    pub fn weight(&self, relationship: RelationshipIndex) -> f64 {
        self.data.edge_entry(relationship).weight
    }

    /// Returns the nodes where a relationship starts and ends. Reads no properties.
    pub fn ends(&self, relationship: RelationshipIndex) -> (NodeIndex, NodeIndex) {
        let entry = self.data.edge_entry(relationship);
        (entry.start, entry.end)
    }

    /// Returns whether a relationship connects two entities, rather than being part of the
    /// documents' own structure.
    pub fn is_fact(&self, relationship: RelationshipIndex) -> bool {
        let (start, end) = self.ends(relationship);
        self.role(start) == Role::Entity && self.role(end) == Role::Entity
    }

    /// Returns the labels with their numbers of nodes, in alphabetical order.
    pub fn labels(&self) -> impl Iterator<Item = (&str, usize)> {
        self.data.manifest.labels.iter().map(|(label, count)| (label.as_str(), *count as usize))
    }

    /// Returns the nodes with a label, in the order of the nodes.
    pub fn nodes_with_label(
        &self,
        label: &str,
    ) -> impl ExactSizeIterator<Item = NodeIndex> + DoubleEndedIterator + Clone + use<'_> {
        self.data.with_label(label).iter().map(NodeIndex)
    }

    /// Returns the relationship types with their numbers of relationships, in alphabetical order.
    pub fn relationship_types(&self) -> impl Iterator<Item = (&str, usize)> {
        let hidden = &self.hidden().by_kind;
        self.data.manifest.kinds.iter().enumerate().map(|(number, (kind, count))| {
            (kind.as_str(), *count as usize - hidden.get(number).copied().unwrap_or_default())
        })
    }

    /// Returns the relationships of a type, in the order of the relationships.
    pub fn relationships_of_type(
        &self,
        kind: &str,
    ) -> impl DoubleEndedIterator<Item = RelationshipIndex> + Clone + use<'_> {
        let numbers = self.data.kind_number(kind).map(|number| self.data.of_kind(number).iter());
        let all = numbers.into_iter().flatten().map(RelationshipIndex);
        all.filter(|&relationship| self.is_of_day(relationship))
    }

    /// Finds a node by its `__id__`, or by the store's identifier. Costs a binary search.
    pub fn node_by_id(&self, id: &str) -> Option<NodeIndex> {
        self.data.by_id(id).or_else(|| self.node_by_element_id(&ElementId::new(id)))
    }

    /// Finds a node by the store's identifier. Costs a binary search.
    pub fn node_by_element_id(&self, id: &ElementId) -> Option<NodeIndex> {
        self.data.by_element(id)
    }

    /// Returns all steps from a node, sorted by relationship type.
    ///
    /// With [`Direction::Both`], outgoing steps come first and a loop comes once.
    pub fn steps(&self, node: NodeIndex, direction: Direction) -> impl Iterator<Item = Step> + '_ {
        self.shown(node, direction, self.rows(node, direction)).map(|slot| slot.step)
    }

    /// Returns the steps from a node along one relationship type. Costs two binary searches besides
    /// the steps.
    pub fn steps_along<'a>(
        &'a self,
        node: NodeIndex,
        direction: Direction,
        kind: &str,
    ) -> impl Iterator<Item = Step> + use<'a> {
        let kind = self.data.kind_number(kind);
        let rows = kind.map(|kind| self.rows(node, direction).map(|row| row.of_kind(kind)));
        self.shown(node, direction, rows.unwrap_or([Row::EMPTY; 2])).map(|slot| slot.step)
    }

    /// Returns the nodes at the other ends of a node's relationships with the weights of these, both ways and without reading
    /// properties, for ranking. A node with several relationships to this one comes several times, a loop once.
    pub fn neighbours(&self, node: NodeIndex) -> impl Iterator<Item = (NodeIndex, f64)> + '_ {
        self.steps(node, Direction::Both).map(|step| (step.node, self.weight(step.relationship)))
    }

    /// Returns the sum of the weights of a node's [`neighbours`](Self::neighbours). Where all relationships are so on all days, it
    /// was summed when the snapshot was made.
    pub fn strength(&self, node: NodeIndex) -> f64 {
        let sum = || self.neighbours(node).map(|(_, weight)| weight).sum();
        self.data.strength(node).unwrap_or_else(sum)
    }

    /// Returns the number of relationships of a node. With [`Direction::Both`], loops count twice.
    pub fn degree(&self, node: NodeIndex, direction: Direction) -> usize {
        let count = |row: Row<'_>| {
            if self.hides() { row.slots().filter(|slot| self.is_shown(*slot)).count() } else { row.len() }
        };
        self.rows(node, direction).map(count).iter().sum()
    }

    /// Returns the number of relationships of a node with those that are not shown, which costs no look at them.
    pub(crate) fn row_lengths(&self, node: NodeIndex, direction: Direction) -> usize {
        let leaving = if direction == Direction::Incoming { 0 } else { self.data.row_length(node, true) };
        let arriving = if direction == Direction::Outgoing { 0 } else { self.data.row_length(node, false) };
        leaving + arriving
    }

    fn rows(&self, node: NodeIndex, direction: Direction) -> [Row<'_>; 2] {
        let leaving = if direction == Direction::Incoming { Row::EMPTY } else { self.data.leaving(node) };
        let arriving = if direction == Direction::Outgoing { Row::EMPTY } else { self.data.arriving(node) };
        [leaving, arriving]
    }

    /// Returns what is shown of the rows of a node: with [`Direction::Both`] a loop once.
    fn shown<'a>(
        &'a self,
        node: NodeIndex,
        direction: Direction,
        [leaving, arriving]: [Row<'a>; 2],
    ) -> impl Iterator<Item = Slot> + use<'a> {
        let loop_seen = direction == Direction::Both;
        let arriving = arriving.slots().filter(move |slot| !(loop_seen && slot.step.node == node));
        leaving.slots().chain(arriving).filter(|slot| self.is_shown(*slot))
    }

    fn is_shown(&self, slot: Slot) -> bool {
        !slot.is_timed() || self.is_of_day(slot.step.relationship)
    }

    fn is_of_day(&self, relationship: RelationshipIndex) -> bool {
        let Some(day) = self.day.filter(|_| self.hides()) else { return true };
        self.data.interval(relationship).is_none_or(|interval| interval.holds_on(day))
    }

    /// Returns whether some relationships may not be shown.
    fn hides(&self) -> bool {
        self.day.is_some() && self.data.manifest.adjacency_sections.intervals.entries > 0
    }

    fn hidden(&self) -> &Hidden {
        self.hidden.get_or_init(|| {
            let mut hidden = Hidden { all: 0, by_kind: vec![0; self.data.kinds().len()] };
            let Some(day) = self.day else { return hidden };
            for (relationship, _) in self.data.intervals().filter(|(_, interval)| !interval.holds_on(day)) {
                let kind = self.data.edge_entry(relationship).kind & !form::TIMED;
                hidden.all += 1;
                if let Some(count) = hidden.by_kind.get_mut(kind as usize) {
                    *count += 1;
                }
            }
            hidden
        })
    }
}

#[cfg(test)]
mod tests;
