//! Retrieval over a property graph.
//!
//! - [`Topology`] is a snapshot of the graph in memory: walk it, find weighted neighbourhoods and
//!   paths, and look up the passages that support a fact.
//! - [`NameIndex`] finds the nodes that a name means; [`NameDictionary`] does so for any names.
//! - [`SearchIndex`] finds nodes, passages and facts by words and by meaning.
//! - [`Retriever`] is one trait for the ways to find what a question needs, which can be combined.
//! - [`PageRank`] ranks the nodes around some others in any graph.
//! - The module [`query`] runs read-only queries that a person or a model wrote.
//! - [`Context`] renders what was found as text within a token budget.
//!
//! ```
//! use graphwright_core::{ElementId, Node, Properties, Relationship};
//! use graphwright_retrieve::{NameIndex, NeighbourhoodOptions, Topology};
//!
//! let node = |id: &str, name: &str| Node {
//!     element_id: ElementId::new(id),
//!     labels: vec!["Person".into()],
//!     properties: Properties::from([("name".into(), name.into())]),
//! };
//! let knows = Relationship {
//!     element_id: ElementId::new("r"),
//!     kind: "KNOWS".into(),
//!     start: ElementId::new("1"),
//!     end: ElementId::new("2"),
//!     properties: Properties::new(),
//! };
//! let nodes = vec![node("1", "Ada"), node("2", "Charles")];
//! let topology = Topology::from_parts("v1", nodes, vec![knows]);
//!
//! let ada = NameIndex::build(&topology).find("ada").remove(0).target;
//! let around = topology.neighbourhood(&[ada], &NeighbourhoodOptions::default());
//! assert_eq!(topology.node(around.nodes[1].node).display_name(), "Charles");
//! ```

mod beside;
mod context;
mod dictionary;
mod error;
#[cfg(test)]
mod fixture;
mod mapped;
mod names;
mod naming;
mod passages;
mod properties;
pub mod query;
mod rank;
mod retrievers;
mod role;
mod schema_prompt;
mod sealed;
mod search;
mod sentences;
mod suggest;
mod topology;
mod validity;
mod value_json;
mod vocabulary;
mod walk;

pub use context::{Context, ContextFormat, LeftOut, RenderedContext};
pub use dictionary::{Agreement, Candidate, NameDictionary};
pub use error::{Result, RetrieveError};
pub use names::NameIndex;
pub use passages::Passage;
pub use properties::{in_words, one_item, telling};
pub use rank::{PageRank, PageRankOptions, WeightedGraph};
pub use retrievers::{
    FullTextRetriever, HybridRetriever, NeighborhoodRetriever, PathNode, PathRelationship, PathRetriever,
    Reranked, Retrieved, RetrievedPath, Retriever, VectorCypherRetriever, VectorRetriever,
};
pub use role::Role;
pub use schema_prompt::{pattern_line, property_line, schema_prompt};
pub use search::{
    ChainStep, Hit, HitKind, RefreshOptions, RefreshReport, SearchIndex, SearchMode, SearchRequest,
    SearchResults, excerpt, rerank,
};
pub use sentences::{field, sentences};
pub use suggest::Suggestions;
pub use topology::{
    Direction, Edge, Follow, Following, NodeIndex, PropertySupport, RelationshipIndex, Step, Support,
    Topology,
};
pub use value_json::{properties_json, value_json};
pub use vocabulary::{Content, Pattern, PropertySummary, Summary, Vocabulary, WithWord, names_of};
pub use walk::{
    GraphPath, Neighbourhood, NeighbourhoodOptions, PathOptions, Paths, ReachedNode, ReachedRelationship,
};
