//! The graph in memory.

use std::sync::Arc;

use graphwright_answer::Answerer;
use graphwright_retrieve::{NameIndex, Topology};

/// The graph in memory as of one version of the store.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) version: String,
    pub(crate) topology: Arc<Topology>,
    pub(crate) answerer: Answerer,
    pub(crate) names: Arc<NameIndex>,
}
