//! Selects the nodes and relationships that a path may pass.

use rustc_hash::FxHashSet;

use crate::{Direction, Follow, Following, NodeIndex, Step, Topology, topology::Strongest};

/// What a path from some nodes to others may pass.
pub(super) struct Passing<'a> {
    onward: Following<'a>,
    back: Following<'a>,
    allowed: Allowed<'a>,
}

/// The nodes that a path may pass.
struct Allowed<'a> {
    topology: &'a Topology,
    /// Labels of which a node between the ends has one; any if there are none.
    labels: &'a [String],
    ends: FxHashSet<NodeIndex>,
}

impl Allowed<'_> {
    fn lets(&self, node: NodeIndex) -> bool {
        let has = |label: &String| self.topology.has_label(node, label);
        self.labels.is_empty() || self.ends.contains(&node) || self.labels.iter().any(has)
    }
}

impl<'a> Passing<'a> {
    /// `labels` are those that nodes between the ends may have; any if there are none.
    pub(super) fn new(
        topology: &'a Topology,
        from: &[NodeIndex],
        to: &[NodeIndex],
        follow: &Follow,
        labels: &'a [String],
    ) -> Self {
        let direction = match follow.direction {
            Direction::Outgoing => Direction::Incoming,
            Direction::Incoming => Direction::Outgoing,
            Direction::Both => Direction::Both,
        };
        Self {
            onward: topology.following(follow),
            back: topology.following(&Follow { direction, ..follow.clone() }),
            allowed: Allowed { topology, labels, ends: from.iter().chain(to).copied().collect() },
        }
    }

    /// Returns the steps that a path may take from a node.
    pub(super) fn steps(&self, node: NodeIndex) -> impl Iterator<Item = Step> + use<'a, '_> {
        self.onward.steps(node).filter(|step| self.allowed.lets(step.node))
    }

    /// Returns the steps that a path may take to a node, as [`Following::steps_back`] does.
    pub(super) fn steps_back(&self, node: NodeIndex) -> impl Iterator<Item = Step> + use<'a, '_> {
        self.onward.steps_back(node).filter(|step| self.allowed.lets(step.node))
    }

    /// The way from the beginning of paths.
    pub(super) fn ahead(&self) -> Way<'_> {
        Way { following: &self.onward, allowed: &self.allowed, is_back: false }
    }

    /// The way from the end of paths back.
    pub(super) fn behind(&self) -> Way<'_> {
        Way { following: &self.back, allowed: &self.allowed, is_back: true }
    }
}

/// What may be passed on the way from one end.
#[derive(Clone, Copy)]
pub(super) struct Way<'a> {
    following: &'a Following<'a>,
    allowed: &'a Allowed<'a>,
    is_back: bool,
}

impl<'a> Way<'a> {
    /// Returns the steps from a node along the relationships that start there, or that end there; the strongest first.
    pub(super) fn strongest(self, node: NodeIndex, forward: bool) -> Option<Strongest<'a>> {
        self.following.strongest(node, forward)
    }

    pub(super) fn lets(self, node: NodeIndex) -> bool {
        self.allowed.lets(node)
    }

    /// Returns a step as paths take it, and where it begins.
    pub(super) fn as_taken(self, node: NodeIndex, step: Step) -> (NodeIndex, Step) {
        if self.is_back { (step.node, Step { node, forward: !step.forward, ..step }) } else { (node, step) }
    }
}
