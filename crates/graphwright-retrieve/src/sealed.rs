//! Small files that end with their checksum, and work on files.

use std::{
    fs::{self, File},
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
};

use serde::{Serialize, de::DeserializeOwned};

use crate::{Result, RetrieveError};

/// Writes a value as JSON, with a last line that holds its checksum.
pub(crate) fn write_sealed<T: Serialize>(path: &Path, value: &T) -> Result<()> {
    let write = || {
        let mut bytes = serde_json::to_vec_pretty(value)?;
        let seal = format!("\n{:08x}\n", crc32fast::hash(&bytes));
        bytes.extend_from_slice(seal.as_bytes());
        let mut file = File::create(path)?;
        file.write_all(&bytes)?;
        // The content must be on disk before a rename makes it visible.
        file.sync_all()
    };
    write().map_err(|source| RetrieveError::io("cannot write", path, source))
}

/// Reads what [`write_sealed`] wrote. Fails unless it is as it was written.
pub(crate) fn read_sealed<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let bytes = read(path)?;
    let text = str::from_utf8(&bytes).ok().and_then(|text| text.strip_suffix('\n'));
    let (json, seal) = text
        .and_then(|text| text.rsplit_once('\n'))
        .filter(|(_, seal)| seal.len() == 8)
        .ok_or_else(|| damaged(path, "it is cut, or of another version of this program"))?;
    if seal != format!("{:08x}", crc32fast::hash(json.as_bytes())) {
        return Err(damaged(path, "it is not what was written"));
    }
    serde_json::from_str(json).map_err(|error| damaged(path, error.to_string()))
}

/// Reads a file. A missing one is damage: an index never loses one by itself.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|source| match source.kind() {
        ErrorKind::NotFound => damaged(path, "it is missing"),
        _ => RetrieveError::io("cannot read", path, source),
    })
}

/// Returns the error for a file that is not as it was written.
pub(crate) fn damaged(path: &Path, message: impl Into<String>) -> RetrieveError {
    RetrieveError::Damaged { path: path.to_owned(), message: message.into() }
}

/// Runs work that reads and writes files on a thread where waiting for the disk blocks nothing
/// else.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(|error| RetrieveError::Io {
        action: "the work was stopped on",
        path: PathBuf::from("the search index"),
        source: std::io::Error::other(error),
    })?
}
