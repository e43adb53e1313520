//! Selects the relationships that a walk follows.

use graphwright_core::store::Selection;

use super::{
    Direction, NodeIndex, Role, Step, Topology,
    rows::{Row, Slot},
};

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
            allowed: self.data.kinds().iter().map(|kind| follow.types.includes(kind)).collect(),
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
        let is_open = !self.facts_only || self.is_entity(node);
        let direction = Some(direction).filter(|_| is_open);
        let rows = direction.map_or([Row::EMPTY; 2], |direction| self.topology.rows(node, direction));
        let slots = self.topology.shown(node, direction.unwrap_or_default(), rows);
        slots.filter(|slot| self.takes(slot)).map(|slot| slot.step)
    }

    /// Returns the steps along the strongest relationships first; of equal ones to the lowest node first.
    ///
    /// Costs only what is taken of it, however many relationships the node has.
    pub(crate) fn strongest(&self, node: NodeIndex, forward: bool) -> Option<Strongest<'_>> {
        let is_open = self.goes(forward) && (!self.facts_only || self.is_entity(node));
        is_open.then(|| {
            let data = &self.topology.data;
            let row = if forward { data.leaving(node) } else { data.arriving(node) };
            Strongest { following: self, node, row, forward, rank: 0 }
        })
    }

    /// Returns whether relationships are followed from start to end, or from end to start.
    pub(crate) fn goes(&self, forward: bool) -> bool {
        self.direction != if forward { Direction::Incoming } else { Direction::Outgoing }
    }

    /// Returns the relationships of a node that are followed in either direction.
    pub(crate) fn touching(&self, node: NodeIndex) -> impl Iterator<Item = Step> + use<'a, '_> {
        self.steps_towards(node, Direction::Both)
    }

    /// Returns the relationships between two nodes that are followed in either direction, by binary search.
    pub(crate) fn between(
        &self,
        one: NodeIndex,
        other: NodeIndex,
    ) -> impl Iterator<Item = Step> + use<'a, '_> {
        let is_open = !self.facts_only || self.is_entity(one);
        let rows = self.topology.rows(one, Direction::Both).into_iter().filter(move |_| is_open);
        let parts = rows.flat_map(move |row| row.kinds().map(move |part| part.with_neighbour(other)));
        let slots =
            parts.flat_map(Row::slots).filter(|slot| self.topology.is_shown(*slot) && self.takes(slot));
        slots.map(|slot| slot.step)
    }

    fn takes(&self, slot: &Slot) -> bool {
        self.allowed.get(slot.kind() as usize).is_some_and(|allowed| *allowed)
            && (!self.facts_only || self.is_entity(slot.step.node))
    }

    fn is_entity(&self, node: NodeIndex) -> bool {
        self.topology.role(node) == Role::Entity
    }
}

/// Steps from a node along the strongest relationships first.
#[derive(Clone, Debug)]
pub(crate) struct Strongest<'a> {
    following: &'a Following<'a>,
    node: NodeIndex,
    row: Row<'a>,
    forward: bool,
    rank: usize,
}

impl Iterator for Strongest<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let topology = self.following.topology;
        loop {
            let place = topology.data.heaviest(self.node, self.forward, self.rank)?;
            self.rank += 1;
            let slot = self.row.slot(place)?;
            if topology.is_shown(slot) && self.following.takes(&slot) {
                return Some(slot.step);
            }
        }
    }
}
