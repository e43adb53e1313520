//! The vocabulary of Graphwright: values, graph elements, schema, documents and statements.
//!
//! [`GraphStore`] is the contract that every store keeps. A caller hands it a [`Statement`] and
//! gets [`Value`]s back, as a stream of rows or as a [`Table`]. Nothing in this crate does I/O.
//!
//! ```
//! use graphwright_core::{Statement, Value};
//!
//! let statement = Statement::fixed("MATCH (n:Person {name: $name}) RETURN n").with("name", "Ada");
//! assert_eq!(statement.parameters()["name"], Value::from("Ada"));
//! ```
//!
//! Feature `conformance` adds the suite that every implementation of [`GraphStore`] passes.

pub mod cache;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod document;
mod element;
mod error;
pub mod names;
mod plan;
mod record;
pub mod schema;
mod selection;
mod statement;
pub mod store;
pub mod text;
pub mod value;

pub use document::{Chunk, Document, Provenance, Span};
pub use element::{ElementId, Node, NodeKey, Path, Properties, Relationship, RelationshipKey};
pub use error::{Position, Result, StoreError};
pub use plan::{Plan, QueryType};
pub use record::{Notice, Record, RecordStream, Summary, Table};
pub use schema::GraphSchema;
pub use statement::Statement;
pub use store::GraphStore;
pub use value::Value;
