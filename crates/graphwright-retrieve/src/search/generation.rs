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
    sync::Arc,
};

use graphwright_llm::EmbedderIdentity;
use serde::{Deserialize, Serialize};

use super::{
    HitKind,
    checksums::{CheckedFile, Checksums, Sums},
};
use crate::{
    Result, RetrieveError,
    sealed::{damaged, read_sealed, write_sealed},
};

/// Version of the files. Changes with their format.
const FORMAT: u32 = 4;
const CURRENT: &str = "CURRENT";
const MANIFEST: &str = "MANIFEST";
const CHECKSUMS: &str = "CHECKSUMS";
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
    pub(super) segments: Vec<SegmentEntry>,
    pub(super) checksums: Checksums,
}

/// A segment of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SegmentEntry {
    pub(super) kind: HitKind,
    /// Its folder in the generation.
    pub(super) folder: String,
    pub(super) rows: usize,
    /// Rows that still stand for something.
    pub(super) live: usize,
    /// The file that says which these are, unless all are.
    pub(super) alive: Option<String>,
}

impl Manifest {
    /// Describes a generation without segments.
    pub(super) fn new(embedder: Option<EmbedderIdentity>, digest: String) -> Self {
        Self { format: FORMAT, embedder, digest, segments: Vec::new(), checksums: Checksums::default() }
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
    sums: Sums,
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
        let sums = manifest.checksums.read_sums(&folder.join(CHECKSUMS))?;
        Ok(Self { folder, manifest, store_version: pointer.store_version.clone(), sums, _lock: lock })
    }

    /// Maps a file of the generation. What is read of it is checked then.
    pub(super) fn map(&self, file: &Path) -> Result<CheckedFile> {
        self.manifest.checksums.map(&self.sums, &self.folder, file)
    }

    /// Reads a file of the generation. Fails unless it is as it was written.
    pub(super) fn read(&self, file: &Path) -> Result<Vec<u8>> {
        let file = self.map(file)?;
        Ok(file.read(0..tantivy::HasLen::len(&file))?.to_vec())
    }

    /// Returns whether a file belongs to the generation.
    pub(super) fn has(&self, file: &Path) -> bool {
        self.manifest.checksums.files(file).any(|known| known == file)
    }

    /// Reads all files of a folder. Fails unless they are as they were written.
    pub(super) fn check(&self, within: &Path) -> Result<()> {
        self.manifest.checksums.files(within).try_for_each(|file| self.map(file)?.check())
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

    /// Takes over a segment from the generation before. Its files are the same on disk, where the
    /// file system can do so.
    pub(super) fn take_over(before: &Generation, fresh: &Path, segment: &str) -> Result<()> {
        for file in before.manifest.checksums.files(Path::new(segment)) {
            let (old, new) = (before.folder.join(file), fresh.join(file));
            make_folder(new.parent().unwrap_or(fresh))?;
            if fs::hard_link(&old, &new).is_err() {
                fs::copy(&old, &new).map_err(|source| RetrieveError::io("cannot write", &new, source))?;
            }
        }
        Ok(())
    }

    /// Makes a complete folder the current generation, and deletes the folders that nobody uses.
    ///
    /// The checksums of segments that were taken over are those of the generation before.
    pub(super) fn publish(
        &self,
        folder: &Path,
        manifest: Manifest,
        before: Option<Arc<Generation>>,
        taken_over: &[String],
        store_version: &str,
    ) -> Result<()> {
        let known: Vec<(&Checksums, &Sums, &Path)> = before
            .iter()
            .flat_map(|before| {
                taken_over.iter().map(|name| (&before.manifest.checksums, &before.sums, Path::new(name)))
            })
            .collect();
        let (checksums, sums) = Checksums::of(folder, &known)?;
        drop(known);
        // Nothing of this process keeps the generation before from being deleted.
        drop(before);
        let path = folder.join(CHECKSUMS);
        fs::write(&path, sums.to_bytes())
            .map_err(|source| RetrieveError::io("cannot write", &path, source))?;
        let manifest = Manifest { checksums, ..manifest };
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
