//! A journal: reading it, and the lines that it is made of.

mod writing;

use std::{
    fmt::{self, Debug, Formatter},
    fs,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

use serde::{Serialize, de::DeserializeOwned};

pub use self::writing::Writing;
use crate::{JournalError, Result, secrets};

/// A file of JSON Lines, which need not exist yet.
#[derive(Clone)]
pub struct Journal {
    file: PathBuf,
    secrets: Vec<String>,
}

/// What a journal holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines<T> {
    /// The entries, oldest first.
    pub entries: Vec<T>,
    /// The number of lines that cannot be read, such as a line cut short when its process was killed.
    pub unreadable: usize,
}

impl Journal {
    /// Creates a journal in a file.
    pub fn at(file: impl Into<PathBuf>) -> Self {
        Self { file: file.into(), secrets: Vec::new() }
    }

    /// Replaces these secrets with `***` wherever they occur in a text of a [line](Self::line).
    #[must_use]
    pub fn concealing(self, secrets: impl IntoIterator<Item = String>) -> Self {
        Self { secrets: secrets::in_order(secrets), ..self }
    }

    /// Returns the path of the file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Reads all entries. A missing file holds none.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn read<T: DeserializeOwned>(&self) -> Result<Lines<T>> {
        let bytes = match fs::read(&self.file) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            read => self.done("read", read)?,
        };
        let mut lines = Lines { entries: Vec::new(), unreadable: 0 };
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
            match serde_json::from_slice(line) {
                Ok(entry) => lines.entries.push(entry),
                Err(_) => lines.unreadable += 1,
            }
        }
        Ok(lines)
    }

    /// Writes an entry as the line `{"name": entry}`, without secrets and with long texts cut at 4,000 characters. `own_fields` are fields
    /// of the entry that hold no secret, and that a chance match would break.
    ///
    /// # Errors
    /// Fails if the entry cannot be written as JSON.
    pub fn line(&self, name: &str, entry: &impl Serialize, own_fields: &[&str]) -> Result<String> {
        let mut entry = self.done("write", serde_json::to_value(entry).map_err(io::Error::from))?;
        for (field, value) in entry.as_object_mut().into_iter().flatten() {
            if !own_fields.contains(&field.as_str()) {
                secrets::conceal(value, &self.secrets);
            }
        }
        Ok(serde_json::json!({name: entry}).to_string())
    }

    /// Takes the turn to write, waiting while another process has it.
    ///
    /// # Errors
    /// Fails if the folder or the lock file cannot be written, or if other processes keep their turn for two seconds.
    pub fn write(&self) -> Result<Writing<'_>> {
        Writing::begin(self)
    }

    /// Adds the operation and the file to an error.
    pub(crate) fn done<T>(&self, what: &'static str, result: io::Result<T>) -> Result<T> {
        result.map_err(|source| JournalError { what, path: self.file.clone(), source })
    }
}

impl Debug for Journal {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Journal").field("file", &self.file).finish_non_exhaustive()
    }
}
