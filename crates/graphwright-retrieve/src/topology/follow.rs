//! Selects the relationships that a walk follows.

use graphwright_core::store::Selection;

use super::{Direction, NodeIndex, Role, Step, Topology, chain_slots};

/// Selection of the relationships that a walk follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Follow {
    /// Direction; both by default.
    pub direction: Direction,
    /// Relationship types; all by default.
    pub types: Selection,
    /// Whether to follow only relationships between entities, and not the documents' own structure;
    /// true by default.
    pub facts_only: bool,
}

impl Default for Follow {
    fn default() -> Self {
        Self { direction: Direction::Both, types: Selection::All, facts_only: true }
    }
}

/// A [`Follow`], resolved against one topology for many steps.
#[derive(Clone, Debug)]
pub struct Following<'a> {
    topology: &'a Topology,
    direction: Direction,
    /// Whether each relationship type is followed, by its number.
    allowed: Vec<bool>,
    facts_only: bool,
}

impl Topology {
    /// Resolves a selection against this topology.
    pub fn following(&self, follow: &Follow) -> Following<'_> {
        Following {
            topology: self,
            direction: follow.direction,
            allowed: self.kinds.iter().map(|kind| follow.types.includes(kind)).collect(),
            facts_only: follow.facts_only,
        }
    }
}

impl<'a> Following<'a> {
    /// Returns the steps that may be taken from a node.
    pub fn steps(&self, node: NodeIndex) -> impl Iterator<Item = Step> + use<'a, '_> {
        self.steps_towards(node, self.direction)
    }

    /// Returns the steps that may be taken to a node.
    ///
    /// [`Step::node`] is where a step comes from, and [`Step::forward`] is seen from there.
    pub fn steps_back(&self, node: NodeIndex) -> impl Iterator<Item = Step> + use<'a, '_> {
        let direction = match self.direction {
            Direction::Outgoing => Direction::Incoming,
            Direction::Incoming => Direction::Outgoing,
            Direction::Both => Direction::Both,
        };
        self.steps_towards(node, direction).map(|step| Step { forward: !step.forward, ..step })
    }

    fn steps_towards(
        &self,
        node: NodeIndex,
        direction: Direction,
    ) -> impl Iterator<Item = Step> + use<'a, '_> {
        let (outgoing, incoming) = self.topology.rows(node, direction, None);
        let steps = chain_slots(node, direction, outgoing, incoming);
        let steps = steps.filter(|(kind, _)| self.allowed[*kind as usize]).map(|(_, step)| step);
        steps.filter(move |step| !self.facts_only || (self.is_entity(node) && self.is_entity(step.node)))
    }

    fn is_entity(&self, node: NodeIndex) -> bool {
        self.topology.role(node) == Role::Entity
    }
}
