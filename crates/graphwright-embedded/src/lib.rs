//! The embedded graph store of Graphwright: durable, on one machine, nothing to install.
//!
//! The engine is [kglite](https://docs.rs/kglite). Where it differs from Cypher as Neo4j runs it, the statement is
//! rewritten (`rewrite`), the difference is made up for here, or the statement is refused.

mod apply;
mod catalogue;
mod error;
mod index;
mod keys;
mod location;
mod notices;
mod plan;
mod query;
mod reader;
mod rewrite;
mod scan;
mod schema;
mod store;
mod thread;
mod translate;
mod values;
mod vectors;
mod writer;

pub use store::{EmbeddedStore, OpenOptions};

/// What [`StoreInfo::kind`](graphwright_core::store::StoreInfo::kind) says of these stores.
pub(crate) const KIND: &str = "embedded";
/// The engine and its version.
pub(crate) const ENGINE: &str = "kglite 0.21.5";
