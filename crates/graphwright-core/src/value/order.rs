//! Equality, comparison and sort order as Cypher defines them.
