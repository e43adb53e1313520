//! A file of JSON Lines to which a run adds what it has found, so that a run that was stopped can go on.

use std::{
    fs::{self, File, OpenOptions},
    io::{Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use serde::{Serialize, de::DeserializeOwned};

use crate::{Error, Result};

/// A file of JSON Lines whose first line, the header, says which run it belongs to.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens the file, or creates it with `header`, and returns its lines. Drops a last line that was not written to its end.
    ///
    /// `differs` says what another header has other than this one, if it is another run's.
    ///
    /// # Errors
    /// Returns [`OtherRun`](Error::OtherRun) if the file belongs to another run, and is left alone; [`File`](Error::File) if it
    /// cannot be read or written, and [`Kept`](Error::Kept) if a line is malformed.
    pub(crate) fn open<H: Serialize + DeserializeOwned, T: DeserializeOwned>(
        path: &Path,
        header: &H,
        differs: impl FnOnce(H) -> Option<&'static str>,
    ) -> Result<(Self, Vec<T>)> {
        let failed = |action| move |source| Error::File { action, path: path.to_owned(), source };
        let text =
            if path.exists() { fs::read_to_string(path).map_err(failed("read"))? } else { String::new() };
        let (whole, _) = split_whole(&text);
        // Nothing is changed before it is clear that the file is ours.
        if let Some(first) = text.lines().next() {
            require(first, path, differs)?;
        }
        let mut file = OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(false)
            .open(path)
            .map_err(failed("write"))?;
        file.set_len(whole.len() as u64).map_err(failed("write"))?;
        file.seek(SeekFrom::End(0)).map_err(failed("write"))?;
        let mut journal = Self { path: path.to_owned(), file };
        if whole.is_empty() {
            journal.add(header)?;
        }
        let lines = read_lines(path, whole)?;
        Ok((journal, lines))
    }

    /// Reads a file that another run has written: its header and its lines.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub(crate) fn read<H: DeserializeOwned, T: DeserializeOwned>(path: &Path) -> Result<(H, Vec<T>)> {
        let text = crate::read_text(path).map_err(|source| Error::cannot_read(path, source))?;
        let first = text.lines().next().unwrap_or_default();
        let header = serde_json::from_str(first).map_err(|_| other_run(path, NO_HEADER))?;
        Ok((header, read_lines(path, split_whole(&text).0)?))
    }

    /// Adds a line.
    pub(crate) fn add(&mut self, line: &impl Serialize) -> Result<()> {
        let mut text = serde_json::to_vec(line).unwrap_or_default();
        text.push(b'\n');
        self.file.write_all(&text).map_err(|source| Error::File {
            action: "write",
            path: self.path.clone(),
            source,
        })
    }
}

const NO_HEADER: &str = "its first line is no header of such a run";

fn other_run(path: &Path, difference: &str) -> Error {
    Error::OtherRun { path: path.to_owned(), difference: difference.to_owned() }
}

fn require<H: DeserializeOwned>(
    first: &str,
    path: &Path,
    differs: impl FnOnce(H) -> Option<&'static str>,
) -> Result<()> {
    let difference = match serde_json::from_str(first) {
        Ok(found) => differs(found),
        Err(_) => Some(NO_HEADER),
    };
    difference.map_or(Ok(()), |difference| Err(other_run(path, difference)))
}

/// Splits off a line without its end, which was being written when the run stopped.
fn split_whole(text: &str) -> (&str, &str) {
    text.split_at(text.rfind('\n').map_or(0, |end| end + 1))
}

/// Reads the lines behind the header.
fn read_lines<T: DeserializeOwned>(path: &Path, text: &str) -> Result<Vec<T>> {
    let lines = text.lines().enumerate().skip(1);
    lines
        .map(|(index, line)| {
            serde_json::from_str(line).map_err(|error| Error::Kept {
                path: path.to_owned(),
                line: index + 1,
                message: error.to_string(),
            })
        })
        .collect()
}
