//! The Neo4j store of Graphwright: a graph on a server, a cluster or Aura, over Bolt.
//!
//! [`Neo4jStore::connect`] takes [`ConnectOptions`], made of an [`Address`] and [`Credentials`].
//! From there on it is a [`GraphStore`](graphwright_core::GraphStore).
//!
//! ```no_run
//! use graphwright_core::{GraphStore, Statement, store::QueryOptions};
//! use graphwright_neo4j::{ConnectOptions, Credentials, Neo4jStore};
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let user = "neo4j".to_owned();
//! let credentials = Credentials::Basic { user, password: "secret".to_owned().into() };
//! let options = ConnectOptions::new("bolt://localhost:7687".parse()?, credentials);
//! let store = Neo4jStore::connect(options).await?;
//! let statement = Statement::fixed("MATCH (n) RETURN count(n)");
//! let table = store.read(statement, QueryOptions::default()).await?.collect().await?;
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! The driver is [neo4j](https://docs.rs/neo4j), which blocks: each call runs on a thread of its
//! own, of which there is a bounded number, and rows come through a bounded channel. Every
//! transaction carries an identifier in its metadata. What is cancelled, dropped or out of time is
//! ended on the server by that identifier, over a second connection.

mod address;
mod apply;
mod call;
mod error;
mod hidden_vectors;
mod index;
mod keys;
mod notices;
mod options;
mod plan;
mod query;
mod scan;
mod schema;
mod server;
mod store;
mod terminator;
mod threads;
mod values;
mod vectors;
mod workers;

pub use address::Address;
pub use options::{ConnectOptions, Credentials};
pub use store::Neo4jStore;

/// The [`kind`](graphwright_core::store::StoreInfo::kind) of these stores.
pub(crate) const KIND: &str = "neo4j";
