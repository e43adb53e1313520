//! Changes of queries by their syntax trees.

pub(crate) mod cost;
pub(crate) mod meaning;
pub(crate) mod relax;
