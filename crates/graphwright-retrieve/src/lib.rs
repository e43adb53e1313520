//! Retrieval over a property graph: the graph in memory for walking ([`Topology`]), names and values, full text and
//! vectors, weighted neighbourhoods, paths, passages, and context within a token budget.

mod context;
mod dictionary;
mod error;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod measure;
mod names;
mod naming;
mod passages;
mod properties;
mod search;
mod suggest;
mod topology;
mod walk;

pub use context::{Context, ContextFormat, LeftOut, RenderedContext};
pub use dictionary::{Agreement, Candidate, NameDictionary};
pub use error::{Result, RetrieveError};
pub use names::NameIndex;
pub use passages::Passage;
pub use properties::{in_words, one_item, telling};
pub use search::{
    Hit, HitKind, RefreshOptions, RefreshReport, SearchIndex, SearchMode, SearchRequest, SearchResults,
};
pub use suggest::Suggestions;
pub use topology::{
    Direction, Edge, Follow, Following, NodeIndex, PropertySupport, RelationshipIndex, Role, Step, Support,
    Topology,
};
pub use walk::{
    GraphPath, Neighbourhood, NeighbourhoodOptions, PathOptions, Paths, ReachedNode, ReachedRelationship,
};
