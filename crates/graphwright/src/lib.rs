//! Build knowledge graphs from documents and answer questions with the graph path that proves each answer.
//!
//! [`Graph`] is the door: it opens the store and the models that [`Settings`] name.

mod cypher;
mod error;
mod graph;
mod models;
mod settings;

pub use cypher::{CypherOptions, CypherResult};
pub use error::{Error, Result};
pub use graph::{Access, Graph};
pub use graphwright_core::{
    Chunk, Document, GraphSchema, GraphStore, Node, Path, Properties, Provenance, Relationship, Span, Statement,
    StoreError, Value, names, schema, store,
};
pub use settings::{Secret, Settings, is_credential_variable};
