//! Small files of JSON Lines that several processes write.
//!
//! A [`Journal`] holds entries of one kind, each a line. Processes that write take turns with a lock file beside the journal; readers need no
//! lock: a line is added in one write, and a new file takes the place of an old one by a rename. No secret that the journal is told of is
//! written, and long texts are cut.
//!
//! ```
//! use graphwright_journal::Journal;
//!
//! let folder = tempfile::tempdir()?;
//! let journal = Journal::at(folder.path().join("notes.jsonl")).concealing(["sesame".to_owned()]);
//! let line = journal.line("note", &serde_json::json!({"text": "open sesame"}), &[])?;
//! journal.write()?.append(&line)?;
//! let lines = journal.read::<serde_json::Value>()?;
//! assert_eq!(lines.entries[0]["note"]["text"], "open ***");
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod id;
mod journal;
mod secrets;

use std::{io, path::PathBuf};

use thiserror::Error;

pub use self::{
    id::{find, new_id},
    journal::{Journal, Lines, Writing},
};

/// The file of a journal cannot be used.
#[derive(Debug, Error)]
#[error("cannot {what} {}: {source}", path.display())]
pub struct JournalError {
    /// The operation that failed, as a verb.
    pub what: &'static str,
    /// The path of the file.
    pub path: PathBuf,
    /// The cause.
    pub source: io::Error,
}

/// A `Result` with [`JournalError`] as the default error.
pub type Result<T, E = JournalError> = std::result::Result<T, E>;
