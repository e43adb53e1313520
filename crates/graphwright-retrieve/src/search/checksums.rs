//! Checksums of the files of an index, so that no damaged file is taken for what was written.
//!
//! A disk, a copy or a hand may change a file. Without checksums a changed bit gives a wrong score
//! or makes the text index panic. Each block of 4 KiB has a CRC-32, which finds every damage of up
//! to 32 bits in a row and all but one in four thousand million others. Files are mapped into
//! memory, and a block is checked when it is first read: opening a large index reads little of it.

use std::{
    collections::BTreeMap,
    fmt, fs,
    io::{self, Read},
    ops::Range,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use serde::{Deserialize, Serialize};
use tantivy::{
    Directory, HasLen,
    directory::{FileHandle, MmapDirectory, OwnedBytes, error::OpenReadError},
};

use crate::{
    Result, RetrieveError,
    sealed::{damaged, read},
};

/// Bytes of a block.
const BLOCK: usize = 4096;

/// Length of a file, and where the checksums of its blocks are among all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Listed {
    bytes: usize,
    first: usize,
}

/// The checksums of all files in a folder and the folders in it, by path within the folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Checksums {
    files: BTreeMap<PathBuf, Listed>,
    /// Checksum of the file of checksums.
    sealed: u32,
}

/// The checksums of all blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums(Arc<[u32]>);

impl Checksums {
    /// Reads all files in `folder` but those that `known` lists: these are as they were.
    pub(super) fn of(folder: &Path, known: &[(&Self, &Sums, &Path)]) -> Result<(Self, Sums)> {
        let (mut checksums, mut sums, mut folders) = (Self::default(), Vec::new(), vec![folder.to_owned()]);
        while let Some(next) = folders.pop() {
            let fail = |source| RetrieveError::io("cannot read", &next, source);
            for entry in fs::read_dir(&next).map_err(fail)? {
                let path = entry.map_err(fail)?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if let Ok(name) = path.strip_prefix(folder) {
                    let first = sums.len();
                    let before = known.iter().find_map(|(known, sums, within)| {
                        let listed = known.files.get(name).filter(|_| name.starts_with(within))?;
                        Some((listed.bytes, sums.of(listed)?))
                    });
                    let bytes = if let Some((bytes, before)) = before {
                        sums.extend_from_slice(before);
                        bytes
                    } else {
                        sum(&path, &mut sums)?
                    };
                    checksums.files.insert(name.to_owned(), Listed { bytes, first });
                }
            }
        }
        let sums = Sums(sums.into());
        checksums.sealed = crc32fast::hash(&sums.to_bytes());
        Ok((checksums, sums))
    }

    /// Reads the file of checksums. Fails unless it is as it was written.
    pub(super) fn read_sums(&self, path: &Path) -> Result<Sums> {
        let bytes = read(path)?;
        if crc32fast::hash(&bytes) != self.sealed {
            return Err(damaged(path, "it is not what was written"));
        }
        let (sums, _) = bytes.as_chunks();
        Ok(Sums(sums.iter().map(|&sum| u32::from_le_bytes(sum)).collect()))
    }

    /// Lists the files within a folder.
    pub(super) fn files<'a>(&'a self, within: &'a Path) -> impl Iterator<Item = &'a Path> {
        self.files.keys().map(PathBuf::as_path).filter(move |name| name.starts_with(within))
    }

    /// Returns the length of all files within a folder, in bytes.
    pub(super) fn bytes(&self, within: &Path) -> usize {
        self.files.iter().filter(|(name, _)| name.starts_with(within)).map(|(_, file)| file.bytes).sum()
    }

    /// Maps a file of `folder`. Fails if it is missing or has another length.
    pub(super) fn map(&self, sums: &Sums, folder: &Path, name: &Path) -> Result<CheckedFile> {
        let path = folder.join(name);
        let listed = self.files.get(name);
        let listed = listed.ok_or_else(|| damaged(&path, "it does not belong to the index"))?;
        let sums = sums.of(listed).ok_or_else(|| damaged(&path, "its checksums are missing"))?;
        let parent = path.parent().unwrap_or(folder);
        let directory = MmapDirectory::open(parent).map_err(|error| damaged(parent, error.to_string()))?;
        let bytes = directory.open_read(Path::new(path.file_name().unwrap_or_default()));
        let bytes = match bytes.map(|file| file.read_bytes()) {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(source)) => return Err(RetrieveError::io("cannot read", &path, source)),
            Err(OpenReadError::IoError { io_error, .. }) => {
                let source = io::Error::new(io_error.kind(), io_error);
                return Err(RetrieveError::io("cannot read", &path, source));
            }
            Err(_) => return Err(damaged(&path, "it is missing")),
        };
        if bytes.len() != listed.bytes {
            return Err(damaged(&path, "it is not what was written"));
        }
        let seen = (0..sums.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Ok(CheckedFile(Arc::new(Checked { path, bytes, sums: sums.into(), seen })))
    }
}

/// Adds the checksums of a file, and returns its length.
fn sum(path: &Path, sums: &mut Vec<u32>) -> Result<usize> {
    let fail = |source| RetrieveError::io("cannot read", path, source);
    let mut file = fs::File::open(path).map_err(fail)?;
    let (mut block, mut bytes) = (Vec::with_capacity(BLOCK), 0);
    while (&mut file).take(BLOCK as u64).read_to_end(&mut block).map_err(fail)? > 0 {
        sums.push(crc32fast::hash(&block));
        bytes += block.len();
        block.clear();
    }
    Ok(bytes)
}

impl Sums {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|sum| sum.to_le_bytes()).collect()
    }

    fn of(&self, file: &Listed) -> Option<&[u32]> {
        self.0.get(file.first..file.first.checked_add(file.bytes.div_ceil(BLOCK))?)
    }
}

/// A mapped file, whose blocks are checked when they are first read.
#[derive(Clone)]
pub(super) struct CheckedFile(Arc<Checked>);

struct Checked {
    path: PathBuf,
    bytes: OwnedBytes,
    sums: Box<[u32]>,
    /// The blocks that were checked, one bit for each.
    seen: Box<[AtomicU64]>,
}

impl CheckedFile {
    /// Reads bytes. Fails unless they are as they were written.
    pub(super) fn read(&self, range: Range<usize>) -> Result<&[u8]> {
        let Checked { path, bytes, sums, seen } = &*self.0;
        let blocks = range.start / BLOCK..range.end.div_ceil(BLOCK);
        for block in blocks.filter(|_| !range.is_empty()) {
            let bit = 1 << (block % 64);
            // Only bits are shared: two that check one block at once come to the same end.
            if seen[block / 64].load(Ordering::Relaxed) & bit != 0 {
                continue;
            }
            let end = bytes.len().min((block + 1) * BLOCK);
            if crc32fast::hash(&bytes[block * BLOCK..end]) != sums[block] {
                return Err(damaged(path, "it is not what was written"));
            }
            seen[block / 64].fetch_or(bit, Ordering::Relaxed);
        }
        Ok(&bytes[range])
    }

    /// Checks the whole file.
    pub(super) fn check(&self) -> Result<()> {
        self.read(0..self.0.bytes.len()).map(drop)
    }
}

impl fmt::Debug for CheckedFile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("CheckedFile").field(&self.0.path).finish()
    }
}

impl HasLen for CheckedFile {
    fn len(&self) -> usize {
        self.0.bytes.len()
    }
}

impl FileHandle for CheckedFile {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        self.read(range.clone()).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        Ok(self.0.bytes.slice(range))
    }
}

/// Bytes in memory or in a mapped file.
#[derive(Clone, Debug)]
pub(super) enum Bytes {
    /// In memory, or in a file that this process has just written.
    Own(OwnedBytes),
    /// In a file of an index.
    File(CheckedFile),
}

impl Bytes {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Own(bytes) => bytes.len(),
            Self::File(file) => HasLen::len(file),
        }
    }

    /// Reads bytes. Fails if they are in a file and not as they were written.
    pub(super) fn read(&self, range: Range<usize>) -> Result<&[u8]> {
        match self {
            Self::Own(bytes) => Ok(&bytes[range]),
            Self::File(file) => file.read(range),
        }
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Own(OwnedBytes::new(bytes))
    }
}
