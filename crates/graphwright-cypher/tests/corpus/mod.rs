//! The attack corpus: texts that, run as they are, change a store, read outside of it, break a limit or administer the server.
//!
//! One file of `tests/attacks` is one class. `crates/graphwright-neo4j/tests/attacks` runs the cases on a server and sees
//! that each does what its `effect` says; `tests/attacks.rs` beside this sees that none gets through the gate.

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
    /// For break-outs: text with `{input}` where somebody's input is put in without care.
    pub(crate) template: Option<String>,
    /// What is put in.
    pub(crate) input: Option<String>,
    /// What `{input}` stands in.
    pub(crate) hole: Option<Hole>,
    /// What runs.
    pub(crate) query: String,
    #[serde(default)]
    pub(crate) parameters: serde_json::Map<String, serde_json::Value>,
    pub(crate) effect: Effect,
    /// What Neo4j 5 Community lacks to run it.
    pub(crate) needs: Option<String>,
    /// Text that is in the rows or in the request when it has worked.
    pub(crate) shows: Option<String>,
    pub(crate) client: Option<Client>,
    /// What it does, in plain words.
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

/// What an attack does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Effect {
    /// It changes nodes or relationships.
    Writes,
    /// It gives or sends what is not in the graph, or not in the graph that was opened: files, requests, accounts, settings.
    ReadsOutside,
    /// It takes longer than 1 s, or gives more than 10,000 rows or 10 MB, or runs out of the memory of a transaction.
    BreaksLimit,
    /// It changes schema, accounts, caches, statistics or other people's transactions.
    Administers,
}

/// Through what it runs, if not as one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Client {
    /// A client that runs statements one by one, as Cypher Shell and the Browser do; the server itself refuses several at once.
    Splits,
}

/// The classes with their cases.
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

/// All cases.
pub(crate) fn cases() -> Vec<Case> {
    classes().into_iter().flat_map(|(_, cases)| cases).collect()
}
