//! Reads queries from files and from standard input.

use std::{
    fmt,
    fs::File,
    io::{IsTerminal, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use graphwright::{exchange::NewFile, text::read_at_most};

use crate::failure::UsageError;

/// The most text that is read from one place. The gate refuses a query long before.
const MOST_BYTES: u64 = 50_000_000;

/// A text and its origin.
pub(super) struct Input {
    /// The file; `None` for standard input.
    pub(super) file: Option<PathBuf>,
    pub(super) text: String,
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => file.display().fmt(f),
            None => f.write_str("standard input"),
        }
    }
}

impl Input {
    /// Returns the name of the file, or `None` for standard input.
    pub(super) fn name(&self) -> Option<String> {
        self.file.as_ref().map(|file| file.display().to_string())
    }

    /// Replaces the content of the file, completely or not at all.
    pub(super) fn replace(&self, text: &str) -> Result<()> {
        let Some(file) = &self.file else {
            let hint = "name files, or leave --in-place out";
            return Err(UsageError::new("standard input cannot be written to", hint).into());
        };
        let write = || {
            let mut fresh = NewFile::create(file)?;
            fresh.write_all(text.as_bytes())?;
            fresh.finish()
        };
        write().with_context(|| format!("cannot write {}", file.display()))
    }
}

/// Reads the files, or standard input if none is named.
pub(super) fn read(files: &[PathBuf]) -> Result<Vec<Input>> {
    let is_standard = |file: &Path| file == Path::new("-");
    if files.is_empty() {
        if std::io::stdin().is_terminal() {
            let hint = "name files, or give a query on standard input: echo 'MATCH (n) RETURN n' | graphwright cypher check";
            return Err(UsageError::new("there is no query", hint).into());
        }
        return Ok(vec![standard_input()?]);
    }
    files.iter().map(|file| if is_standard(file) { standard_input() } else { from_file(file) }).collect()
}

fn standard_input() -> Result<Input> {
    let text = read_at_most(std::io::stdin(), MOST_BYTES).context("cannot read standard input")?;
    Ok(Input { file: None, text })
}

fn from_file(file: &Path) -> Result<Input> {
    match File::open(file).and_then(|file| read_at_most(file, MOST_BYTES)) {
        Ok(text) => Ok(Input { file: Some(file.to_owned()), text }),
        Err(error) => {
            let hint = "name files of Cypher text; a query itself is given on standard input";
            Err(UsageError::new(format!("cannot read {}: {error}", file.display()), hint).into())
        }
    }
}
