//! Files to import: tables of CSV files, how a file is opened, and the problem of an empty one.

use std::{
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
};

use super::{InputProblem, ProblemKind, item::Place};
use crate::{ExchangeError, Result};

/// CSV files that together form one table.
///
/// The header is the first line of the first file, which may hold nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CsvFiles {
    /// Paths of the files, in order.
    pub paths: Vec<PathBuf>,
    /// Labels of all nodes, or the type of all relationships that name none.
    ///
    /// If neither this nor a `:LABEL` or `:TYPE` column gives a name, the file's name does: the
    /// part after the last dot of its stem. `Person.csv` and `graph.nodes.Person.csv` both hold
    /// nodes labelled `Person`.
    pub names: Vec<String>,
}

impl CsvFiles {
    /// Creates a table of one file, without further names.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { paths: vec![path.into()], names: Vec::new() }
    }

    /// Returns the label or type that the name of the last file gives.
    pub(super) fn name_of_file(&self) -> String {
        let stem = self.paths.last().and_then(|path| path.file_stem()).unwrap_or_default().to_string_lossy();
        stem.rsplit('.').next().unwrap_or_default().to_owned()
    }
}

/// Opens a file for reading.
pub(super) fn open(path: &Path) -> Result<BufReader<File>> {
    let file = File::open(path)
        .map_err(|error| ExchangeError::Read { path: path.to_owned(), message: error.to_string() })?;
    Ok(BufReader::with_capacity(1 << 16, file))
}

/// Returns the problem of a file that holds nothing.
pub(super) fn empty(file: &str) -> InputProblem {
    Place { file, line: 0 }.problem(
        ProblemKind::Form,
        "the file is empty",
        "it needs a header in its first line",
    )
}
