//! Measures of Graphwright on data that others recorded.
//!
//! [`replay`] takes Cypher that models wrote, repairs it as Graphwright would, and compares what
//! runs and what is right before and after.

mod error;
pub mod replay;

pub use error::{Error, Result};
