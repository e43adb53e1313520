//! Generations of an index on disk.
//!
//! `CURRENT` names the folder of the current generation and the version of the store that it stands
//! for. It is replaced by renaming, so a reader sees the old or the new one, never a mixture. A
//! reader holds a shared lock on its generation. A refresh holds `refresh.lock`, writes a new
//! folder, replaces `CURRENT`, and deletes the folders that nobody holds.

use std::{
    fs::{self, File},
    io::ErrorKind,
    path::{Path, PathBuf},
};

use graphwright_llm::EmbedderIdentity;
use serde::{Deserialize, Serialize};
use tantivy::directory::MmapDirectory;

use super::{
    HitKind,
    checksums::{Checksums, damaged, read_sealed, write_sealed},
};
use crate::{Result, RetrieveError};

/// Version of the files. Changes with their format.
const FORMAT: u32 = 2;
const CURRENT: &str = "CURRENT";
const MANIFEST: &str = "MANIFEST";
const LOCK: &str = "lock";
const PREFIX: &str = "generation-";
/// How often a reader tries again because the generation that it opens was replaced.
const ATTEMPTS: usize = 20;

/// Description of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Manifest {
    format: u32,
    pub(super) embedder: Option<EmbedderIdentity>,
    /// Hash of all entries.
    pub(super) digest: String,
    pub(super) sections: Vec<(HitKind, usize)>,
    checksums: Checksums,
}

impl Manifest {
    pub(super) fn new(
        embedder: Option<EmbedderIdentity>,
        digest: String,
        sections: Vec<(HitKind, usize)>,
    ) -> Self {
        Self { format: FORMAT, embedder, digest, sections, checksums: Checksums::default() }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Pointer {
    generation: String,
    store_version: String,
}

/// A generation, which stays on disk while this value lives.
#[derive(Debug)]
pub(super) struct Generation {
    pub(super) folder: PathBuf,
    pub(super) manifest: Manifest,
    pub(super) store_version: String,
    /// Keeps the files on disk while they are used.
    _lock: File,
}

impl Generation {
    /// Opens the current generation.
    pub(super) fn current(index: &Path) -> Result<Self> {
        let mut pointer = read_pointer(index)?;
        for _ in 0..ATTEMPTS {
            let opened = Self::open(index, &pointer);
            // A refresh may replace and delete the generation while it is being opened.
            let now = read_pointer(index)?;
            if now.generation == pointer.generation {
                return opened;
            }
            pointer = now;
        }
        Err(damaged(index, "it changes without end"))
    }

    fn open(index: &Path, pointer: &Pointer) -> Result<Self> {
        let folder = index.join(&pointer.generation);
        let path = folder.join(LOCK);
        let lock = File::open(&path).map_err(|source| match source.kind() {
            ErrorKind::NotFound => damaged(&path, "it is missing"),
            _ => RetrieveError::io("cannot open", &path, source),
        })?;
        lock.lock_shared().map_err(|source| RetrieveError::io("cannot lock", &path, source))?;
        let manifest: Manifest = read_sealed(&folder.join(MANIFEST))?;
        if manifest.format != FORMAT {
            let message = format!("it has the form {} and this program reads {FORMAT}", manifest.format);
            return Err(damaged(&folder, message));
        }
        Ok(Self { folder, manifest, store_version: pointer.store_version.clone(), _lock: lock })
    }

    /// Reads a file of the generation. Fails unless it is as it was written.
    pub(super) fn read(&self, file: &Path) -> Result<Vec<u8>> {
        self.manifest.checksums.read(&self.folder, file)
    }

    /// Opens a folder of the generation for the text index. Fails unless its files are as they were
    /// written.
    pub(super) fn open_folder(&self, name: &Path) -> Result<MmapDirectory> {
        self.manifest.checksums.open(&self.folder, name)
    }
}

/// The right to refresh an index, which only one process has at a time.
#[derive(Debug)]
pub(super) struct Refresher {
    index: PathBuf,
    _lock: File,
}

impl Refresher {
    /// Waits until no other process refreshes the index.
    pub(super) fn acquire(index: &Path) -> Result<Self> {
        make_folder(index)?;
        let path = index.join("refresh.lock");
        let lock = File::create(&path).map_err(|source| RetrieveError::io("cannot write", &path, source))?;
        lock.lock().map_err(|source| RetrieveError::io("cannot lock", &path, source))?;
        Ok(Self { index: index.to_owned(), _lock: lock })
    }

    /// Creates an empty folder for the next generation.
    pub(super) fn begin(&self) -> Result<PathBuf> {
        let numbers = generations(&self.index)?.into_iter().filter_map(|folder| number(&folder));
        // A number that is not in use: by the name a reader sees that its generation was replaced.
        let next = numbers.max().unwrap_or(0) + 1;
        let folder = self.index.join(format!("{PREFIX}{next:06}"));
        make_folder(&folder)?;
        let path = folder.join(LOCK);
        File::create(&path).map_err(|source| RetrieveError::io("cannot write", &path, source))?;
        Ok(folder)
    }

    /// Makes a complete folder the current generation, and deletes the folders that nobody uses.
    pub(super) fn publish(&self, folder: &Path, manifest: Manifest, store_version: &str) -> Result<()> {
        let manifest = Manifest { checksums: Checksums::of(folder)?, ..manifest };
        write_sealed(&folder.join(MANIFEST), &manifest)?;
        let generation = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.point(&Pointer { generation, store_version: store_version.to_owned() })?;
        self.sweep(folder)
    }

    /// Deletes a folder that could not be completed, which may have filled the disk.
    pub(super) fn discard(&self, folder: &Path) {
        let name = folder.file_name().unwrap_or_default();
        let is_current = read_pointer(&self.index).is_ok_and(|pointer| *pointer.generation == *name);
        if !is_current && let Err(error) = fs::remove_dir_all(folder) {
            tracing::debug!(folder = %folder.display(), %error, "an unfinished generation stays for now");
        }
    }

    /// Records that the current generation also stands for this version of the store.
    pub(super) fn confirm(&self, current: &Generation, store_version: &str) -> Result<()> {
        let generation = current.folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.point(&Pointer { generation, store_version: store_version.to_owned() })
    }

    fn point(&self, pointer: &Pointer) -> Result<()> {
        let (path, fresh) = (self.index.join(CURRENT), self.index.join("CURRENT.new"));
        write_sealed(&fresh, pointer)?;
        fs::rename(&fresh, &path).map_err(|source| RetrieveError::io("cannot replace", &path, source))
    }

    /// Deletes unused generations. Those that cannot be deleted now are deleted the next time.
    fn sweep(&self, keep: &Path) -> Result<()> {
        for folder in generations(&self.index)?.into_iter().filter(|folder| folder != keep) {
            let unused = match File::open(folder.join(LOCK)) {
                // Released at once: a reader in between finds the new pointer and tries again.
                Ok(lock) => lock.try_lock().is_ok(),
                Err(error) => error.kind() == ErrorKind::NotFound,
            };
            if unused && let Err(error) = fs::remove_dir_all(&folder) {
                tracing::debug!(folder = %folder.display(), %error, "an old generation stays for now");
            }
        }
        Ok(())
    }
}

fn generations(index: &Path) -> Result<Vec<PathBuf>> {
    let fail = |source| RetrieveError::io("cannot read", index, source);
    let mut folders = Vec::new();
    for entry in fs::read_dir(index).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if number(&path).is_some() {
            folders.push(path);
        }
    }
    Ok(folders)
}

fn number(folder: &Path) -> Option<u64> {
    folder.file_name()?.to_str()?.strip_prefix(PREFIX)?.parse().ok()
}

fn read_pointer(index: &Path) -> Result<Pointer> {
    match fs::exists(index.join(CURRENT)) {
        Ok(false) => Err(RetrieveError::NoIndex { path: index.to_owned() }),
        _ => read_sealed(&index.join(CURRENT)),
    }
}

pub(super) fn make_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(|source| RetrieveError::io("cannot make the folder", path, source))
}
