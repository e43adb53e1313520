//! What a replay runs on, and its options.

use std::{sync::Arc, time::Duration};

use graphwright_core::{GraphSchema, GraphStore};
use graphwright_cypher::lint::Lint;

use super::Recording;

/// A graph that recordings are about.
#[derive(Clone, Debug)]
pub struct ReplayGraph {
    pub(super) name: String,
    pub(super) schema: Option<GraphSchema>,
    pub(super) store: Option<Arc<dyn GraphStore>>,
    pub(super) lint: Option<Lint>,
}

impl ReplayGraph {
    /// Creates a graph with the name that recordings give it. Without a store nothing runs; without
    /// a schema the lint is not used.
    pub fn new(
        name: impl Into<String>,
        schema: Option<GraphSchema>,
        store: Option<Arc<dyn GraphStore>>,
    ) -> Self {
        let lint = schema.as_ref().map(Lint::new);
        Self { name: name.into(), schema, store, lint }
    }

    /// Tells whether a recording is about this graph.
    pub(crate) fn is_of(&self, recording: &Recording) -> bool {
        self.name == recording.graph
    }

    /// Returns the lint of its schema.
    pub(crate) fn lint(&self) -> Option<&Lint> {
        self.lint.as_ref()
    }
}

/// The options of a replay.
#[derive(Clone, Copy, Debug)]
pub struct ReplayOptions {
    /// The longest time that a query may run. Default: 30 s.
    pub time_limit: Duration,
    /// The number of questions worked on at a time. Default: 4.
    pub jobs: usize,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        Self { time_limit: Duration::from_secs(30), jobs: 4 }
    }
}
