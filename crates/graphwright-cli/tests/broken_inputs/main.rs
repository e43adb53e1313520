//! Tests what the command prints when something is wrong: what, where, and what to do; with the
//! right exit code, and with the graph as it was.

mod batches;
mod bench;
mod documents;
mod failing_models;
mod hostile_text;
mod imports;
mod models;
mod ontologies;
mod queries;
mod secrets;
mod stores;
