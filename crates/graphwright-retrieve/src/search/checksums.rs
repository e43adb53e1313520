//! Checksums of the files of an index, so that no damaged file is taken for what was written.
//!
//! A disk, a copy or a hand may change a file. Without checksums a changed bit gives a wrong score
//! or makes the text index panic. CRC-32 finds every damage of up to 32 bits in a row and all but
//! one in four thousand million others.

use std::{
    collections::BTreeMap,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tantivy::directory::{Directory, MmapDirectory, error::OpenReadError};

use crate::{Result, RetrieveError};

/// Length and checksum of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Checksum {
    bytes: u64,
    crc32: u32,
}

impl Checksum {
    fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, crc32: crc32fast::hash(bytes) }
    }
}

/// The checksums of all files in a folder and the folders in it, by path within the folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Checksums(BTreeMap<PathBuf, Checksum>);

impl Checksums {
    /// Reads all files in `folder`.
    pub(super) fn of(folder: &Path) -> Result<Self> {
        let (mut checksums, mut folders) = (Self::default(), vec![folder.to_owned()]);
        while let Some(next) = folders.pop() {
            let fail = |source| RetrieveError::io("cannot read", &next, source);
            for entry in fs::read_dir(&next).map_err(fail)? {
                let path = entry.map_err(fail)?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if let Ok(name) = path.strip_prefix(folder) {
                    checksums.0.insert(name.to_owned(), Checksum::of(&read(&path)?));
                }
            }
        }
        Ok(checksums)
    }

    /// Reads a file of `folder`. Fails unless it is as it was written.
    pub(super) fn read(&self, folder: &Path, name: &Path) -> Result<Vec<u8>> {
        let path = folder.join(name);
        let bytes = read(&path)?;
        self.check(&path, name, &bytes)?;
        Ok(bytes)
    }

    /// Opens the folder `name` in `folder` for the text index. Fails unless all its files are as they
    /// were written.
    ///
    /// The files are mapped into memory, and the text index uses these mappings: nothing is read
    /// from the disk twice.
    pub(super) fn open(&self, folder: &Path, name: &Path) -> Result<MmapDirectory> {
        let place = folder.join(name);
        let directory = MmapDirectory::open(&place).map_err(|error| damaged(&place, error.to_string()))?;
        for file in self.0.keys().filter(|file| file.parent() == Some(name)) {
            let path = folder.join(file);
            let mapped = file.file_name().map(|name| directory.open_read(Path::new(name)));
            let bytes = match mapped {
                Some(Ok(mapped)) => mapped.read_bytes().map_err(|error| damaged(&path, error.to_string()))?,
                Some(Err(OpenReadError::IoError { io_error, .. })) => {
                    let source = std::io::Error::new(io_error.kind(), io_error);
                    return Err(RetrieveError::io("cannot read", &path, source));
                }
                _ => return Err(damaged(&path, "it is missing")),
            };
            self.check(&path, file, &bytes)?;
        }
        Ok(directory)
    }

    fn check(&self, path: &Path, name: &Path, bytes: &[u8]) -> Result<()> {
        match self.0.get(name) {
            Some(written) if *written == Checksum::of(bytes) => Ok(()),
            Some(_) => Err(damaged(path, "it is not what was written")),
            None => Err(damaged(path, "it does not belong to the index")),
        }
    }
}

/// Writes a value as JSON, with a last line that holds its checksum.
pub(super) fn write_sealed<T: Serialize>(path: &Path, value: &T) -> Result<()> {
    let write = || {
        let mut bytes = serde_json::to_vec_pretty(value)?;
        let seal = format!("\n{:08x}\n", crc32fast::hash(&bytes));
        bytes.extend_from_slice(seal.as_bytes());
        let mut file = fs::File::create(path)?;
        std::io::Write::write_all(&mut file, &bytes)?;
        // The content must be on disk before a rename makes it visible.
        file.sync_all()
    };
    write().map_err(|source| RetrieveError::io("cannot write", path, source))
}

/// Reads what [`write_sealed`] wrote. Fails unless it is as it was written.
pub(super) fn read_sealed<T: DeserializeOwned>(path: &Path) -> Result<T> {
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

/// A missing file is damage: an index never loses one by itself.
fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|source| match source.kind() {
        ErrorKind::NotFound => damaged(path, "it is missing"),
        _ => RetrieveError::io("cannot read", path, source),
    })
}

pub(super) fn damaged(path: &Path, message: impl Into<String>) -> RetrieveError {
    RetrieveError::Damaged { path: path.to_owned(), message: message.into() }
}
