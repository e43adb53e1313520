//! The attack corpus: texts that, run as they are, change a store, read outside of it, break a
//! limit or administer the server.
//!
//! Each file of `tests/attacks` is a class. `crates/graphwright-neo4j/tests/attacks` runs the cases
//! on a server and checks that each does what its `effect` says; `tests/attacks.rs` beside this
//! checks that none passes the gate.

#![allow(dead_code, unused_imports, reason = "each test uses its part of this")]

mod harmless;
mod mutation;

use std::{fs, path::Path};

pub(crate) use harmless::harmless;
pub(crate) use mutation::mutate;
use serde::Deserialize;

/// An attack.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    /// The class and a number.
    pub(crate) id: String,
    /// For break-outs: text with `{input}` where somebody's input is inserted without care.
    pub(crate) template: Option<String>,
    /// The inserted input.
    pub(crate) input: Option<String>,
    /// The surroundings of `{input}`.
    pub(crate) hole: Option<Hole>,
    /// The text that runs.
    pub(crate) query: String,
    #[serde(default)]
    pub(crate) parameters: serde_json::Map<String, serde_json::Value>,
    pub(crate) effect: Effect,
    /// A requirement that Neo4j 5 Community lacks.
    pub(crate) needs: Option<String>,
    /// A text that the rows or the request contain if the attack has worked.
    pub(crate) shows: Option<String>,
    pub(crate) client: Option<Client>,
    /// The explanation, in plain words.
    pub(crate) why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Hole {
    String,
    Name,
    Number,
    Comment,
}

/// The effect of an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Effect {
    /// Changes nodes or relationships.
    Writes,
    /// Returns or sends what is not in the graph, or not in the opened graph: files, requests,
    /// accounts, settings.
    ReadsOutside,
    /// Takes longer than 1 s, returns more than 10,000 rows or 10 MB, or exhausts the memory of a
    /// transaction.
    BreaksLimit,
    /// Changes schema, accounts, caches, statistics or other people's transactions.
    Administers,
}

/// The client through which the text runs, if not as one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Client {
    /// A client that runs statements one by one, as Cypher Shell and the Browser do. The server
    /// itself refuses several at once.
    Splits,
}

/// Returns the classes with their cases.
pub(crate) fn classes() -> Vec<(String, Vec<Case>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../graphwright-cypher/tests/attacks");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |file: &Path| {
        let cases = serde_json::from_str(&fs::read_to_string(file).unwrap());
        cases.unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    };
    files.iter().map(|file| (file.file_stem().unwrap().to_str().unwrap().to_owned(), read(file))).collect()
}

/// Returns all cases.
pub(crate) fn cases() -> Vec<Case> {
    classes().into_iter().flat_map(|(_, cases)| cases).collect()
}
