//! The embedded graph store of Graphwright: durable, on one machine, nothing to install.
//!
//! [`EmbeddedStore::open`] opens a directory to read or to write, and [`EmbeddedStore::in_memory`]
//! makes a store that ends with the process. From there on it is a
//! [`GraphStore`](graphwright_core::GraphStore).
//!
//! ```
//! use graphwright_core::{GraphStore, Statement, store::QueryOptions};
//! use graphwright_embedded::EmbeddedStore;
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let store = EmbeddedStore::in_memory();
//! store.write(Statement::fixed("CREATE (:Person {name: 'Ada'})"), QueryOptions::default()).await?;
//! let statement = Statement::fixed("MATCH (p:Person) RETURN p.name");
//! let table = store.read(statement, QueryOptions::default()).await?.collect().await?;
//! assert_eq!(table.rows, [["Ada".into()]]);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! The engine is [kglite](https://docs.rs/kglite). Where it differs from Cypher as Neo4j runs it,
//! the statement is rewritten (`rewrite`), the difference is made up for here,
//! or the statement is refused.

mod apply;
mod aside;
mod catalogue;
mod commit;
mod confined;
mod error;
mod index;
mod keys;
mod location;
mod log;
mod notices;
mod plan;
mod query;
mod query_text;
mod reader;
mod repair;
mod rewrite;
mod run;
mod scan;
mod schema;
mod serve;
mod store;
mod thread;
mod translate;
mod values;
mod vectors;
mod wire;
mod writer;

pub use confined::Confinement;
pub use repair::Repair;
pub use serve::serve;
pub use store::{EmbeddedStore, OpenOptions};

/// The kind of work of the workers in which a store runs statements that people or models wrote.
pub const WORKER_KIND: &str = "queries";
/// The [`kind`](graphwright_core::store::StoreInfo::kind) of these stores.
pub(crate) const KIND: &str = "embedded";
/// The engine and its version.
pub(crate) const ENGINE: &str = "kglite 0.21.5";
