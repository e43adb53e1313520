//! Measures of Graphwright on data that others recorded.
//!
//! [`replay`] takes Cypher that models wrote, repairs it as Graphwright would, and compares what
//! runs and what is right before and after. [`wire`] plays recorded answers of model providers to our
//! client, and compares what it reads with what stands in them. [`live`] lets a model read a [`corpus`] and answer its
//! questions, and compares that with what people wrote down. [`retrieval`] asks questions whose passages are known, and
//! counts how many of these search finds. [`text2cypher`] asks questions with gold queries through the flows from questions to Cypher.

pub mod corpus;
mod error;
mod journal;
pub mod live;
pub mod replay;
pub mod retrieval;
mod svg;
pub mod text2cypher;
pub mod wire;

pub use error::{Error, Result};

/// Sets of public data have up to a gigabyte a file.
const MOST_BYTES: u64 = 2_000_000_000;

fn read_text(path: &std::path::Path) -> std::io::Result<String> {
    graphwright_core::text::read_at_most(std::fs::File::open(path)?, MOST_BYTES)
}
