//! Cypher as a syntax tree: parser, printer, visitors and semantic checks.
//!
//! [`parse()`] turns text into a [`tree`], [`print()`] turns a tree into text, [`visit`] walks and
//! changes trees, and [`check`] reports what is wrong with a query before it runs.
//!
//! The language is Cypher as Neo4j 5 speaks it, which includes the core of openCypher 9. The parser
//! never fails: every text gives a tree, with a [`Diagnostic`] for each place that could not be
//! read.

mod level;
pub mod parse;
pub mod print;
pub mod semantics;
pub mod tree;
pub mod visit;

pub use crate::diagnostic::{Code, Diagnostic, Fix, Severity};
pub use crate::functions::is_function;
pub(crate) use parse::parse_with_tokens;
pub use parse::{Parsed, parse, parse_query};
pub use print::{print, print_expression, print_query};
pub use semantics::{aggregates, check, holds_aggregate, is_aggregate};
