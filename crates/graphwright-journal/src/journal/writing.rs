//! The turn to write a journal.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, ErrorKind, Read, Seek, SeekFrom, Write},
    path::Path,
    thread,
    time::{Duration, Instant},
};

use super::Journal;
use crate::Result;

/// The longest time to wait while another process writes.
const PATIENCE: Duration = Duration::from_secs(2);

/// The turn to write a journal, which ends when this is dropped.
#[derive(Debug)]
pub struct Writing<'j> {
    journal: &'j Journal,
    _lock: File,
}

impl<'j> Writing<'j> {
    pub(crate) fn begin(journal: &'j Journal) -> Result<Self> {
        if let Some(folder) = journal.file().parent() {
            journal.done("write", fs::create_dir_all(folder))?;
        }
        // A file of its own: the journal is replaced by a rename, and a lock on it would go with it.
        let lock = journal.done("write", File::create(journal.file().with_extension("lock")))?;
        let begun = Instant::now();
        loop {
            let error = match lock.try_lock() {
                Ok(()) => return Ok(Self { journal, _lock: lock }),
                Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                    thread::sleep(Duration::from_millis(5));
                    continue;
                }
                Err(TryLockError::WouldBlock) => io::Error::other("another process has locked it"),
                Err(TryLockError::Error(error)) => error,
            };
            return journal.done("lock", Err(error));
        }
    }

    /// Adds a line in one write.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn append(&self, line: &str) -> Result<()> {
        self.journal.done("write", append(self.journal.file(), line))
    }

    /// Returns the size of the file in bytes.
    ///
    /// # Errors
    /// Fails if the file is not there.
    pub fn bytes(&self) -> Result<u64> {
        Ok(self.journal.done("read", fs::metadata(self.journal.file()))?.len())
    }

    /// Replaces all lines, or deletes the file if there are none.
    ///
    /// # Errors
    /// Fails if the file cannot be written. It is then unchanged.
    pub fn replace(&self, lines: &[String]) -> Result<()> {
        let file = self.journal.file();
        if lines.is_empty() {
            return match fs::remove_file(file) {
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
                removed => self.journal.done("delete", removed),
            };
        }
        let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
        // A rename lets readers see either the whole old file or the whole new one.
        let fresh = file.with_extension("new");
        self.journal.done("write", fs::write(&fresh, text))?;
        self.journal.done("replace", fs::rename(&fresh, file))
    }
}

/// Appends a line in one write. If the last line was cut short, a line break comes first.
fn append(file: &Path, line: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).read(true).append(true).open(file)?;
    let mut last = [b'\n'];
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    let start = if last == *b"\n" { "" } else { "\n" };
    file.write_all(format!("{start}{line}\n").as_bytes())
}
