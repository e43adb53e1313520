//! Retrieval over a property graph: full text, vectors, fusion, weighted traversal, paths and context within a token budget.
