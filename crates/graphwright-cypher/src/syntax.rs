//! Cypher as a tree: parser, printer, visitors and what can be known of a query before it runs.
//!
//! The language is Cypher as Neo4j 5 speaks it, and with it the core of openCypher 9. The parser never gives up: whatever
//! the text, there is a tree, and a [`Diagnostic`] for each place that could not be read.

mod level;
pub mod parse;
pub mod print;
pub mod semantics;
pub mod tree;
pub mod visit;

pub use crate::diagnostic::{Code, Diagnostic, Fix, Severity};
pub use crate::gate::is_function;
pub(crate) use parse::parse_with_tokens;
pub use parse::{Parsed, parse};
pub use print::{print, print_expression};
pub use semantics::{aggregates, check, holds_aggregate, is_aggregate};
