//! Cases: queries that are kept.

use graphwright_core::Properties;
use serde::{Deserialize, Serialize};

use crate::graph::Graph;

/// A query and the graph on which it runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// The query.
    pub query: String,
    /// The parameters of the query.
    #[serde(default, skip_serializing_if = "Properties::is_empty")]
    pub parameters: Properties,
    /// The graph.
    pub graph: Graph,
}
