//! Cypher front end of Graphwright: from text to checked statements.
//!
//! Text made at run time becomes a [`Statement`](graphwright_core::Statement) in one of two ways:
//! [`StatementBuilder`] puts names and values into text that stands in source code, and [`Gate`]
//! checks text that a person or a model wrote.
//!
//! ```
//! use graphwright_cypher::{Gate, StatementBuilder};
//!
//! let builder = StatementBuilder::new("MATCH (n:").name("Data Base").text(") RETURN n");
//! let statement = builder.build()?;
//! assert_eq!(statement.text(), "MATCH (n:`Data Base`) RETURN n");
//!
//! let refusal = Gate::default().check("MATCH (n) DETACH DELETE n").unwrap_err();
//! assert_eq!(refusal.code.as_str(), "write");
//! # Ok::<_, graphwright_cypher::InvalidName>(())
//! ```
//!
//! Each stage can be used alone:
//!
//! - [`lexer`] splits text into tokens, and [`syntax`] parses, prints, visits and checks trees.
//! - [`lint`] compares a query with the schema of a graph. [`diagnose()`] runs all checks, and
//!   [`render()`] shows their findings to people.
//! - [`repair`] mends what a model wrote, and [`format()`] prints a query with its comments.
//! - [`with_paths()`] makes a query return what proves its rows.
//! - [`lookups()`] and [`query_type`] tell what a query compares and what it does.

mod builder;
mod case;
mod diagnose;
mod diagnostic;
mod edit;
mod format;
mod functions;
mod gate;
mod kind;
pub mod lexer;
pub mod lint;
mod lookups;
mod render;
pub mod repair;
pub mod syntax;
mod with_paths;

pub use builder::{InvalidName, StatementBuilder, quote};
pub use diagnose::{diagnose, diagnose_with};
pub use diagnostic::{Code, Diagnostic, Fix, Severity};
pub use format::format;
pub use gate::{Bound, Checked, Gate, LONG_RANGE, Refusal, RefusalCode, Writes};
pub use kind::query_type;
pub use lookups::{Lookup, comparisons, descending, lookups};
pub use render::render;
pub use with_paths::with_paths;
