//! Graphs in and out of a store: our own JSON Lines, CSV files with headers as `neo4j-admin database import` has
//! them, Neo4j Data Importer archives, and Cypher scripts. The formats are described in `docs/exchange.md`.
//!
//! Everything but a script is read twice: first it is checked as a whole, so that a file with a mistake in it changes
//! nothing, then it is written in batches, each in one transaction. All writes are by key, so that importing the same
//! files again changes nothing, and an import that was interrupted is completed by running it again.

mod csv;
mod error;
mod export;
mod import;
mod importer;
mod item;
mod json_lines;
mod problem;
mod registry;
mod script;
mod source;

use std::{collections::BTreeMap, time::Duration};

use graphwright_core::store::Counters;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

pub use error::{ExchangeError, Result};
pub use export::{ExportOptions, ExportReport, export_csv, export_json_lines};
pub use import::import;
pub use problem::{InputProblem, ProblemKind};
pub use source::{CsvFiles, Source};

/// How CSV files are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CsvFormat {
    /// Between the columns of a row.
    pub delimiter: char,
    /// Between the items of a list, and between labels.
    pub array_delimiter: char,
    /// Around a value that holds a delimiter or a line break.
    pub quote: char,
}

impl Default for CsvFormat {
    /// As `neo4j-admin` has it: `,`, `;` and `"`.
    fn default() -> Self {
        Self { delimiter: ',', array_delimiter: ';', quote: '"' }
    }
}

/// How to import.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// How the CSV files among the sources are written.
    pub csv: CsvFormat,
    /// Leave out what cannot be imported (bad values, duplicate identifiers, relationships without both ends) and
    /// count it in the report. Otherwise the first problem ends the import before anything is written.
    pub skip_bad: bool,
    /// How many nodes and relationships go into one transaction; 50,000 when `None`.
    pub batch: Option<usize>,
    /// Stops between two batches when triggered; what was written stays.
    pub cancel: CancellationToken,
}

/// How far an import has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportProgress {
    /// What it is doing.
    pub phase: ImportPhase,
    /// Nodes read in this phase.
    pub nodes: u64,
    /// Relationships read in this phase.
    pub relationships: u64,
    /// Nodes and relationships that this phase will read; `None` while checking, which counts them.
    pub total: Option<u64>,
}

/// What an import is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportPhase {
    /// Reads everything and looks for mistakes; nothing is written yet.
    #[default]
    Checking,
    /// Writes nodes, relationships, vectors, indexes and constraints.
    Writing,
    /// Runs the statements of a script.
    Running,
}

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    /// Nodes written from files; one that a Data Importer archive names in two rows counts twice.
    pub nodes: u64,
    /// Relationships written from files.
    pub relationships: u64,
    /// Vectors written.
    pub vectors: u64,
    /// Constraints and indexes that were asked for, and now exist.
    pub schema: u64,
    /// Statements of scripts that were run.
    pub statements: u64,
    /// What changed in the store, by files and scripts: what was there already is not counted as created.
    pub changed: Counters,
    /// What was left out, by reason.
    pub skipped: BTreeMap<ProblemKind, Skipped>,
    /// How long it took.
    pub elapsed: Duration,
}

/// What was left out for one reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// How often.
    pub count: u64,
    /// The first few.
    pub examples: Vec<InputProblem>,
}

#[cfg(test)]
mod tests;
