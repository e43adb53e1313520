//! The Neo4j store of Graphwright: a graph on a server, a cluster or Aura, over Bolt.
//!
//! The driver is [neo4j](https://docs.rs/neo4j), which blocks: each call runs on a thread of its own, of which there is a
//! bounded number, and rows come through a bounded channel. Every transaction carries an identifier in its metadata; what is
//! cancelled, dropped or out of time is ended on the server by that identifier, over a second connection.

mod address;
mod apply;
mod call;
mod error;
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

/// What [`StoreInfo::kind`](graphwright_core::store::StoreInfo::kind) says of these stores.
pub(crate) const KIND: &str = "neo4j";
