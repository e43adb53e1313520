//! Runs the same queries on the embedded store and on Neo4j and compares the rows.
//!
//! [`run`] makes graphs and queries from a seed and runs them on a [`Pair`] of stores. A query on
//! which the stores differ is made as small as possible and printed as a [`Case`], which can be put
//! into `cases/`. Those cases run first.

mod case;
mod compare;
mod construct;
mod generate;
mod graph;
mod pair;
mod random;
mod report;
mod run;
mod shrink;
mod tree;

pub use case::Case;
pub use construct::Construct;
pub use graph::{Graph, GraphNode, GraphRelationship};
pub use pair::{Pair, Verdict, judge};
pub use report::{Figures, Report};
pub use run::{Amount, run};
