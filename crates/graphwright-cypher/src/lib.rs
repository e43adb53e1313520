//! Cypher front end of Graphwright: lexer, read-only gate, safe builder and engine rewrites.

pub mod rewrite;
