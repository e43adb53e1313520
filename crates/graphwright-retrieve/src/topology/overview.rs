//! What of nodes and relationships is told without reading their properties.

use super::{RelationshipIndex, Topology, form::TIMED};
use crate::NodeIndex;

impl Topology {
    /// Returns the type of a node, as [`Node::kind`](graphwright_core::Node::kind) does, without reading its properties.
    pub fn kind_of(&self, node: NodeIndex) -> Option<&str> {
        self.data.kind_of(node)
    }

    /// Tells whether a node has a label.
    pub fn has_label(&self, node: NodeIndex, label: &str) -> bool {
        self.data.has_label(node, label)
    }

    /// Returns the relationships that are so on some days only, and on the day that is shown.
    pub fn timed_relationships(&self) -> impl Iterator<Item = RelationshipIndex> + '_ {
        let all = self.data.intervals().map(|(relationship, _)| relationship);
        all.filter(|&relationship| self.is_of_day(relationship))
    }

    /// Returns the relationships that are so on all days.
    pub(crate) fn untimed_relationships(&self) -> impl Iterator<Item = RelationshipIndex> + '_ {
        let all = (0..self.data.edge_count() as u32).map(RelationshipIndex);
        all.filter(|&relationship| self.data.edge_entry(relationship).kind & TIMED == 0)
    }

    /// Returns the number that stands for the type of a relationship.
    pub(crate) fn kind_number(&self, relationship: RelationshipIndex) -> u32 {
        self.data.edge_entry(relationship).kind & !TIMED
    }

    /// Returns the type that a number stands for.
    pub(crate) fn kind_name(&self, number: u32) -> &str {
        self.data.kinds().get(number as usize).map_or("", |kind| kind)
    }

    /// Returns the number that stands for the name of a property.
    pub(crate) fn key_number(&self, name: &str) -> Option<u32> {
        self.data.manifest.keys.iter().position(|key| key == name).map(|number| number as u32)
    }

    /// Returns whether a relationship has properties besides those whose numbers are given, without reading them.
    pub(crate) fn has_other_keys(&self, relationship: RelationshipIndex, known: &[u32]) -> bool {
        self.data.has_other_keys(relationship, known).unwrap_or_default()
    }
}
