//! Files to import: tables of CSV files, how a file is opened, and the problem of an empty one.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
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

/// The longest line in bytes, and the longest row of a table.
pub(super) const LONGEST_LINE: usize = 64 << 20;

/// Opens a regular file for reading. A pipe would be waited for, and a device may never end.
pub(super) fn open(path: &Path) -> Result<BufReader<File>> {
    let unreadable = |message: String| ExchangeError::Read { path: path.to_owned(), message };
    let metadata = path.metadata().map_err(|error| unreadable(error.to_string()))?;
    if !metadata.is_file() {
        return Err(unreadable("it is no regular file".to_owned()));
    }
    let file = File::open(path).map_err(|error| unreadable(error.to_string()))?;
    Ok(BufReader::with_capacity(1 << 16, file))
}

/// Appends the next line with its end, and returns its length, which is 0 at the end of the file.
///
/// # Errors
/// If it cannot be read, or is longer than [`LONGEST_LINE`].
pub(super) fn read_line(reader: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let count = reader.take(LONGEST_LINE as u64 + 1).read_until(b'\n', bytes)?;
    if count > LONGEST_LINE {
        let message = format!("the line is longer than {} MiB", LONGEST_LINE >> 20);
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    Ok(count)
}

/// Returns the problem of a file that holds nothing.
pub(super) fn empty(file: &str) -> InputProblem {
    Place { file, line: 0 }.problem(
        ProblemKind::Form,
        "the file is empty",
        "it needs a header in its first line",
    )
}
