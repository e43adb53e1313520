//! What path searches are asked, and what they find.

use tokio_util::sync::CancellationToken;

use crate::{Follow, NodeIndex, Step};

/// Options of path searches.
#[derive(Clone, Debug)]
pub struct PathOptions {
    /// Maximum number of steps; 5 by default.
    pub max_hops: usize,
    /// Maximum number of paths; 5 by default.
    pub limit: usize,
    /// Relationships to follow.
    pub follow: Follow,
    /// Labels of the nodes that a path may pass; all if empty. Its ends may have any.
    pub labels: Vec<String>,
    /// Stops the search; what was found so far is then the result, marked as truncated.
    pub cancel: CancellationToken,
}

impl Default for PathOptions {
    fn default() -> Self {
        let (follow, cancel) = (Follow::default(), CancellationToken::new());
        Self { max_hops: 5, limit: 5, follow, labels: Vec::new(), cancel }
    }
}

/// A path through a topology. No node occurs twice.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphPath {
    /// Node where the path starts.
    pub start: NodeIndex,
    /// Steps from the start.
    pub steps: Vec<Step>,
    /// Product of the weights.
    pub score: f64,
}

impl GraphPath {
    /// Returns the nodes from start to end.
    pub fn nodes(&self) -> impl Iterator<Item = NodeIndex> + '_ {
        std::iter::once(self.start).chain(self.steps.iter().map(|step| step.node))
    }

    /// Returns the node where the path ends.
    pub fn end(&self) -> NodeIndex {
        self.steps.last().map_or(self.start, |step| step.node)
    }
}

/// Result of a path search. Empty means that there is no path within `max_hops`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paths {
    /// The paths, best first.
    pub paths: Vec<GraphPath>,
    /// Maximum number of steps that was searched.
    pub max_hops: usize,
    /// Whether there may be more paths than the limit, or the search was stopped early.
    pub truncated: bool,
}
