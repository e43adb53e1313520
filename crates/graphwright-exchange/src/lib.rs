//! Imports graphs into a store and exports them to files.
//!
//! [`import`] reads JSON Lines, CSV files with the headers of `neo4j-admin database import`,
//! archives of Neo4j's Data Importer, and Cypher scripts. [`Source::detect`] tells which of them a
//! path holds. [`export_json_lines`] writes our portable format, which loses nothing;
//! [`export_csv`] writes CSV, and [`export_file`] also what other programs read ([`FileForm`]).
//! `docs/exchange.md` describes the formats.
//!
//! An import reads everything but scripts twice. The first pass checks all files, so that a mistake
//! in one of them changes nothing in the store. The second pass writes in batches of one
//! transaction each. All writes are by key: importing a file again changes nothing, and running an
//! interrupted import again completes it.

mod csv;
mod error;
mod export;
mod files;
mod gexf;
mod graphml;
mod import;
mod importer;
mod item;
mod json_lines;
mod keys;
mod new_file;
mod problem;
mod registry;
mod script;
mod source;
mod turtle;
mod xml;

use std::{collections::BTreeMap, time::Duration};

use graphwright_core::store::Counters;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

pub use error::{ExchangeError, Result};
pub use export::{ExportOptions, ExportReport, FileForm, export_csv, export_file, export_json_lines};
pub use files::CsvFiles;
pub use import::import;
pub use new_file::NewFile;
pub use problem::{InputProblem, ProblemKind};
pub use source::Source;

/// Delimiters and quotes of CSV files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CsvFormat {
    /// Separates the columns of a row.
    pub delimiter: char,
    /// Separates the items of a list, and the labels of a node.
    pub array_delimiter: char,
    /// Encloses a value that holds a delimiter or a line break.
    pub quote: char,
}

impl Default for CsvFormat {
    /// Returns the format of `neo4j-admin`: `,`, `;` and `"`.
    fn default() -> Self {
        Self { delimiter: ',', array_delimiter: ';', quote: '"' }
    }
}

/// Options of [`import`].
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// Format of the CSV files among the sources.
    pub csv: CsvFormat,
    /// Whether to skip what cannot be imported: bad values, duplicate identifiers, and
    /// relationships that lack an end. The report counts what was skipped. If false, the first
    /// problem ends the import before anything is written.
    pub skip_bad: bool,
    /// Number of nodes and relationships in one transaction; 50,000 if `None`.
    pub batch: Option<usize>,
    /// Stops the import between two batches. What was written stays.
    pub cancel: CancellationToken,
}

/// Progress of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportProgress {
    /// The current phase.
    pub phase: ImportPhase,
    /// Nodes read in this phase.
    pub nodes: u64,
    /// Relationships read in this phase.
    pub relationships: u64,
    /// Nodes and relationships to read in this phase; `None` while checking, which counts them.
    pub total: Option<u64>,
}

/// A phase of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportPhase {
    /// Reads everything and looks for mistakes. Nothing is written yet.
    #[default]
    Checking,
    /// Writes nodes, relationships, vectors, indexes and constraints.
    Writing,
    /// Runs the statements of a script.
    Running,
}

/// Result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    /// Nodes written from files. A node that a Data Importer archive names in two rows counts
    /// twice.
    pub nodes: u64,
    /// Relationships written from files.
    pub relationships: u64,
    /// Vectors written.
    pub vectors: u64,
    /// Constraints and indexes that the sources ask for and that now exist.
    pub schema: u64,
    /// Script statements that were run.
    pub statements: u64,
    /// What files and scripts changed in the store. What was there before does not count as
    /// created.
    pub changed: Counters,
    /// What was skipped, by reason.
    pub skipped: BTreeMap<ProblemKind, Skipped>,
    /// Duration of the import.
    pub elapsed: Duration,
}

/// What was skipped for one reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Number of problems.
    pub count: u64,
    /// The first five problems.
    pub examples: Vec<InputProblem>,
}

#[cfg(test)]
mod tests;
