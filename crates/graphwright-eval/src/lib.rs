//! Measures of Graphwright on data that others recorded.
//!
//! [`replay`] takes Cypher that models wrote, repairs it as Graphwright would, and compares what
//! runs and what is right before and after. [`wire`] plays recorded answers of model providers to our
//! client, and compares what it reads with what stands in them.

mod error;
pub mod replay;
pub mod wire;

pub use error::{Error, Result};
