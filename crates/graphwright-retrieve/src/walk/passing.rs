//! Selects the nodes and relationships that a path may pass.

use rustc_hash::FxHashSet;

use crate::{Follow, Following, NodeIndex, Step, Topology};

/// What a path from some nodes to others may pass.
pub(super) struct Passing<'a> {
    following: Following<'a>,
    /// The nodes that a path may pass; all if `None`.
    nodes: Option<FxHashSet<NodeIndex>>,
}

impl<'a> Passing<'a> {
    /// `labels` are those that nodes between the ends may have; any if there are none.
    pub(super) fn new(
        topology: &'a Topology,
        from: &[NodeIndex],
        to: &[NodeIndex],
        follow: &Follow,
        labels: &[String],
    ) -> Self {
        let labelled = || labels.iter().flat_map(|label| topology.nodes_with_label(label));
        let ends = || from.iter().chain(to).copied();
        let nodes = (!labels.is_empty()).then(|| labelled().chain(ends()).collect());
        Self { following: topology.following(follow), nodes }
    }

    /// Returns the steps that a path may take from a node.
    pub(super) fn steps(&self, node: NodeIndex) -> impl Iterator<Item = Step> + use<'a, '_> {
        self.following.steps(node).filter(|step| self.lets(step.node))
    }

    /// Returns the steps that a path may take to a node, as [`Following::steps_back`] does.
    pub(super) fn steps_back(&self, node: NodeIndex) -> impl Iterator<Item = Step> + use<'a, '_> {
        self.following.steps_back(node).filter(|step| self.lets(step.node))
    }

    fn lets(&self, node: NodeIndex) -> bool {
        self.nodes.as_ref().is_none_or(|nodes| nodes.contains(&node))
    }
}
