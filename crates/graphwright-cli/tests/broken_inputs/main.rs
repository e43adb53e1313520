//! What the command says when something is wrong: what, where and what to do; the right exit code; the graph as it was.

mod batches;
mod bench;
mod documents;
mod failing_models;
mod imports;
mod models;
mod ontologies;
mod queries;
mod stores;
